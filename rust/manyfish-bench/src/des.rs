// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The kernels of DES and Triple-DES: what they cost, and from how many blocks on each is cheaper than
//! `sp2k`.

use manyfish::des::BLOCK_BYTES;
use manyfish::{Des, Error, KernelInfo};
use serde::Serialize;

use crate::des_on_486;
use crate::report::per_byte;
use crate::rows::{BULK_BYTES, Cipher, Row, both_ways, bulk, key, setup, to_float};
use crate::table::Table;

/// Bits of a key of DES and of three, parity bits among them, with the names of the ciphers.
pub const CIPHERS: [(&str, usize); 2] = [("des", 64), ("3des", 192)];

/// Beyond this many blocks a set-up does not count.
const MAX_BLOCKS: u32 = 1 << 20;

/// The base of comparison: the tables of [KarnThread].
const SIMPLE: &str = "sp2k";

impl Cipher for Des {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.set_key(key)
    }
    fn encrypt(&self, data: &mut [u8]) -> Result<(), Error> {
        self.encrypt_blocks(data)
    }
    fn decrypt(&self, data: &mut [u8]) -> Result<(), Error> {
        self.decrypt_blocks(data)
    }
}

/// Measures a kernel.
pub fn measure(kernel: &KernelInfo, cipher: &'static str, key_bits: usize) -> Result<Row, Error> {
    let mut des = Des::with_kernel(kernel.name, &key(key_bits))?;
    Ok(Row {
        cipher,
        kernel: kernel.name.to_owned(),
        key_bits,
        constant_time: kernel.constant_time,
        block_cycles: both_ways(&des, BLOCK_BYTES),
        cycles_per_byte: bulk(&des),
        context_bytes: des.expanded_key_bytes(),
        code_bytes: None,
        constant_bytes: None,
        setup_cycles: setup(&mut des, key_bits),
        cold_block_cycles: None,
    })
}

/// Every kernel with both ciphers, within 80 columns.
pub fn table(rows: &[Row]) -> String {
    let [short, long] = BULK_BYTES;
    let [short_head, long_head] = BULK_BYTES.map(|n_bytes| format!("{} KiB", n_bytes / 1024));
    let head = ["kernel", "cipher", "ct", "bytes", "set-up", "one block"];
    let head = [&head[..], &[&short_head, &long_head, "then"]].concat();
    let mut table = Table::new("<<<>>>>>>", &head);
    for row in rows {
        let past = des_on_486::clocks_of(row.cipher).filter(|_| row.kernel == SIMPLE);
        table.row([
            row.kernel.clone(),
            row.cipher.to_owned(),
            if row.constant_time { "yes" } else { "no" }.to_owned(),
            row.context_bytes.to_string(),
            format!("{:.0}", row.setup_cycles),
            format!("{:.0} {:.0}", row.block_cycles.encrypt, row.block_cycles.decrypt),
            per_byte(row.cycles_per_byte[&short]),
            per_byte(row.cycles_per_byte[&long]),
            past.map(|clocks| clocks.to_string()).unwrap_or_default(),
        ]);
    }
    format!(
        "{table}\n\
         ct: constant time; bytes: of the expanded key. One block: each waits for the one\n\
         before; {short_head}, {long_head}: a byte of a message of this length. Two figures\n\
         are for encryption and decryption. Then: one block on a 486, from\n{}.\n\n",
        des_on_486::SOURCE
    )
}

/// From how many blocks under a key on a kernel costs less than `sp2k`, by arithmetic; none: never.
#[derive(Debug, Serialize)]
pub struct BreakEven {
    pub cipher: &'static str,
    pub kernel: String,
    /// Where each block waits for the one before.
    pub serial_blocks: Option<u64>,
    /// Where they come by the kilobyte.
    pub bulk_blocks: Option<u64>,
}

/// Of each kernel but `sp2k` itself.
pub fn break_evens(rows: &[Row]) -> Vec<BreakEven> {
    let simple = |cipher| rows.iter().find(|row| row.cipher == cipher && row.kernel == SIMPLE);
    let others = rows.iter().filter(|row| row.kernel != SIMPLE);
    let pairs = others.filter_map(|row| Some((row, simple(row.cipher)?)));
    let break_even = |(row, simple): (&Row, &Row)| BreakEven {
        cipher: row.cipher,
        kernel: row.kernel.clone(),
        serial_blocks: cheaper_from(row, simple, serial),
        bulk_blocks: cheaper_from(row, simple, in_one_call),
    };
    pairs.map(break_even).collect()
}

/// Cycles of a block of many.
pub fn bulk_block(row: &Row) -> f64 {
    row.cycles_per_byte[&BULK_BYTES[1]].encrypt * to_float(BLOCK_BYTES)
}

/// Cycles of `n_blocks`, each of which waits for the one before.
fn serial(row: &Row, n_blocks: f64) -> f64 {
    n_blocks * row.block_cycles.encrypt
}

/// Cycles of `n_blocks` at once, which cost a block alone at least: a kernel with many lanes works on all.
fn in_one_call(row: &Row, n_blocks: f64) -> f64 {
    (n_blocks * bulk_block(row)).max(row.block_cycles.encrypt)
}

/// The first number of blocks with which set-up and blocks of a kernel cost less than those of another.
fn cheaper_from(row: &Row, other: &Row, blocks: fn(&Row, f64) -> f64) -> Option<u64> {
    let sum = |row: &Row, n_blocks: u32| row.setup_cycles + blocks(row, f64::from(n_blocks));
    let is_cheaper = |n_blocks: &u32| sum(row, *n_blocks) < sum(other, *n_blocks);
    (1..=MAX_BLOCKS).find(is_cheaper).map(u64::from)
}

pub fn break_even_table(break_evens: &[BreakEven]) -> String {
    let mut table = Table::new("<<>>", &["kernel", "cipher", "one by one", "many at once"]);
    for line in break_evens {
        let blocks = |n: Option<u64>| n.map_or_else(|| "never".to_owned(), |n| n.to_string());
        table.row([
            line.kernel.clone(),
            line.cipher.to_owned(),
            blocks(line.serial_blocks),
            blocks(line.bulk_blocks),
        ]);
    }
    format!(
        "Blocks under one key from which a kernel costs less than {SIMPLE}, set-up and all\n\n{table}\n\
         By arithmetic from the figures above: many at once cost a block alone at least.\n"
    )
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::rows::BothWays;

    pub fn row(cipher: &'static str, kernel: &str, setup: f64, block: f64, byte: f64) -> Row {
        let both = |figure| BothWays { encrypt: figure, decrypt: figure };
        Row {
            cipher,
            kernel: kernel.to_owned(),
            key_bits: 64,
            constant_time: false,
            setup_cycles: setup,
            cold_block_cycles: None,
            block_cycles: both(block),
            cycles_per_byte: [(1024, both(byte)), (8192, both(byte))].into(),
            context_bytes: 136,
            code_bytes: None,
            constant_bytes: None,
        }
    }

    #[test]
    fn break_even_is_where_the_sums_cross() {
        let rows = [
            row("des", "sp2k", 400.0, 200.0, 16.0),
            row("des", "keyed-32k", 10_400.0, 150.0, 17.0),
            row("des", "quicker", 300.0, 150.0, 12.0),
            row("des", "bitslice", 1400.0, 4000.0, 1.0),
            row("3des", "alone", 1.0, 1.0, 1.0),
        ];
        let found = break_evens(&rows);
        let blocks = |line: &BreakEven| (line.serial_blocks, line.bulk_blocks);
        // At 200 blocks both cost 40,400; 39 of 128 cycles are less than a batch of 4,000 and 1,000 more set-up.
        assert_eq!(
            found.iter().map(blocks).collect::<Vec<_>>(),
            [(Some(201), None), (Some(1), Some(1)), (None, Some(40))]
        );
        let table = break_even_table(&found);
        let lines: Vec<Vec<&str>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
        assert_eq!(lines[3], ["keyed-32k", "des", "201", "never"]);
    }

    #[test]
    fn the_table_shows_a_486_beside_sp2k() {
        let rows = [row("3des", "sp2k", 400.0, 600.4, 38.0), row("des", "sp64k", 1.0, 2.0, 3.0)];
        let table = table(&rows);
        let lines: Vec<Vec<&str>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
        let expected = "sp2k 3des no 136 400 600 600 38.0 38.0 38.0 38.0 3629";
        assert_eq!((lines[1].join(" ").as_str(), lines[2].len()), (expected, 11));
        assert!(table.lines().all(|line| line.len() <= 82), "{table}");
    }
}
