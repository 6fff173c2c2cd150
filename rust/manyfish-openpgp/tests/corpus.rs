// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Replays what the fuzzer starts from (`rust/fuzz/seeds.rsp` and the messages of `vectors/openpgp`)
//! through the bodies of the fuzz targets, on the stable compiler.

#[path = "../../manyfish/tests/rsp/mod.rs"]
mod rsp;

use manyfish_openpgp::fuzz::{self, TARGETS};
use rsp::{cases, messages};

#[test]
fn the_seeds_of_each_target() {
    for seed in cases("../rust/fuzz/seeds.rsp") {
        println!("{}", seed.text("NAME"));
        let targets = seed.text("TARGETS").split(' ');
        for target in targets.filter(|name| TARGETS.iter().any(|(known, _)| known == name)) {
            fuzz::run(target, &seed.bytes("OCTETS"));
        }
    }
}

#[test]
fn the_messages() {
    for message in messages() {
        println!("{}", message.text("NAME"));
        fuzz::run("message", &message.bytes("MESSAGE"));
    }
}

/// A target without a seed would test nothing here.
#[test]
fn each_target_has_a_seed() {
    let seeds = cases("../rust/fuzz/seeds.rsp");
    for (name, _) in TARGETS {
        assert!(
            seeds.iter().any(|seed| seed.text("TARGETS").split(' ').any(|it| it == name)),
            "{name}"
        );
    }
}
