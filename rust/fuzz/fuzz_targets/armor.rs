// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any octets as armor, and armored and back, in pieces.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| manyfish_openpgp::fuzz::run(env!("CARGO_BIN_NAME"), octets));
