// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The packet that holds the session key, encrypted under the passphrase: version 6 [RFC9580, 5.3.2],
//! version 4 of the older form [RFC9580, 5.3.1], and version 5 of LibrePGP [Koch23].

use hkdf::Hkdf;
use manyfish::Ocb;
use manyfish::modes::Cfb;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::error::{Error, Result};
use crate::message_key::{Aead, ocb, twofish};
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
    /// That of the forms before RFC 9580 [RFC9580, 5.3.1].
    V4(SkeskV4),
    /// That of LibrePGP, for its packet 20.
    V5(SkeskV5),
    /// One of the future.
    Other(u8),
}

impl Skesk {
    pub(crate) fn parse(body: &[u8]) -> Result<Self> {
        let mut fields = Fields::new(PacketType::SKESK, body);
        Ok(match fields.octet()? {
            VERSION => Self::V6(SkeskV6::parse(fields)?),
            4 => Self::V4(SkeskV4::parse(fields)?),
            5 => Self::V5(SkeskV5::parse(fields)?),
            version => Self::Other(version),
        })
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> u8 {
        match self {
            Self::V4(_) => 4,
            Self::V5(_) => 5,
            Self::V6(_) => VERSION,
            Self::Other(version) => *version,
        }
    }

    /// The cipher of the message, where this packet alone decides it.
    #[must_use]
    pub fn message_cipher(&self) -> Option<Cipher> {
        match self {
            Self::V4(v4) if !v4.holds_key() => Some(v4.cipher),
            _ => None,
        }
    }
}

/// Version 4: the passphrase gives the session key itself, or one that encrypts it, without a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkeskV4 {
    /// Encrypts the session key, or where there is none, the message.
    pub cipher: Cipher,
    /// From the passphrase to its key.
    pub s2k: S2k,
    /// The number of the message's cipher and the session key, in CFB; or nothing.
    sealed: Vec<u8>,
}

impl SkeskV4 {
    fn parse(mut fields: Fields) -> Result<Self> {
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
        require_twofish(what, self.cipher)
    }

    /// What may be the session key: nothing here tells for sure. `WrongPassphrase` where what is
    /// decrypted is no key for Twofish-256.
    pub(crate) fn open(&self, passphrase: &[u8], budget: &mut Argon2Budget) -> Result<Key> {
        self.check()?;
        let key = self.s2k.derive(passphrase, budget)?;
        if !self.holds_key() {
            return Ok(key);
        }
        let mut plain = Zeroizing::new(self.sealed.clone());
        let mut cfb = Cfb::new(&twofish(&key), &[0; 16], 128).expect("the mode of a block");
        cfb.decrypt(&mut plain).expect("no length is too long");
        match plain.split_first() {
            Some((&cipher, key)) if Cipher(cipher) == Cipher::TWOFISH_256 => {
                key.try_into().map(Zeroizing::new).map_err(|_| Error::WrongPassphrase)
            }
            _ => Err(Error::WrongPassphrase),
        }
    }

    /// The body of the packet.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        [&[4, self.cipher.0], &self.s2k.to_bytes()[..], &self.sealed].concat()
    }
}

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
    fn parse(mut fields: Fields) -> Result<Self> {
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
            AeadMode::OCB | AeadMode::EAX => Ok(()),
            found => Err(Error::OtherMode { what: WHAT, found }),
        }
    }

    /// The session key. `WrongPassphrase` where the tag does not fit.
    pub(crate) fn open(&self, passphrase: &[u8], budget: &mut Argon2Budget) -> Result<Key> {
        self.check()?;
        let key = self.s2k.derive(passphrase, budget)?;
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

/// What a packet with a tag held.
fn session_key(plain: &[u8]) -> Result<Key> {
    let problem = "the session key in it has not 32 octets";
    let malformed = Error::Malformed { packet: PacketType::SKESK, problem };
    plain.try_into().map(Zeroizing::new).map_err(|_| malformed)
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
        session_key(&plain)
    }

    /// Passphrase, through S2K and HKDF, to the key that encrypts the session key.
    fn key_encryption(&self, passphrase: &[u8], budget: &mut Argon2Budget) -> Result<Ocb> {
        self.s2k.refuse_weak()?;
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

/// What the older forms demand of a cipher.
fn require_twofish(what: &'static str, found: Cipher) -> Result<()> {
    match found {
        Cipher::TWOFISH_256 => Ok(()),
        found => Err(Error::OtherCipherOlder { what, found }),
    }
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

    /// Version 4 with a session key inside: the passphrase gives the key that encrypts it.
    #[test]
    fn a_session_key_in_version_4_opens() {
        let s2k = S2k::Simple { hash: Hash::SHA1 };
        let key = s2k.derive(b"passphrase", &mut Argon2Budget::default()).unwrap();
        let mut sealed = [&[10][..], &[5; 32]].concat();
        let mut cfb = Cfb::new(&twofish(&key), &[0; 16], 128).unwrap();
        cfb.encrypt(&mut sealed).unwrap();
        let packet = SkeskV4 { cipher: Cipher::TWOFISH_256, s2k, sealed };
        assert_eq!(Skesk::parse(&packet.to_bytes()).unwrap(), Skesk::V4(packet.clone()));
        let open = |passphrase| packet.open(passphrase, &mut Argon2Budget::default());
        assert_eq!(open(b"passphrase").unwrap()[..], [5; 32]);
        assert!(matches!(open(b"Passphrase"), Err(Error::WrongPassphrase)));
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
