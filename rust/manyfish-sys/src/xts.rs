// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/modes.h>`: XTS [IEEE1619].

use crate::ffi::{MF_XTS_TWEAK_BYTES, mf_xts};
use crate::state::{CStruct, State};
use crate::{InOut, Status, Twofish, ffi};

impl CStruct for mf_xts {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_xts_wipe;
}

/// Two keys joined for XTS; many threads may use one at once. It owns shares of both keys, whose
/// addresses the C side holds.
#[allow(missing_debug_implementations)] // it holds keys
pub struct Xts {
    state: State<mf_xts>,
    data: Twofish,
    _tweak: Twofish,
}

impl Xts {
    /// Joins a key for data and a key for tweaks.
    pub fn new(data: Twofish, tweak: Twofish) -> Result<Self, Status> {
        let (first, second) = (data.cipher(), tweak.cipher());
        // SAFETY: mf_xts_init fills the place; both ciphers are copied.
        let state = unsafe {
            State::new(|place| ffi::mf_xts_init(place, &raw const first, &raw const second))
        };
        Ok(Self { state: state?, data, _tweak: tweak })
    }

    /// The key for data.
    #[must_use]
    pub fn key(&self) -> &Twofish {
        &self.data
    }

    /// Encrypts one data unit.
    pub fn encrypt(&self, tweak: &[u8; MF_XTS_TWEAK_BYTES], data: &InOut) -> Result<(), Status> {
        let (tweak, out, input) = (tweak.as_ptr().cast(), data.out(), data.input());
        // SAFETY: new has filled state, its keys are alive in self; tweak has 16 bytes; data spans
        // n_bytes on both sides.
        unsafe { ffi::mf_xts_encrypt(self.state.as_ptr(), tweak, out, input, data.n_bytes()) }
            .check()
    }

    /// Decrypts one data unit.
    pub fn decrypt(&self, tweak: &[u8; MF_XTS_TWEAK_BYTES], data: &InOut) -> Result<(), Status> {
        let (tweak, out, input) = (tweak.as_ptr().cast(), data.out(), data.input());
        // SAFETY: as in encrypt.
        unsafe { ffi::mf_xts_decrypt(self.state.as_ptr(), tweak, out, input, data.n_bytes()) }
            .check()
    }

    /// Encrypts consecutive sectors.
    pub fn encrypt_sectors(
        &self,
        first_sector: u64,
        sector_bytes: usize,
        data: &InOut,
    ) -> Result<(), Status> {
        let (state, out, input) = (self.state.as_ptr(), data.out(), data.input());
        // SAFETY: as in encrypt.
        unsafe {
            ffi::mf_xts_encrypt_sectors(
                state,
                first_sector,
                sector_bytes,
                out,
                input,
                data.n_bytes(),
            )
        }
        .check()
    }

    /// Decrypts consecutive sectors.
    pub fn decrypt_sectors(
        &self,
        first_sector: u64,
        sector_bytes: usize,
        data: &InOut,
    ) -> Result<(), Status> {
        let (state, out, input) = (self.state.as_ptr(), data.out(), data.input());
        // SAFETY: as in encrypt.
        unsafe {
            ffi::mf_xts_decrypt_sectors(
                state,
                first_sector,
                sector_bytes,
                out,
                input,
                data.n_bytes(),
            )
        }
        .check()
    }
}
