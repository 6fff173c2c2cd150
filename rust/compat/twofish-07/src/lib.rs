// SPDX-License-Identifier: Apache-2.0 OR MIT

//! RustCrypto's `twofish` 0.7 by its interface, manyfish by what it does: for `[patch.crates-io]`.
//!
//! ```
//! use twofish::Twofish;
//! use twofish::cipher::{BlockEncrypt, KeyInit};
//!
//! let mut block = [0; 16].into();
//! Twofish::new(&[0; 32].into()).encrypt_block(&mut block);
//! assert_eq!(block[..4], [0x57, 0xFF, 0x73, 0x9D]);
//! ```
//!
//! Anything new is better off with `manyfish` itself, which has modes, too.

#![no_std]

pub use cipher;
pub use manyfish::rustcrypto::Twofish;
