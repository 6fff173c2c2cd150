// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The encrypted packet of LibrePGP, type 20: chunks with tags, as GnuPG from 2.3 on and RNP write them
//! [Koch23]. Only read.

use std::io::Read;

use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::error::{Error, Result};
use crate::key::Key;
use crate::message_key::{Aead, MessageKey};
use crate::packet::tag_octet;
use crate::read;
use crate::seipd::ChunkSize;

const VERSION: u8 = 1;
const WHAT: &str = "the encrypted data";

/// The packet's fields before the first chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AeadData {
    /// Encrypts the chunks.
    pub cipher: Cipher,
    /// In this mode.
    pub mode: AeadMode,
    /// How much plaintext each holds.
    pub chunk: ChunkSize,
    /// The nonce of the first chunk.
    pub nonce: Vec<u8>,
}

impl AeadData {
    /// Reads the packet's header. A mode without a name has no known length of its nonce.
    pub(crate) fn read(input: &mut impl Read) -> Result<Self> {
        let packet = PacketType::AEAD;
        let mut head = [0; 3];
        read::exact(input, &mut head, WHAT)?;
        let [version, cipher, mode] = head;
        if version != VERSION {
            return Err(Error::Version { packet, version });
        }
        let (cipher, mode) = (Cipher(cipher), AeadMode(mode));
        let Some(nonce_bytes) = mode.nonce_bytes() else {
            return Err(Error::OtherMode { what: "message", found: mode });
        };
        let mut rest = vec![0; 1 + nonce_bytes];
        read::exact(input, &mut rest, WHAT)?;
        let chunk = ChunkSize::from_octet(rest.remove(0))
            .ok_or(Error::Malformed { packet, problem: "its chunk size is above 4 MiB" })?;
        Ok(Self { cipher, mode, chunk, nonce: rest })
    }

    /// Octets of the packet's body before the first chunk.
    #[must_use]
    pub fn header_bytes(&self) -> u64 {
        4 + self.nonce.len() as u64
    }

    /// Whether this program can open it.
    pub(crate) fn check(&self) -> Result<()> {
        if self.cipher != Cipher::TWOFISH_256 {
            return Err(Error::OtherCipherOlder { what: "message", found: self.cipher });
        }
        match self.mode {
            AeadMode::OCB | AeadMode::EAX => Ok(()),
            found => Err(Error::OtherMode { what: "message", found }),
        }
    }

    /// The key of the chunks, which is the session key itself. `check` has found the mode good.
    pub(crate) fn message_key(&self, session_key: &Key) -> MessageKey {
        let aead = Aead::new(self.mode, session_key).expect("the mode was checked");
        let (tag, chunk) = (tag_octet(PacketType::AEAD), self.chunk.octet());
        let info = [tag, VERSION, self.cipher.0, self.mode.0, chunk];
        MessageKey::libre_pgp(aead, self.nonce.clone(), &info)
    }

    /// Whether the beginning of the chunks, up to the first one and two tags, opens under this key.
    pub(crate) fn opens(&self, session_key: &Key, beginning: &[u8]) -> bool {
        let key = self.message_key(session_key);
        let most = self.chunk.bytes() + crate::TAG_BYTES;
        let first = beginning.len().saturating_sub(crate::TAG_BYTES).min(most);
        match beginning[..first].split_last_chunk() {
            Some((data, tag)) => key.open(0, &mut zeroize::Zeroizing::new(data.to_vec()), tag),
            None => beginning.try_into().is_ok_and(|tag| key.is_final_tag(0, 0, tag)),
        }
    }

    /// How much of the chunks `opens` wants to see.
    pub(crate) fn beginning_bytes(&self) -> usize {
        self.chunk.bytes() + 2 * crate::TAG_BYTES
    }
}
