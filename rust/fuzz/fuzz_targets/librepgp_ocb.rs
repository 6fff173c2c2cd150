// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any octets inside LibrePGP's packet 20 in OCB, opened as it is and altered.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| manyfish_openpgp::fuzz::run(env!("CARGO_BIN_NAME"), octets));
