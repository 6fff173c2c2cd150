// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Replays what the fuzzer starts from (`rust/fuzz/seeds.rsp` and the messages of `vectors/openpgp`)
//! through the bodies of the fuzz targets, on the stable compiler.

#[path = "../../manyfish/tests/rsp/mod.rs"]
mod rsp;

use manyfish_openpgp::fuzz::{inspect_octets, open_octets};
use rsp::{cases, messages};

fn replay(target: &str, body: fn(&[u8])) {
    for seed in cases("../rust/fuzz/seeds.rsp") {
        if seed.text("TARGETS").split(' ').any(|name| name == target) {
            println!("{}", seed.text("NAME"));
            body(&seed.bytes("OCTETS"));
        }
    }
    for message in messages() {
        println!("{}", message.text("NAME"));
        body(&message.bytes("MESSAGE"));
    }
}

#[test]
fn the_seeds_of_inspect() {
    replay("inspect", inspect_octets);
}

#[test]
fn the_seeds_of_open() {
    replay("open", open_octets);
}
