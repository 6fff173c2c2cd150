// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/aead.h>`: OCB3 [RFC7253], whole messages.

use std::mem::MaybeUninit;
use std::ptr;

use crate::ffi::{MF_OCB_TAG_BYTES as TAG, mf_ocb};
use crate::{InOut, Status, Twofish, ffi};

/// A key made ready for OCB; a clone shares the key. It is never written after `new`: each message
/// works on a copy of the masks, so many threads may use one `Ocb` at once.
#[allow(missing_debug_implementations)] // it holds masks made from the key
pub struct Ocb {
    masks: Box<Masks>,
    key: Twofish,
}

/// The C state, wiped when dropped.
#[repr(transparent)]
struct Masks(mf_ocb);

impl Masks {
    /// An independent message under the same key, made where it stays: a value that moves leaves
    /// copies on the stack.
    fn copy(&self) -> Box<Self> {
        let mut copy = Box::new(MaybeUninit::<Self>::uninit());
        // SAFETY: both are memory for one Masks, apart from each other, and a copy of an mf_ocb is
        // one, as its header says.
        unsafe {
            ptr::copy_nonoverlapping(self, copy.as_mut_ptr(), 1);
            copy.assume_init()
        }
    }
}

impl Clone for Ocb {
    fn clone(&self) -> Self {
        Self { masks: self.masks.copy(), key: self.key.clone() }
    }
}

impl Drop for Masks {
    fn drop(&mut self) {
        // SAFETY: Ocb::new has filled it.
        unsafe { ffi::mf_ocb_wipe(&raw mut self.0) }
    }
}

// SAFETY: the pointers in the masks are to static functions and to the context that key shares,
// which nobody writes until its last owner goes.
unsafe impl Send for Ocb {}
// SAFETY: a shared Ocb is only read.
unsafe impl Sync for Ocb {}

impl Ocb {
    /// Computes the masks.
    pub fn new(key: Twofish) -> Result<Self, Status> {
        let cipher = key.cipher();
        let mut masks = Box::new(MaybeUninit::<Masks>::zeroed());
        // SAFETY: masks has room for an mf_ocb at its start, and cipher is copied.
        unsafe { ffi::mf_ocb_init(masks.as_mut_ptr().cast(), &raw const cipher) }.check()?;
        // SAFETY: mf_ocb_init has filled it.
        Ok(Self { masks: unsafe { masks.assume_init() }, key })
    }

    /// The key that the masks belong to.
    #[must_use]
    pub fn key(&self) -> &Twofish {
        &self.key
    }

    /// Encrypts a whole message and returns its tag.
    pub fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &InOut) -> Result<[u8; TAG], Status> {
        let mut message = self.masks.copy();
        let mut tag = [0; TAG];
        // SAFETY: the masks are filled and their key is alive in self; nonce, aad and data are
        // slices of the lengths given; tag is a buffer of its own.
        unsafe {
            ffi::mf_ocb_encrypt(
                &raw mut message.0,
                nonce.as_ptr().cast(),
                nonce.len(),
                aad.as_ptr().cast(),
                aad.len(),
                data.out(),
                data.input(),
                data.n_bytes(),
                tag.as_mut_ptr(),
            )
        }
        .check()?;
        Ok(tag)
    }

    /// Decrypts a whole message; on [`Status::TAG`] the output is wiped.
    pub fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
        tag: &[u8; TAG],
    ) -> Result<(), Status> {
        let mut message = self.masks.copy();
        // SAFETY: as in encrypt; tag is borrowed apart from the output.
        unsafe {
            ffi::mf_ocb_decrypt(
                &raw mut message.0,
                nonce.as_ptr().cast(),
                nonce.len(),
                aad.as_ptr().cast(),
                aad.len(),
                data.out(),
                data.input(),
                data.n_bytes(),
                tag.as_ptr(),
            )
        }
        .check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::is_wiped_when_dropped;

    #[test]
    fn masks_are_wiped() {
        let ocb = Ocb::new(Twofish::new(None, &[7; 16]).unwrap()).unwrap();
        assert!(is_wiped_when_dropped(*ocb.masks.copy()));
    }
}
