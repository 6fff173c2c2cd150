// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `cipher` 0.4.

use core::fmt;

use cipher04::consts::{U8, U16, U24, U32, U64, U512};
use cipher04::inout::{InOut, InOutBuf};
use cipher04::{
    AlgorithmName, Block, BlockBackend, BlockCipher, BlockClosure, BlockDecrypt, BlockEncrypt,
    BlockSizeUser, InvalidLength, Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
};

use super::{Blocks, Des, TdesEde2, TdesEde3, Twofish};

/// A key at work in one direction.
struct Encrypt<'a, C>(&'a C);
struct Decrypt<'a, C>(&'a C);

/// All that a backend does is to hand buffers on.
macro_rules! backend {
    ($direction:ident, $crypt:ident) => {
        impl<C: BlockSizeUser> BlockSizeUser for $direction<'_, C> {
            type BlockSize = C::BlockSize;
        }

        impl<C: ParBlocksSizeUser> ParBlocksSizeUser for $direction<'_, C> {
            type ParBlocksSize = C::ParBlocksSize;
        }

        impl<C: Blocks + ParBlocksSizeUser> BlockBackend for $direction<'_, C> {
            #[inline]
            fn proc_block(&mut self, block: InOut<'_, '_, Block<C>>) {
                self.0.$crypt(&block.into());
            }

            #[inline]
            fn proc_par_blocks(&mut self, blocks: InOut<'_, '_, ParBlocks<C>>) {
                self.0.$crypt(&blocks.into_buf().into());
            }

            #[inline]
            fn proc_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Block<C>>) {
                self.0.$crypt(&blocks.into());
            }
        }
    };
}

backend!(Encrypt, encrypt);
backend!(Decrypt, decrypt);

macro_rules! block_cipher {
    ($($cipher:ty, $name:literal, $block:ty, $par_blocks:ty, $key:ty;)*) => {$(
        impl BlockSizeUser for $cipher {
            type BlockSize = $block;
        }

        impl ParBlocksSizeUser for $cipher {
            type ParBlocksSize = $par_blocks;
        }

        impl KeySizeUser for $cipher {
            type KeySize = $key;
        }

        impl KeyInit for $cipher {
            fn new(key: &Key<Self>) -> Self {
                Self::expand(key).expect("it has keys of KeySize bytes")
            }

            fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
                Self::expand(key).ok_or(InvalidLength)
            }
        }

        impl BlockCipher for $cipher {}

        impl BlockEncrypt for $cipher {
            #[inline]
            fn encrypt_with_backend(&self, f: impl BlockClosure<BlockSize = $block>) {
                f.call(&mut Encrypt(self));
            }
        }

        impl BlockDecrypt for $cipher {
            #[inline]
            fn decrypt_with_backend(&self, f: impl BlockClosure<BlockSize = $block>) {
                f.call(&mut Decrypt(self));
            }
        }

        impl AlgorithmName for $cipher {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name)
            }
        }
    )*};
}

block_cipher! {
    crate::Twofish, "Twofish", U16, U64, U32;
    crate::Des, "Des", U8, U512, U24;
    Twofish, "Twofish", U16, U64, U32;
    Des, "Des", U8, U512, U8;
    TdesEde2, "TdesEde2", U8, U512, U16;
    TdesEde3, "TdesEde3", U8, U512, U24;
}
