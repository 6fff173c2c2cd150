// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any octets through the parser of armor and packets.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| manyfish_openpgp::fuzz::inspect_octets(octets));
