// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The keying options of the sources, and every line of the tables.

use super::notes;
use crate::history::{BEST, PastRow, TABLE_5_1, TABLE_5_2};

/// A keying option of the sources [Twofish98, 5.1.1], and who has it here.
#[derive(Debug)]
pub struct Keying {
    pub name: &'static str,
    pub option: &'static str,
    pub kernel: &'static str,
    /// Bytes of tables for each key, and of tables for all keys.
    pub tables: (u64, u64),
    pub key_sizes: &'static [usize],
}

const ALL_SIZES: &[usize] = &[128, 192, 256];
const LARGE: u64 = 256 << 10;
const HUGE: u64 = 256 << 20;

/// All of them, in the order of the sources. A kernel that a build lacks has dashes.
pub static OPTIONS: [Keying; 10] = [
    keying("Comp.", "Comp.", "compiled", (4096, 0), ALL_SIZES),
    keying("Full", "Full", "full", (4096, 0), ALL_SIZES),
    keying("Part.", "Part.", "partial", (1024, 0), ALL_SIZES),
    keying("Min.", "Min.", "minimal", (1024, 0), ALL_SIZES),
    keying("Zero", "Zero", "zero", (0, 0), ALL_SIZES),
    keying("Comp. 256 KB", "Comp.", "compiled-big", (4096, LARGE), ALL_SIZES),
    keying("Full 256 KB", "Full", "full-big", (4096, LARGE), ALL_SIZES),
    keying("Part. 256 KB", "Part.", "partial-big", (1024, LARGE), ALL_SIZES),
    keying("Comp. 256 MB", "Comp.", "compiled-huge", (4096, HUGE), &[128]),
    // Rows of the large table serve as the S-boxes.
    keying("Full 256 MB", "Full", "full-huge", (0, HUGE), &[128]),
];

impl Keying {
    /// Whether the sources have its figures: not of the tables of 256 MB.
    pub fn has_past(&self) -> bool {
        self.tables.1 < HUGE
    }
}

const fn keying(
    name: &'static str,
    option: &'static str,
    kernel: &'static str,
    tables: (u64, u64),
    key_sizes: &'static [usize],
) -> Keying {
    Keying { name, option, kernel, tables, key_sizes }
}

/// Where a line comes from.
pub struct Past {
    pub table: Option<&'static str>,
    pub machine: &'static str,
    pub row: Option<&'static PastRow>,
    pub note: Option<&'static str>,
}

/// Every line of the sources, and what they have no figures of, each with its option here.
pub fn lines() -> Vec<(&'static Keying, Past)> {
    let line = |table, row: &'static PastRow| {
        let note = notes::of_row(row, table == "5.2");
        (row.keying, Past { table: Some(table), machine: &row.machine, row: Some(row), note })
    };
    let plain = TABLE_5_1.iter().map(|row| line("5.1", row));
    let large = TABLE_5_2.iter().map(|row| line("5.2", row));
    let huge = OPTIONS.iter().filter(|keying| !keying.has_past());
    let past = || Past { table: None, machine: BEST, row: None, note: Some(notes::HUGE) };
    plain.chain(large).chain(huge.map(|keying| (keying, past()))).collect()
}
