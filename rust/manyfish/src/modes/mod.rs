// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Modes without authentication. Anyone who can change such a ciphertext changes the plaintext,
//! unnoticed: they are for existing data and protocols. For new designs use [`Ocb`](crate::Ocb).

pub mod cbc;
pub mod cfb;
pub mod ctr;
pub mod cts;
pub mod ecb;
pub mod ofb;
pub mod xts;

pub use cfb::Cfb;
pub use ctr::Ctr;
pub use ofb::Ofb;
pub use xts::Xts;
