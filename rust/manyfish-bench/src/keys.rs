// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The cost of a key with one block, in calls of one key or many: from some on a kernel works on a key
//! in each lane.

use manyfish::{BLOCK_BYTES, Error, KernelInfo, TwofishKeys};
use serde::Serialize;

use crate::report::three_decimals;
use crate::rows::{BUDGET, key, to_float};
use crate::stopwatch::race;
use crate::table::Table;

/// Keys in a call.
pub const KEYS: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 100, 1000];

/// One number of keys under one kernel; the names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct ManyKeys {
    pub cipher: &'static str,
    pub kernel: &'static str,
    pub key_bits: usize,
    pub keys: usize,
    /// Set-up and encryption of one block.
    #[serde(serialize_with = "three_decimals")]
    pub cycles_per_key: f64,
}

/// Measures encryption of one block under each of every number of keys, in turn.
pub fn measure(kernel: &KernelInfo, key_bits: usize) -> Result<Vec<ManyKeys>, Error> {
    let key_bytes = key_bits / 8;
    let mut calls =
        KEYS.map(|n_keys| (key(key_bits).repeat(n_keys), vec![0; n_keys * BLOCK_BYTES]));
    for (keys, _) in &mut calls {
        for (number, key) in keys.chunks_mut(key_bytes).enumerate() {
            key[..2].copy_from_slice(&u16::try_from(number).expect("few").to_le_bytes());
        }
    }
    // Without keys, only to see whether the kernel can run.
    TwofishKeys::with_kernel(kernel.name, &[], key_bytes)?.encrypt_blocks(&mut [])?;
    let figures = race(BUDGET, &mut calls, |(keys, blocks)| {
        let keys = TwofishKeys::with_kernel(kernel.name, keys, key_bytes).expect("whole keys");
        keys.encrypt_blocks(blocks).expect("a block for each");
    });
    let call = |(keys, cycles)| ManyKeys {
        cipher: "twofish",
        kernel: kernel.name,
        key_bits,
        keys,
        cycles_per_key: cycles / to_float(keys),
    };
    Ok(KEYS.into_iter().zip(figures.iter().map(|figure| figure.minimum)).map(call).collect())
}

/// One line for each kernel and key size.
pub fn table(keys: &[ManyKeys]) -> String {
    let mut head = vec!["kernel".to_owned(), "key".to_owned()];
    head.extend(KEYS.map(|keys| keys.to_string()));
    let mut table = Table::new("<>>>>>>>>>>", &head);
    for line in keys.chunks(KEYS.len()) {
        let cycles = line.iter().map(|keys| format!("{:.0}", keys.cycles_per_key));
        let names = [line[0].kernel.to_owned(), line[0].key_bits.to_string()];
        table.row(names.into_iter().chain(cycles));
    }
    format!("Set-up and one block, by the number of keys in a call\n\n{table}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_keys_has_a_figure() {
        let zero = manyfish::kernels().find(|kernel| kernel.name == "zero").unwrap();
        let keys = measure(&zero, 192).unwrap();
        assert_eq!(keys.iter().map(|keys| keys.keys).collect::<Vec<_>>(), KEYS);
        assert!(keys.iter().all(|keys| keys.cycles_per_key > 0.0));
    }

    #[test]
    fn there_is_a_line_for_each_kernel_and_key_size() {
        let call = |kernel, keys| ManyKeys {
            cipher: "twofish",
            kernel,
            key_bits: 256,
            keys,
            cycles_per_key: if keys == 1 { 2499.6 } else { 99.6 },
        };
        let keys: Vec<ManyKeys> =
            ["full", "zero"].iter().flat_map(|kernel| KEYS.map(|n| call(kernel, n))).collect();
        let table = table(&keys);
        let lines: Vec<Vec<&str>> =
            table.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0].join(" "), "kernel key 1 2 4 8 16 32 64 100 1000");
        assert_eq!(lines[1].join(" "), "full 256 2500 100 100 100 100 100 100 100 100");
        assert_eq!((lines[2][0], lines.len()), ("zero", 4), "and an empty line");
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    }
}
