// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The cost of Twofish in 1998, as its authors printed it. Notes name their misprints, which we do not copy.

use std::sync::LazyLock;

use csv::{ReaderBuilder, StringRecord};

use crate::paper::keying::{Keying, OPTIONS};

/// Where the tables of keying options come from.
pub const TABLE_SOURCE: &str =
    "The Twofish Encryption Algorithm (Wiley, 1999), Table 5.1: Pentium Pro, assembler";
/// Where the curve comes from.
pub const CURVE_SOURCE: &str =
    "Twofish overview, the authors' slides of 1998, \"Speed: Key Setup + Encryption\"";
/// The fault of the curve.
pub const CURVE_NOTE: &str =
    "the slide's 140 for 16 bytes is not explained by its own table, which gives 131.9";

/// The machine of the authors' best figures.
pub const BEST: &str = "Pentium Pro, assembler";

/// One line of a table: bytes of code, and clocks of the set-up and of one block, for keys of 128, 192
/// and 256 bits.
#[derive(Debug)]
pub struct PastRow {
    /// A processor and a language.
    pub machine: String,
    pub keying: &'static Keying,
    pub code_bytes: Option<u32>,
    pub setup: [u32; 3],
    pub block: [u32; 3],
}

/// Table 5.1 of the book, the authors' best machine first, without its forecast.
pub static TABLE_5_1: LazyLock<Vec<PastRow>> =
    LazyLock::new(|| table(include_str!(concat!(env!("MANYFISH_TABLES"), "/table-5.1.csv"))));

/// Table 5.2 of the book: with the fixed tables of 256 KB, which the code size includes.
pub static TABLE_5_2: LazyLock<Vec<PastRow>> =
    LazyLock::new(|| table(include_str!(concat!(env!("MANYFISH_TABLES"), "/table-5.2.csv"))));

/// The measured rows of a file of bench/.
fn table(csv: &str) -> Vec<PastRow> {
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).from_reader(csv.as_bytes());
    let records = reader.records().map(|record| record.expect("a row of a table"));
    let is_whole = |record: &StringRecord| record.iter().skip(5).all(|cell| !cell.is_empty());
    records.filter(is_whole).map(|record| row(&record.iter().collect::<Vec<_>>())).collect()
}

fn row(cells: &[&str]) -> PastRow {
    let &[_, processor, language, kernel, code_bytes, ref clocks @ ..] = cells else {
        panic!("a row of 11 cells, not {cells:?}")
    };
    let number = |cell: &str| cell.parse().expect("a number");
    let clocks: Vec<u32> = clocks.iter().map(|cell| number(cell)).collect();
    let keying = OPTIONS.iter().find(|option| option.kernel == kernel);
    PastRow {
        machine: format!("{processor}, {language}"),
        keying: keying.expect("a keying option"),
        code_bytes: Some(code_bytes).filter(|cell| !cell.is_empty()).map(number),
        setup: clocks[..3].try_into().expect("three key sizes"),
        block: clocks[3..].try_into().expect("three key sizes"),
    }
}

/// The slide, for 128-bit keys: bytes of the message, clocks per byte.
pub const CURVE: [(usize, u32); 7] =
    [(16, 140), (64, 73), (256, 48), (1 << 10, 27), (4 << 10, 21), (16 << 10, 19), (64 << 10, 18)];

/// Bytes of memory for a key, of the slides.
pub fn slide_key_bytes(option: &str) -> Option<u32> {
    let bytes = [("Comp.", 4500), ("Full", 4500), ("Part.", 1400), ("Min.", 1400), ("Zero", 200)];
    bytes.iter().find(|(name, _)| *name == option).map(|(_, bytes)| *bytes)
}

/// The options that other tables are compared with.
fn best_machine() -> impl Iterator<Item = &'static PastRow> {
    TABLE_5_1.iter().filter(|row| row.machine == BEST)
}

/// The clocks of set-up and block of the option that a kernel is called after.
pub fn of_kernel(name: &str, key_bits: usize) -> Option<(u32, u32)> {
    let column = column(key_bits)?;
    let row = best_machine().find(|row| row.keying.kernel == name)?;
    Some((row.setup[column], row.block[column]))
}

/// The slide's clocks per byte.
pub fn slide(key_bits: usize, n_bytes: usize) -> Option<u32> {
    let point = CURVE.iter().find(|(bytes, _)| *bytes == n_bytes);
    point.filter(|_| key_bits == 128).map(|(_, clocks)| *clocks)
}

/// The best option of the table for a message of `n_blocks`, by arithmetic: its name and clocks per byte,
/// set-up included.
pub fn best(key_bits: usize, n_blocks: u32) -> Option<(&'static str, f64)> {
    let column = column(key_bits)?;
    let clocks = |row: &PastRow| row.setup[column] + n_blocks * row.block[column];
    let best = best_machine().min_by_key(|row| clocks(row))?;
    Some((best.keying.option, f64::from(clocks(best)) / f64::from(16 * n_blocks)))
}

/// Where a key size stands in a row.
pub fn column(key_bits: usize) -> Option<usize> {
    [128, 192, 256].iter().position(|bits| *bits == key_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(key_bits: usize, n_bytes: u32) -> (&'static str, String) {
        let (name, clocks) = best(key_bits, n_bytes / 16).unwrap();
        (name, format!("{clocks:.1}"))
    }

    #[test]
    fn the_best_option_changes_with_the_length() {
        assert_eq!(rounded(128, 16), ("Zero", "131.9".into()), "the slide has 140");
        assert_eq!(rounded(128, 64), ("Zero", "73.3".into()));
        assert_eq!(rounded(128, 256), ("Part.", "47.9".into()));
        assert_eq!(rounded(128, 1024), ("Comp.", "24.5".into()), "(8600 + 64 * 258) / 1024");
        assert_eq!(rounded(256, 16), ("Zero", "213.8".into()));
    }

    #[test]
    fn the_slide_is_for_128_bits() {
        assert_eq!(slide(128, 64 << 10), Some(18));
        assert_eq!(slide(128, 32), None);
        assert_eq!(slide(256, 16), None);
    }

    #[test]
    fn options_are_found_by_their_kernel() {
        assert_eq!(of_kernel("zero", 192), Some((1600, 1130)));
        assert_eq!(of_kernel("bitslice", 128), None);
    }

    #[test]
    fn the_tables_are_complete() {
        assert_eq!((TABLE_5_1.len(), TABLE_5_2.len()), (38, 4));
        // More precomputation never sets up faster, nor encrypts slower, and longer keys cost more.
        for rows in [&TABLE_5_1, &TABLE_5_2] {
            for machine in rows.chunk_by(|a, b| a.machine == b.machine) {
                for bits in 0..3 {
                    let falls = machine.is_sorted_by(|a, b| a.setup[bits] > b.setup[bits]);
                    assert!(falls, "{}", machine[0].machine);
                }
            }
            assert!(rows.iter().all(|row| row.setup.is_sorted() && row.block.is_sorted()));
        }
    }

    #[test]
    fn large_tables_save_set_up_and_nothing_else() {
        let of = |row: &PastRow| (row.machine.clone(), row.keying.option);
        for with in TABLE_5_2.iter() {
            let plain = TABLE_5_1.iter().find(|plain| of(plain) == of(with)).unwrap();
            assert!(with.setup[0] < plain.setup[0] && with.block == plain.block);
            // Both sizes are rounded to hundreds.
            assert!(with.code_bytes > plain.code_bytes.map(|bytes| bytes + 256 * 1024 - 100));
        }
    }
}
