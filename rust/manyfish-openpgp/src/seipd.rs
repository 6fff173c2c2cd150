// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The encrypted packet, version 2 [RFC9580, 5.13.2]: its header, the key and nonces of one message,
//! and the arithmetic of its chunks.

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::error::{Error, Result};
use crate::key::{KEY_BYTES, Key};
use crate::message_key::{Aead, MessageKey, ocb};
use crate::packet::tag_octet;
use crate::read;
use crate::skesk::require_twofish_ocb;
use crate::{NONCE_BYTES, TAG_BYTES};

pub const VERSION: u8 = 2;
/// The fields before the first chunk: version, cipher, mode, chunk size, salt.
pub const HEADER_BYTES: u64 = 4 + SALT_BYTES as u64;
const SALT_BYTES: usize = 32;
/// The nonce is this much of the derived octets, then the chunk's index in eight octets.
const IV_BYTES: usize = NONCE_BYTES - 8;

/// Size of a chunk of plaintext: 2^(octet + 6), from 64 octets to 4 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkSize(u8);

impl ChunkSize {
    /// That of 4 MiB, the most that a reader must take [RFC9580, 5.13.2].
    pub const MAX_OCTET: u8 = 16;
    /// 1 MiB: large enough that tags and nonces cost nothing, small enough to keep all cores busy.
    pub const DEFAULT: Self = Self(14);

    /// As the packet has it; `None` above [`Self::MAX_OCTET`].
    #[must_use]
    pub fn from_octet(octet: u8) -> Option<Self> {
        (octet <= Self::MAX_OCTET).then_some(Self(octet))
    }

    /// `None` unless `bytes` is a power of two from 64 to 4 MiB.
    #[must_use]
    pub fn from_bytes(bytes: u64) -> Option<Self> {
        let exponent = bytes.is_power_of_two().then(|| bytes.trailing_zeros())?;
        Self::from_octet(u8::try_from(exponent.checked_sub(6)?).ok()?)
    }

    /// As the packet has it.
    #[must_use]
    pub fn octet(self) -> u8 {
        self.0
    }

    /// Octets of plaintext.
    #[must_use]
    pub fn bytes(self) -> usize {
        1 << (self.0 + 6)
    }

    /// Octets of the packet's body that hold `plaintext` octets; `None` beyond 2^64.
    #[must_use]
    pub fn body_bytes(self, plaintext: u64) -> Option<u64> {
        let tags = plaintext.div_ceil(self.bytes() as u64).checked_add(1)?;
        tags.checked_mul(TAG_BYTES as u64)?.checked_add(plaintext)?.checked_add(HEADER_BYTES)
    }

    /// Chunks and plaintext octets of a body of this length, of which its header takes `header_bytes`;
    /// `None` where no message has it.
    #[must_use]
    pub fn plaintext(self, body_bytes: u64, header_bytes: u64) -> Option<(u64, u64)> {
        let sealed = body_bytes.checked_sub(header_bytes)?.checked_sub(TAG_BYTES as u64)?;
        let stride = (self.bytes() + TAG_BYTES) as u64;
        let (chunks, last) = (sealed.div_ceil(stride), sealed % stride);
        let fits = last == 0 || last > TAG_BYTES as u64;
        fits.then(|| (chunks, sealed - chunks * TAG_BYTES as u64))
    }
}

/// The packet's fields before the first chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeipdV2 {
    /// Encrypts the chunks.
    pub cipher: Cipher,
    /// In this mode.
    pub mode: AeadMode,
    /// How much plaintext each holds.
    pub chunk: ChunkSize,
    /// Makes a fresh key of the session key.
    pub salt: [u8; SALT_BYTES],
}

impl SeipdV2 {
    /// Reads what follows the version octet.
    pub(crate) fn read(input: &mut impl std::io::Read) -> Result<Self> {
        let mut head = [0; 3];
        let mut salt = [0; SALT_BYTES];
        read::exact(input, &mut head, "the header of the encrypted data")?;
        read::exact(input, &mut salt, "the header of the encrypted data")?;
        let [cipher, mode, chunk] = head;
        let chunk = ChunkSize::from_octet(chunk).ok_or(Error::Malformed {
            packet: PacketType::SEIPD,
            problem: "its chunk size is above 4 MiB",
        })?;
        Ok(Self { cipher: Cipher(cipher), mode: AeadMode(mode), chunk, salt })
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        [&self.info()[1..], &self.salt].concat()
    }

    /// The fields that HKDF and each tag bind: packet, version, cipher, mode, chunk size.
    fn info(&self) -> [u8; 5] {
        let (tag, chunk) = (tag_octet(PacketType::SEIPD), self.chunk.octet());
        [tag, VERSION, self.cipher.0, self.mode.0, chunk]
    }

    /// Whether this program can open it.
    pub(crate) fn check(&self) -> Result<()> {
        require_twofish_ocb("message", self.cipher, self.mode)
    }

    /// Key and nonces of this message, which `check` has found good; a fresh salt makes them fresh.
    pub(crate) fn message_key(&self, session_key: &Key) -> MessageKey {
        let mut derived = Zeroizing::new(vec![0; KEY_BYTES + IV_BYTES]);
        Hkdf::<Sha256>::new(Some(&self.salt), session_key)
            .expand(&self.info(), &mut derived)
            .expect("HKDF gives 39 octets");
        let (key, iv) = derived.split_at(KEY_BYTES);
        let key = Key::copied(key).expect("32 octets");
        let nonce = [iv, &[0; 8]].concat();
        MessageKey::rfc9580(Aead::Ocb(ocb(&key)), nonce, &self.info())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunk_sizes_are_powers_of_two_between_the_limits() {
        assert_eq!(ChunkSize::from_bytes(64), Some(ChunkSize(0)));
        assert_eq!(ChunkSize::from_bytes(4 << 20), Some(ChunkSize(16)));
        assert_eq!(ChunkSize::DEFAULT.bytes(), 1 << 20);
        for bytes in [0, 1, 32, 63, 65, 96, 8 << 20, u64::MAX] {
            assert_eq!(ChunkSize::from_bytes(bytes), None, "{bytes}");
        }
        assert_eq!(ChunkSize::from_octet(17), None);
    }

    #[test]
    fn lengths_agree_in_both_directions() {
        let size = ChunkSize(0);
        for (plaintext, chunks) in [(0, 0), (1, 1), (63, 1), (64, 1), (65, 2), (128, 2), (129, 3)] {
            let body = size.body_bytes(plaintext).unwrap();
            assert_eq!(body, 36 + plaintext + 16 * (chunks + 1));
            assert_eq!(size.plaintext(body, HEADER_BYTES), Some((chunks, plaintext)));
        }
        let tag_without_data = size.body_bytes(64).unwrap() + 16;
        assert_eq!(size.plaintext(tag_without_data, HEADER_BYTES), None);
        assert_eq!(size.plaintext(51, HEADER_BYTES), None);
        assert_eq!(ChunkSize(0).body_bytes(u64::MAX), None);
    }
}
