// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/twofish_compiled.h>`: keys with machine code of their own.

use std::ptr::{self, NonNull};

use crate::ffi::{MF_COMPILED_OR_FULL, mf_twofish_compiled};
use crate::twofish::{KEY_BYTES, whole_blocks};
use crate::{InOut, Status, ffi};

/// One key and its code, in memory of their own. Not to be cloned: the code belongs to one key.
#[allow(missing_debug_implementations)] // it holds a key
pub struct CompiledTwofish {
    object: NonNull<mf_twofish_compiled>,
}

// SAFETY: the memory belongs to the object, wherever that is; nothing in it knows of threads.
unsafe impl Send for CompiledTwofish {}
// SAFETY: what a shared borrow allows only reads.
unsafe impl Sync for CompiledTwofish {}

impl Drop for CompiledTwofish {
    fn drop(&mut self) {
        // SAFETY: it was made by mf_twofish_compiled_new, and nobody uses it afterwards.
        unsafe { ffi::mf_twofish_compiled_free(self.object.as_ptr()) }
    }
}

impl CompiledTwofish {
    /// A place without a key. `or_full`: where no code can be made, be as kernel `full`.
    pub fn empty(or_full: bool) -> Result<Self, Status> {
        let mut object = ptr::null_mut();
        let flags = if or_full { MF_COMPILED_OR_FULL } else { 0 };
        // SAFETY: there is room for the address.
        unsafe { ffi::mf_twofish_compiled_new(&raw mut object, flags) }.check()?;
        NonNull::new(object).map(|object| Self { object }).ok_or(Status::MEMORY)
    }

    /// Expands a key of 16, 24 or 32 bytes. A wrong length leaves the old key; after any other error
    /// there is none.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Status> {
        if !KEY_BYTES.contains(&key.len()) {
            return Err(Status::KEY_LENGTH);
        }
        // SAFETY: the object is alive and borrowed by us alone; key is a slice apart from it.
        unsafe {
            ffi::mf_twofish_compiled_set_key(self.object.as_ptr(), key.as_ptr().cast(), key.len())
        }
        .check()
    }

    /// Does it run code of its own?
    #[must_use]
    pub fn is_code(&self) -> bool {
        // SAFETY: the object is alive.
        unsafe { ffi::mf_twofish_compiled_is_code(self.object.as_ptr()) }
    }

    /// Bytes of memory that it occupies.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        // SAFETY: the object is alive.
        unsafe { ffi::mf_twofish_compiled_bytes(self.object.as_ptr()) }
    }

    /// Encrypts whole blocks, each by itself.
    pub fn encrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        // SAFETY: the object is alive, and data spans 16 * n_blocks bytes on both sides.
        unsafe {
            ffi::mf_twofish_compiled_encrypt_blocks(
                self.object.as_ptr(),
                data.out(),
                data.input(),
                n_blocks,
            )
        }
        .check()
    }

    /// Decrypts whole blocks, each by itself.
    pub fn decrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        // SAFETY: as in encrypt_blocks.
        unsafe {
            ffi::mf_twofish_compiled_decrypt_blocks(
                self.object.as_ptr(),
                data.out(),
                data.input(),
                n_blocks,
            )
        }
        .check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Twofish;

    #[test]
    fn blocks_are_those_of_a_kernel() {
        let mut compiled = CompiledTwofish::empty(true).unwrap();
        for key in [&[1; 16][..], &[2; 24], &[3; 32]] {
            let kernel = Twofish::new(Some("zero"), key).unwrap();
            compiled.set_key(key).unwrap();
            for n_blocks in 0..10 {
                let text: Vec<u8> = (0..=u8::MAX).take(16 * n_blocks).collect();
                let (mut a, mut b) = (text.clone(), text.clone());
                kernel.encrypt_blocks(&InOut::in_place(&mut a)).unwrap();
                compiled.encrypt_blocks(&InOut::in_place(&mut b)).unwrap();
                assert_eq!(a, b);
                compiled.decrypt_blocks(&InOut::in_place(&mut b)).unwrap();
                assert_eq!(b, text);
            }
        }
    }

    #[test]
    fn without_a_key_nothing_works() {
        let compiled = CompiledTwofish::empty(true).unwrap();
        let mut block = [0; 16];
        let refused = compiled.encrypt_blocks(&InOut::in_place(&mut block));
        assert_eq!((refused, block), (Err(Status::NO_KEY), [0; 16]));
        assert!(compiled.n_bytes() > 4096);
    }

    #[test]
    fn a_wrong_length_leaves_the_old_key() {
        let mut compiled = CompiledTwofish::empty(true).unwrap();
        compiled.set_key(&[1; 16]).unwrap();
        assert_eq!(compiled.set_key(&[1; 17]), Err(Status::KEY_LENGTH));
        compiled.encrypt_blocks(&InOut::in_place(&mut [0; 32])).unwrap();
    }
}
