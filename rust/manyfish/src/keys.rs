// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Many keys, a few blocks under each.

use core::fmt;

use manyfish_sys::{InOut, Status};

use crate::Error;
use crate::kernels::{KERNEL_VARIABLE, variable_error};
use crate::twofish::{copying, expand_error};

/// Keys of one length, one after the other, each for equally many blocks. From a few keys on that takes a
/// fraction of the time of a [`Twofish`](crate::Twofish) for each: no key is expanded by itself.
///
/// ```
/// let keys = [0; 3 * 16];
/// let mut blocks = [0; 3 * 16];
/// manyfish::TwofishKeys::new(&keys, 16)?.encrypt_blocks(&mut blocks)?;
/// assert_eq!(blocks[32..36], [0x9F, 0x58, 0x9F, 0x5C]);
/// # Ok::<(), manyfish::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct TwofishKeys<'a> {
    keys: manyfish_sys::TwofishKeys<'a>,
    kernel: Option<&'a str>,
    key_bytes: usize,
}

impl<'a> TwofishKeys<'a> {
    /// Keys of `key_bytes` bytes each, 16, 24 or 32, for the default kernel. [`Error::WholeKeys`] if they do not
    /// fill `keys`.
    pub fn new(keys: &'a [u8], key_bytes: usize) -> Result<Self, Error> {
        Self::for_kernel(None, keys, key_bytes)
    }

    /// The same for the kernel of the given name; [`kernels`](crate::kernels) lists them.
    pub fn with_kernel(name: &'a str, keys: &'a [u8], key_bytes: usize) -> Result<Self, Error> {
        Self::for_kernel(Some(name), keys, key_bytes)
    }

    fn for_kernel(
        kernel: Option<&'a str>,
        keys: &'a [u8],
        key_bytes: usize,
    ) -> Result<Self, Error> {
        let found = keys.len();
        match manyfish_sys::TwofishKeys::new(kernel, keys, key_bytes) {
            Ok(keys) => Ok(Self { keys, kernel, key_bytes }),
            Err(Status::LENGTH) => Err(Error::WholeKeys { key_bytes, found }),
            Err(_) => Err(Error::KeyLength { found: key_bytes }),
        }
    }

    /// How many keys there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.keys.count()
    }

    /// Encrypts blocks in place: an equal part of `data` under each key, each block by itself.
    /// [`Error::EqualParts`] if there are none; what [`Twofish::with_kernel`](crate::Twofish::with_kernel) says of a
    /// kernel.
    pub fn encrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        self.keys.encrypt_blocks(&InOut::in_place(data)).map_err(|status| self.error(status, found))
    }

    /// Decrypts in the same way.
    pub fn decrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        self.keys.decrypt_blocks(&InOut::in_place(data)).map_err(|status| self.error(status, found))
    }

    /// Encrypts the blocks of `input` into the first bytes of `out`.
    pub fn encrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let data = copying(out, input)?;
        self.keys.encrypt_blocks(&data).map_err(|status| self.error(status, input.len()))
    }

    /// Decrypts the blocks of `input` into the first bytes of `out`.
    pub fn decrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let data = copying(out, input)?;
        self.keys.decrypt_blocks(&data).map_err(|status| self.error(status, input.len()))
    }

    fn error(&self, status: Status, found: usize) -> Error {
        let error = |name: &str| expand_error(status, name, self.key_bytes);
        match (status, self.kernel) {
            (Status::LENGTH, _) => Error::EqualParts { n_keys: self.count(), found },
            (_, Some(name)) => error(name),
            (_, None) => variable_error(status, KERNEL_VARIABLE, error),
        }
    }
}

/// Says how many they are, never the keys.
impl fmt::Debug for TwofishKeys<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TwofishKeys").field("count", &self.count()).finish_non_exhaustive()
    }
}
