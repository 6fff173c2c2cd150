// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any octets as a safe, a database, a keystore or a file of mcrypt, and as what is inside of them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| manyfish_files::fuzz::run(env!("CARGO_BIN_NAME"), octets));
