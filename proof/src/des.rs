// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The kernels of DES, for [`crate::statement`]: what their blocks must be, for one key and for three.

use std::collections::BTreeSet;

use crate::algebra::{Algebra, Byte, UNKNOWN};
use crate::des_spec::Spec;
use crate::image::Image;
use crate::machine::number;
use crate::statement::{DIRECTIONS, Wanted};

pub const PREFIX: &str = "des/";
pub const BLOCK_BYTES: usize = 8;

/// Of more forms no gate is made: so a circuit knows its inputs as forms.
pub const S_BOX_INPUTS: usize = 6;

/// All kernels, the longest proofs first. A library has those that its processor can run.
const NAMES: [&str; 7] = [
    "des/bitslice-avx512",
    "des/bitslice",
    "des/bitslice-avx2",
    "des/bitslice-neon",
    "des/sp64k",
    "des/sp4k",
    "des/sp2k",
];

/// The kernels of a library.
pub fn names(image: &Image) -> impl Iterator<Item = &'static str> {
    let has = |name: &&str| kernel_at(image, name).is_some();
    NAMES.into_iter().filter(has)
}

/// The place of its `mf_des_kernel` (c/src/des/kernel.h).
pub fn kernel_at(image: &Image, name: &str) -> Option<u64> {
    image.symbol(&symbol(name))
}

/// The name of that.
pub fn symbol(name: &str) -> String {
    let name = name.trim_start_matches(PREFIX).replace('-', "_");
    format!("mf_des_{name}")
}

/// Numbers of blocks, and whether they are in place: all to twice the lanes. Where there are many lanes, few blocks; those
/// around an eighth of the lanes, which is what vectors hold side by side; those around the lanes, of vectors with one key
/// alone, since the code for blocks does not depend on the number of keys; and those around twice 64.
pub fn runs(lanes: usize, n_keys: usize) -> Vec<(usize, bool)> {
    if lanes < 64 {
        let numbers = 1..=2 * lanes;
        return numbers.flat_map(|n| [(n, false), (n, true)]).collect();
    }
    let around = |n: usize| n - 1..=n + 1;
    let mut numbers: BTreeSet<usize> = (1..10).chain(around(lanes / 8)).collect();
    if lanes == 64 || n_keys == 1 {
        numbers.extend(around(lanes));
    }
    if lanes == 64 {
        numbers.extend(around(2 * lanes));
    }
    let most = numbers.last().copied();
    let in_place = numbers.iter().filter(|&&n| n < 3 || Some(n) == most);
    let in_place: Vec<_> = in_place.map(|&n| (n, true)).collect();
    let apart = numbers.into_iter().map(|n| (n, false));
    apart.chain(in_place).collect()
}

/// The first word is the number of keys, by which the library sees that there is a key; and set_key has written all.
pub fn check_expanded_key(expanded: &[Byte], n_keys: usize) -> Result<(), String> {
    if number(&expanded[..4]) != Some(n_keys as u64) {
        return Err("the first word of the expanded key is not the number of keys".into());
    }
    match expanded.iter().position(|&byte| byte == UNKNOWN) {
        Some(at) => Err(format!("byte {at} of the expanded key is not written")),
        None => Ok(()),
    }
}

pub fn wanted(algebra: &mut Algebra, key: &[Byte], blocks: &[Vec<Byte>]) -> Wanted {
    let mut spec = Spec::new(algebra);
    let keys = spec.keys(key);
    DIRECTIONS.map(|direction| {
        let of = |block: &Vec<Byte>| vec![spec.crypt(block, &keys, direction)];
        blocks.iter().map(of).collect()
    })
}
