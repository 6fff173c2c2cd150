// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The safe API. What the crate is for, with an example, stands in README.md, which is also the first
// page of its documentation.

#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod aead;
mod choice;
mod cipher;
mod cmac;
mod compiled;
pub mod des;
mod error;
mod kernels;
pub mod modes;
mod ocb;
pub mod pieces;
#[cfg(any(feature = "cipher-0-4", feature = "cipher-0-5"))]
pub mod rustcrypto;
mod selftest;
mod tables;
mod tag;
mod twofish;

pub use aead::{Ccm, Eax, Gcm, Siv};
pub use choice::{COST_CALL_BLOCKS, Choice, Costs, Expectation, Leaks};
pub use cipher::BlockCipher;
pub use cmac::Cmac;
pub use compiled::{CompiledTwofish, SetUp};
pub use des::Des;
pub use error::Error;
pub use kernels::{KERNEL_VARIABLE, KernelInfo, kernels};
pub use ocb::Ocb;
pub use selftest::selftest;
pub use tables::Tables;
pub use tag::{TAG_BYTES, Tag};
pub use twofish::{BLOCK_BYTES, Twofish, pad_key};

/// The version of the library.
#[must_use]
pub fn version() -> &'static str {
    manyfish_sys::version()
}
