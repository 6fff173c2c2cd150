// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/mac.h>`: CMAC [SP800-38B].

use core::ffi::c_void;

use crate::cipher::Sealed;
use crate::ffi::mf_cmac;
use crate::state::{CStruct, State};
use crate::{Key, Status, ffi};

impl CStruct for mf_cmac {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_cmac_wipe;

    fn point_to(&mut self, key: *const c_void) {
        self.cipher.key = key;
    }
}

/// A key made ready for CMAC, and a message in work. It owns a share of the key, whose address the C
/// side holds; a clone is an independent message under the same key.
#[allow(missing_debug_implementations)] // it holds subkeys
pub struct Cmac {
    state: State<mf_cmac>,
    key: Key,
}

impl Clone for Cmac {
    fn clone(&self) -> Self {
        Self { state: self.state.copy(), key: self.key.clone() }
    }
}

impl Cmac {
    /// Computes the subkeys and begins a message.
    pub fn new(key: impl Into<Key>) -> Result<Self, Status> {
        let key = key.into();
        let cipher = key.cipher();
        // SAFETY: mf_cmac_init fills the place; cipher is copied.
        let state = unsafe { State::new(|place| ffi::mf_cmac_init(place, &raw const cipher)) };
        Ok(Self { state: state?, key })
    }

    /// The key at work.
    #[must_use]
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// For many messages at once.
    #[cfg(feature = "std")]
    pub(crate) fn structure(&self) -> &mf_cmac {
        self.state.get()
    }

    /// The next piece of the message.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Status> {
        // SAFETY: new has filled state, its key is alive in self; data is a slice.
        unsafe { ffi::mf_cmac_update(self.state.at(&self.key), data.as_ptr().cast(), data.len()) }
            .check()
    }

    /// Writes the tag of all pieces, as many bytes as `tag` has; the next message begins.
    pub fn finish(&mut self, tag: &mut [u8]) -> Result<(), Status> {
        // SAFETY: as in update; tag is a slice to write.
        unsafe { ffi::mf_cmac_finish(self.state.at(&self.key), tag.as_mut_ptr(), tag.len()) }
            .check()
    }

    /// Compares the tag of all pieces; the next message begins.
    pub fn finish_verify(&mut self, tag: &[u8]) -> Result<(), Status> {
        // SAFETY: as in update; tag is a slice to read.
        unsafe { ffi::mf_cmac_finish_verify(self.state.at(&self.key), tag.as_ptr(), tag.len()) }
            .check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Twofish;
    use crate::state::tests::is_wiped;

    #[test]
    fn subkeys_are_wiped() {
        let cmac = Cmac::new(Twofish::new(None, &[7; 16]).unwrap()).unwrap();
        assert!(is_wiped(&cmac.state));
    }
}
