// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Any octets as the header of a message, and as what stands inside a valid encrypted packet: opened
//! with a fixed session key, so that the fuzzer gets past the tags.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|octets: &[u8]| manyfish_openpgp::fuzz::open_octets(octets));
