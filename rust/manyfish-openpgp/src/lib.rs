// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! OpenPGP messages by RFC 9580 under a passphrase: Argon2id, and the data in chunks under Twofish-256 in
//! OCB, worked on by all cores. `docs/file-format.md` in the repository shows the octets.
//!
//! Everything here works on `Read` and `Write`, in bounded memory, and knows nothing of files and
//! terminals. A message is written and read by one call each:
//!
//! ```
//! use manyfish_openpgp::{Settings, decrypt, encrypt};
//!
//! let message = encrypt(b"correct horse", Settings::new()?, &b"battery"[..], Vec::new())?;
//! let mut file = Vec::new();
//! decrypt(b"correct horse", &message[..], &mut file)?;
//! assert_eq!(file, b"battery");
//! # Ok::<(), manyfish_openpgp::Error>(())
//! ```
//!
//! [`Encryption`] and [`Decryption`] are the same in steps: a program that asks for the passphrase learns
//! first whether it can open the message at all, and one that writes a file creates it last. [`Watched`]
//! around the input shows the progress and cancels. [`inspect`](inspect::inspect) tells what shows
//! without a key.
//!
//! **The output is authenticated, but may be incomplete.** After an error, discard it: write into a temporary
//! file, and give it its name when [`Decryption::run`] returns `Ok`.
//!
//! [`Format::Rfc4880`] writes the older form, for GnuPG and most other programs; it is weaker. Decryption
//! reads both, and the packet 20 of LibrePGP, compressed or not. [`Opened::signed`] reports a signature inside,
//! unchecked.

// From the outside in: `encryption` and `decryption` (a whole message), `armor`, `packet` and `body`
// (framing), `skesk`, `s2k`, `key` and `limits` (the passphrase), `seipd`, `aead`, `chunks`, `mdc` and `sed` (the encrypted data),
// `literal` and `compressed` (what it holds).
#![warn(missing_docs)]

mod aead;
pub mod algorithm;
mod armor;
mod body;
mod chunks;
mod compressed;
mod decryption;
mod encryption;
mod error;
#[doc(hidden)]
pub mod fuzz;
pub mod inspect;
mod key;
mod limits;
mod literal;
mod mdc;
mod message_key;
mod packet;
mod pool;
mod read;
mod s2k;
mod sed;
mod seipd;
mod session_keys;
mod skesk;
mod watched;

pub use decryption::{DecryptOptions, Decryption, decrypt};
pub use encryption::{Encryption, Format, Settings, encrypt};
pub use error::{Error, Result};
pub use key::Key;
#[doc(hidden)] // for manyfish-files
pub use key::on_wiped_threads;
pub use limits::Limits;
pub use literal::Opened;
pub use s2k::{Argon2Cost, S2k, iterated_octets};
pub use seipd::ChunkSize;
pub use watched::Watched;

/// A size of pieces. The fuzzer takes small ones: they are fast, and borders between them are in short inputs.
const fn piece(octets: usize) -> usize {
    if cfg!(fuzzing) { 1 << 10 } else { octets }
}

/// A tag of OCB, always in full [RFC9580, 5.13.2].
const TAG_BYTES: usize = 16;
/// A nonce of OCB [RFC9580, 5.13.4].
const NONCE_BYTES: usize = 15;
/// Why sealing cannot fail.
const NONCE_FITS: &str = "15 octets are a nonce of OCB, and a chunk is within its limits";
