// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any octets inside SEIPD version 2, opened as it is and altered.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| manyfish_openpgp::fuzz::run(env!("CARGO_BIN_NAME"), octets));
