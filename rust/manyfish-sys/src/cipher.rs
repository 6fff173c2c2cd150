// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A block cipher with its key, whichever it is, as the modes take it.

#[cfg(feature = "variants")]
use crate::TwofishVariant;
use crate::ffi::mf_cipher;
use crate::{Des, Status, Twofish};

mod sealed {
    /// Only this crate can promise what `cipher` has to be.
    pub trait Sealed {
        /// The cipher as the modes take it. It holds the address of the key: keep a clone of self
        /// as long as you keep it.
        fn cipher(&self) -> crate::ffi::mf_cipher;
    }
}
pub(crate) use sealed::Sealed;

/// A block cipher with its key. A clone shares the key.
pub trait BlockCipher: Sealed + Clone + Into<Key> {}

impl Sealed for Twofish {
    fn cipher(&self) -> mf_cipher {
        Self::cipher(self)
    }
}

impl BlockCipher for Twofish {}

impl Sealed for Des {
    fn cipher(&self) -> mf_cipher {
        Self::cipher(self)
    }
}

impl BlockCipher for Des {}

#[cfg(feature = "variants")]
impl Sealed for TwofishVariant {
    fn cipher(&self) -> mf_cipher {
        Self::cipher(self)
    }
}

#[cfg(feature = "variants")]
impl BlockCipher for TwofishVariant {}

/// A key of any cipher, for what keeps one.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // it holds a key
#[cfg_attr(not(feature = "std"), allow(clippy::large_enum_variant))] // there is no heap
pub enum Key {
    /// Of Twofish.
    Twofish(Twofish),
    /// Of DES or Triple-DES.
    Des(Des),
    /// Of a cipher that is almost Twofish.
    #[cfg(feature = "variants")]
    Variant(TwofishVariant),
}

impl Key {
    /// The name of the kernel that the key was expanded for.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        match self {
            Self::Twofish(key) => key.kernel(),
            Self::Des(key) => key.kernel(),
            #[cfg(feature = "variants")]
            Self::Variant(_) => "variant",
        }
    }

    /// Bytes of a block: 16 for Twofish, 8 for DES.
    #[must_use]
    pub fn block_bytes(&self) -> usize {
        self.cipher().block_bytes
    }
}

impl Sealed for Key {
    fn cipher(&self) -> mf_cipher {
        match self {
            Self::Twofish(key) => key.cipher(),
            Self::Des(key) => key.cipher(),
            #[cfg(feature = "variants")]
            Self::Variant(key) => key.cipher(),
        }
    }
}

impl BlockCipher for Key {}

impl From<Twofish> for Key {
    fn from(key: Twofish) -> Self {
        Self::Twofish(key)
    }
}

impl From<Des> for Key {
    fn from(key: Des) -> Self {
        Self::Des(key)
    }
}

#[cfg(feature = "variants")]
impl From<TwofishVariant> for Key {
    fn from(key: TwofishVariant) -> Self {
        Self::Variant(key)
    }
}

/// The cipher, if its blocks have as many bytes as the one given; else [`Status::BLOCK`].
pub(crate) fn with_block(key: &impl BlockCipher, block: &[u8]) -> Result<mf_cipher, Status> {
    let cipher = key.cipher();
    if block.len() == cipher.block_bytes { Ok(cipher) } else { Err(Status::BLOCK) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cfb, Ctr, Cts, InOut, Ofb, cbc_decrypt, cbc_encrypt, cts_encrypt};

    /// The modes read and write a whole block there.
    #[test]
    fn a_block_of_another_length_is_refused() {
        let keys: [Key; 2] = [
            Twofish::new(None, &[7; 16]).unwrap().into(),
            Des::new(None, &[7; 16]).unwrap().into(),
        ];
        for (key, n_bytes) in keys.iter().zip([8, 16]) {
            let (mut block, mut data) = (vec![0; n_bytes], [0; 32]);
            let data = InOut::in_place(&mut data);
            assert_eq!(cbc_encrypt(key, &mut block, &data), Err(Status::BLOCK));
            assert_eq!(cbc_decrypt(key, &mut block, &data), Err(Status::BLOCK));
            assert_eq!(cts_encrypt(key, Cts::Cs1, &block, &data), Err(Status::BLOCK));
            assert_eq!(Cfb::new(key.clone(), &block, 8).err(), Some(Status::BLOCK));
            assert_eq!(Ofb::new(key.clone(), &block).err(), Some(Status::BLOCK));
            assert_eq!(Ctr::new(key.clone(), &block, 32).err(), Some(Status::BLOCK));
        }
    }
}
