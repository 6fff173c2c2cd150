// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Modes without authentication. Whoever can change such a ciphertext changes the plaintext,
//! unnoticed: they are for data and protocols that exist. New designs take [`Ocb`](crate::Ocb).

pub mod cbc;
pub mod ctr;
pub mod ecb;

pub use ctr::Ctr;
