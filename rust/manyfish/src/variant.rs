// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Ciphers that are almost Twofish.

use core::fmt;

use manyfish_sys::{InOut, Status};
use zeroize::ZeroizeOnDrop;

use crate::Error;
use crate::cipher::length;
use crate::error::from_status;
use crate::twofish::copying;

/// Bytes of a family key.
pub const FAMILY_KEY_BYTES: usize = 32;
/// Keys of more bytes are of variants alone, and not of a family.
const TWOFISH_KEY_BYTES: usize = 32;

/// The differences of a [`TwofishVariant`] from Twofish. The default has none.
#[derive(Clone, Copy)]
pub struct Variation<'a> {
    /// 1 to 124; Twofish has 16. Fewer are weaker.
    pub rounds: u32,
    /// Are subkeys added before the first round and after the last one? Attacks on reduced variants leave
    /// that out.
    pub whitening: bool,
    /// A second key that chooses the cipher, which `key` is then a key of.
    pub family_key: Option<&'a [u8; FAMILY_KEY_BYTES]>,
}

impl Default for Variation<'_> {
    fn default() -> Self {
        Self { rounds: 16, whitening: true, family_key: None }
    }
}

/// Says whether there is a family key, never which.
impl fmt::Debug for Variation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Variation")
            .field("rounds", &self.rounds)
            .field("whitening", &self.whitening)
            .field("in_family", &self.family_key.is_some())
            .finish()
    }
}

/// An expanded key of a cipher that is almost Twofish, for study: with another number of rounds
/// [Twofish98, 11.7], without whitening, with a family key [Twofish98, 11.8], or with a key of more than
/// 256 bits [Twofish98, 11.5]. A clone shares the key; it is wiped when its last owner is dropped.
///
/// This project claims no security for any of these, and no other program knows them. The authors meant family
/// keys to make no variant substantially weaker, and related-key attacks between families hard to mount. The
/// paper leaves open the order of q0 and q1 for longer keys: here that of levels 1 to 4 is repeated. Key and
/// data index lookup tables.
///
/// [`modes`](crate::modes) take it, except XTS, OCB, GCM, CCM and SIV; so does [`Cmac`](crate::Cmac).
///
/// ```
/// use manyfish::{TwofishVariant, Variation, modes::Ctr};
///
/// let variation = Variation { rounds: 32, family_key: Some(&[9; 32]), ..Default::default() };
/// let cipher = TwofishVariant::new(&variation, &[7; 16])?;
/// let mut data = *b"of any length";
/// Ctr::new(&cipher, &[0; 16], 128)?.crypt(&mut data)?;
/// # Ok::<(), manyfish::Error>(())
/// ```
#[derive(Clone)]
pub struct TwofishVariant {
    pub(crate) key: manyfish_sys::TwofishVariant,
}

impl TwofishVariant {
    /// Expands a key of a multiple of 8 bytes from 16 to 512, or to 32 with a family key.
    /// [`Error::Rounds`], [`Error::VariantKeyLength`].
    pub fn new(variation: &Variation, key: &[u8]) -> Result<Self, Error> {
        let Variation { rounds, whitening, family_key } = *variation;
        let for_sys = manyfish_sys::Variation { rounds, whitening, family_key };
        let expanded = manyfish_sys::TwofishVariant::new(&for_sys, key);
        expanded.map(|key| Self { key }).map_err(|status| match status {
            Status::ROUNDS => Error::Rounds { found: rounds },
            Status::KEY_LENGTH if family_key.is_some() && key.len() > TWOFISH_KEY_BYTES => {
                Error::FamilyKeyLength { found: key.len() }
            }
            Status::KEY_LENGTH => Error::VariantKeyLength { found: key.len() },
            other => from_status(other),
        })
    }

    /// Encrypts whole blocks in place, each by itself.
    pub fn encrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        let data = InOut::in_place(data);
        self.key.encrypt_blocks(&data).map_err(|status| length(self, status, found))
    }

    /// Decrypts whole blocks in place, each by itself.
    pub fn decrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        let data = InOut::in_place(data);
        self.key.decrypt_blocks(&data).map_err(|status| length(self, status, found))
    }

    /// Encrypts the blocks of `input` into the first bytes of `out`.
    pub fn encrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let data = copying(out, input)?;
        self.key.encrypt_blocks(&data).map_err(|status| length(self, status, input.len()))
    }

    /// Decrypts the blocks of `input` into the first bytes of `out`.
    pub fn decrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let data = copying(out, input)?;
        self.key.decrypt_blocks(&data).map_err(|status| length(self, status, input.len()))
    }
}

/// Says nothing of the key.
impl fmt::Debug for TwofishVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TwofishVariant").finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for TwofishVariant {}
