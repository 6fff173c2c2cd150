// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! By the traits of `cipher` 0.4.

use cipher::{BlockDecrypt as Decrypt, BlockEncrypt as Encrypt, generic_array::GenericArray};

type Block<N> = GenericArray<u8, N>;

#[path = "../../same.rs"]
mod same;
