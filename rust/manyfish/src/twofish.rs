// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keys and bare blocks.

use core::fmt;

use manyfish_sys::{InOut, Status};
use zeroize::ZeroizeOnDrop;
#[cfg(feature = "std")]
use zeroize::Zeroizing;

use crate::choice::policy_error;
use crate::cipher::length;
use crate::error::from_status;
use crate::kernels::{KERNEL_VARIABLE, variable_error};
use crate::name::text;
use crate::{Error, Expectation};

/// Bytes of a block.
pub const BLOCK_BYTES: usize = 16;
#[cfg(feature = "std")]
const MAX_KEY_BYTES: usize = 32;
/// A way to expand a key for a kernel.
type Expand = fn(Option<&str>, &[u8]) -> Result<manyfish_sys::Twofish, Status>;

/// Has Twofish keys of this length?
pub(crate) fn takes(key_bytes: usize) -> bool {
    [16, 24, 32].contains(&key_bytes)
}

/// An expanded key. A clone shares it; it is wiped when its last owner is dropped.
///
/// ```
/// let cipher = manyfish::Twofish::with_kernel("zero", &[0; 16])?;
/// let mut block = [0; 16];
/// cipher.encrypt_blocks(&mut block)?;
/// assert_eq!(block[..4], [0x9F, 0x58, 0x9F, 0x5C]);
/// # Ok::<(), manyfish::Error>(())
/// ```
#[derive(Clone)]
pub struct Twofish {
    pub(crate) key: manyfish_sys::Twofish,
}

impl Twofish {
    /// Expands a key of 16, 24 or 32 bytes for the default kernel: the best one that runs here, or the
    /// one that the environment variable [`KERNEL_VARIABLE`](crate::KERNEL_VARIABLE) named when the
    /// library was first used. [`Error::KernelVariable`] if that one cannot be had, or leaks and
    /// [`LEAKS_VARIABLE`](crate::LEAKS_VARIABLE) does not allow it; [`Error::LeaksValue`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::expand(None, key, manyfish_sys::Twofish::new)
    }

    /// The same for the kernel of the given name; [`kernels`](crate::kernels) lists them.
    pub fn with_kernel(name: &str, key: &[u8]) -> Result<Self, Error> {
        Self::expand(Some(name), key, manyfish_sys::Twofish::new)
    }

    /// The same with a key set-up in which no address and no branch depends on the key, now and with
    /// [`set_key`](Self::set_key). Encryption and decryption still leak as before.
    /// [`Error::NoConstantTimeSetUp`] if the kernel has none.
    ///
    /// ```
    /// let cipher = manyfish::Twofish::with_constant_time_set_up("full", &[7; 32])?;
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    pub fn with_constant_time_set_up(name: &str, key: &[u8]) -> Result<Self, Error> {
        Self::expand(Some(name), key, manyfish_sys::Twofish::new_ct)
    }

    /// The same for the kernel that costs least for what is expected, by the set-up that costs least or
    /// must be, now and with [`set_key`](Self::set_key). [`Error::Policy`] if none keeps within what is
    /// allowed. [`KERNEL_VARIABLE`](crate::KERNEL_VARIABLE) has no effect here.
    ///
    /// ```
    /// use manyfish::{Expectation, Twofish};
    ///
    /// let cipher = Twofish::for_expected(&Expectation::bytes(64), &[0; 16])?;
    /// assert!(manyfish::kernels().any(|info| info.name == cipher.kernel() && info.constant_time));
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    pub fn for_expected(expectation: &Expectation, key: &[u8]) -> Result<Self, Error> {
        let expanded = manyfish_sys::Twofish::for_expected(&expectation.for_sys(), key);
        expanded.map(|key| Self { key }).map_err(|status| policy_error(status, key.len()))
    }

    fn expand(kernel: Option<&str>, key: &[u8], expand: Expand) -> Result<Self, Error> {
        match expand(kernel, key) {
            Ok(key) => Ok(Self { key }),
            Err(Status::KEY_LENGTH) if !takes(key.len()) => {
                Err(Error::KeyLength { found: key.len() })
            }
            Err(other) => {
                let error = |name: &str| expand_error(other, name, key.len());
                Err(match kernel {
                    Some(name) => error(name),
                    None => variable_error(other, KERNEL_VARIABLE, error),
                })
            }
        }
    }

    /// Expands another key for the same kernel, in the same memory unless a clone shares it. On an
    /// error the old key stays.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        let found = key.len();
        self.key.set_key(key).map_err(|status| match status {
            Status::KEY_LENGTH if !takes(found) => Error::KeyLength { found },
            other => expand_error(other, self.kernel(), found),
        })
    }

    /// The name of the kernel at work; "compiled" for the code of a
    /// [`CompiledTwofish`](crate::CompiledTwofish).
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.key.kernel()
    }

    /// Encrypts whole blocks in place, each by itself.
    pub fn encrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        self.key
            .encrypt_blocks(&InOut::in_place(data))
            .map_err(|status| length(self, status, found))
    }

    /// Decrypts whole blocks in place, each by itself.
    pub fn decrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        self.key
            .decrypt_blocks(&InOut::in_place(data))
            .map_err(|status| length(self, status, found))
    }

    /// Encrypts the blocks of `input` into the first bytes of `out`.
    pub fn encrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let data = copying(out, input)?;
        self.key.encrypt_blocks(&data).map_err(|status| length(self, status, input.len()))
    }

    /// Decrypts the blocks of `input` into the first bytes of `out`.
    pub fn decrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let data = copying(out, input)?;
        self.key.decrypt_blocks(&data).map_err(|status| length(self, status, input.len()))
    }
}

/// Names the kernel, never the key.
impl fmt::Debug for Twofish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Twofish").field("kernel", &self.kernel()).finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Twofish {}

/// Output apart from input, or the error that says how much room it needs.
pub(crate) fn copying<'a>(out: &'a mut [u8], input: &'a [u8]) -> Result<InOut<'a>, Error> {
    check_room(input.len(), out.len())?;
    InOut::copying(out, input).map_err(from_status)
}

/// The error that says how much room an output needs.
pub(crate) fn check_room(needed: usize, found: usize) -> Result<(), Error> {
    if needed <= found { Ok(()) } else { Err(Error::Capacity { needed, found }) }
}

/// The two keys of a mode that needs two, given as one.
pub(crate) fn halves<'a>(mode: &'static str, key: &'a [u8]) -> Result<(&'a [u8], &'a [u8]), Error> {
    let found = key.len();
    if !matches!(found, 32 | 48 | 64) {
        return Err(Error::DoubleKeyLength { mode, found });
    }
    Ok(key.split_at(found / 2))
}

/// The same for a mode that is not secure with two equal keys, nor needed for data that has them.
pub(crate) fn different_halves<'a>(
    mode: &'static str,
    key: &'a [u8],
) -> Result<(&'a [u8], &'a [u8]), Error> {
    let (first, second) = halves(mode, key)?;
    if manyfish_sys::equal(first, second) {
        return Err(Error::EqualKeys { mode });
    }
    Ok((first, second))
}

/// The error of a call that names a kernel.
pub(crate) fn kernel_error(status: Status, name: &str) -> Error {
    let name = text(name);
    match status {
        Status::KERNEL => Error::UnknownKernel { name },
        Status::LEAKS => Error::Leaks { name },
        Status::CPU => Error::Cpu { name },
        Status::TABLES => Error::NoTables { name },
        Status::POLICY => Error::NoConstantTimeSetUp { name },
        Status::SELFTEST => Error::Selftest { name },
        other => from_status(other),
    }
}

/// The error of a call that expands a key, of a length that Twofish has, for a kernel.
pub(crate) fn expand_error(status: Status, name: &str, found: usize) -> Error {
    match status {
        Status::KEY_LENGTH => Error::LongKey { name: text(name), found },
        other => kernel_error(other, name),
    }
}

/// Pads a key of 0 to 32 bytes with zeros at its end to 16, 24 or 32 bytes, as the paper defines
/// shorter keys. A short key is easily guessed: this is for old data. [Twofish98, 4.3.1]
///
/// ```
/// assert_eq!(manyfish::pad_key(b"seventeen bytes!!")?.len(), 24);
/// # Ok::<(), manyfish::Error>(())
/// ```
#[cfg(feature = "std")]
pub fn pad_key(key: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut padded = Zeroizing::new([0; MAX_KEY_BYTES]);
    let n_bytes = manyfish_sys::pad_key(&mut padded, key).map_err(|status| match status {
        Status::KEY_LENGTH => Error::KeyTooLong { found: key.len() },
        other => from_status(other),
    })?;
    Ok(Zeroizing::new(padded[..n_bytes].to_vec()))
}
