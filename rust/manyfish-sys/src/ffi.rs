// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The C library as C sees it: the public headers of `c/include/manyfish`, declared by hand, and with
//! the feature `variants` those of `c/study/include`; all but `variant.h` need the feature `study`. They
//! say what each function asks for and promises. A test compares sizes and constants
//! with the C compiler's. The other modules of this crate are the safe way in.

#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_uint, c_void};

#[cfg(feature = "variants")]
pub use crate::ffi_study::*;

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
    MF_ERROR_ROUNDS = 17,
    MF_ERROR_TABLES = 18,
    MF_ERROR_MEMORY = 19,
    MF_ERROR_EXECUTABLE = 20,
    MF_ERROR_FILE = 21,
    MF_ERROR_POLICY = 22,
    MF_ERROR_CANCELLED = 23,
    MF_ERROR_WEAK_KEY = 24,
    MF_ERROR_PARITY = 25,
    MF_ERROR_LEAKS = 26,
    MF_ERROR_LEAKS_VALUE = 27,
    MF_ERROR_VERSION = 28,
}

pub const MF_MAX_BLOCK_BYTES: usize = 16;
pub const MF_TWOFISH_BLOCK_BYTES: usize = 16;
pub const MF_TWOFISH_MAX_KEY_BYTES: usize = 32;
pub const MF_TWOFISH_CONTEXT_BYTES: usize = 4352;
pub const MF_DES_BLOCK_BYTES: usize = 8;
pub const MF_DES_MAX_KEY_BYTES: usize = 24;
pub const MF_DES_CONTEXT_BYTES: usize = 9768;
pub const MF_DES_MEMORY_ALIGNMENT: usize = 64;
pub const MF_DES_WEAK: c_uint = 1;
pub const MF_DES_SEMI_WEAK: c_uint = 2;
pub const MF_DES_POSSIBLY_WEAK: c_uint = 4;
pub const MF_DES_DEGENERATE: c_uint = 8;
pub const MF_DES_TWO_KEYS: c_uint = 16;
pub const MF_DES_PARITY: c_uint = 32;
pub const MF_OCB_TAG_BYTES: usize = 16;
pub const MF_OCB_MAX_NONCE_BYTES: usize = 15;
pub const MF_OCB_MASKS: usize = 48;
pub const MF_EAX_MAX_TAG_BYTES: usize = 16;
pub const MF_SIV_TAG_BYTES: usize = 16;
pub const MF_SIV_MAX_STRINGS: usize = 126;
pub const MF_GCM_MAX_TAG_BYTES: usize = 16;
pub const MF_GCM_HASH_KEY_WORDS: usize = 64;
pub const MF_XTS_TWEAK_BYTES: usize = 16;
pub const MF_XTS_MAX_BYTES: usize = 1 << 24;
pub const MF_COST_CALLS: usize = 14;
pub const MF_COST_NAME_BYTES: usize = 24;
pub const MF_COST_KERNELS: usize = 24;

/// An `enum mf_cts`: the three forms of ciphertext stealing.
pub type mf_cts = c_uint;
pub const MF_CTS_CS1: mf_cts = 1;
pub const MF_CTS_CS2: mf_cts = 2;
pub const MF_CTS_CS3: mf_cts = 3;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mf_kernel_info {
    pub name: *const c_char,
    pub summary: *const c_char,
    pub cpu_features: *const c_char,
    pub expanded_key_bytes: usize,
    pub lanes: usize,
    pub max_key_bytes: usize,
    pub shared_bytes: usize,
    pub constant_time: bool,
    pub runnable: bool,
    pub is_default: bool,
}

/// An `enum mf_leaks`.
pub type mf_leaks = c_uint;
pub const MF_LEAK_NONE: mf_leaks = 0;
pub const MF_LEAK_TEXT: mf_leaks = 1;
pub const MF_LEAK_ANY: mf_leaks = 2;

/// The numbers of blocks whose calls have a figure in a table of costs.
pub const MF_COST_CALL_BLOCKS: [u32; MF_COST_CALLS] =
    [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33, 64, 128];

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mf_twofish_cost {
    pub kernel: [c_char; MF_COST_NAME_BYTES],
    pub set_up: [u32; 3],
    pub ct_set_up: [u32; 3],
    pub calls: [[u32; MF_COST_CALLS]; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mf_twofish_costs {
    pub struct_bytes: usize,
    pub n_kernels: usize,
    pub kernels: [mf_twofish_cost; MF_COST_KERNELS],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mf_twofish_expectation {
    pub n_blocks: u64,
    pub blocks_per_call: u64,
    pub max_key_bytes: usize,
    pub leaks: mf_leaks,
    pub costs: *const mf_twofish_costs,
    pub n_single_blocks: u64,
    pub max_shared_bytes: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mf_twofish_choice {
    pub kernel: *const c_char,
    pub ct_set_up: bool,
    pub cost: u64,
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
#[allow(missing_debug_implementations)] // it holds a key
pub struct mf_des {
    pub private: [u64; MF_DES_CONTEXT_BYTES / 8],
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
    pub rest: [u8; 16],
    pub rest_bytes: usize,
    pub n_blocks: u64,
    pub aad_offset: [u8; 16],
    pub aad_sum: [u8; 16],
    pub aad_rest: [u8; 16],
    pub aad_rest_bytes: usize,
    pub aad_n_blocks: u64,
    pub phase: c_uint,
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds key stream
pub struct mf_cfb {
    pub cipher: mf_cipher,
    pub input: [u8; MF_MAX_BLOCK_BYTES],
    pub unused_bytes: usize,
    pub segment_bits: c_uint,
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds key stream
pub struct mf_ofb {
    pub cipher: mf_cipher,
    pub keystream: [u8; MF_MAX_BLOCK_BYTES],
    pub unused_bytes: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mf_xts {
    pub data: mf_cipher,
    pub tweak: mf_cipher,
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds subkeys
pub struct mf_cmac {
    pub cipher: mf_cipher,
    pub k1: [u8; MF_MAX_BLOCK_BYTES],
    pub k2: [u8; MF_MAX_BLOCK_BYTES],
    pub chain: [u8; MF_MAX_BLOCK_BYTES],
    pub rest: [u8; MF_MAX_BLOCK_BYTES],
    pub rest_bytes: usize,
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds subkeys and key stream
pub struct mf_eax {
    pub aad: mf_cmac,
    pub text: mf_cmac,
    pub ctr: mf_ctr,
    pub nonce_tag: [u8; 16],
    pub phase: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mf_siv_string {
    pub data: *const c_void,
    pub n_bytes: usize,
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds subkeys
pub struct mf_siv {
    pub s2v: mf_cmac,
    pub ctr: mf_cipher,
    pub zero_tag: [u8; 16],
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds the hash key
pub struct mf_ccm {
    pub cipher: mf_cipher,
    pub ctr: mf_ctr,
    pub s_0: [u8; 16],
    pub mac: [u8; 16],
    pub mac_bytes: usize,
    pub aad_left: u64,
    pub text_left: u64,
    pub tag_bytes: usize,
    pub phase: c_uint,
}

#[repr(C)]
#[allow(missing_debug_implementations)] // it holds the hash key
pub struct mf_gcm {
    pub cipher: mf_cipher,
    pub ghash: *const c_void,
    pub hash_key: [u64; MF_GCM_HASH_KEY_WORDS],
    pub ctr: mf_ctr,
    pub hash: [u8; 16],
    pub tag_mask: [u8; 16],
    pub rest: [u8; 16],
    pub aad_bytes: u64,
    pub text_bytes: u64,
    pub phase: c_uint,
}

pub const MF_MESSAGE_WORK_BYTES: usize = 80;

#[repr(C)]
#[allow(missing_debug_implementations)] // its work is private
pub struct mf_message {
    pub nonce: *const c_void,
    pub nonce_bytes: usize,
    pub aad: *const c_void,
    pub aad_bytes: usize,
    pub out: *mut c_void,
    pub input: *const c_void,
    pub n_bytes: usize,
    pub tag: *mut u8,
    pub tag_bytes: usize,
    pub out_bytes: usize,
    pub status: mf_status,
    pub work: [u8; MF_MESSAGE_WORK_BYTES],
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
    pub fn mf_twofish_init_kernel_ct_set_up(
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
    pub fn mf_twofish_encrypt_each(
        kernel: *const c_char,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
        keys: *const c_void,
        key_bytes: usize,
        n_keys: usize,
    ) -> mf_status;
    pub fn mf_twofish_decrypt_each(
        kernel: *const c_char,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
        keys: *const c_void,
        key_bytes: usize,
        n_keys: usize,
    ) -> mf_status;
    pub fn mf_twofish_wipe(ctx: *mut mf_twofish);
    pub fn mf_twofish_kernel_name(ctx: *const mf_twofish) -> *const c_char;
    pub fn mf_twofish_cipher(ctx: *const mf_twofish) -> mf_cipher;
    pub fn mf_twofish_selftest(kernel: *const c_char) -> mf_status;
    pub fn mf_twofish_kernel_count() -> usize;
    pub fn mf_twofish_kernel_info(index: usize, info: *mut mf_kernel_info) -> mf_status;

    // <manyfish/twofish_choice.h>
    pub fn mf_twofish_choose(
        choice: *mut mf_twofish_choice,
        key_bytes: usize,
        expectation: *const mf_twofish_expectation,
    ) -> mf_status;
    pub fn mf_twofish_init_for(
        ctx: *mut mf_twofish,
        key: *const c_void,
        key_bytes: usize,
        expectation: *const mf_twofish_expectation,
    ) -> mf_status;
    pub fn mf_twofish_expected_cost(
        cost: *mut u64,
        kernel: *const c_char,
        key_bytes: usize,
        expectation: *const mf_twofish_expectation,
    ) -> mf_status;
    pub fn mf_twofish_shipped_costs(costs: *mut mf_twofish_costs) -> mf_status;

    // <manyfish/des.h>
    pub fn mf_des_init(ctx: *mut mf_des, key: *const c_void, key_bytes: usize) -> mf_status;
    pub fn mf_des_init_kernel(
        ctx: *mut mf_des,
        kernel: *const c_char,
        key: *const c_void,
        key_bytes: usize,
    ) -> mf_status;
    pub fn mf_des_init_in(
        ctx: *mut mf_des,
        kernel: *const c_char,
        memory: *mut c_void,
        memory_bytes: usize,
        key: *const c_void,
        key_bytes: usize,
    ) -> mf_status;
    pub fn mf_des_set_key(ctx: *mut mf_des, key: *const c_void, key_bytes: usize) -> mf_status;
    pub fn mf_des_memory_bytes(
        kernel: *const c_char,
        key_bytes: usize,
        n_bytes: *mut usize,
    ) -> mf_status;
    pub fn mf_des_encrypt_blocks(
        ctx: *const mf_des,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
    ) -> mf_status;
    pub fn mf_des_decrypt_blocks(
        ctx: *const mf_des,
        out: *mut c_void,
        input: *const c_void,
        n_blocks: usize,
    ) -> mf_status;
    pub fn mf_des_wipe(ctx: *mut mf_des);
    pub fn mf_des_kernel_name(ctx: *const mf_des) -> *const c_char;
    pub fn mf_des_cipher(ctx: *const mf_des) -> mf_cipher;
    pub fn mf_des_kernel_count() -> usize;
    pub fn mf_des_kernel_info(index: usize, info: *mut mf_kernel_info) -> mf_status;
    pub fn mf_des_selftest(
        kernel: *const c_char,
        memory: *mut c_void,
        memory_bytes: usize,
    ) -> mf_status;
    pub fn mf_des_key_flaws(flaws: *mut c_uint, key: *const c_void, key_bytes: usize) -> mf_status;
    pub fn mf_des_check_key(key: *const c_void, key_bytes: usize, refused: c_uint) -> mf_status;
    pub fn mf_des_set_parity(out: *mut c_void, key: *const c_void, key_bytes: usize) -> mf_status;

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
    pub fn mf_cbc_encrypt_iso_padded(
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
    pub fn mf_cbc_decrypt_iso_padded(
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
    pub fn mf_cts_encrypt(
        cipher: *const mf_cipher,
        variant: mf_cts,
        iv: *const c_void,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_cts_decrypt(
        cipher: *const mf_cipher,
        variant: mf_cts,
        iv: *const c_void,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_cfb_init(
        cfb: *mut mf_cfb,
        cipher: *const mf_cipher,
        iv: *const c_void,
        segment_bits: c_uint,
    ) -> mf_status;
    pub fn mf_cfb_encrypt(
        cfb: *mut mf_cfb,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_cfb_decrypt(
        cfb: *mut mf_cfb,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_cfb_wipe(cfb: *mut mf_cfb);
    pub fn mf_ofb_init(ofb: *mut mf_ofb, cipher: *const mf_cipher, iv: *const c_void) -> mf_status;
    pub fn mf_ofb_crypt(
        ofb: *mut mf_ofb,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ofb_wipe(ofb: *mut mf_ofb);
    pub fn mf_xts_init(
        xts: *mut mf_xts,
        data: *const mf_cipher,
        tweak: *const mf_cipher,
    ) -> mf_status;
    pub fn mf_xts_encrypt(
        xts: *const mf_xts,
        tweak: *const c_void,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_xts_decrypt(
        xts: *const mf_xts,
        tweak: *const c_void,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_xts_encrypt_sectors(
        xts: *const mf_xts,
        first_sector: u64,
        sector_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_xts_decrypt_sectors(
        xts: *const mf_xts,
        first_sector: u64,
        sector_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_xts_wipe(xts: *mut mf_xts);

    // <manyfish/mac.h>
    pub fn mf_cmac_init(cmac: *mut mf_cmac, cipher: *const mf_cipher) -> mf_status;
    pub fn mf_cmac_compute(
        cmac: *const mf_cmac,
        data: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_cmac_verify(
        cmac: *const mf_cmac,
        data: *const c_void,
        n_bytes: usize,
        tag: *const u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_cmac_update(cmac: *mut mf_cmac, data: *const c_void, n_bytes: usize) -> mf_status;
    pub fn mf_cmac_finish(cmac: *mut mf_cmac, tag: *mut u8, tag_bytes: usize) -> mf_status;
    pub fn mf_cmac_finish_verify(cmac: *mut mf_cmac, tag: *const u8, tag_bytes: usize)
    -> mf_status;
    pub fn mf_cmac_wipe(cmac: *mut mf_cmac);

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
        out_capacity: usize,
        out_bytes: *mut usize,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ocb_decrypt_update(
        ocb: *mut mf_ocb,
        out: *mut c_void,
        out_capacity: usize,
        out_bytes: *mut usize,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ocb_encrypt_last(
        ocb: *mut mf_ocb,
        out: *mut c_void,
        out_capacity: usize,
        out_bytes: *mut usize,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ocb_decrypt_last(
        ocb: *mut mf_ocb,
        out: *mut c_void,
        out_capacity: usize,
        out_bytes: *mut usize,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ocb_encrypt_finish(
        ocb: *mut mf_ocb,
        out: *mut c_void,
        out_capacity: usize,
        out_bytes: *mut usize,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
    ) -> mf_status;
    pub fn mf_ocb_decrypt_finish(
        ocb: *mut mf_ocb,
        out: *mut c_void,
        out_capacity: usize,
        out_bytes: *mut usize,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
    ) -> mf_status;
    pub fn mf_ocb_wipe(ocb: *mut mf_ocb);
    pub fn mf_eax_init(eax: *mut mf_eax, cipher: *const mf_cipher) -> mf_status;
    pub fn mf_eax_encrypt(
        eax: *mut mf_eax,
        nonce: *const c_void,
        nonce_bytes: usize,
        aad: *const c_void,
        aad_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_eax_decrypt(
        eax: *mut mf_eax,
        nonce: *const c_void,
        nonce_bytes: usize,
        aad: *const c_void,
        aad_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_eax_start(eax: *mut mf_eax, nonce: *const c_void, nonce_bytes: usize) -> mf_status;
    pub fn mf_eax_aad(eax: *mut mf_eax, aad: *const c_void, aad_bytes: usize) -> mf_status;
    pub fn mf_eax_encrypt_update(
        eax: *mut mf_eax,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_eax_decrypt_update(
        eax: *mut mf_eax,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_eax_encrypt_finish(
        eax: *mut mf_eax,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_eax_decrypt_finish(
        eax: *mut mf_eax,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_eax_wipe(eax: *mut mf_eax);
    pub fn mf_ccm_encrypt(
        cipher: *const mf_cipher,
        nonce: *const c_void,
        nonce_bytes: usize,
        aad: *const c_void,
        aad_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_ccm_decrypt(
        cipher: *const mf_cipher,
        nonce: *const c_void,
        nonce_bytes: usize,
        aad: *const c_void,
        aad_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_ccm_start(
        ccm: *mut mf_ccm,
        cipher: *const mf_cipher,
        nonce: *const c_void,
        nonce_bytes: usize,
        aad_bytes: u64,
        n_bytes: u64,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_ccm_aad(ccm: *mut mf_ccm, aad: *const c_void, aad_bytes: usize) -> mf_status;
    pub fn mf_ccm_encrypt_update(
        ccm: *mut mf_ccm,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ccm_decrypt_update(
        ccm: *mut mf_ccm,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_ccm_encrypt_finish(
        ccm: *mut mf_ccm,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_ccm_decrypt_finish(
        ccm: *mut mf_ccm,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_ccm_wipe(ccm: *mut mf_ccm);
    pub fn mf_siv_init(siv: *mut mf_siv, s2v: *const mf_cipher, ctr: *const mf_cipher)
    -> mf_status;
    pub fn mf_siv_encrypt(
        siv: *const mf_siv,
        aad: *const mf_siv_string,
        n_aad: usize,
        nonce: *const c_void,
        nonce_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
    ) -> mf_status;
    pub fn mf_siv_decrypt(
        siv: *const mf_siv,
        aad: *const mf_siv_string,
        n_aad: usize,
        nonce: *const c_void,
        nonce_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
    ) -> mf_status;
    pub fn mf_siv_wipe(siv: *mut mf_siv);
    pub fn mf_gcm_init(gcm: *mut mf_gcm, cipher: *const mf_cipher) -> mf_status;
    pub fn mf_gcm_encrypt(
        gcm: *mut mf_gcm,
        iv: *const c_void,
        iv_bytes: usize,
        aad: *const c_void,
        aad_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_gcm_decrypt(
        gcm: *mut mf_gcm,
        iv: *const c_void,
        iv_bytes: usize,
        aad: *const c_void,
        aad_bytes: usize,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_gcm_start(gcm: *mut mf_gcm, iv: *const c_void, iv_bytes: usize) -> mf_status;
    pub fn mf_gcm_aad(gcm: *mut mf_gcm, aad: *const c_void, aad_bytes: usize) -> mf_status;
    pub fn mf_gcm_encrypt_update(
        gcm: *mut mf_gcm,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_gcm_decrypt_update(
        gcm: *mut mf_gcm,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
    ) -> mf_status;
    pub fn mf_gcm_encrypt_finish(
        gcm: *mut mf_gcm,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *mut u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_gcm_decrypt_finish(
        gcm: *mut mf_gcm,
        out: *mut c_void,
        input: *const c_void,
        n_bytes: usize,
        tag: *const u8,
        tag_bytes: usize,
    ) -> mf_status;
    pub fn mf_gcm_wipe(gcm: *mut mf_gcm);

    // <manyfish/many.h>
    pub fn mf_cbc_encrypt_many(
        cipher: *const mf_cipher,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_cbc_decrypt_many(
        cipher: *const mf_cipher,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_cbc_encrypt_padded_many(
        cipher: *const mf_cipher,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_cbc_decrypt_padded_many(
        cipher: *const mf_cipher,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_cfb_encrypt_many(
        cipher: *const mf_cipher,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_cfb_decrypt_many(
        cipher: *const mf_cipher,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_ofb_crypt_many(
        cipher: *const mf_cipher,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_ctr_crypt_many(
        cipher: *const mf_cipher,
        counter_bits: c_uint,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_cmac_compute_many(
        cmac: *const mf_cmac,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_cmac_verify_many(
        cmac: *const mf_cmac,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_ocb_encrypt_many(
        ocb: *const mf_ocb,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_ocb_decrypt_many(
        ocb: *const mf_ocb,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_eax_encrypt_many(
        eax: *const mf_eax,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_eax_decrypt_many(
        eax: *const mf_eax,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_ccm_encrypt_many(
        cipher: *const mf_cipher,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_ccm_decrypt_many(
        cipher: *const mf_cipher,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_gcm_encrypt_many(
        gcm: *const mf_gcm,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_gcm_decrypt_many(
        gcm: *const mf_gcm,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_siv_encrypt_many(
        siv: *const mf_siv,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
    pub fn mf_siv_decrypt_many(
        siv: *const mf_siv,
        messages: *mut mf_message,
        n: usize,
    ) -> mf_status;
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::ffi::CStr;
    use std::mem::{offset_of, size_of};

    #[repr(C)]
    #[derive(Debug)]
    pub struct Fact {
        name: *const c_char,
        value: usize,
    }

    unsafe extern "C" {
        /// Ends with a fact without a name; src/layout.c.
        static manyfish_sys_layout: Fact;
    }

    /// # Safety
    /// `fact` must be the first of a table whose names are static, and which ends with a fact without one.
    pub unsafe fn facts_of_c(mut fact: *const Fact) -> BTreeMap<&'static str, usize> {
        let mut facts = BTreeMap::new();
        // SAFETY: the caller vouches for it.
        unsafe {
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
            MF_EAX_MAX_TAG_BYTES MF_SIV_TAG_BYTES MF_SIV_MAX_STRINGS
            MF_GCM_MAX_TAG_BYTES MF_GCM_HASH_KEY_WORDS MF_XTS_TWEAK_BYTES MF_XTS_MAX_BYTES
            MF_DES_BLOCK_BYTES MF_DES_MAX_KEY_BYTES MF_DES_CONTEXT_BYTES MF_DES_MEMORY_ALIGNMENT
            MF_COST_CALLS MF_COST_NAME_BYTES MF_COST_KERNELS
        ];
        let variants = vec![
            ("MF_CTS_CS1", MF_CTS_CS1 as usize),
            ("MF_CTS_CS2", MF_CTS_CS2 as usize),
            ("MF_CTS_CS3", MF_CTS_CS3 as usize),
            ("MF_LEAK_NONE", MF_LEAK_NONE as usize),
            ("MF_LEAK_TEXT", MF_LEAK_TEXT as usize),
            ("MF_LEAK_ANY", MF_LEAK_ANY as usize),
            ("MF_DES_WEAK", MF_DES_WEAK as usize),
            ("MF_DES_SEMI_WEAK", MF_DES_SEMI_WEAK as usize),
            ("MF_DES_POSSIBLY_WEAK", MF_DES_POSSIBLY_WEAK as usize),
            ("MF_DES_DEGENERATE", MF_DES_DEGENERATE as usize),
            ("MF_DES_TWO_KEYS", MF_DES_TWO_KEYS as usize),
            ("MF_DES_PARITY", MF_DES_PARITY as usize),
        ];
        let sizes = sizes![
            mf_status mf_kernel_info mf_cipher mf_twofish mf_ctr mf_ocb mf_cts mf_cfb mf_ofb mf_xts
            mf_cmac mf_eax mf_ccm mf_siv_string mf_siv mf_gcm mf_leaks mf_twofish_cost mf_twofish_costs
            mf_twofish_expectation mf_twofish_choice mf_des mf_message
        ];
        let offsets = offsets![
            mf_kernel_info.summary mf_kernel_info.cpu_features mf_kernel_info.expanded_key_bytes
            mf_kernel_info.lanes mf_kernel_info.max_key_bytes mf_kernel_info.shared_bytes
            mf_kernel_info.constant_time mf_kernel_info.runnable
            mf_kernel_info.is_default mf_cipher.key mf_cipher.has_key mf_cipher.encrypt_blocks
            mf_cipher.decrypt_blocks mf_ctr.counter mf_ctr.blocks_left mf_ocb.l mf_ocb.rest_bytes mf_ocb.n_blocks
            mf_ocb.aad_n_blocks mf_ocb.phase mf_cfb.segment_bits mf_ofb.unused_bytes mf_xts.tweak
            mf_cmac.rest_bytes mf_eax.text mf_eax.ctr mf_eax.phase mf_ccm.s_0 mf_ccm.aad_left mf_ccm.phase mf_siv_string.n_bytes mf_siv.ctr
            mf_gcm.ghash mf_gcm.hash_key mf_gcm.ctr mf_gcm.text_bytes mf_gcm.phase
            mf_twofish_cost.set_up mf_twofish_cost.ct_set_up mf_twofish_cost.calls
            mf_twofish_costs.n_kernels mf_twofish_costs.kernels mf_twofish_expectation.blocks_per_call
            mf_twofish_expectation.max_key_bytes mf_twofish_expectation.leaks
            mf_twofish_expectation.costs mf_twofish_expectation.n_single_blocks
            mf_twofish_expectation.max_shared_bytes mf_twofish_choice.ct_set_up mf_twofish_choice.cost
            mf_message.nonce_bytes mf_message.aad mf_message.aad_bytes mf_message.out mf_message.n_bytes
            mf_message.tag mf_message.tag_bytes mf_message.out_bytes mf_message.status mf_message.work
        ];
        codes.chain(constants).chain(variants).chain(sizes).chain(offsets).collect()
    }

    #[test]
    fn declarations_agree_with_the_c_compiler() {
        // SAFETY: such a table.
        assert_eq!(facts_of_rust(), unsafe { facts_of_c(&raw const manyfish_sys_layout) });
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
