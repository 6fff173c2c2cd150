// SPDX-License-Identifier: Apache-2.0 OR MIT

//! Triple-DES that encrypts three times, as no standard has it: made of three DES.

use core::fmt;

use cipher::consts::{U8, U16, U24};
use cipher::inout::{InOut, InOutBuf};
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, Key, KeyInit,
    KeySizeUser, ParBlocks, ParBlocksSizeUser,
};

use crate::Des;

/// The parts of a key, in the order of encryption.
#[derive(Clone)]
struct Parts([Des; 3]);

struct Encrypt<'a>(&'a Parts);
struct Decrypt<'a>(&'a Parts);

/// One part after the other: the first from input to output, the others there in place.
macro_rules! backend {
    ($direction:ident, $order:expr, $trait:ident, $par_blocks:ident, $tail:ident, $block:ident, $block_inout:ident,
     $blocks:ident, $blocks_inout:ident) => {
        impl BlockSizeUser for $direction<'_> {
            type BlockSize = U8;
        }

        impl ParBlocksSizeUser for $direction<'_> {
            type ParBlocksSize = <Des as ParBlocksSizeUser>::ParBlocksSize;
        }

        impl $trait for $direction<'_> {
            fn $block(&self, mut block: InOut<'_, '_, Block<Self>>) {
                let [one, two, three] = $order(self.0);
                one.$block_inout(block.reborrow());
                two.$block(block.get_out());
                three.$block(block.get_out());
            }

            fn $par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.$tail(blocks.into_buf());
            }

            fn $tail(&self, mut blocks: InOutBuf<'_, '_, Block<Self>>) {
                let [one, two, three] = $order(self.0);
                one.$blocks_inout(blocks.reborrow());
                two.$blocks(blocks.get_out());
                three.$blocks(blocks.get_out());
            }
        }
    };
}

fn forth(parts: &Parts) -> [&Des; 3] {
    parts.0.each_ref()
}

fn back(Parts([one, two, three]): &Parts) -> [&Des; 3] {
    [three, two, one]
}

backend!(
    Encrypt,
    forth,
    BlockCipherEncBackend,
    encrypt_par_blocks,
    encrypt_tail_blocks,
    encrypt_block,
    encrypt_block_inout,
    encrypt_blocks,
    encrypt_blocks_inout
);
backend!(
    Decrypt,
    back,
    BlockCipherDecBackend,
    decrypt_par_blocks,
    decrypt_tail_blocks,
    decrypt_block,
    decrypt_block_inout,
    decrypt_blocks,
    decrypt_blocks_inout
);

macro_rules! eee {
    ($(#[$about:meta])* $name:ident, $key:ty, $order:expr) => {
        $(#[$about])*
        #[derive(Clone)]
        pub struct $name(Parts);

        impl BlockSizeUser for $name {
            type BlockSize = U8;
        }

        impl KeySizeUser for $name {
            type KeySize = $key;
        }

        impl KeyInit for $name {
            fn new(key: &Key<Self>) -> Self {
                let part = |i: usize| Des::new_from_slice(&key[8 * i..8 * i + 8]);
                Self(Parts($order.map(|i| part(i).expect("a part has 8 bytes"))))
            }
        }

        impl BlockCipherEncrypt for $name {
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U8>) {
                f.call(&Encrypt(&self.0));
            }
        }

        impl BlockCipherDecrypt for $name {
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U8>) {
                f.call(&Decrypt(&self.0));
            }
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { ... }"))
            }
        }

        #[cfg(feature = "zeroize")]
        impl cipher::zeroize::ZeroizeOnDrop for $name {}
    };
}

eee!(
    /// Triple-DES that encrypts with each of two keys, and with the first again.
    TdesEee2, U16, [0, 1, 0]
);
eee!(
    /// Triple-DES that encrypts with each of three keys.
    TdesEee3, U24, [0, 1, 2]
);
