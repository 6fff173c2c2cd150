// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A block cipher with its key, whichever it is, as the modes take it.

use manyfish_sys::Status;

#[cfg(feature = "variants")]
use crate::TwofishVariant;
use crate::error::from_status;
use crate::{Des, Error, Twofish};

mod sealed {
    /// This crate's view of a cipher.
    pub trait Sealed {
        type Key: manyfish_sys::BlockCipher;
        fn key(&self) -> &Self::Key;
    }
}
pub(crate) use sealed::Sealed;

/// A block cipher with a key: [`Twofish`] or [`Des`], as [`modes`](crate::modes) and
/// [`Cmac`](crate::Cmac) take it. A mode shares the key.
///
/// ```
/// use manyfish::{BlockCipher, Des, Error, Twofish, modes::Ctr};
///
/// fn from_zero(cipher: &impl BlockCipher, data: &mut [u8]) -> Result<(), Error> {
///     Ctr::new(cipher, &Default::default(), 32)?.crypt(data)
/// }
/// from_zero(&Twofish::new(&[7; 32])?, b"a new one".to_vec().as_mut_slice())?;
/// from_zero(&Des::new(&[7; 24])?, b"an old one".to_vec().as_mut_slice())?;
/// # Ok::<(), manyfish::Error>(())
/// ```
pub trait BlockCipher: Sealed {
    /// One block, which initial blocks and counters are: an array of bytes.
    type Block: AsRef<[u8]> + AsMut<[u8]> + Copy + Default;
    /// Bytes of a block.
    const BLOCK_BYTES: usize = size_of::<Self::Block>();
}

impl Sealed for Twofish {
    type Key = manyfish_sys::Twofish;
    fn key(&self) -> &Self::Key {
        &self.key
    }
}

impl BlockCipher for Twofish {
    type Block = [u8; crate::BLOCK_BYTES];
}

impl Sealed for Des {
    type Key = manyfish_sys::Des;
    fn key(&self) -> &Self::Key {
        &self.key
    }
}

impl BlockCipher for Des {
    type Block = [u8; crate::des::BLOCK_BYTES];
}

#[cfg(feature = "variants")]
impl Sealed for TwofishVariant {
    type Key = manyfish_sys::TwofishVariant;
    fn key(&self) -> &Self::Key {
        &self.key
    }
}

#[cfg(feature = "variants")]
impl BlockCipher for TwofishVariant {
    type Block = [u8; crate::BLOCK_BYTES];
}

/// The key as what keeps one takes it.
pub(crate) fn shared(cipher: &impl BlockCipher) -> manyfish_sys::Key {
    cipher.key().clone().into()
}

/// The error of a call that takes whole blocks.
pub(crate) fn length<C: BlockCipher>(_: &C, status: Status, found: usize) -> Error {
    match status {
        Status::LENGTH => Error::Length { block_bytes: C::BLOCK_BYTES, found },
        other => from_status(other),
    }
}

/// Bits of a block, for messages.
pub(crate) fn block_bits<C: BlockCipher>(_: &C) -> u32 {
    u32::try_from(8 * C::BLOCK_BYTES).expect("64 or 128")
}
