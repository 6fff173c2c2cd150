// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The C library as C sees it: the public headers of `c/include/manyfish`, declared by hand. What
//! each function asks for and promises stands there. A test compares sizes and constants
//! with the C compiler's. The other modules of this crate are the safe way in.

#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_uint, c_void};

/// An `enum mf_status`. Not a Rust enum: a value without a name would be undefined behaviour there.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct mf_status(pub c_uint);

/// Declares the status codes once, for the constants and for the test against C.
macro_rules! status_codes {
    ($($name:ident = $value:literal,)*) => {
        $(#[allow(missing_docs)] pub const $name: mf_status = mf_status($value);)*
        /// All codes with their names, for the test that asks C for its own.
        pub const STATUS_CODES: &[(&str, u32)] = &[$((stringify!($name), $value),)*];
    };
}

status_codes! {
    MF_OK = 0,
    MF_ERROR_NULL = 1,
    MF_ERROR_KEY_LENGTH = 2,
    MF_ERROR_LENGTH = 3,
    MF_ERROR_OVERLAP = 4,
    MF_ERROR_NO_KEY = 5,
    MF_ERROR_KERNEL = 6,
    MF_ERROR_CPU = 7,
    MF_ERROR_TAG = 8,
    MF_ERROR_PADDING = 9,
    MF_ERROR_NONCE_LENGTH = 10,
    MF_ERROR_CAPACITY = 11,
    MF_ERROR_STATE = 12,
    MF_ERROR_TOO_LONG = 13,
    MF_ERROR_BLOCK = 14,
    MF_ERROR_SELFTEST = 15,
    MF_ERROR_TAG_LENGTH = 16,
}

pub const MF_MAX_BLOCK_BYTES: usize = 16;
pub const MF_TWOFISH_BLOCK_BYTES: usize = 16;
pub const MF_TWOFISH_MAX_KEY_BYTES: usize = 32;
pub const MF_TWOFISH_CONTEXT_BYTES: usize = 4352;
pub const MF_OCB_TAG_BYTES: usize = 16;
pub const MF_OCB_MAX_NONCE_BYTES: usize = 15;
pub const MF_OCB_MASKS: usize = 48;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mf_kernel_info {
    pub name: *const c_char,
    pub summary: *const c_char,
    pub cpu_features: *const c_char,
    pub expanded_key_bytes: usize,
    pub lanes: usize,
    pub constant_time: bool,
    pub runnable: bool,
    pub is_default: bool,
}

type crypt_blocks = unsafe extern "C" fn(*const c_void, *mut u8, *const u8, usize);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mf_cipher {
    pub block_bytes: usize,
    pub key: *const c_void,
    pub has_key: Option<unsafe extern "C" fn(*const c_void) -> bool>,
    pub encrypt_blocks: Option<crypt_blocks>,
    pub decrypt_blocks: Option<crypt_blocks>,
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds a key
pub struct mf_twofish {
    pub private: [u64; MF_TWOFISH_CONTEXT_BYTES / 8],
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds key stream
pub struct mf_ctr {
    pub cipher: mf_cipher,
    pub counter: [u8; MF_MAX_BLOCK_BYTES],
    pub keystream: [u8; MF_MAX_BLOCK_BYTES],
    pub unused_bytes: usize,
    pub counter_bytes: usize,
    pub blocks_left: u64,
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds masks made from the key
pub struct mf_ocb {
    pub cipher: mf_cipher,
    pub l_star: [u8; 16],
    pub l_dollar: [u8; 16],
    pub l: [[u8; 16]; MF_OCB_MASKS],
    pub offset: [u8; 16],
    pub checksum: [u8; 16],
    pub n_blocks: u64,
    pub aad_offset: [u8; 16],
    pub aad_sum: [u8; 16],
    pub aad_rest: [u8; 16],
    pub aad_rest_bytes: usize,
    pub aad_n_blocks: u64,
    pub phase: c_uint,
}

unsafe extern "C" {
    // <manyfish/common.h>
    pub fn mf_status_text(status: mf_status) -> *const c_char;
    pub fn mf_version() -> *const c_char;
    pub fn mf_wipe(data: *mut c_void, n_bytes: usize);
    pub fn mf_equal(a: *const c_void, b: *const c_void, n_bytes: usize) -> bool;

    // <manyfish/twofish.h>
    pub fn mf_twofish_init(ctx: *mut mf_twofish, key: *const c_void, key_bytes: usize)
    -> mf_status;
    pub fn mf_twofish_init_kernel(
        ctx: *mut mf_twofish,
        kernel: *const c_char,
        key: *const c_void,
        key_bytes: usize,
    ) -> mf_status;
    pub fn mf_twofish_pad_key(
        padded: *mut u8,
        padded_bytes: *mut usize,
        key: *const c_void,
        key_bytes: usize,
    ) -> mf_status;
    pub fn mf_twofish_encrypt_blocks(
        ctx: *const mf_twofish,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
    ) -> mf_status;
    pub fn mf_twofish_decrypt_blocks(
        ctx: *const mf_twofish,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
    ) -> mf_status;
    pub fn mf_twofish_wipe(ctx: *mut mf_twofish);
    pub fn mf_twofish_kernel_name(ctx: *const mf_twofish) -> *const c_char;
    pub fn mf_twofish_cipher(ctx: *const mf_twofish) -> mf_cipher;
    pub fn mf_twofish_selftest(kernel: *const c_char) -> mf_status;
    pub fn mf_twofish_kernel_count() -> usize;
    pub fn mf_twofish_kernel_info(index: usize, info: *mut mf_kernel_info) -> mf_status;

    // <manyfish/modes.h>
    pub fn mf_ecb_encrypt(
        cipher: *const mf_cipher,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ecb_decrypt(
        cipher: *const mf_cipher,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_cbc_encrypt(
        cipher: *const mf_cipher,
        iv: *mut c_void,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_cbc_decrypt(
        cipher: *const mf_cipher,
        iv: *mut c_void,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_cbc_encrypt_padded(
        cipher: *const mf_cipher,
        iv: *mut c_void,
        out: *mut c_void,
        out_capacity: usize,
        out_bytes: *mut usize,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_cbc_decrypt_padded(
        cipher: *const mf_cipher,
        iv: *mut c_void,
        out: *mut c_void,
        out_capacity: usize,
        out_bytes: *mut usize,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ctr_init(
        ctr: *mut mf_ctr,
        cipher: *const mf_cipher,
        initial: *const c_void,
        counter_bits: c_uint,
    ) -> mf_status;
    pub fn mf_ctr_crypt(
        ctr: *mut mf_ctr,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ctr_wipe(ctr: *mut mf_ctr);

    // <manyfish/aead.h>
    pub fn mf_ocb_init(ocb: *mut mf_ocb, cipher: *const mf_cipher) -> mf_status;
    pub fn mf_ocb_encrypt(
        ocb: *mut mf_ocb,
        nonce: *const c_void,
        nonce_bytes: usize,
        aad: *const c_void,
        aad_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
    ) -> mf_status;
    pub fn mf_ocb_decrypt(
        ocb: *mut mf_ocb,
        nonce: *const c_void,
        nonce_bytes: usize,
        aad: *const c_void,
        aad_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
    ) -> mf_status;
    pub fn mf_ocb_start(ocb: *mut mf_ocb, nonce: *const c_void, nonce_bytes: usize) -> mf_status;
    pub fn mf_ocb_aad(ocb: *mut mf_ocb, aad: *const c_void, aad_bytes: usize) -> mf_status;
    pub fn mf_ocb_encrypt_update(
        ocb: *mut mf_ocb,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ocb_decrypt_update(
        ocb: *mut mf_ocb,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ocb_encrypt_finish(
        ocb: *mut mf_ocb,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
    ) -> mf_status;
    pub fn mf_ocb_decrypt_finish(
        ocb: *mut mf_ocb,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
    ) -> mf_status;
    pub fn mf_ocb_wipe(ocb: *mut mf_ocb);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::ffi::CStr;
    use std::mem::{offset_of, size_of};

    #[repr(C)]
    struct Fact {
        name: *const c_char,
        value: usize,
    }

    unsafe extern "C" {
        /// Ends with a fact without a name; src/layout.c.
        static manyfish_sys_layout: Fact;
    }

    fn facts_of_c() -> BTreeMap<&'static str, usize> {
        let mut facts = BTreeMap::new();
        // SAFETY: the table has static strings as names, and the walk ends at the one without.
        unsafe {
            let mut fact = &raw const manyfish_sys_layout;
            while !(*fact).name.is_null() {
                facts.insert(CStr::from_ptr((*fact).name).to_str().unwrap(), (*fact).value);
                fact = fact.add(1);
            }
        }
        facts
    }

    fn facts_of_rust() -> BTreeMap<&'static str, usize> {
        macro_rules! constants { ($($name:ident)*) => { vec![$((stringify!($name), $name)),*] } }
        macro_rules! sizes {
            ($($name:ident)*) => { vec![$((stringify!($name), size_of::<$name>())),*] };
        }
        macro_rules! offsets {
            ($($name:ident . $member:ident)*) => {
                vec![$((
                    concat!(stringify!($name), ".", stringify!($member)),
                    offset_of!($name, $member)
                )),*]
            };
        }
        let codes = STATUS_CODES.iter().map(|(name, value)| (*name, *value as usize));
        let constants = constants![
            MF_MAX_BLOCK_BYTES MF_TWOFISH_BLOCK_BYTES MF_TWOFISH_MAX_KEY_BYTES
            MF_TWOFISH_CONTEXT_BYTES MF_OCB_TAG_BYTES MF_OCB_MAX_NONCE_BYTES MF_OCB_MASKS
        ];
        let sizes = sizes![mf_status mf_kernel_info mf_cipher mf_twofish mf_ctr mf_ocb];
        let offsets = offsets![
            mf_kernel_info.summary mf_kernel_info.cpu_features mf_kernel_info.expanded_key_bytes
            mf_kernel_info.lanes mf_kernel_info.constant_time mf_kernel_info.runnable
            mf_kernel_info.is_default mf_cipher.key mf_cipher.has_key mf_cipher.encrypt_blocks
            mf_cipher.decrypt_blocks mf_ctr.counter mf_ctr.blocks_left mf_ocb.l mf_ocb.n_blocks
            mf_ocb.aad_n_blocks mf_ocb.phase
        ];
        codes.chain(constants).chain(sizes).chain(offsets).collect()
    }

    #[test]
    fn declarations_agree_with_the_c_compiler() {
        assert_eq!(facts_of_rust(), facts_of_c());
    }

    #[test]
    fn no_status_code_of_c_is_missing() {
        // SAFETY: any number is allowed.
        let text = |code| unsafe { CStr::from_ptr(mf_status_text(mf_status(code))) };
        let next = u32::try_from(STATUS_CODES.len()).unwrap();
        assert_eq!(text(next), text(u32::MAX), "code {next} has a sentence of its own");
        for (name, code) in STATUS_CODES {
            assert_ne!(text(*code), text(u32::MAX), "{name}");
        }
    }
}
