// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The headers of `c/study/include/manyfish/study`, declared by hand as those in `ffi.rs`.

#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_uint, c_void};

use crate::ffi::{mf_cipher, mf_status, mf_twofish_expectation};

pub const MF_COMPILED_OR_FULL: c_uint = 1;
pub const MF_COMPILED_CT_SET_UP: c_uint = 2;
pub const MF_COMPILED_BIG: c_uint = 4;
pub const MF_COMPILED_HUGE: c_uint = 8;
pub const MF_COMPILED_TWO_VIEWS: c_uint = 16;

/// An `enum mf_twofish_tables`.
pub type mf_twofish_tables = c_uint;
pub const MF_TWOFISH_TABLES_BIG: mf_twofish_tables = 1;
pub const MF_TWOFISH_TABLES_HUGE: mf_twofish_tables = 2;
pub const MF_TWOFISH_TABLES_BIG_BYTES: usize = 262_144;
pub const MF_TWOFISH_TABLES_HUGE_BYTES: usize = 268_435_456;

pub type mf_twofish_tables_progress = unsafe extern "C" fn(*mut c_void, usize, usize) -> bool;

pub const MF_TWOFISH_VARIANT_MAX_ROUNDS: usize = 124;
pub const MF_TWOFISH_FAMILY_KEY_BYTES: usize = 32;

#[repr(C)]
#[allow(missing_debug_implementations)] // it may point to a secret
pub struct mf_twofish_variation {
    pub rounds: c_uint,
    pub no_whitening: bool,
    pub family_key: *const c_void,
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds a key
pub struct mf_twofish_variant {
    rounds: u32,
    subkeys: [u32; 8 + 2 * MF_TWOFISH_VARIANT_MAX_ROUNDS],
    boxes: [[u32; 256]; 4],
}

impl mf_twofish_variant {
    /// It has no key.
    pub const EMPTY: Self = Self {
        rounds: 0,
        subkeys: [0; 8 + 2 * MF_TWOFISH_VARIANT_MAX_ROUNDS],
        boxes: [[0; 256]; 4],
    };
}

/// Opaque; lives in memory that the C library maps.
#[repr(C)]
#[allow(missing_debug_implementations)] // it holds a key
pub struct mf_twofish_compiled {
    private: [u8; 0],
}

unsafe extern "C" {
    // <manyfish/study/tables.h>
    pub fn mf_twofish_tables_build(
        which: mf_twofish_tables,
        n_threads: c_uint,
        progress: Option<mf_twofish_tables_progress>,
        context: *mut c_void,
    ) -> mf_status;
    pub fn mf_twofish_tables_open(
        which: mf_twofish_tables,
        path: *const c_char,
        n_threads: c_uint,
        progress: Option<mf_twofish_tables_progress>,
        context: *mut c_void,
    ) -> mf_status;
    pub fn mf_twofish_tables_save(which: mf_twofish_tables, path: *const c_char) -> mf_status;
    pub fn mf_twofish_tables_ready(which: mf_twofish_tables) -> bool;
    pub fn mf_twofish_tables_release(which: mf_twofish_tables);

    // <manyfish/study/compiled.h>
    pub fn mf_twofish_compiled_new(
        compiled: *mut *mut mf_twofish_compiled,
        flags: c_uint,
    ) -> mf_status;
    pub fn mf_twofish_compiled_set_key(
        compiled: *mut mf_twofish_compiled,
        key: *const c_void,
        key_bytes: usize,
    ) -> mf_status;
    pub fn mf_twofish_compiled_encrypt_blocks(
        compiled: *const mf_twofish_compiled,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
    ) -> mf_status;
    pub fn mf_twofish_compiled_decrypt_blocks(
        compiled: *const mf_twofish_compiled,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
    ) -> mf_status;
    pub fn mf_twofish_compiled_cipher(compiled: *const mf_twofish_compiled) -> mf_cipher;
    pub fn mf_twofish_compiled_is_code(compiled: *const mf_twofish_compiled) -> bool;
    pub fn mf_twofish_compiled_bytes(compiled: *const mf_twofish_compiled) -> usize;
    pub fn mf_twofish_compiled_cost(
        cost: *mut u64,
        key_bytes: usize,
        expectation: *const mf_twofish_expectation,
    ) -> mf_status;
    pub fn mf_twofish_compiled_free(compiled: *mut mf_twofish_compiled);

    // <manyfish/study/variant.h>
    pub fn mf_twofish_variant_init(
        variant: *mut mf_twofish_variant,
        variation: *const mf_twofish_variation,
        key: *const c_void,
        key_bytes: usize,
    ) -> mf_status;
    pub fn mf_twofish_variant_encrypt_blocks(
        variant: *const mf_twofish_variant,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
    ) -> mf_status;
    pub fn mf_twofish_variant_decrypt_blocks(
        variant: *const mf_twofish_variant,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
    ) -> mf_status;
    pub fn mf_twofish_variant_cipher(variant: *const mf_twofish_variant) -> mf_cipher;
    pub fn mf_twofish_variant_wipe(variant: *mut mf_twofish_variant);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::tests::{Fact, facts_of_c};
    use std::collections::BTreeMap;
    use std::mem::offset_of;

    unsafe extern "C" {
        /// Ends with a fact without a name; `src/layout_study.c`.
        static manyfish_sys_layout_study: Fact;
    }

    #[test]
    fn declarations_agree_with_the_c_compiler() {
        let facts = [
            ("MF_COMPILED_OR_FULL", MF_COMPILED_OR_FULL as usize),
            ("MF_COMPILED_CT_SET_UP", MF_COMPILED_CT_SET_UP as usize),
            ("MF_COMPILED_BIG", MF_COMPILED_BIG as usize),
            ("MF_COMPILED_HUGE", MF_COMPILED_HUGE as usize),
            ("MF_COMPILED_TWO_VIEWS", MF_COMPILED_TWO_VIEWS as usize),
            ("MF_TWOFISH_TABLES_BIG", MF_TWOFISH_TABLES_BIG as usize),
            ("MF_TWOFISH_TABLES_HUGE", MF_TWOFISH_TABLES_HUGE as usize),
            ("MF_TWOFISH_TABLES_BIG_BYTES", MF_TWOFISH_TABLES_BIG_BYTES),
            ("MF_TWOFISH_TABLES_HUGE_BYTES", MF_TWOFISH_TABLES_HUGE_BYTES),
            ("mf_twofish_tables", size_of::<mf_twofish_tables>()),
            ("MF_TWOFISH_VARIANT_MAX_ROUNDS", MF_TWOFISH_VARIANT_MAX_ROUNDS),
            ("MF_TWOFISH_FAMILY_KEY_BYTES", MF_TWOFISH_FAMILY_KEY_BYTES),
            ("mf_twofish_variant", size_of::<mf_twofish_variant>()),
            ("mf_twofish_variation", size_of::<mf_twofish_variation>()),
            ("mf_twofish_variation.no_whitening", offset_of!(mf_twofish_variation, no_whitening)),
            ("mf_twofish_variation.family_key", offset_of!(mf_twofish_variation, family_key)),
        ];
        // SAFETY: such a table.
        let found = unsafe { facts_of_c(&raw const manyfish_sys_layout_study) };
        assert_eq!(found, BTreeMap::from(facts));
    }
}
