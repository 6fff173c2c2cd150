// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! DES and Triple-DES, for data that has them: old archives, messages, cards and formats. \[FIPS46-3\]
//!
//! DES protects nothing today: its keys of 56 bits are found by trying all of them. Blocks of 64 bits, which
//! Triple-DES has, too, leak after some 2^32 of them under one key. For anything new take
//! [`Ocb`](crate::Ocb) with [`Twofish`](crate::Twofish).

use core::fmt;

use manyfish_sys::{InOut, Status};
use zeroize::ZeroizeOnDrop;

pub use manyfish_sys::KeyFlaws;

use crate::cipher::length;
use crate::kernels::variable_error;
use crate::twofish::{copying, kernel_error};
use crate::{Error, KernelInfo};

/// Bytes of a block.
pub const BLOCK_BYTES: usize = 8;
/// The environment variable that chooses the default kernel, among constant-time ones unless
/// [`LEAKS_VARIABLE`](crate::LEAKS_VARIABLE) allows others.
pub const KERNEL_VARIABLE: &str = "MANYFISH_DES_KERNEL";

/// An expanded key of DES (8 bytes) or of Triple-DES, which encrypts with the first key, decrypts with the
/// second and encrypts with the third (24 bytes; with 16 the third is the first). A clone shares it; it is
/// wiped when its last owner is dropped. Parity bits are ignored, and weak keys taken: see [`check_key`].
///
/// ```
/// let cipher = manyfish::Des::new(&[0x13, 0x34, 0x57, 0x79, 0x9B, 0xBC, 0xDF, 0xF1])?;
/// let mut block = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF];
/// cipher.encrypt_blocks(&mut block)?;
/// assert_eq!(block, [0x85, 0xE8, 0x13, 0x54, 0x0F, 0x0A, 0xB4, 0x05]);
/// # Ok::<(), manyfish::Error>(())
/// ```
#[derive(Clone)]
pub struct Des {
    pub(crate) key: manyfish_sys::Des,
}

impl Des {
    /// Expands a key of 8, 16 or 24 bytes for the default kernel: the best one that runs here, or the one
    /// that the environment variable [`KERNEL_VARIABLE`] named when the library was first used.
    /// [`Error::KernelVariable`] if that one cannot be had, or leaks and
    /// [`LEAKS_VARIABLE`](crate::LEAKS_VARIABLE) does not allow it; [`Error::LeaksValue`],
    /// [`Error::DesKeyLength`], [`Error::Memory`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::expand(None, key)
    }

    /// The same for the kernel of the given name; [`kernels`] lists them. Those whose expanded keys are
    /// large take memory for them: [`Error::Memory`] if there is none.
    pub fn with_kernel(name: &str, key: &[u8]) -> Result<Self, Error> {
        Self::expand(Some(name), key)
    }

    fn expand(kernel: Option<&str>, key: &[u8]) -> Result<Self, Error> {
        let expanded = manyfish_sys::Des::new(kernel, key);
        expanded.map(|key| Self { key }).map_err(|status| match (status, kernel) {
            (Status::KEY_LENGTH, _) => Error::DesKeyLength { found: key.len() },
            (Status::MEMORY, _) => Error::Memory,
            (other, Some(name)) => kernel_error(other, name),
            (other, None) => {
                variable_error(other, KERNEL_VARIABLE, |name| kernel_error(other, name))
            }
        })
    }

    /// Expands another key for the same kernel, in the same memory if it is large enough and no clone
    /// shares it. On an error the old key stays. [`Error::DesKeyLength`], [`Error::Memory`].
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.key.set_key(key).map_err(|status| match status {
            Status::KEY_LENGTH => Error::DesKeyLength { found: key.len() },
            other => kernel_error(other, self.kernel()),
        })
    }

    /// The name of the kernel at work.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.key.kernel()
    }

    /// Bytes of the key: 8 for DES, 16 or 24 for Triple-DES.
    #[must_use]
    pub fn key_bytes(&self) -> usize {
        self.key.key_bytes()
    }

    /// Bytes of the expanded key, which depend on the kernel and on the length of the key.
    #[must_use]
    pub fn expanded_key_bytes(&self) -> usize {
        self.key.expanded_key_bytes()
    }

    /// Encrypts whole blocks in place, each by itself.
    pub fn encrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        let done = self.key.encrypt_blocks(&InOut::in_place(data));
        done.map_err(|status| length(self, status, found))
    }

    /// Decrypts whole blocks in place, each by itself.
    pub fn decrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        let done = self.key.decrypt_blocks(&InOut::in_place(data));
        done.map_err(|status| length(self, status, found))
    }

    /// Encrypts the blocks of `input` into the first bytes of `out`.
    pub fn encrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let done = self.key.encrypt_blocks(&copying(out, input)?);
        done.map_err(|status| length(self, status, input.len()))
    }

    /// Decrypts the blocks of `input` into the first bytes of `out`.
    pub fn decrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let done = self.key.decrypt_blocks(&copying(out, input)?);
        done.map_err(|status| length(self, status, input.len()))
    }
}

/// Names the kernel, never the key.
impl fmt::Debug for Des {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Des").field("kernel", &self.kernel()).finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Des {}

/// The kernels for DES of this build, best first. None is the default where [`KERNEL_VARIABLE`] names one
/// that cannot be had.
///
/// ```
/// let default = manyfish::des::kernels().find(|kernel| kernel.is_default).unwrap();
/// assert!(default.runnable);
/// ```
pub fn kernels() -> impl Iterator<Item = KernelInfo> {
    manyfish_sys::des_kernels()
}

/// Runs a chain of known answers for all three key sizes, forwards and back, on the kernel of the given
/// name, and compares its bulk path with single blocks.
///
/// ```
/// for kernel in manyfish::des::kernels().filter(|kernel| kernel.runnable) {
///     manyfish::des::selftest(kernel.name)?;
/// }
/// # Ok::<(), manyfish::Error>(())
/// ```
pub fn selftest(kernel: &str) -> Result<(), Error> {
    manyfish_sys::des_selftest(kernel).map_err(|status| kernel_error(status, kernel))
}

/// The flaws of a key of 8, 16 or 24 bytes. Nothing refuses such keys by itself, and parity bits count
/// for [`KeyFlaws::parity`] alone. [`Error::DesKeyLength`]
///
/// ```
/// let flaws = manyfish::des::key_flaws(&[1; 8])?;
/// assert!(flaws.weak && !flaws.semi_weak && !flaws.parity);
/// # Ok::<(), manyfish::Error>(())
/// ```
pub fn key_flaws(key: &[u8]) -> Result<KeyFlaws, Error> {
    manyfish_sys::des_key_flaws(key).map_err(|_| Error::DesKeyLength { found: key.len() })
}

/// The flaws that NIST wants refused in new keys: all but parity and two keys for three.
/// \[SP800-67, 3.3.2\]
pub const WEAK_KEYS: KeyFlaws = KeyFlaws {
    weak: true,
    semi_weak: true,
    possibly_weak: true,
    degenerate: true,
    two_keys: false,
    parity: false,
};

/// [`Error::KeyRefused`] if the key has one of the flaws in `refused`, for who wants such keys refused.
///
/// ```
/// use manyfish::{Error, des};
/// assert!(matches!(des::check_key(&[1; 8], des::WEAK_KEYS), Err(Error::KeyRefused { .. })));
/// des::check_key(b"8 bytes!", des::WEAK_KEYS)?;
/// # Ok::<(), manyfish::Error>(())
/// ```
pub fn check_key(key: &[u8], refused: KeyFlaws) -> Result<(), Error> {
    let flaws = key_flaws(key)?;
    manyfish_sys::des_check_key(key, refused)
        .map_err(|_| Error::KeyRefused { flaws: flaws.and(refused) })
}

/// Sets the last bit of each byte of a key so that the number of ones is odd. \[FIPS46-3\]
///
/// ```
/// let mut key = *b"8 bytes!";
/// manyfish::des::set_parity(&mut key);
/// assert!(!manyfish::des::key_flaws(&key)?.parity);
/// # Ok::<(), manyfish::Error>(())
/// ```
pub fn set_parity(key: &mut [u8]) {
    manyfish_sys::des_set_parity(key).expect("the buffers are the same");
}
