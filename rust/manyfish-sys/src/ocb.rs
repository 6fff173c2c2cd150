// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/aead.h>`: OCB3 [RFC7253], whole messages.

use core::ffi::c_void;

use crate::ffi::{MF_OCB_TAG_BYTES as TAG, mf_ocb};
use crate::state::{CStruct, State};
use crate::{InOut, Status, Twofish, ffi};

impl CStruct for mf_ocb {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_ocb_wipe;

    fn point_to(&mut self, key: *const c_void) {
        self.cipher.key = key;
    }
}

/// A key made ready for OCB; a clone shares the key. It is never written after `new`: each message
/// works on a copy of the masks, so any number of threads may use one `Ocb` at once.
#[allow(missing_debug_implementations)] // it holds masks made from the key
pub struct Ocb {
    masks: State<mf_ocb>,
    key: Twofish,
}

impl Clone for Ocb {
    fn clone(&self) -> Self {
        Self { masks: self.masks.copy(), key: self.key.clone() }
    }
}

impl Ocb {
    /// Computes the masks.
    pub fn new(key: Twofish) -> Result<Self, Status> {
        let cipher = key.cipher();
        // SAFETY: mf_ocb_init fills the place; cipher is copied.
        let masks = unsafe { State::new(|place| ffi::mf_ocb_init(place, &raw const cipher)) };
        Ok(Self { masks: masks?, key })
    }

    /// The key that the masks belong to.
    #[must_use]
    pub fn key(&self) -> &Twofish {
        &self.key
    }

    /// For a message in pieces: a copy of the masks, and the key.
    pub(crate) fn parts(&self) -> (State<mf_ocb>, Twofish) {
        (self.masks.copy(), self.key.clone())
    }

    /// For many messages at once.
    #[cfg(feature = "std")]
    pub(crate) fn structure(&self) -> &mf_ocb {
        self.masks.get()
    }

    /// Encrypts a whole message and returns its tag.
    pub fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &InOut) -> Result<[u8; TAG], Status> {
        let mut message = self.masks.copy();
        let mut tag = [0; TAG];
        // SAFETY: the masks are filled and their key is alive in self; nonce, aad and data are
        // slices of the lengths given; tag is a buffer of its own.
        unsafe {
            ffi::mf_ocb_encrypt(
                message.at(&self.key),
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
                message.at(&self.key),
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
    use crate::state::tests::is_wiped;

    #[test]
    fn masks_are_wiped() {
        let ocb = Ocb::new(Twofish::new(None, &[7; 16]).unwrap()).unwrap();
        assert!(is_wiped(&ocb.masks));
    }
}
