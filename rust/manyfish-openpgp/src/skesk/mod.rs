// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The packet that holds the session key, encrypted under the passphrase: version 6 [RFC9580, 5.3.2],
//! version 4 of the older form [RFC9580, 5.3.1], and version 5 of LibrePGP [Koch23].

mod v4;
mod v5;
mod v6;

use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::error::{Error, Result};
use crate::key::Key;
use crate::read::Fields;
use crate::s2k::S2k;
pub use v4::SkeskV4;
pub use v5::SkeskV5;
pub use v6::SkeskV6;

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

    /// How the passphrase becomes a key; `None` of one of the future.
    pub(crate) fn s2k(&self) -> Option<&S2k> {
        match self {
            Self::V4(v4) => Some(&v4.s2k),
            Self::V5(v5) => Some(&v5.s2k),
            Self::V6(v6) => Some(&v6.s2k),
            Self::Other(_) => None,
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

/// The session key from a packet with a tag.
fn session_key(plain: &[u8]) -> Result<Key> {
    let problem = "the session key in it has not 32 octets";
    let malformed = Error::Malformed { packet: PacketType::SKESK, problem };
    Key::copied(plain).ok_or(malformed)
}

/// The older forms take Twofish-256 alone here.
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
    use manyfish::modes::Cfb;

    use super::*;
    use crate::NONCE_BYTES;
    use crate::algorithm::Hash;
    use crate::message_key::twofish;

    fn sealed() -> SkeskV6 {
        let s2k = S2k::Salted { hash: Hash::SHA256, salt: [3; 8] };
        SkeskV6::seal(s2k, [4; NONCE_BYTES], b"passphrase", &Key::copied(&[5; 32]).unwrap())
            .unwrap()
    }

    fn open(packet: &SkeskV6, passphrase: &[u8]) -> Result<Key> {
        packet.open(passphrase)
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
        let key = s2k.derive(b"passphrase").unwrap();
        let mut sealed = [&[10][..], &[5; 32]].concat();
        let mut cfb = Cfb::new(&twofish(&key), &[0; 16], 128).unwrap();
        cfb.encrypt(&mut sealed).unwrap();
        let packet = SkeskV4 { cipher: Cipher::TWOFISH_256, s2k, sealed };
        assert_eq!(Skesk::parse(&packet.to_bytes()).unwrap(), Skesk::V4(packet.clone()));
        let open = |passphrase| packet.open(passphrase);
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
