// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/modes.h>`: XTS [IEEE1619].

use crate::ffi::{MF_XTS_TWEAK_BYTES, mf_xts};
use crate::{InOut, Status, Twofish, ffi};

/// Two keys joined for XTS; many threads may use one at once.
#[allow(missing_debug_implementations)] // it holds keys
pub struct Xts {
    data: Twofish,
    tweak: Twofish,
}

impl Xts {
    /// Joins a key for data and a key for tweaks.
    pub fn new(data: Twofish, tweak: Twofish) -> Result<Self, Status> {
        let xts = Self { data, tweak };
        xts.state()?;
        Ok(xts)
    }

    /// The C structure, which holds nothing but the addresses of the keys: for one call.
    fn state(&self) -> Result<mf_xts, Status> {
        let (data, tweak) = (self.data.cipher(), self.tweak.cipher());
        let mut xts = mf_xts { data, tweak };
        // SAFETY: xts has room for what is written; both ciphers are copied.
        unsafe { ffi::mf_xts_init(&raw mut xts, &raw const data, &raw const tweak) }.check()?;
        Ok(xts)
    }

    /// The key for data.
    #[must_use]
    pub fn key(&self) -> &Twofish {
        &self.data
    }

    /// Encrypts one data unit.
    pub fn encrypt(&self, tweak: &[u8; MF_XTS_TWEAK_BYTES], data: &InOut) -> Result<(), Status> {
        let (tweak, out, input) = (tweak.as_ptr().cast(), data.out(), data.input());
        let state = self.state()?;
        // SAFETY: state is filled, its keys are alive in self; tweak has 16 bytes; data spans n_bytes on
        // both sides.
        unsafe { ffi::mf_xts_encrypt(&raw const state, tweak, out, input, data.n_bytes()) }.check()
    }

    /// Decrypts one data unit.
    pub fn decrypt(&self, tweak: &[u8; MF_XTS_TWEAK_BYTES], data: &InOut) -> Result<(), Status> {
        let (tweak, out, input) = (tweak.as_ptr().cast(), data.out(), data.input());
        let state = self.state()?;
        // SAFETY: as in encrypt.
        unsafe { ffi::mf_xts_decrypt(&raw const state, tweak, out, input, data.n_bytes()) }.check()
    }

    /// Encrypts consecutive sectors.
    pub fn encrypt_sectors(
        &self,
        first_sector: u64,
        sector_bytes: usize,
        data: &InOut,
    ) -> Result<(), Status> {
        let (state, out, input) = (self.state()?, data.out(), data.input());
        // SAFETY: as in encrypt.
        unsafe {
            ffi::mf_xts_encrypt_sectors(
                &raw const state,
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
        let (state, out, input) = (self.state()?, data.out(), data.input());
        // SAFETY: as in encrypt.
        unsafe {
            ffi::mf_xts_decrypt_sectors(
                &raw const state,
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
