// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Finds RustCrypto's tests.

#[path = "../find.rs"]
mod find;

fn main() {
    find::tests_of(&[("twofish", "0.8.0"), ("des", "0.9.0")]);
}
