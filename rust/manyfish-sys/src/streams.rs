// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/modes.h>`: the modes that carry a state from piece to piece: CFB, OFB, CTR. An `iv` or
//! a counter has as many bytes as a block of the cipher, else [`Status::BLOCK`].

use core::ffi::c_void;

use crate::cipher::with_block;
use crate::ffi::{mf_cfb, mf_ctr, mf_ofb};
use crate::state::{CStruct, State};
use crate::{InOut, Key, Status, ffi};

impl CStruct for mf_cfb {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_cfb_wipe;

    fn point_to(&mut self, key: *const c_void) {
        self.cipher.key = key;
    }
}

impl CStruct for mf_ofb {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_ofb_wipe;

    fn point_to(&mut self, key: *const c_void) {
        self.cipher.key = key;
    }
}

impl CStruct for mf_ctr {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_ctr_wipe;

    fn point_to(&mut self, key: *const c_void) {
        self.cipher.key = key;
    }
}

/// A message in CFB. It owns a share of the key, whose address the C side holds.
#[allow(missing_debug_implementations)] // it holds key stream
pub struct Cfb {
    state: State<mf_cfb>,
    key: Key,
}

impl Cfb {
    /// Starts a message in segments of 1 bit, 8 bits or a block.
    pub fn new(key: impl Into<Key>, iv: &[u8], segment_bits: u32) -> Result<Self, Status> {
        let key = key.into();
        let (cipher, iv) = (with_block(&key, iv)?, iv.as_ptr().cast());
        // SAFETY: mf_cfb_init fills the place; cipher is copied, iv is one block.
        let state = unsafe {
            State::new(|place| ffi::mf_cfb_init(place, &raw const cipher, iv, segment_bits))
        };
        Ok(Self { state: state?, key })
    }

    /// Encrypts the next bytes.
    pub fn encrypt(&mut self, data: &InOut) -> Result<(), Status> {
        let (out, input, n_bytes) = (data.out(), data.input(), data.n_bytes());
        // SAFETY: new has filled state, its key is alive in self; data spans n_bytes on both sides.
        unsafe { ffi::mf_cfb_encrypt(self.state.at(&self.key), out, input, n_bytes) }.check()
    }

    /// Decrypts the next bytes.
    pub fn decrypt(&mut self, data: &InOut) -> Result<(), Status> {
        let (out, input, n_bytes) = (data.out(), data.input(), data.n_bytes());
        // SAFETY: as in encrypt.
        unsafe { ffi::mf_cfb_decrypt(self.state.at(&self.key), out, input, n_bytes) }.check()
    }
}

/// An OFB key stream. It owns a share of the key, whose address the C side holds.
#[allow(missing_debug_implementations)] // it holds key stream
pub struct Ofb {
    state: State<mf_ofb>,
    key: Key,
}

impl Ofb {
    /// Starts a key stream.
    pub fn new(key: impl Into<Key>, iv: &[u8]) -> Result<Self, Status> {
        let key = key.into();
        let (cipher, iv) = (with_block(&key, iv)?, iv.as_ptr().cast());
        // SAFETY: mf_ofb_init fills the place; cipher is copied, iv is one block.
        let state = unsafe { State::new(|place| ffi::mf_ofb_init(place, &raw const cipher, iv)) };
        Ok(Self { state: state?, key })
    }

    /// Encrypts or decrypts the next bytes.
    pub fn crypt(&mut self, data: &InOut) -> Result<(), Status> {
        let (out, input, n_bytes) = (data.out(), data.input(), data.n_bytes());
        // SAFETY: new has filled state, its key is alive in self; data spans n_bytes on both sides.
        unsafe { ffi::mf_ofb_crypt(self.state.at(&self.key), out, input, n_bytes) }.check()
    }
}

/// A CTR key stream. It owns a share of the key, whose address the C side holds.
#[allow(missing_debug_implementations)] // it holds key stream
pub struct Ctr {
    state: State<mf_ctr>,
    key: Key,
}

impl Ctr {
    /// Starts at the counter block `initial`, of which the last 32 bits count, or all.
    pub fn new(key: impl Into<Key>, initial: &[u8], counter_bits: u32) -> Result<Self, Status> {
        let key = key.into();
        let (cipher, initial) = (with_block(&key, initial)?, initial.as_ptr().cast());
        // SAFETY: mf_ctr_init fills the place; cipher is copied, initial is one block.
        let state = unsafe {
            State::new(|place| ffi::mf_ctr_init(place, &raw const cipher, initial, counter_bits))
        };
        Ok(Self { state: state?, key })
    }

    /// Encrypts or decrypts the next bytes.
    pub fn crypt(&mut self, data: &InOut) -> Result<(), Status> {
        let (out, input, n_bytes) = (data.out(), data.input(), data.n_bytes());
        // SAFETY: new has filled state, its key is alive in self; data spans n_bytes on both sides.
        unsafe { ffi::mf_ctr_crypt(self.state.at(&self.key), out, input, n_bytes) }.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Twofish;
    use crate::state::tests::is_wiped;

    const BLOCK: usize = 16;

    fn key() -> Twofish {
        Twofish::new(None, &[7; 16]).unwrap()
    }

    #[test]
    fn key_streams_are_wiped() {
        let mut data = [0; 5];
        let mut cfb = Cfb::new(key(), &[0; BLOCK], 128).unwrap();
        cfb.encrypt(&InOut::in_place(&mut data)).unwrap();
        assert!(is_wiped(&cfb.state));
        let mut ofb = Ofb::new(key(), &[0; BLOCK]).unwrap();
        ofb.crypt(&InOut::in_place(&mut data)).unwrap();
        assert!(is_wiped(&ofb.state));
        let mut ctr = Ctr::new(key(), &[0; BLOCK], 128).unwrap();
        ctr.crypt(&InOut::in_place(&mut data)).unwrap();
        assert!(is_wiped(&ctr.state));
    }
}
