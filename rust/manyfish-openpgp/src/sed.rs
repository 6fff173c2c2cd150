// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The encrypted packet of type 9 [RFC9580, 5.7]: CFB over a random prefix, begun again after it, and no check of
//! anything. Only read, and only where the caller takes the danger.

use std::io::{self, Read};

use manyfish::Twofish;
use manyfish::modes::Cfb;

use crate::error::Result;
use crate::mdc;

/// Decrypts what it reads: octets that anybody may have altered.
pub struct Reader<R> {
    input: R,
    cfb: Cfb,
}

impl<R: Read> Reader<R> {
    /// Passes over the prefix. Its last block of ciphertext is what CFB begins with again.
    pub fn new(mut input: R, cipher: &Twofish) -> Result<Self> {
        let prefix = mdc::read_prefix(&mut input)?;
        let last = prefix.last_chunk().expect("the prefix is longer than a block");
        Ok(Self { input, cfb: mdc::cfb(cipher, last) })
    }

    pub fn into_input(self) -> R {
        self.input
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.cfb.decrypt(&mut buffer[..n]).expect("no length is too long");
        Ok(n)
    }
}
