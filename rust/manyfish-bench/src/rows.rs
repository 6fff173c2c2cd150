// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! One kernel, or compiled keying, with one key size: set-up, a block alone, cycles per byte in bulk.

use std::collections::BTreeMap;
use std::time::Duration;

use manyfish::{BLOCK_BYTES, CompiledTwofish, Error, KernelInfo, SetUp, Tables, Twofish};
use serde::Serialize;

use crate::code_size;
use crate::history;
use crate::report::{maybe_three_decimals, per_byte, three_decimals, three_digits};
use crate::stopwatch::cost;
use crate::table::Table;

/// Time for one figure.
pub const BUDGET: Duration = Duration::from_millis(25);
/// Keys of the largest tables, whose rows take 4 KB each: more than caches hold.
pub const COLD_KEYS: usize = 1 << 14;
/// Bytes given to the kernel in one call, for the figures per byte.
pub const BULK_BYTES: [usize; 2] = [1024, 8192];

/// A figure for each direction.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BothWays {
    #[serde(serialize_with = "three_decimals")]
    pub encrypt: f64,
    #[serde(serialize_with = "three_decimals")]
    pub decrypt: f64,
}

/// A row of the table; the names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct Row {
    pub cipher: &'static str,
    pub kernel: String,
    pub key_bits: usize,
    pub constant_time: bool,
    #[serde(serialize_with = "three_decimals")]
    pub setup_cycles: f64,
    /// Of a set-up and one block for each of `COLD_KEYS` keys in turn. Only kernels with shared tables have
    /// it, as their rows then come from memory.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "maybe_three_decimals")]
    pub cold_block_cycles: Option<f64>,
    pub block_cycles: BothWays,
    pub cycles_per_byte: BTreeMap<usize, BothWays>,
    pub context_bytes: usize,
    /// Machine code of set-up, encryption and decryption; unknown in some builds.
    pub code_bytes: Option<u64>,
    /// Tables and other constants that the code uses.
    pub constant_bytes: Option<u64>,
}

/// Compiled keying, which is no kernel, by the name of its row.
#[derive(Debug)]
pub struct Compiled {
    pub name: &'static str,
    set_up: SetUp,
    /// Which its set-up needs.
    tables: Option<Tables>,
    max_key_bits: usize,
}

/// One for each set-up.
pub const COMPILED: [Compiled; 4] = [
    Compiled { name: "compiled", set_up: SetUp::Full, tables: None, max_key_bits: 256 },
    Compiled {
        name: "compiled-big",
        set_up: SetUp::Big,
        tables: Some(Tables::Big),
        max_key_bits: 256,
    },
    Compiled {
        name: "compiled-huge",
        set_up: SetUp::Huge,
        tables: Some(Tables::Huge),
        max_key_bits: 128,
    },
    Compiled {
        name: "compiled-two-views",
        set_up: SetUp::TwoViews,
        tables: None,
        max_key_bits: 256,
    },
];

impl Compiled {
    pub fn named(name: &str) -> Option<&'static Self> {
        COMPILED.iter().find(|compiled| compiled.name == name)
    }

    /// Builds the tables, if it needs some.
    pub fn build_tables(&self) -> Result<(), Error> {
        self.tables.map_or(Ok(()), |tables| tables.build(0, |_, _| true))
    }

    pub fn takes(&self, key_bits: usize) -> bool {
        key_bits <= self.max_key_bits
    }

    /// A cipher with a key. An error where there is no code, or no tables.
    pub fn cipher(&self, key_bits: usize) -> Result<CompiledTwofish, Error> {
        CompiledTwofish::with_set_up(self.set_up, &key(key_bits))
    }
}

/// A cipher that a row measures.
pub trait Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Error>;
    fn encrypt(&self, data: &mut [u8]) -> Result<(), Error>;
    fn decrypt(&self, data: &mut [u8]) -> Result<(), Error>;
}

impl Cipher for Twofish {
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

impl Cipher for CompiledTwofish {
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
pub fn measure(kernel: &KernelInfo, key_bits: usize) -> Result<Row, Error> {
    let mut cipher = Twofish::with_kernel(kernel.name, &key(key_bits))?;
    Ok(Row {
        constant_time: kernel.constant_time,
        context_bytes: kernel.expanded_key_bytes,
        cold_block_cycles: Tables::of_kernel(kernel.name)
            .map(|_| cold_block(&mut cipher, key_bits)),
        ..row_of(&mut cipher, kernel.name, key_bits)
    })
}

/// Measures compiled keying. An error where there is no code.
pub fn measure_compiled(compiled: &Compiled, key_bits: usize) -> Result<Row, Error> {
    let mut cipher = compiled.cipher(key_bits)?;
    Ok(Row {
        context_bytes: cipher.memory_bytes(),
        cold_block_cycles: compiled.tables.map(|_| cold_block(&mut cipher, key_bits)),
        ..row_of(&mut cipher, compiled.name, key_bits)
    })
}

fn row_of(cipher: &mut impl Cipher, name: &str, key_bits: usize) -> Row {
    let size = code_size::of(name);
    Row {
        cipher: "twofish",
        kernel: name.to_owned(),
        key_bits,
        constant_time: false,
        block_cycles: both_ways(cipher, BLOCK_BYTES),
        cycles_per_byte: bulk(cipher),
        context_bytes: 0,
        code_bytes: size.map(|size| size.code),
        constant_bytes: size.map(|size| size.constants),
        setup_cycles: setup(cipher, key_bits),
        cold_block_cycles: None,
    }
}

/// Cycles of a byte, by the bytes that are given at once.
pub fn bulk(cipher: &impl Cipher) -> BTreeMap<usize, BothWays> {
    let per_byte = BULK_BYTES.map(|n_bytes| {
        let per_byte = both_ways(cipher, n_bytes).map(|cycles| cycles / to_float(n_bytes));
        (n_bytes, per_byte)
    });
    per_byte.into()
}

/// Cycles to expand a key over an old one; every time another key, as tables are indexed by it.
pub fn setup(cipher: &mut impl Cipher, key_bits: usize) -> f64 {
    let mut key = key(key_bits);
    cost(BUDGET, || {
        key[0] = key[0].wrapping_add(1);
        cipher.set_key(&key).expect("the length is right");
    })
}

/// Cycles to expand a key and encrypt one block, for each of `COLD_KEYS` different keys in turn: no cache
/// has their rows of the largest tables.
fn cold_block(cipher: &mut impl Cipher, key_bits: usize) -> f64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 by the golden ratio: the bytes of its multiples differ
    let word = |n: u64| n.wrapping_mul(ODD).to_le_bytes();
    let keys =
        (0u64..).take(COLD_KEYS).map(|n| (0..4).flat_map(|part| word(4 * n + part + 1)).collect());
    let keys: Vec<Vec<u8>> = keys.collect();
    let mut next = keys.iter().cycle();
    let mut block = [0; BLOCK_BYTES];
    cost(BUDGET, || {
        let key = next.next().expect("a cycle has no end");
        cipher.set_key(&key[..key_bits / 8]).expect("the length is right");
        cipher.encrypt(&mut block).expect("whole blocks");
    })
}

/// Cycles to crypt `n_bytes` in place. The output is the next input, so that a single block waits for the
/// one before: this measures its latency.
pub fn both_ways(cipher: &impl Cipher, n_bytes: usize) -> BothWays {
    let mut data = vec![0; n_bytes];
    let encrypt = cost(BUDGET, || cipher.encrypt(&mut data).expect("whole blocks"));
    let decrypt = cost(BUDGET, || cipher.decrypt(&mut data).expect("whole blocks"));
    BothWays { encrypt, decrypt }
}

impl BothWays {
    fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self { encrypt: change(self.encrypt), decrypt: change(self.decrypt) }
    }
}

/// Every kernel with every key size, within 80 columns.
pub fn table(rows: &[Row]) -> String {
    let [short, long] = BULK_BYTES;
    let [short_head, long_head] = BULK_BYTES.map(|n_bytes| format!("{} KiB", n_bytes / 1024));
    let head = ["kernel", "key", "ct", "bytes", "set-up", "one block"];
    let head = [&head[..], &[&short_head, &long_head, "1998", "block"]].concat();
    let mut table = Table::new("<><>>>>>>>", &head);
    for row in rows {
        let past = history::of_kernel(&row.kernel, row.key_bits);
        table.row([
            row.kernel.clone(),
            row.key_bits.to_string(),
            if row.constant_time { "yes" } else { "no" }.to_owned(),
            row.context_bytes.to_string(),
            format!("{:.0}", row.setup_cycles),
            format!("{:.0} {:.0}", row.block_cycles.encrypt, row.block_cycles.decrypt),
            per_byte(row.cycles_per_byte[&short]),
            per_byte(row.cycles_per_byte[&long]),
            past.map(|(setup, _)| setup.to_string()).unwrap_or_default(),
            past.map(|(_, block)| block.to_string()).unwrap_or_default(),
        ]);
    }
    format!(
        "{table}\n\
         key: its bits; ct: constant time; bytes: of the expanded key. One block: each\n\
         waits for the one before; {short_head}, {long_head}: a byte of a message of this\n\
         length. Two figures are for encryption and decryption. 1998: set-up and one\n\
         block, from\n{}.\n\n",
        history::TABLE_SOURCE
    )
}

/// The kernels with keys of one size, in few columns.
pub fn brief(rows: &[Row], key_bits: usize) -> Table {
    let long = BULK_BYTES[1];
    let bulk = format!("{} KiB, a byte", long / 1024);
    let mut table = Table::new("<<>>>", &["kernel", "constant time", "set-up", "one block", &bulk]);
    for row in rows.iter().filter(|row| row.key_bits == key_bits) {
        table.row([
            row.kernel.clone(),
            if row.constant_time { "yes" } else { "no" }.to_owned(),
            format!("{:.0}", row.setup_cycles),
            format!("{:.0}", row.block_cycles.encrypt),
            three_digits(row.cycles_per_byte[&long].encrypt),
        ]);
    }
    table
}

/// Any key does: no kernel's time depends on it but through the cache.
pub fn key(key_bits: usize) -> Vec<u8> {
    (0..=u8::MAX).take(key_bits / 8).collect()
}

/// Sizes here are far below 2^52.
#[allow(clippy::cast_precision_loss)]
pub fn to_float(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn row() -> Row {
        let both = |figure| BothWays { encrypt: figure, decrypt: figure + 1.0 };
        Row {
            cipher: "twofish",
            kernel: "full".to_owned(),
            key_bits: 128,
            constant_time: false,
            setup_cycles: 9000.12345,
            cold_block_cycles: None,
            block_cycles: both(250.0),
            cycles_per_byte: [(1024, both(9.25)), (8192, both(9.0))].into(),
            context_bytes: 4256,
            code_bytes: Some(5000),
            constant_bytes: None,
        }
    }

    #[test]
    fn the_table_shows_1998_beside_the_kernel_of_that_name() {
        let table = table(&[row()]);
        let line = table.lines().nth(1).unwrap();
        let cells: Vec<&str> = line.split_whitespace().collect();
        let expected = "full 128 no 4256 9000 250 251 9.25 10.2 9.00 10.0 7600 315";
        assert_eq!(cells.join(" "), expected);
    }

    #[test]
    fn few_columns_are_of_one_key_size() {
        let table = brief(&[row(), Row { key_bits: 256, ..row() }], 256).to_string();
        let lines: Vec<Vec<&str>> =
            table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!((lines.len(), lines[1].join(" ")), (2, "full no 9000 250 9.00".to_owned()));
    }
}
