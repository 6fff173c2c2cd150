// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The key of the chunks of one message, and what each tag binds: in the form of RFC 9580
//! [RFC9580, 5.13.2], and in that of LibrePGP [Koch23].

use manyfish::{Eax, Ocb, Twofish};
use zeroize::Zeroize;

use crate::algorithm::AeadMode;
use crate::key::Key;
use crate::{NONCE_FITS, TAG_BYTES};

/// Twofish-256 in one of the modes that can be opened.
pub enum Aead {
    Ocb(Ocb),
    Eax(Eax),
}

impl Aead {
    /// `None` for another mode.
    pub fn new(mode: AeadMode, key: &Key) -> Option<Self> {
        match mode {
            AeadMode::OCB => Some(Self::Ocb(ocb(key))),
            AeadMode::EAX => Some(Self::Eax(Eax::new(&twofish(key)))),
            _ => None,
        }
    }

    /// `false` if the tag does not fit; `data` is wiped then.
    pub fn open(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &[u8; TAG_BYTES]) -> bool {
        match self {
            Self::Ocb(ocb) => ocb.open(nonce, ad, data, tag).is_ok(),
            Self::Eax(eax) => eax.open(nonce, ad, data, tag).is_ok(),
        }
    }

    fn seal(&self, nonce: &[u8], ad: &[u8], data: &mut [u8]) -> [u8; TAG_BYTES] {
        match self {
            Self::Ocb(ocb) => ocb.seal(nonce, ad, data).expect(NONCE_FITS),
            Self::Eax(eax) => {
                let tag = eax.seal(nonce, ad, data).expect(NONCE_FITS);
                tag.as_ref().try_into().expect("a tag of a block")
            }
        }
    }
}

/// Twofish under a key of 256 bits.
pub fn twofish(key: &Key) -> Twofish {
    Twofish::new(key).expect("32 octets are a key")
}

/// OCB under a Twofish-256 key.
pub fn ocb(key: &Key) -> Ocb {
    Ocb::new(&twofish(key))
}

/// Seals and opens the chunks of one message, in any order and on any thread.
pub struct MessageKey {
    aead: Aead,
    /// The nonce of chunk 0; the chunk's index is added to its last eight octets without carry.
    nonce: Vec<u8>,
    /// The packet's header, which each tag binds.
    info: Vec<u8>,
    /// LibrePGP binds the index in the associated data too.
    binds_index: bool,
}

impl MessageKey {
    pub fn rfc9580(aead: Aead, nonce: Vec<u8>, info: &[u8]) -> Self {
        Self { aead, nonce, info: info.to_vec(), binds_index: false }
    }

    pub fn libre_pgp(aead: Aead, nonce: Vec<u8>, info: &[u8]) -> Self {
        Self { aead, nonce, info: info.to_vec(), binds_index: true }
    }

    #[must_use]
    pub fn seal(&self, chunk: u64, data: &mut [u8]) -> [u8; TAG_BYTES] {
        self.aead.seal(&self.nonce(chunk), &self.chunk_info(chunk), data)
    }

    /// `false` if the tag does not fit; `data` is wiped then.
    #[must_use]
    pub fn open(&self, chunk: u64, data: &mut [u8], tag: &[u8; TAG_BYTES]) -> bool {
        self.aead.open(&self.nonce(chunk), &self.chunk_info(chunk), data, tag)
    }

    /// The tag after the last chunk: it binds their number and the plaintext's length.
    #[must_use]
    pub fn final_tag(&self, chunks: u64, plaintext: u64) -> [u8; TAG_BYTES] {
        self.aead.seal(&self.nonce(chunks), &self.final_info(chunks, plaintext), &mut [])
    }

    #[must_use]
    pub fn is_final_tag(&self, chunks: u64, plaintext: u64, tag: &[u8; TAG_BYTES]) -> bool {
        let info = self.final_info(chunks, plaintext);
        self.aead.open(&self.nonce(chunks), &info, &mut [], tag)
    }

    fn nonce(&self, chunk: u64) -> Vec<u8> {
        let mut nonce = self.nonce.clone();
        let low = nonce.last_chunk_mut::<8>().expect("a nonce has more than eight octets");
        *low = (u64::from_be_bytes(*low) ^ chunk).to_be_bytes();
        nonce
    }

    fn chunk_info(&self, chunk: u64) -> Vec<u8> {
        let index = chunk.to_be_bytes();
        [&self.info[..], if self.binds_index { &index } else { &[] }].concat()
    }

    fn final_info(&self, chunks: u64, plaintext: u64) -> Vec<u8> {
        [self.chunk_info(chunks), plaintext.to_be_bytes().to_vec()].concat()
    }
}

/// The cipher wipes its own key; the nonce is no secret in OCB, and is wiped for good order.
impl Drop for MessageKey {
    fn drop(&mut self) {
        self.nonce.zeroize();
    }
}

impl std::fmt::Debug for MessageKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MessageKey").finish_non_exhaustive()
    }
}
