// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Block ciphers of 128 bits, one block after the other: ours and those of RustCrypto, alone or in a cascade.

use cipher05::array::Array;
use cipher05::consts::U16;
use cipher05::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use manyfish::Twofish;
use manyfish::modes::ecb;

type Block = Array<u8, U16>;

/// A cipher with its key, on data of whole blocks.
pub trait Blocks: Send + Sync {
    fn encrypt(&self, data: &mut [u8]);

    fn decrypt(&self, data: &mut [u8]);
}

const WHOLE: &str = "whole blocks";

impl Blocks for Twofish {
    fn encrypt(&self, data: &mut [u8]) {
        ecb::encrypt(self, data).expect(WHOLE);
    }

    fn decrypt(&self, data: &mut [u8]) {
        ecb::decrypt(self, data).expect(WHOLE);
    }
}

/// A cipher of RustCrypto, on the heap from the start, where its key stays.
pub fn foreign<C>(key: &[u8]) -> Box<dyn Blocks>
where
    C: BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt<BlockSize = U16> + KeyInit,
    C: Send + Sync + 'static,
{
    Box::new(Foreign(C::new_from_slice(key).expect("a key of its length")))
}

/// Ours, with a key of a length that it takes.
pub fn twofish(key: &[u8]) -> Twofish {
    Twofish::new(key).expect("a key of 16, 24 or 32 bytes")
}

struct Foreign<C>(C);

impl<C> Blocks for Foreign<C>
where
    C: BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt<BlockSize = U16> + Send + Sync,
{
    fn encrypt(&self, data: &mut [u8]) {
        self.0.encrypt_blocks(Block::slice_as_chunks_mut(data).0);
    }

    fn decrypt(&self, data: &mut [u8]) {
        self.0.decrypt_blocks(Block::slice_as_chunks_mut(data).0);
    }
}

/// A cascade, in the order in which it decrypts.
impl Blocks for Vec<Box<dyn Blocks>> {
    fn encrypt(&self, data: &mut [u8]) {
        for cipher in self.iter().rev() {
            cipher.encrypt(data);
        }
    }

    fn decrypt(&self, data: &mut [u8]) {
        for cipher in self {
            cipher.decrypt(data);
        }
    }
}
