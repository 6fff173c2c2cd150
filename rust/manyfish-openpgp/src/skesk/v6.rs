// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Version 6 [RFC9580, 5.3.2].

use hkdf::Hkdf;
use manyfish::Ocb;
use sha2::Sha256;
use zeroize::Zeroizing;

use super::{VERSION, WHAT, require_twofish_ocb, session_key};
use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::error::{Error, Result};
use crate::key::{KEY_BYTES, Key};
use crate::message_key::ocb;
use crate::packet::tag_octet;
use crate::read::Fields;
use crate::s2k::S2k;
use crate::{NONCE_BYTES, NONCE_FITS, TAG_BYTES};

/// Version 6: the session key under HKDF of what the passphrase gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkeskV6 {
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

impl SkeskV6 {
    pub(super) fn parse(mut fields: Fields) -> Result<Self> {
        let five_fields = usize::from(fields.octet()?);
        let (cipher, mode) = (Cipher(fields.octet()?), AeadMode(fields.octet()?));
        let s2k_bytes = usize::from(fields.octet()?);
        let mut specifier = Fields::new(PacketType::SKESK, fields.take(s2k_bytes)?);
        let s2k = S2k::parse(&mut specifier)?;
        let nonce_bytes = five_fields.checked_sub(3 + s2k_bytes);
        let agree = nonce_bytes == mode.nonce_bytes().or(nonce_bytes);
        let Some(nonce_bytes) = nonce_bytes.filter(|_| agree && specifier.is_empty()) else {
            return Err(fields.malformed("its lengths do not agree"));
        };
        let nonce = fields.take(nonce_bytes)?.to_vec();
        let sealed = fields.rest().to_vec();
        if sealed.len() < TAG_BYTES {
            return Err(fields.malformed("it is too short"));
        }
        Ok(Self { cipher, mode, s2k, nonce, sealed })
    }

    /// Encrypts `session_key` under the passphrase. The nonce may be constant zero only because the
    /// key is fresh with each salt; it is random anyway, as the standard has it.
    pub(crate) fn seal(
        s2k: S2k,
        nonce: [u8; NONCE_BYTES],
        passphrase: &[u8],
        session_key: &Key,
    ) -> Result<Self> {
        let (cipher, mode) = (Cipher::TWOFISH_256, AeadMode::OCB);
        let mut packet = Self { cipher, mode, s2k, nonce: nonce.to_vec(), sealed: Vec::new() };
        packet.check()?;
        let ocb = packet.key_encryption(passphrase)?;
        // All its room at once: a vector that grew would leave a copy behind.
        packet.sealed.reserve_exact(KEY_BYTES + TAG_BYTES);
        packet.sealed.extend_from_slice(session_key);
        let info = packet.info();
        let tag = ocb.seal(&packet.nonce, &info, &mut packet.sealed).expect(NONCE_FITS);
        packet.sealed.extend_from_slice(&tag);
        Ok(packet)
    }

    /// Whether this program can try it.
    pub(crate) fn check(&self) -> Result<()> {
        require_twofish_ocb(WHAT, self.cipher, self.mode)?;
        self.s2k.refuse_weak()?;
        self.s2k.check()
    }

    /// The session key. `WrongPassphrase` where the tag does not fit.
    pub(crate) fn open(&self, passphrase: &[u8]) -> Result<Key> {
        self.check()?;
        let (sealed, tag) = self.sealed.split_last_chunk().expect("parse checked the length");
        let mut plain = Zeroizing::new(sealed.to_vec());
        self.key_encryption(passphrase)?
            .open(&self.nonce, &self.info(), &mut plain, tag)
            .map_err(|_| Error::WrongPassphrase)?;
        session_key(&plain)
    }

    /// Passphrase, through S2K and HKDF, to the key that encrypts the session key.
    fn key_encryption(&self, passphrase: &[u8]) -> Result<Ocb> {
        let stretched = self.s2k.derive(passphrase)?;
        let hkdf = Hkdf::<Sha256>::new(None, &stretched);
        let key = Key::filled(|key| hkdf.expand(&self.info(), key));
        Ok(ocb(&key.expect("HKDF gives 32 octets")))
    }

    /// The fields that HKDF and the tag bind: packet, version, cipher, mode.
    fn info(&self) -> [u8; 4] {
        [tag_octet(PacketType::SKESK), VERSION, self.cipher.0, self.mode.0]
    }

    /// The body of the packet.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let s2k = self.s2k.to_bytes();
        let counts = |n: usize| u8::try_from(n).expect("specifiers and nonces are short");
        let five_fields = counts(3 + s2k.len() + self.nonce.len());
        let head = [VERSION, five_fields, self.cipher.0, self.mode.0, counts(s2k.len())];
        [&head[..], &s2k, &self.nonce, &self.sealed].concat()
    }
}
