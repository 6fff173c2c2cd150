// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The Manyfish C library, compiled from source, with the thinnest safe layer over it: slices
//! instead of pointers, owners that wipe their keys, [`Status`] instead of numbers.
//!
//! This is the only crate of the workspace with `unsafe` code. Programs take the crate `manyfish`.

pub mod cycles;
pub mod ffi;
mod in_out;
mod modes;
mod ocb;
mod status;
mod twofish;

pub use in_out::InOut;
pub use modes::{
    Ctr, cbc_decrypt, cbc_decrypt_padded, cbc_encrypt, cbc_encrypt_padded, ecb_decrypt, ecb_encrypt,
};
pub use ocb::Ocb;
pub use status::Status;
pub use twofish::{KernelInfo, Twofish, kernels, pad_key, selftest};

use std::ffi::{CStr, c_char};

/// The C compiler that built the library, in its own words.
pub const C_COMPILER: &str = env!("MANYFISH_CC");
/// The options that it was given.
pub const C_FLAGS: &str = env!("MANYFISH_CFLAGS");

/// The version that the C library states.
#[must_use]
pub fn version() -> &'static str {
    // SAFETY: takes nothing, and returns a string in static storage.
    unsafe { static_text(ffi::mf_version()) }
}

/// Borrows a C string for ever; "" for NULL and for what is not UTF-8.
///
/// # Safety
/// `text` must be NULL or a string in static storage.
unsafe fn static_text(text: *const c_char) -> &'static str {
    if text.is_null() {
        return "";
    }
    // SAFETY: the caller promises a string that ends in a zero byte and that lives for ever.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or_default()
}
