// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The safe API. README.md, which is also the first page of the documentation, says what the crate is for,
// with an example.

#![doc = include_str!("../README.md")]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod aead;
mod choice;
mod cipher;
mod cmac;
#[cfg(feature = "study")]
mod compiled;
#[cfg(feature = "std")]
mod costs;
pub mod des;
mod error;
mod kernels;
mod keys;
#[cfg(feature = "std")]
pub mod many;
pub mod modes;
mod name;
mod ocb;
pub mod pieces;
#[cfg(any(feature = "cipher-0-4", feature = "cipher-0-5"))]
pub mod rustcrypto;
mod selftest;
#[cfg(feature = "study")]
mod tables;
mod tag;
mod twofish;
#[cfg(feature = "variants")]
mod variant;

pub use aead::{Ccm, Eax, Gcm, Siv};
pub use choice::{COST_CALL_BLOCKS, Choice, Expectation, Leaks};
pub use cipher::BlockCipher;
pub use cmac::Cmac;
#[cfg(feature = "study")]
pub use compiled::{CompiledTwofish, SetUp};
#[cfg(feature = "std")]
pub use costs::Costs;
pub use des::Des;
pub use error::Error;
pub use kernels::{KERNEL_VARIABLE, KernelInfo, LEAKS_VARIABLE, kernels};
pub use keys::TwofishKeys;
#[cfg(feature = "std")]
pub use manyfish_sys::{WIPED_STACK_BYTES, lock, lock_keys, on_wiped_stack, wipe_stack};
pub use name::Name;
pub use ocb::Ocb;
pub use selftest::selftest;
#[cfg(feature = "study")]
pub use tables::Tables;
pub use tag::{TAG_BYTES, Tag};
#[cfg(feature = "std")]
pub use twofish::pad_key;
pub use twofish::{BLOCK_BYTES, Twofish};
#[cfg(feature = "variants")]
pub use variant::{FAMILY_KEY_BYTES, TwofishVariant, Variation};

/// The version of the library.
#[must_use]
pub fn version() -> &'static str {
    manyfish_sys::version()
}
