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
/// Where the least costs of a message come from.
pub const BEST_SOURCE: &str = "the best option by arithmetic of Tables 5.1 and 5.2 of that book";

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

/// The tables that the book replaced: those of the slides and of the third report.
pub static EARLIER: LazyLock<Vec<EarlierRow>> = LazyLock::new(|| {
    let records = records(include_str!(concat!(env!("MANYFISH_TABLES"), "/table-earlier.csv")));
    records.iter().map(earlier).collect()
});

/// A line of an earlier table. The slides have one figure for a block; with zero keying it is of keys of
/// 128 bits.
#[derive(Debug)]
pub struct EarlierRow {
    pub source: String,
    pub machine: String,
    pub keying: &'static Keying,
    /// Bytes of memory for a key.
    pub key_bytes: Option<u32>,
    pub setup: [u32; 3],
    pub block: [Option<u32>; 3],
}

impl EarlierRow {
    /// The line of the book for the same machine and option.
    pub fn in_book(&self) -> Option<&'static PastRow> {
        let of =
            |row: &&PastRow| row.machine == self.machine && row.keying.name == self.keying.name;
        TABLE_5_1.iter().chain(TABLE_5_2.iter()).find(of)
    }
}

fn records(csv: &str) -> Vec<StringRecord> {
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).from_reader(csv.as_bytes());
    reader.records().map(|record| record.expect("a row of a table")).collect()
}

/// The measured rows of a file of bench/.
fn table(csv: &str) -> Vec<PastRow> {
    let is_whole = |record: &&StringRecord| record.iter().skip(5).all(|cell| !cell.is_empty());
    let records = records(csv);
    records.iter().filter(is_whole).map(|record| row(&record.iter().collect::<Vec<_>>())).collect()
}

fn named(kernel: &str) -> &'static Keying {
    OPTIONS.iter().find(|option| option.kernel == kernel).expect("a keying option")
}

fn earlier(record: &StringRecord) -> EarlierRow {
    let number = |cell: usize| record[cell].parse().ok();
    EarlierRow {
        source: record[0].to_owned(),
        machine: format!("{}, {}", &record[1], &record[2]),
        keying: named(&record[3]),
        key_bytes: number(4),
        setup: [6, 7, 8].map(|cell| number(cell).expect("a number")),
        block: [9, 10, 11].map(number),
    }
}

fn row(cells: &[&str]) -> PastRow {
    let &[_, processor, language, kernel, code_bytes, ref clocks @ ..] = cells else {
        panic!("a row of 11 cells, not {cells:?}")
    };
    let number = |cell: &str| cell.parse().expect("a number");
    let clocks: Vec<u32> = clocks.iter().map(|cell| number(cell)).collect();
    PastRow {
        machine: format!("{processor}, {language}"),
        keying: named(kernel),
        code_bytes: Some(code_bytes).filter(|cell| !cell.is_empty()).map(number),
        setup: clocks[..3].try_into().expect("three key sizes"),
        block: clocks[3..].try_into().expect("three key sizes"),
    }
}

/// The slide, for 128-bit keys: bytes of the message, clocks per byte.
pub const CURVE: [(usize, u32); 7] =
    [(16, 140), (64, 73), (256, 48), (1 << 10, 27), (4 << 10, 21), (16 << 10, 19), (64 << 10, 18)];

/// Bytes of memory for a key, of the slides.
pub fn slide_key_bytes(keying: &Keying) -> Option<u32> {
    EARLIER.iter().find(|row| row.keying.name == keying.name).and_then(|row| row.key_bytes)
}

/// The options that other tables are compared with.
fn best_machine() -> impl Iterator<Item = &'static PastRow> {
    TABLE_5_1.iter().filter(|row| row.machine == BEST)
}

/// Likewise, with the options that have tables of 256 KB.
fn all_of_best_machine() -> impl Iterator<Item = &'static PastRow> {
    best_machine().chain(TABLE_5_2.iter().filter(|row| row.machine == BEST))
}

/// The clocks of set-up and block of the option that a kernel is called after.
pub fn of_kernel(name: &str, key_bits: usize) -> Option<(u32, u32)> {
    let column = column(key_bits)?;
    let row = all_of_best_machine().find(|row| row.keying.kernel == name)?;
    Some((row.setup[column], row.block[column]))
}

/// The slide's clocks per byte.
pub fn slide(key_bits: usize, n_bytes: usize) -> Option<u32> {
    let point = CURVE.iter().find(|(bytes, _)| *bytes == n_bytes);
    point.filter(|_| key_bits == 128).map(|(_, clocks)| *clocks)
}

/// The best option of both tables for a message of `n_blocks`, by arithmetic: its name and clocks per
/// byte, set-up included. A program that has tables of 256 KB here could have them in 1998, too.
pub fn best(key_bits: usize, n_blocks: u32) -> Option<(&'static str, f64)> {
    best_of(all_of_best_machine(), key_bits, n_blocks)
}

/// The best of Table 5.1, which has no tables that are the same for all keys.
pub fn best_of_5_1(key_bits: usize, n_blocks: u32) -> Option<(&'static str, f64)> {
    best_of(best_machine(), key_bits, n_blocks)
}

fn best_of(
    rows: impl Iterator<Item = &'static PastRow>,
    key_bits: usize,
    n_blocks: u32,
) -> Option<(&'static str, f64)> {
    let column = column(key_bits)?;
    let clocks = |row: &PastRow| row.setup[column] + n_blocks * row.block[column];
    let best = rows.min_by_key(|row| clocks(row))?;
    Some((best.keying.name, f64::from(clocks(best)) / f64::from(16 * n_blocks)))
}

/// The clocks that the slides' own table gives for a message of `n_blocks` with a 128-bit key, a byte.
pub fn best_of_slides(n_blocks: u32) -> Option<(&'static str, f64)> {
    let rows = EARLIER.iter().filter(|row| row.source == "slides" && row.machine == BEST);
    let clocks = |row: &EarlierRow| Some(row.setup[0] + n_blocks * row.block[0]?);
    let (clocks, row) =
        rows.filter_map(|row| Some((clocks(row)?, row))).min_by_key(|(clocks, _)| *clocks)?;
    Some((row.keying.name, f64::from(clocks) / f64::from(16 * n_blocks)))
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
        assert_eq!(rounded(128, 64), ("Part. 256 KB", "69.4".into()), "(2600 + 4 * 460) / 64");
        assert_eq!(rounded(128, 128), ("Part. 256 KB", "49.1".into()));
        assert_eq!(rounded(128, 512), ("Comp. 256 KB", "28.8".into()), "(6500 + 32 * 258) / 512");
        assert_eq!(rounded(256, 16), ("Zero", "213.8".into()));
    }

    #[test]
    fn without_large_tables_other_options_are_best() {
        let of = |n_bytes: u32| {
            let (name, clocks) = best_of_5_1(128, n_bytes / 16).unwrap();
            (name, format!("{clocks:.1}"))
        };
        assert_eq!([of(64), of(256)], [("Zero", "73.3".into()), ("Part.", "47.9".into())]);
        assert_eq!(of(1024), ("Comp.", "24.5".into()), "(8600 + 64 * 258) / 1024");
    }

    /// The slides print 140 for 16 bytes; all other figures follow from their table.
    #[test]
    fn the_slide_follows_from_the_table_of_the_slides() {
        for (n_bytes, clocks) in CURVE {
            let n_blocks = u32::try_from(n_bytes / 16).unwrap();
            let (_, by_table) = best_of_slides(n_blocks).unwrap();
            let rounded = format!("{by_table:.0}");
            let expected = if n_bytes == 16 { "132".to_owned() } else { clocks.to_string() };
            assert_eq!(rounded, expected, "{n_bytes} bytes");
        }
    }

    /// Earlier tables differ from the book where the notes say so, and nowhere else.
    #[test]
    fn earlier_tables_differ_in_known_places() {
        assert_eq!(EARLIER.len(), 9 + 10 + 4);
        let differs = |row: &&EarlierRow| {
            let book = row.in_book().expect("a row of the book");
            let blocks = row.block.iter().zip(book.block);
            row.setup != book.setup
                || blocks.into_iter().any(|(then, now)| then.is_some_and(|then| then != now))
        };
        let name = |row: &EarlierRow| format!("{}: {}", row.source, row.keying.kernel);
        let found: Vec<String> = EARLIER.iter().filter(differs).map(name).collect();
        let expected = ["slides: zero", "slides: compiled", "slides: full", "report: compiled"];
        assert_eq!(found, [&expected[..], &["report: compiled-big"]].concat());
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
