// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Twofish, the 128-bit block cipher of Schneier, Kelsey, Whiting, Wagner, Hall and Ferguson, with
//! the modes that data under it uses. The work is done by the Manyfish C library, compiled in.
//!
//! A block cipher by itself protects nothing: take [`Ocb`], which also notices changes. The [`modes`]
//! without authentication and the bare blocks are for data and protocols that exist.
//!
//! ```
//! use manyfish::{Ocb, Twofish};
//!
//! let ocb = Ocb::new(&Twofish::new(&[0x42; 32])?);
//! let mut message = *b"many speeds, one result";
//! let tag = ocb.seal(b"a new nonce", b"associated data", &mut message)?;
//! ocb.open(b"a new nonce", b"associated data", &mut message, &tag)?;
//! assert_eq!(&message, b"many speeds, one result");
//! # Ok::<(), manyfish::Error>(())
//! ```
//!
//! Keys are wiped when their last owner is dropped, and `Debug` never shows one. What each kernel
//! leaks through the cache stands in `docs/security.md` of the project.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod error;
mod kernels;
pub mod modes;
mod ocb;
mod selftest;
mod twofish;

pub use error::Error;
pub use kernels::{KernelInfo, kernels};
pub use ocb::{Ocb, TAG_BYTES};
pub use selftest::selftest;
pub use twofish::{BLOCK_BYTES, Twofish, pad_key};

/// The version of the library.
#[must_use]
pub fn version() -> &'static str {
    manyfish_sys::version()
}
