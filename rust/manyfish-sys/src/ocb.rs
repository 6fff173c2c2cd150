// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/aead.h>`: OCB3 [RFC7253], whole messages.

use std::mem::MaybeUninit;

use crate::ffi::{MF_OCB_TAG_BYTES as TAG, mf_ocb};
use crate::{InOut, Status, Twofish, ffi};

/// A key made ready for OCB; a clone shares the key. It is never written after `new`: each message
/// works on a copy of the masks, so many threads may use one `Ocb` at once.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // it holds masks made from the key
pub struct Ocb {
    masks: Masks,
    key: Twofish,
}

/// The C state on the heap, wiped when dropped; a clone is an independent message.
#[derive(Clone)]
struct Masks(Box<mf_ocb>);

impl Drop for Masks {
    fn drop(&mut self) {
        // SAFETY: Ocb::new has filled it.
        unsafe { ffi::mf_ocb_wipe(&raw mut *self.0) }
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
        let mut masks = Box::new(MaybeUninit::<mf_ocb>::zeroed());
        // SAFETY: masks has room for an mf_ocb, and cipher is copied.
        unsafe { ffi::mf_ocb_init(masks.as_mut_ptr(), &raw const cipher) }.check()?;
        // SAFETY: mf_ocb_init has filled it.
        Ok(Self { masks: Masks(unsafe { masks.assume_init() }), key })
    }

    /// The key that the masks belong to.
    #[must_use]
    pub fn key(&self) -> &Twofish {
        &self.key
    }

    /// Encrypts a whole message and returns its tag.
    pub fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &InOut) -> Result<[u8; TAG], Status> {
        let mut message = self.masks.clone();
        let mut tag = [0; TAG];
        // SAFETY: the masks are filled and their key is alive in self; nonce, aad and data are
        // slices of the lengths given; tag is a buffer of its own.
        unsafe {
            ffi::mf_ocb_encrypt(
                &raw mut *message.0,
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
        let mut message = self.masks.clone();
        // SAFETY: as in encrypt; tag is borrowed apart from the output.
        unsafe {
            ffi::mf_ocb_decrypt(
                &raw mut *message.0,
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
