// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any octets as a message: told of, and opened.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| manyfish_openpgp::fuzz::run(env!("CARGO_BIN_NAME"), octets));
