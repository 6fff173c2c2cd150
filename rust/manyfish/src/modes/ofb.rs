// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! OFB: a key stream from a block encrypted again and again. [SP800-38A, 6.4]

use core::fmt;

use manyfish_sys::InOut;
use zeroize::ZeroizeOnDrop;

use crate::cipher::shared;
use crate::error::from_status;
use crate::twofish::copying;
use crate::{BlockCipher, Error};

/// A key stream in use; the same calls encrypt and decrypt. It takes one block at a time, so
/// [`Ctr`](super::Ctr) is many times as fast.
///
/// ```
/// use manyfish::{Twofish, modes::Ofb};
///
/// let cipher = Twofish::new(&[7; 16])?;
/// let mut data = *b"in pieces of any length";
/// let mut stream = Ofb::new(&cipher, &[9; 16])?;
/// stream.crypt(&mut data[..5])?;
/// stream.crypt(&mut data[5..])?;
/// Ofb::new(&cipher, &[9; 16])?.crypt(&mut data)?;
/// assert_eq!(&data, b"in pieces of any length");
/// # Ok::<(), manyfish::Error>(())
/// ```
pub struct Ofb {
    ofb: manyfish_sys::Ofb,
}

impl Ofb {
    /// Starts a key stream. No `iv` may ever be used twice under one key.
    pub fn new<C: BlockCipher>(cipher: &C, iv: &C::Block) -> Result<Self, Error> {
        let ofb = manyfish_sys::Ofb::new(shared(cipher), iv.as_ref()).map_err(from_status)?;
        Ok(Self { ofb })
    }

    /// Encrypts or decrypts the next bytes in place.
    pub fn crypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.ofb.crypt(&InOut::in_place(data)).map_err(from_status)
    }

    /// The same from `input` into the first bytes of `out`.
    pub fn crypt_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        self.ofb.crypt(&copying(out, input)?).map_err(from_status)
    }
}

/// Shows neither key nor position.
impl fmt::Debug for Ofb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ofb").finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Ofb {}
