// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keys with machine code of their own.

use std::fmt;

use manyfish_sys::{InOut, Status};
use zeroize::ZeroizeOnDrop;

use crate::Error;
use crate::error::from_status;
use crate::twofish::{copying, length};

/// A key with machine code of its own, in which the subkeys are constants: compiled keying
/// [Twofish98, 5.1.1]. Beside [`Twofish`](crate::Twofish) with the kernel `full` it saves about a tenth of
/// the time for blocks that go one by one; from four blocks in a call on it is as fast as that.
///
/// It needs x86-64 with Linux or a BSD, and a system that lets the program make memory executable. No
/// memory is ever writable and executable at once, so each new key costs two calls of the system, which
/// take longer than the rest of the set-up: keep it for a key that is used long. It leaks by time what
/// `full` leaks, so it is not for machines that are shared with strangers.
///
/// ```
/// let cipher = manyfish::CompiledTwofish::or_full(&[0; 16])?;
/// let mut block = [0; 16];
/// cipher.encrypt_blocks(&mut block)?;
/// assert_eq!(block[..4], [0x9F, 0x58, 0x9F, 0x5C]);
/// # Ok::<(), manyfish::Error>(())
/// ```
pub struct CompiledTwofish {
    key: manyfish_sys::CompiledTwofish,
}

impl CompiledTwofish {
    /// Expands a key of 16, 24 or 32 bytes. [`Error::UnknownKernel`] where this build has no such code,
    /// [`Error::Executable`] where the system refuses executable memory, [`Error::Memory`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::expand(key, false)
    }

    /// The same, but where no code can be made it works as the kernel `full`.
    pub fn or_full(key: &[u8]) -> Result<Self, Error> {
        Self::expand(key, true)
    }

    fn expand(key: &[u8], or_full: bool) -> Result<Self, Error> {
        let empty = manyfish_sys::CompiledTwofish::empty(or_full);
        let mut this = Self { key: empty.map_err(|status| refused(status, key.len()))? };
        this.set_key(key)?;
        Ok(this)
    }

    /// Expands another key in the same memory. A wrong length leaves the old key. If the system has begun
    /// to refuse executable memory, a key from [`or_full`](Self::or_full) goes on as `full`; one from
    /// [`new`](Self::new) answers [`Error::Executable`] from now on.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.key.set_key(key).map_err(|status| refused(status, key.len()))
    }

    /// Does it run code of its own? If not, it is as the kernel `full`.
    #[must_use]
    pub fn is_code(&self) -> bool {
        self.key.is_code()
    }

    /// Bytes of memory that it occupies, code and tables.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.key.n_bytes()
    }

    /// Encrypts whole blocks in place, each by itself.
    pub fn encrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        self.key.encrypt_blocks(&InOut::in_place(data)).map_err(|status| blocks(status, found))
    }

    /// Decrypts whole blocks in place, each by itself.
    pub fn decrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        self.key.decrypt_blocks(&InOut::in_place(data)).map_err(|status| blocks(status, found))
    }

    /// Encrypts the blocks of `input` into the first bytes of `out`.
    pub fn encrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let data = copying(out, input)?;
        self.key.encrypt_blocks(&data).map_err(|status| blocks(status, input.len()))
    }

    /// Decrypts the blocks of `input` into the first bytes of `out`.
    pub fn decrypt_blocks_to(&self, out: &mut [u8], input: &[u8]) -> Result<(), Error> {
        let data = copying(out, input)?;
        self.key.decrypt_blocks(&data).map_err(|status| blocks(status, input.len()))
    }
}

/// Says whether there is code, never the key.
impl fmt::Debug for CompiledTwofish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("CompiledTwofish");
        text.field("is_code", &self.is_code()).finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for CompiledTwofish {}

/// The error of a call that makes code or takes a key of so many bytes.
fn refused(status: Status, key_bytes: usize) -> Error {
    match status {
        Status::KEY_LENGTH => Error::KeyLength { found: key_bytes },
        Status::KERNEL => Error::UnknownKernel { name: "compiled".to_owned() },
        Status::EXECUTABLE => Error::Executable,
        Status::MEMORY => Error::Memory,
        other => from_status(other),
    }
}

/// The error of a call that takes whole blocks. Only a refusal can have taken the key away.
fn blocks(status: Status, found: usize) -> Error {
    if status == Status::NO_KEY { Error::Executable } else { length(status, found) }
}
