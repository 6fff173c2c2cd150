// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Version 5, of LibrePGP [Koch23].

use zeroize::Zeroizing;

use super::{WHAT, require_twofish, session_key};
use crate::TAG_BYTES;
use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::error::{Error, Result};
use crate::key::Key;
use crate::message_key::Aead;
use crate::packet::tag_octet;
use crate::read::Fields;
use crate::s2k::S2k;

/// Version 5: the session key under the key that the passphrase gives, with a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkeskV5 {
    /// Encrypts the session key.
    pub cipher: Cipher,
    /// In this mode.
    pub mode: AeadMode,
    /// From the passphrase to a key.
    pub s2k: S2k,
    nonce: Vec<u8>,
    /// The encrypted session key and its tag.
    sealed: Vec<u8>,
}

impl SkeskV5 {
    pub(super) fn parse(mut fields: Fields) -> Result<Self> {
        let (cipher, mode) = (Cipher(fields.octet()?), AeadMode(fields.octet()?));
        let s2k = S2k::parse(&mut fields)?;
        let nonce = fields.take(mode.nonce_bytes().unwrap_or(0))?.to_vec();
        let sealed = fields.rest().to_vec();
        if sealed.len() < TAG_BYTES {
            return Err(fields.malformed("it is too short"));
        }
        Ok(Self { cipher, mode, s2k, nonce, sealed })
    }

    /// Whether this program can try it.
    pub(crate) fn check(&self) -> Result<()> {
        require_twofish(WHAT, self.cipher)?;
        match self.mode {
            AeadMode::OCB | AeadMode::EAX => self.s2k.check(),
            found => Err(Error::OtherMode { what: WHAT, found }),
        }
    }

    /// The session key. `WrongPassphrase` where the tag does not fit.
    pub(crate) fn open(&self, passphrase: &[u8]) -> Result<Key> {
        self.check()?;
        let key = self.s2k.derive(passphrase)?;
        let aead = Aead::new(self.mode, &key).expect("check knows the modes");
        let (sealed, tag) = self.sealed.split_last_chunk().expect("parse checked the length");
        let mut plain = Zeroizing::new(sealed.to_vec());
        let info = [tag_octet(PacketType::SKESK), 5, self.cipher.0, self.mode.0];
        if !aead.open(&self.nonce, &info, &mut plain, tag) {
            return Err(Error::WrongPassphrase);
        }
        session_key(&plain)
    }
}
