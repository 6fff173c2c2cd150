// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CTR: a key stream from an encrypted counter. [SP800-38A, 6.5]

use core::fmt;

use manyfish_sys::{InOut, Status};
use zeroize::ZeroizeOnDrop;

use crate::cipher::{block_bits, shared};
use crate::error::from_status;
use crate::twofish::copying;
use crate::{BlockCipher, Error};

/// A key stream in use; the same calls encrypt and decrypt.
///
/// ```
/// use manyfish::{Twofish, modes::Ctr};
///
/// let cipher = Twofish::new(&[7; 16])?;
/// let mut data = *b"in pieces of any length";
/// let mut stream = Ctr::new(&cipher, &[0; 16], 128)?;
/// stream.crypt(&mut data[..5])?;
/// stream.crypt(&mut data[5..])?;
/// Ctr::new(&cipher, &[0; 16], 128)?.crypt(&mut data)?;
/// assert_eq!(&data, b"in pieces of any length");
/// # Ok::<(), manyfish::Error>(())
/// ```
pub struct Ctr {
    ctr: manyfish_sys::Ctr,
}

impl Ctr {
    /// Starts a key stream at the counter block `initial`, of which the last `counter_bits` (32, or
    /// all) count, big-endian. No counter block may ever be used twice under one key.
    pub fn new<C: BlockCipher>(
        cipher: &C,
        initial: &C::Block,
        counter_bits: u32,
    ) -> Result<Self, Error> {
        match manyfish_sys::Ctr::new(shared(cipher), initial.as_ref(), counter_bits) {
            Ok(ctr) => Ok(Self { ctr }),
            Err(Status::BLOCK) => {
                Err(Error::CounterBits { block_bits: block_bits(cipher), found: counter_bits })
            }
            Err(other) => Err(from_status(other)),
        }
    }

    /// Encrypts or decrypts the next bytes in place. With 32-bit counters a stream ends after 2^32
    /// blocks: [`Error::TooLong`], and nothing is done.
    pub fn crypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.ctr.crypt(&InOut::in_place(data)).map_err(from_status)
    }

    /// The same from `input` into the first bytes of `out`.
    pub fn crypt_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        self.ctr.crypt(&copying(out, input)?).map_err(from_status)
    }
}

/// Shows neither key nor position.
impl fmt::Debug for Ctr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ctr").finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Ctr {}
