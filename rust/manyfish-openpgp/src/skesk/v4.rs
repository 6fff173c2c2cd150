// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Version 4, of the older form [RFC9580, 5.3.1].

use manyfish::modes::Cfb;
use zeroize::Zeroizing;

use super::{WHAT, require_twofish};
use crate::algorithm::Cipher;
use crate::error::{Error, Result};
use crate::key::Key;
use crate::message_key::twofish;
use crate::read::Fields;
use crate::s2k::S2k;

/// Version 4: the passphrase gives the session key itself, or one that encrypts it, without a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkeskV4 {
    /// Encrypts the session key, or where there is none, the message.
    pub cipher: Cipher,
    /// From the passphrase to its key.
    pub s2k: S2k,
    /// The number of the message's cipher and the session key, in CFB; or nothing.
    pub(super) sealed: Vec<u8>,
}

impl SkeskV4 {
    pub(super) fn parse(mut fields: Fields) -> Result<Self> {
        let cipher = Cipher(fields.octet()?);
        let s2k = S2k::parse(&mut fields)?;
        Ok(Self { cipher, s2k, sealed: fields.rest().to_vec() })
    }

    /// For a message whose key the passphrase gives.
    pub(crate) fn new(s2k: S2k) -> Self {
        Self { cipher: Cipher::TWOFISH_256, s2k, sealed: Vec::new() }
    }

    /// Whether there is an encrypted session key.
    #[must_use]
    pub fn holds_key(&self) -> bool {
        !self.sealed.is_empty()
    }

    /// Whether this program can try it.
    pub(crate) fn check(&self) -> Result<()> {
        let what = if self.holds_key() { WHAT } else { "message" };
        require_twofish(what, self.cipher)?;
        self.s2k.check()
    }

    /// A key that may be the session key: nothing here proves it. `WrongPassphrase` if it is no key for
    /// Twofish-256.
    pub(crate) fn open(&self, passphrase: &[u8]) -> Result<Key> {
        self.check()?;
        let key = self.s2k.derive(passphrase)?;
        if !self.holds_key() {
            return Ok(key);
        }
        let mut plain = Zeroizing::new(self.sealed.clone());
        let mut cfb = Cfb::new(&twofish(&key), &[0; 16], 128).expect("the mode of a block");
        cfb.decrypt(&mut plain).expect("no length is too long");
        match plain.split_first() {
            Some((&cipher, key)) if Cipher(cipher) == Cipher::TWOFISH_256 => {
                Key::copied(key).ok_or(Error::WrongPassphrase)
            }
            _ => Err(Error::WrongPassphrase),
        }
    }

    /// The body of the packet.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        [&[4, self.cipher.0], &self.s2k.to_bytes()[..], &self.sealed].concat()
    }
}
