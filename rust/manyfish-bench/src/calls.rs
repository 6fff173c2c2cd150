// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The cost of a block in calls of few or many: a kernel that works on many at a time
//! has steps there.

use manyfish::{BLOCK_BYTES, Error, KernelInfo, Twofish};
use serde::Serialize;

use crate::report::three_decimals;
use crate::rows::{BUDGET, key, to_float};
use crate::stopwatch::race;
use crate::table::Table;

/// Blocks in a call.
pub const BLOCKS: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 100, 1000];

/// One number of blocks under one kernel; the names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct Call {
    pub cipher: &'static str,
    pub kernel: &'static str,
    pub key_bits: usize,
    pub blocks: usize,
    #[serde(serialize_with = "three_decimals")]
    pub cycles_per_block: f64,
}

/// Measures encryption in calls of every number of blocks, in turn.
pub fn measure(kernel: &KernelInfo, key_bits: usize) -> Result<Vec<Call>, Error> {
    let cipher = Twofish::with_kernel(kernel.name, &key(key_bits))?;
    let mut calls = BLOCKS.map(|blocks| vec![0; blocks * BLOCK_BYTES]);
    let figures = race(BUDGET, &mut calls, |data| {
        cipher.encrypt_blocks(data).expect("whole blocks");
    });
    let call = |(blocks, cycles)| Call {
        cipher: "twofish",
        kernel: kernel.name,
        key_bits,
        blocks,
        cycles_per_block: cycles / to_float(blocks),
    };
    let cycles = figures.iter().map(|figure| figure.minimum);
    Ok(BLOCKS.into_iter().zip(cycles).map(call).collect())
}

/// One line for each kernel and key size.
pub fn table(calls: &[Call]) -> String {
    let mut head = vec!["kernel".to_owned(), "key".to_owned()];
    head.extend(BLOCKS.map(|blocks| blocks.to_string()));
    let mut table = Table::new("<>>>>>>>>>>", &head);
    for line in calls.chunks(BLOCKS.len()) {
        let cycles = line.iter().map(|call| format!("{:.0}", call.cycles_per_block));
        let names = [line[0].kernel.to_owned(), line[0].key_bits.to_string()];
        table.row(names.into_iter().chain(cycles));
    }
    format!("Encryption of one block, by the number of blocks in a call\n\n{table}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_blocks_has_a_figure() {
        let zero = manyfish::kernels().find(|kernel| kernel.name == "zero").unwrap();
        let calls = measure(&zero, 128).unwrap();
        assert_eq!(calls.iter().map(|call| call.blocks).collect::<Vec<_>>(), BLOCKS);
        assert!(calls.iter().all(|call| call.cycles_per_block > 0.0));
    }

    #[test]
    fn there_is_a_line_for_each_kernel_and_key_size() {
        let call = |kernel, blocks| Call {
            cipher: "twofish",
            kernel,
            key_bits: 128,
            blocks,
            cycles_per_block: if blocks == 1 { 250.4 } else { 99.6 },
        };
        let calls: Vec<Call> =
            ["full", "zero"].iter().flat_map(|kernel| BLOCKS.map(|n| call(kernel, n))).collect();
        let table = table(&calls);
        let lines: Vec<Vec<&str>> =
            table.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0].join(" "), "kernel key 1 2 4 8 16 32 64 100 1000");
        assert_eq!(lines[1].join(" "), "full 128 250 100 100 100 100 100 100 100 100");
        assert_eq!((lines[2][0], lines.len()), ("zero", 4), "and an empty line");
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    }
}
