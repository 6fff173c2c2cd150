// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The packet that holds the session key, encrypted under the passphrase: version 6 [RFC9580, 5.3.2]
//! written and opened, the older versions recognised.

use hkdf::Hkdf;
use manyfish::{Ocb, Twofish};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::error::{Error, Result};
use crate::packet::tag_octet;
use crate::read::Fields;
use crate::s2k::{Argon2Budget, Key, S2k};
use crate::{NONCE_BYTES, NONCE_FITS, TAG_BYTES};

const VERSION: u8 = 6;
const WHAT: &str = "session key";

/// A packet with a session key under a passphrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skesk {
    /// That of [RFC9580, 5.3.2].
    V6(SkeskV6),
    /// That of the forms before RFC 9580 [RFC9580, 5.3.1]. Where it holds no session key, the passphrase
    /// gives the message's key, and the cipher is the message's.
    V4 {
        /// Encrypts the session key, or the message.
        cipher: Cipher,
        /// From the passphrase to its key.
        s2k: S2k,
        /// Whether there is an encrypted session key.
        holds_key: bool,
    },
    /// Version 5 (LibrePGP), or one of the future.
    Other(u8),
}

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

impl Skesk {
    pub(crate) fn parse(body: &[u8]) -> Result<Self> {
        let mut fields = Fields::new(PacketType::SKESK, body);
        Ok(match fields.octet()? {
            VERSION => Self::V6(SkeskV6::parse(fields)?),
            4 => {
                let cipher = Cipher(fields.octet()?);
                let s2k = S2k::parse(&mut fields)?;
                Self::V4 { cipher, s2k, holds_key: !fields.is_empty() }
            }
            version => Self::Other(version),
        })
    }

    /// The cipher of the message, where this packet alone decides it.
    #[must_use]
    pub fn message_cipher(&self) -> Option<Cipher> {
        match self {
            Self::V4 { cipher, holds_key: false, .. } => Some(*cipher),
            _ => None,
        }
    }
}

impl SkeskV6 {
    fn parse(mut fields: Fields) -> Result<Self> {
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
    /// key is fresh with each salt; it is random all the same, as the standard has it.
    pub(crate) fn seal(
        s2k: S2k,
        nonce: [u8; NONCE_BYTES],
        passphrase: &[u8],
        session_key: &Key,
    ) -> Result<Self> {
        let (cipher, mode) = (Cipher::TWOFISH_256, AeadMode::OCB);
        let mut packet = Self { cipher, mode, s2k, nonce: nonce.to_vec(), sealed: Vec::new() };
        let ocb = packet.key_encryption(passphrase, &mut Argon2Budget::default())?;
        let mut key = session_key.clone();
        let tag = ocb.seal(&packet.nonce, &packet.info(), &mut key[..]).expect(NONCE_FITS);
        packet.sealed = [&key[..], &tag].concat();
        Ok(packet)
    }

    /// Whether this program can try it.
    pub(crate) fn check(&self) -> Result<()> {
        require_twofish_ocb(WHAT, self.cipher, self.mode)
    }

    /// The session key. `WrongPassphrase` where the tag does not fit.
    pub(crate) fn open(&self, passphrase: &[u8], budget: &mut Argon2Budget) -> Result<Key> {
        self.check()?;
        let (sealed, tag) = self.sealed.split_last_chunk().expect("parse checked the length");
        let mut plain = Zeroizing::new(sealed.to_vec());
        self.key_encryption(passphrase, budget)?
            .open(&self.nonce, &self.info(), &mut plain, tag)
            .map_err(|_| Error::WrongPassphrase)?;
        let key = plain.as_slice().try_into().map_err(|_| Error::Malformed {
            packet: PacketType::SKESK,
            problem: "the session key in it has not 32 octets",
        })?;
        Ok(Zeroizing::new(key))
    }

    /// Passphrase, through S2K and HKDF, to the key that encrypts the session key.
    fn key_encryption(&self, passphrase: &[u8], budget: &mut Argon2Budget) -> Result<Ocb> {
        let stretched = self.s2k.derive(passphrase, budget)?;
        let mut key = Key::default();
        Hkdf::<Sha256>::new(None, &stretched[..])
            .expand(&self.info(), &mut key[..])
            .expect("HKDF gives 32 octets");
        Ok(ocb(&key))
    }

    /// What HKDF and the tag bind: packet, version, cipher, mode.
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

/// OCB under a Twofish-256 key.
pub(crate) fn ocb(key: &Key) -> Ocb {
    Ocb::new(&Twofish::new(&key[..]).expect("32 octets are a key"))
}

/// The one suite that can be opened; any other is refused by its name.
pub(crate) fn require_twofish_ocb(
    what: &'static str,
    cipher: Cipher,
    mode: AeadMode,
) -> Result<()> {
    match (cipher, mode) {
        (Cipher::TWOFISH_256, AeadMode::OCB) => Ok(()),
        (Cipher::TWOFISH_256, AeadMode::EAX) => Err(Error::Eax { what }),
        (Cipher::TWOFISH_256, AeadMode::GCM) => Err(Error::Gcm { what }),
        (Cipher::TWOFISH_256, found) => Err(Error::OtherMode { what, found }),
        (found, _) => Err(Error::OtherCipher { what, found }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Hash;

    fn sealed() -> SkeskV6 {
        let s2k = S2k::Salted { hash: Hash::SHA256, salt: [3; 8] };
        SkeskV6::seal(s2k, [4; NONCE_BYTES], b"passphrase", &Key::new([5; 32])).unwrap()
    }

    fn open(packet: &SkeskV6, passphrase: &[u8]) -> Result<Key> {
        packet.open(passphrase, &mut Argon2Budget::default())
    }

    #[test]
    fn opens_after_writing_and_parsing() {
        let Skesk::V6(parsed) = Skesk::parse(&sealed().to_bytes()).unwrap() else { panic!() };
        assert_eq!(parsed, sealed());
        assert_eq!(open(&parsed, b"passphrase").unwrap()[..], [5; 32]);
    }

    #[test]
    fn a_wrong_passphrase_is_told_by_the_tag() {
        assert!(matches!(open(&sealed(), b"Passphrase"), Err(Error::WrongPassphrase)));
    }

    /// Whatever bit changes, the packet is refused or does not open.
    #[test]
    fn no_bit_can_change() {
        let body = sealed().to_bytes();
        for bit in 0..body.len() * 8 {
            let mut altered = body.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            if let Ok(Skesk::V6(packet)) = Skesk::parse(&altered) {
                assert!(open(&packet, b"passphrase").is_err(), "bit {bit}");
            }
        }
    }

    #[test]
    fn cut_bodies_are_malformed() {
        let body = sealed().to_bytes();
        for end in 0..body.len() - 32 {
            assert!(Skesk::parse(&body[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn other_suites_are_refused_by_name() {
        let refused = |cipher, mode| require_twofish_ocb(WHAT, cipher, mode).unwrap_err();
        assert!(matches!(refused(Cipher::AES_256, AeadMode::OCB), Error::OtherCipher { .. }));
        assert!(matches!(refused(Cipher::TWOFISH_256, AeadMode::EAX), Error::Eax { .. }));
        assert!(matches!(refused(Cipher::TWOFISH_256, AeadMode::GCM), Error::Gcm { .. }));
        assert!(matches!(refused(Cipher::TWOFISH_256, AeadMode(9)), Error::OtherMode { .. }));
    }
}
