// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! OpenPGP messages [RFC9580] as `manyfish` writes and reads them: a passphrase through Argon2id, the
//! data in chunks under Twofish-256 in OCB. `docs/file-format.md` shows the bytes.
//!
//! Everything here works on `Read` and `Write` and knows nothing of files and terminals. From the
//! outside in: `message` (a whole message), `armor`, `packet` and `body` (framing), `skesk` and `s2k`
//! (the passphrase), `seipd` and `chunks` (the encrypted data), `literal` (what it holds), `inspect`.

pub mod algorithm;
pub mod armor;
mod body;
mod chunks;
pub mod error;
#[doc(hidden)]
pub mod fuzz;
pub mod inspect;
mod literal;
pub mod message;
pub mod packet;
mod pool;
mod read;
pub mod s2k;
pub mod seipd;
pub mod skesk;

pub use error::{Error, Result};

/// A tag of OCB, always in full [RFC9580, 5.13.2].
const TAG_BYTES: usize = 16;
/// A nonce of OCB [RFC9580, 5.13.4].
const NONCE_BYTES: usize = 15;
/// Why sealing cannot fail.
const NONCE_FITS: &str = "15 octets are a nonce of OCB, and a chunk is within its limits";
