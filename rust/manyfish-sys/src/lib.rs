// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The Manyfish C library, compiled from source, with the thinnest safe layer over it: slices
//! instead of pointers, owners that wipe their keys, [`Status`] instead of numbers.
//!
//! This is the only crate of the workspace with `unsafe` code. Programs take the crate `manyfish`.

#![cfg_attr(not(any(feature = "std", test)), no_std)]

mod aead;
mod choice;
mod cipher;
mod cmac;
#[cfg(feature = "study")]
mod compiled;
#[cfg(feature = "std")]
pub mod cycles;
mod des;
mod each;
pub mod ffi;
#[cfg(feature = "variants")]
mod ffi_study;
mod in_out;
#[cfg(feature = "std")]
mod locked;
#[cfg(feature = "std")]
mod many;
mod modes;
mod ocb;
mod pieces;
mod shared;
#[cfg(feature = "std")]
mod stack;
mod state;
mod status;
mod streams;
#[cfg(feature = "study")]
mod tables;
mod twofish;
#[cfg(feature = "variants")]
mod variant;
mod xts;

pub use aead::{Ccm, Eax, Gcm, Siv};
pub use choice::{
    COST_CALL_BLOCKS, Choice, CostRow, Costs, Expectation, Leaks, choose, expected_cost,
};
pub use cipher::{BlockCipher, Key};
pub use cmac::Cmac;
#[cfg(feature = "study")]
pub use compiled::{SetUp, compiled_cost};
pub use des::{
    Des, KeyFlaws, des_check_key, des_kernels, des_key_flaws, des_selftest, des_set_parity,
};
pub use each::TwofishKeys;
pub use in_out::InOut;
#[cfg(feature = "std")]
pub use locked::{lock, lock_keys};
#[cfg(feature = "std")]
pub use many::{Done, Many, Text};
pub use modes::{
    Cts, Padding, cbc_decrypt, cbc_decrypt_padded, cbc_encrypt, cbc_encrypt_padded, cts_decrypt,
    cts_encrypt, ecb_decrypt, ecb_encrypt,
};
pub use ocb::Ocb;
pub use pieces::{CcmMessage, EaxMessage, GcmMessage, Message, OcbMessage};
#[cfg(feature = "std")]
pub use stack::{WIPED_STACK_BYTES, on_wiped_stack, wipe_stack};
pub use status::Status;
pub use streams::{Cfb, Ctr, Ofb};
#[cfg(feature = "study")]
pub use tables::Tables;
pub use twofish::{KernelInfo, Twofish, kernels, pad_key, selftest};
#[cfg(feature = "variants")]
pub use variant::{TwofishVariant, Variation};
pub use xts::Xts;

use core::ffi::{CStr, c_char};

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

/// Compares two secrets of equal length in a time that depends on the length only; slices of
/// different lengths differ.
#[must_use]
pub fn equal(a: &[u8], b: &[u8]) -> bool {
    // SAFETY: both are slices of a.len() bytes.
    a.len() == b.len() && unsafe { ffi::mf_equal(a.as_ptr().cast(), b.as_ptr().cast(), a.len()) }
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

#[cfg(test)]
mod tests {
    use std::mem::{MaybeUninit, size_of};
    use std::slice;

    /// Drops a value and looks at the bytes that it leaves: some before, and none after.
    pub fn is_wiped_when_dropped<T>(value: T) -> bool {
        let mut memory = MaybeUninit::<T>::zeroed();
        let holds_nothing = |memory: &MaybeUninit<T>| {
            // SAFETY: the memory is ours, and was zeroed or written as a whole; C structures have
            // no padding that matters to a comparison with zero.
            let bytes =
                unsafe { slice::from_raw_parts(memory.as_ptr().cast::<u8>(), size_of::<T>()) };
            bytes.iter().all(|byte| *byte == 0)
        };
        memory.write(value);
        let was_there = !holds_nothing(&memory);
        // SAFETY: a value was written, and nobody uses it afterwards.
        unsafe { memory.assume_init_drop() };
        was_there && holds_nothing(&memory)
    }

    #[test]
    fn the_version_is_that_of_the_crate() {
        assert_eq!(super::version(), env!("CARGO_PKG_VERSION"));
    }
}
