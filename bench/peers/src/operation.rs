// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The operations that every implementation must do, in the same words for each.

/// Bytes of a block of Twofish, of an IV and of a tag. DES takes the first 8 bytes of an IV.
pub const BLOCK: usize = 16;
/// Bytes of an IV that OCB, GCM and CCM take as their nonce.
pub const NONCE: usize = 12;
/// Bytes of a block of DES.
pub const DES_BLOCK: usize = manyfish::des::BLOCK_BYTES;

/// Whose implementations are measured in a run. The numbers are those in shim/peer.h.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Cipher {
    Twofish = 0,
    /// With three keys it is Triple-DES.
    Des = 1,
}

impl Cipher {
    /// As it stands in the results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Twofish => "twofish",
            Self::Des => "des",
        }
    }

    /// The sizes of keys.
    #[must_use]
    pub fn key_bits(self) -> &'static [usize] {
        match self {
            Self::Twofish => &[128, 192, 256],
            Self::Des => &[64, 192],
        }
    }

    #[must_use]
    pub fn block_bytes(self) -> usize {
        match self {
            Self::Twofish => BLOCK,
            Self::Des => DES_BLOCK,
        }
    }

    /// The operations that are measured for many messages.
    #[must_use]
    pub fn operations_of_many(self) -> &'static [Operation] {
        match self {
            Self::Twofish => &[
                Operation::CbcEncrypt,
                Operation::Cmac,
                Operation::Eax,
                Operation::Ccm,
                Operation::Ocb,
            ],
            Self::Des => &[Operation::CbcEncrypt],
        }
    }

    /// As many messages as fill the lanes of the widest kernel.
    #[must_use]
    pub fn n_messages(self) -> usize {
        match self {
            Self::Twofish => 64,
            Self::Des => 512,
        }
    }

    /// The operations on blocks of this size.
    #[must_use]
    pub fn operations(self) -> &'static [Operation] {
        match self {
            Self::Twofish => &Operation::ALL,
            Self::Des => &Operation::ALL[..5],
        }
    }
}

pub type Iv = [u8; BLOCK];
pub type Tag = [u8; BLOCK];

/// A way to work on a whole message in place. The numbers are those in shim/peer.h.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Operation {
    EcbEncrypt = 0,
    EcbDecrypt = 1,
    CbcEncrypt = 2,
    CbcDecrypt = 3,
    Ctr = 4,
    Xts = 5,
    Ocb = 6,
    Gcm = 7,
    Eax = 8,
    Ccm = 9,
    /// Changes nothing; the result is the tag.
    Cmac = 10,
}

impl Operation {
    pub const ALL: [Self; 11] = [
        Self::EcbEncrypt,
        Self::EcbDecrypt,
        Self::CbcEncrypt,
        Self::CbcDecrypt,
        Self::Ctr,
        Self::Xts,
        Self::Ocb,
        Self::Gcm,
        Self::Eax,
        Self::Ccm,
        Self::Cmac,
    ];

    /// As it stands in the results.
    pub fn name(self) -> &'static str {
        match self {
            Self::EcbEncrypt => "ecb/encrypt",
            Self::EcbDecrypt => "ecb/decrypt",
            Self::CbcEncrypt => "cbc/encrypt",
            Self::CbcDecrypt => "cbc/decrypt",
            Self::Ctr => "ctr",
            Self::Xts => "xts/encrypt",
            Self::Ocb => "ocb/encrypt",
            Self::Gcm => "gcm/encrypt",
            Self::Eax => "eax/encrypt",
            Self::Ccm => "ccm/encrypt",
            Self::Cmac => "cmac",
        }
    }
}

/// The keys of a measurement: XTS takes both, all others the first.
#[derive(Clone, Debug)]
pub struct Keys {
    pub cipher: Cipher,
    pub data: Vec<u8>,
    pub tweak: Vec<u8>,
}

impl Keys {
    /// Any keys do, as long as the two differ.
    pub fn of(cipher: Cipher, key_bits: usize) -> Self {
        let data: Vec<u8> = (0..=u8::MAX).take(key_bits / 8).collect();
        let tweak = data.iter().map(|byte| !byte).collect();
        Self { cipher, data, tweak }
    }
}

/// Somebody's Twofish, DES, or both.
pub trait Implementation {
    /// As it stands in the results.
    fn name(&self) -> String;
    fn version(&self) -> String;
    /// For ours: whether it is constant-time.
    fn constant_time(&self) -> Option<bool> {
        None
    }
    /// Ready for an operation under a key; none where it lacks the cipher, the operation or the size of the key.
    fn open(&self, operation: Operation, keys: &Keys) -> Option<Box<dyn Job>>;
}

/// One operation under a key.
pub trait Job {
    /// Works on messages of `n_bytes` each, one after the other where nothing better is known.
    fn run_each(&mut self, iv: &Iv, data: &mut [u8], n_bytes: usize) {
        for message in data.chunks_exact_mut(n_bytes) {
            self.run(iv, message);
        }
    }

    /// Expands another key instead of the old one; asked of [`Operation::EcbEncrypt`] only.
    fn set_key(&mut self, key: &[u8]);
    /// Works on whole blocks in place; a tag is zero where the mode has none.
    fn run(&mut self, iv: &Iv, data: &mut [u8]) -> Tag;
}
