// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! By the traits of `cipher` 0.5.

use cipher::{BlockCipherDecrypt as Decrypt, BlockCipherEncrypt as Encrypt, array::Array};

type Block<N> = Array<u8, N>;

#[path = "../../same.rs"]
mod same;
