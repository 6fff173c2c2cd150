// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The work of keepass-rs and rpgp with Twofish. It is built twice, with our Twofish by `[patch]` and
//! with RustCrypto's, from the same sources.

pub mod databases;
pub mod messages;
pub mod times;

/// Any error of the programs at work.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The crates that the two generations of `twofish` come from, as the compiler names their types.
#[must_use]
pub fn implementations() -> [&'static str; 2] {
    [std::any::type_name::<twofish07::Twofish>(), std::any::type_name::<twofish08::Twofish>()]
}
