// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What a block costs when few or many are asked for at once: a kernel that works on many at a time
//! has steps there.

use manyfish::{BLOCK_BYTES, Error, KernelInfo, Twofish};
use serde::Serialize;

use crate::report::three_decimals;
use crate::rows::{BUDGET, key, to_float};
use crate::stopwatch::race;

/// Blocks in one request.
pub const BLOCKS: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 100, 1000];

/// One number of blocks under one kernel; the names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct Request {
    pub cipher: &'static str,
    pub kernel: &'static str,
    pub key_bits: usize,
    pub blocks: usize,
    #[serde(serialize_with = "three_decimals")]
    pub cycles_per_block: f64,
}

/// Measures encryption in requests of every number of blocks, in turn.
pub fn measure(kernel: &KernelInfo, key_bits: usize) -> Result<Vec<Request>, Error> {
    let cipher = Twofish::with_kernel(kernel.name, &key(key_bits))?;
    let mut requests = BLOCKS.map(|blocks| vec![0; blocks * BLOCK_BYTES]);
    let figures = race(BUDGET, &mut requests, |data| {
        cipher.encrypt_blocks(data).expect("whole blocks");
    });
    let request = |(blocks, cycles)| Request {
        cipher: "twofish",
        kernel: kernel.name,
        key_bits,
        blocks,
        cycles_per_block: cycles / to_float(blocks),
    };
    let cycles = figures.iter().map(|figure| figure.minimum);
    Ok(BLOCKS.into_iter().zip(cycles).map(request).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_blocks_has_a_figure() {
        let zero = manyfish::kernels().find(|kernel| kernel.name == "zero").unwrap();
        let requests = measure(&zero, 128).unwrap();
        assert_eq!(requests.iter().map(|request| request.blocks).collect::<Vec<_>>(), BLOCKS);
        assert!(requests.iter().all(|request| request.cycles_per_block > 0.0));
    }
}
