// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The authenticated modes as one: a message with its tag, sealed and opened as a whole.

use manyfish::{Ccm, Eax, Gcm, Ocb, Siv, TAG_BYTES};

use crate::Error;

/// A mode with its key, ready for a message.
pub enum Aead {
    Ocb(Ocb),
    Eax(Eax, usize),
    Gcm(Gcm, usize),
    Ccm(Ccm, usize),
    Siv(Siv),
}

/// The nonce and the associated data of a message.
pub struct Context {
    pub nonce: Vec<u8>,
    /// At most one string, except in SIV.
    pub aad: Vec<Vec<u8>>,
}

impl Context {
    fn one_string(&self) -> &[u8] {
        self.aad.first().map_or(&[], Vec::as_slice)
    }

    fn strings(&self) -> Vec<&[u8]> {
        self.aad.iter().map(Vec::as_slice).collect()
    }
}

impl Aead {
    pub fn tag_bytes(&self) -> usize {
        match self {
            Self::Ocb(_) | Self::Siv(_) => TAG_BYTES,
            Self::Eax(_, n_bytes) | Self::Gcm(_, n_bytes) | Self::Ccm(_, n_bytes) => *n_bytes,
        }
    }

    /// SIV computes the tag first and puts it first. [RFC5297, 2.6]
    fn is_tag_first(&self) -> bool {
        matches!(self, Self::Siv(_))
    }

    /// Encrypts the message, and adds the tag where the mode wants it.
    pub fn seal(&self, context: &Context, message: &mut Vec<u8>) -> Result<(), Error> {
        let tag = self.encrypt(context, message).map_err(|error| self.explain(error))?;
        let place = if self.is_tag_first() { 0 } else { message.len() };
        message.splice(place..place, tag);
        Ok(())
    }

    /// Removes the tag, and decrypts the message if the tag is right.
    pub fn open(&self, context: &Context, message: &mut Vec<u8>) -> Result<(), Error> {
        let Some(end) = message.len().checked_sub(self.tag_bytes()) else {
            return Err(Error::failed(format_args!(
                "the input has {} bytes, fewer than its tag of {}",
                message.len(),
                self.tag_bytes()
            )));
        };
        let place = if self.is_tag_first() { 0..self.tag_bytes() } else { end..message.len() };
        let tag: Vec<u8> = message.drain(place).collect();
        self.decrypt(context, message, &tag).map_err(|error| self.explain(error))
    }

    fn encrypt(&self, context: &Context, data: &mut [u8]) -> Result<Vec<u8>, manyfish::Error> {
        let (nonce, aad) = (&context.nonce[..], context.one_string());
        Ok(match self {
            Self::Ocb(ocb) => ocb.seal(nonce, aad, data)?.to_vec(),
            Self::Eax(eax, _) => eax.seal(nonce, aad, data)?.to_vec(),
            Self::Gcm(gcm, _) => gcm.seal(nonce, aad, data)?.to_vec(),
            Self::Ccm(ccm, _) => ccm.seal(nonce, aad, data)?.to_vec(),
            Self::Siv(siv) => siv.seal(nonce, &context.strings(), data)?.to_vec(),
        })
    }

    fn decrypt(
        &self,
        context: &Context,
        data: &mut [u8],
        tag: &[u8],
    ) -> Result<(), manyfish::Error> {
        let (nonce, aad) = (&context.nonce[..], context.one_string());
        let whole = || tag.try_into().expect("open has cut it to this length");
        match self {
            Self::Ocb(ocb) => ocb.open(nonce, aad, data, whole()),
            Self::Eax(eax, _) => eax.open(nonce, aad, data, tag),
            Self::Gcm(gcm, _) => gcm.open(nonce, aad, data, tag),
            Self::Ccm(ccm, _) => ccm.open(nonce, aad, data, tag),
            Self::Siv(siv) => siv.open(nonce, &context.strings(), data, whole()),
        }
    }

    fn explain(&self, error: manyfish::Error) -> Error {
        match (self, error) {
            (Self::Ccm(..), manyfish::Error::TooLong) => Error::failed(
                "the message is too long for ccm with this nonce",
            )
            .hint(
                "13 bytes allow less than 64 KiB, 12 bytes less than 16 MiB, 11 bytes any length",
            ),
            (_, error) => Error::failed(error),
        }
    }
}
