// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any octets as the fields of a LUKS header of version 1.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| manyfish_files::fuzz::run(env!("CARGO_BIN_NAME"), octets));
