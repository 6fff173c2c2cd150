// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CFB: a key stream that depends on the ciphertext before. [SP800-38A, 6.3]

use core::fmt;

use manyfish_sys::{InOut, Status};
use zeroize::ZeroizeOnDrop;

use crate::cipher::{block_bits, shared};
use crate::error::from_status;
use crate::twofish::copying;
use crate::{BlockCipher, Error};

/// A message in work, in one direction. Decryption of whole blocks runs at full speed; encryption
/// takes one block at a time by its nature.
///
/// ```
/// use manyfish::{Twofish, modes::Cfb};
///
/// let cipher = Twofish::new(&[7; 16])?;
/// let mut data = *b"in pieces of any length";
/// let mut message = Cfb::new(&cipher, &[9; 16], 128)?;
/// message.encrypt(&mut data[..5])?;
/// message.encrypt(&mut data[5..])?;
/// Cfb::new(&cipher, &[9; 16], 128)?.decrypt(&mut data)?;
/// assert_eq!(&data, b"in pieces of any length");
/// # Ok::<(), manyfish::Error>(())
/// ```
pub struct Cfb {
    cfb: manyfish_sys::Cfb,
}

impl Cfb {
    /// Starts a message in segments of 1 bit, 8 bits or a block, as is usual. An `iv` must be
    /// unpredictable and never be used twice under one key.
    pub fn new<C: BlockCipher>(
        cipher: &C,
        iv: &C::Block,
        segment_bits: u32,
    ) -> Result<Self, Error> {
        match manyfish_sys::Cfb::new(shared(cipher), iv.as_ref(), segment_bits) {
            Ok(cfb) => Ok(Self { cfb }),
            Err(Status::BLOCK) => {
                Err(Error::SegmentBits { block_bits: block_bits(cipher), found: segment_bits })
            }
            Err(other) => Err(from_status(other)),
        }
    }

    /// Encrypts the next bytes in place.
    pub fn encrypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.cfb.encrypt(&InOut::in_place(data)).map_err(from_status)
    }

    /// Decrypts the next bytes in place.
    pub fn decrypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.cfb.decrypt(&InOut::in_place(data)).map_err(from_status)
    }

    /// Encrypts the next bytes, `input`, into the first bytes of `out`.
    pub fn encrypt_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        self.cfb.encrypt(&copying(out, input)?).map_err(from_status)
    }

    /// Decrypts the next bytes, `input`, into the first bytes of `out`.
    pub fn decrypt_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        self.cfb.decrypt(&copying(out, input)?).map_err(from_status)
    }
}

/// Shows neither key nor position.
impl fmt::Debug for Cfb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cfb").finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Cfb {}
