// SPDX-License-Identifier: Apache-2.0 OR MIT

//! RustCrypto's `des` 0.8 by its interface, manyfish by what it does: for `[patch.crates-io]`.
//!
//! ```
//! use des::TdesEde3;
//! use des::cipher::{BlockEncrypt, KeyInit};
//!
//! let cipher = TdesEde3::new_from_slice(b"24 bytes, or three keys.")?;
//! let mut block = (*b"8 bytes!").into();
//! cipher.encrypt_block(&mut block);
//! assert_ne!(block[..], b"8 bytes!"[..]);
//! # Ok::<(), des::cipher::InvalidLength>(())
//! ```
//!
//! Anything new is better off with `manyfish` itself, or another cipher: DES protects nothing today.

#![no_std]

mod eee;

pub use cipher;
pub use eee::{TdesEee2, TdesEee3};
pub use manyfish::rustcrypto::{Des, TdesEde2, TdesEde3};
