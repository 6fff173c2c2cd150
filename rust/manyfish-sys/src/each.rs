// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Many keys, a few blocks under each.

use core::ptr;

use crate::ffi::{self, MF_TWOFISH_BLOCK_BYTES};
use crate::twofish::{CName, KEY_BYTES, c_name};
use crate::{InOut, Status};

/// Keys of one length, one after the other, and the kernel that works on them.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations)] // it shows keys
pub struct TwofishKeys<'a> {
    kernel: Option<&'a str>,
    bytes: &'a [u8],
    key_bytes: usize,
}

impl<'a> TwofishKeys<'a> {
    /// Keys of 16, 24 or 32 bytes each, else [`Status::KEY_LENGTH`], which must fill `bytes`, else
    /// [`Status::LENGTH`]; for the named kernel, or for the default one.
    pub fn new(kernel: Option<&'a str>, bytes: &'a [u8], key_bytes: usize) -> Result<Self, Status> {
        if !KEY_BYTES.contains(&key_bytes) {
            return Err(Status::KEY_LENGTH);
        }
        if !bytes.len().is_multiple_of(key_bytes) {
            return Err(Status::LENGTH);
        }
        Ok(Self { kernel, bytes, key_bytes })
    }

    /// How many keys there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.bytes.len() / self.key_bytes
    }

    /// The blocks of each key in data, in which all keys have equally many.
    fn blocks_of_each(&self, data: &InOut) -> Result<usize, Status> {
        let of_each =
            self.count().max(1).checked_mul(MF_TWOFISH_BLOCK_BYTES).ok_or(Status::LENGTH)?;
        if !data.n_bytes().is_multiple_of(of_each) || self.count() == 0 && data.n_bytes() > 0 {
            return Err(Status::LENGTH);
        }
        Ok(data.n_bytes() / of_each)
    }

    /// Encrypts equal parts of data, each under its key.
    pub fn encrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        self.crypt(data, ffi::mf_twofish_encrypt_each)
    }

    /// Decrypts equal parts of data, each under its key.
    pub fn decrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        self.crypt(data, ffi::mf_twofish_decrypt_each)
    }

    fn crypt(&self, data: &InOut, crypt: Crypt) -> Result<(), Status> {
        let n_blocks = self.blocks_of_each(data)?;
        let name = self.kernel.map(c_name).transpose()?;
        let (out, input) = (data.out(), data.input());
        let (kernel, keys) =
            (name.as_ref().map_or(ptr::null(), CName::as_ptr), self.bytes.as_ptr());
        // SAFETY: the name is NULL or a C string; data spans 16 * n_blocks * count bytes on both sides, and
        // keys key_bytes * count; what data borrows to be written is disjoint from them.
        unsafe { crypt(kernel, out, input, n_blocks, keys.cast(), self.key_bytes, self.count()) }
            .check()
    }
}

/// The type of both functions.
type Crypt = unsafe extern "C" fn(
    *const core::ffi::c_char,
    *mut core::ffi::c_void,
    *const core::ffi::c_void,
    usize,
    *const core::ffi::c_void,
    usize,
    usize,
) -> ffi::mf_status;
