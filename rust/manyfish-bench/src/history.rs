// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What Twofish cost in 1998, as its authors printed it. What they misprinted is told in notes, and not
//! copied.

/// Where the tables of keying options come from.
pub const TABLE_SOURCE: &str =
    "The Twofish Encryption Algorithm (Wiley, 1999), Table 5.1: Pentium Pro, assembler";
/// Where the curve comes from.
pub const CURVE_SOURCE: &str =
    "Twofish overview, the authors' slides of 1998, \"Speed: Key Setup + Encryption\"";
/// What is wrong with the curve.
pub const CURVE_NOTE: &str =
    "the slide's 140 for 16 bytes is not explained by its own table, which gives 131.9";

/// One line of a table: bytes of code, and clocks of the set-up and of one block, for keys of 128, 192
/// and 256 bits.
#[derive(Debug, PartialEq, Eq)]
pub struct PastRow {
    pub option: &'static str,
    pub code_bytes: Option<u32>,
    pub setup: [u32; 3],
    pub block: [u32; 3],
}

/// A processor and a language.
#[derive(Debug)]
pub struct PastMachine {
    pub name: &'static str,
    pub rows: &'static [PastRow],
}

/// Table 5.1 of the book, the authors' best machine first.
pub const TABLE_5_1: [PastMachine; 9] = [
    PastMachine {
        name: "Pentium Pro, assembler",
        rows: &[
            row("Comp.", Some(9000), [8600, 11300, 14100], [258, 258, 258]),
            row("Full", Some(8500), [7600, 10400, 13200], [315, 315, 315]),
            row("Part.", Some(10700), [4900, 7600, 10500], [460, 460, 460]),
            row("Min.", Some(13600), [2400, 5300, 8200], [720, 720, 720]),
            row("Zero", Some(9100), [1250, 1600, 2000], [860, 1130, 1420]),
        ],
    },
    PastMachine {
        name: "Pentium Pro, Microsoft C",
        rows: &[
            row("Full", Some(11200), [8000, 11200, 15700], [600, 600, 600]),
            row("Part.", Some(13200), [7100, 9700, 14100], [800, 800, 800]),
            row("Min.", Some(16600), [3000, 7800, 12200], [1130, 1130, 1130]),
            row("Zero", Some(10500), [2450, 3200, 4000], [1310, 1750, 2200]),
        ],
    },
    PastMachine {
        name: "Pentium Pro, Borland C",
        rows: &[
            row("Full", Some(14100), [10300, 13600, 18800], [640, 640, 640]),
            row("Part.", Some(14300), [9500, 11200, 16600], [840, 840, 840]),
            row("Min.", Some(17300), [4600, 10300, 15300], [1160, 1160, 1160]),
            row("Zero", Some(10100), [3200, 4200, 4800], [1910, 2670, 3470]),
        ],
    },
    PastMachine {
        name: "Pentium, assembler",
        rows: &[
            row("Comp.", Some(9100), [12300, 14600, 17100], [290, 290, 290]),
            row("Full", Some(8200), [11000, 13500, 16200], [315, 315, 315]),
            row("Part.", Some(10300), [5500, 7800, 9800], [430, 430, 430]),
            row("Min.", Some(12600), [3700, 5900, 7900], [740, 740, 740]),
            row("Zero", Some(8700), [1800, 2100, 2600], [1000, 1300, 1600]),
        ],
    },
    PastMachine {
        name: "Pentium, Microsoft C",
        rows: &[
            row("Full", Some(11800), [11900, 15100, 21500], [630, 630, 630]),
            row("Part.", Some(14100), [9200, 13400, 19800], [900, 900, 900]),
            row("Min.", Some(17800), [3800, 11100, 16900], [1460, 1460, 1460]),
            row("Zero", Some(11300), [2800, 3900, 4900], [1740, 2260, 2760]),
        ],
    },
    PastMachine {
        name: "Pentium, Borland C",
        rows: &[
            row("Full", Some(12700), [14200, 18100, 26100], [870, 870, 870]),
            row("Part.", Some(14200), [11200, 16500, 24100], [1100, 1100, 1100]),
            row("Min.", Some(17500), [4700, 12100, 19200], [1860, 1860, 1860]),
            row("Zero", Some(11800), [3700, 4900, 6100], [2150, 2730, 3270]),
        ],
    },
    PastMachine {
        name: "UltraSPARC, C",
        rows: &[
            row("Full", None, [16600, 21600, 24900], [750, 750, 750]),
            row("Part.", None, [8300, 13300, 19900], [930, 930, 930]),
            row("Min.", None, [3300, 11600, 16600], [1200, 1200, 1200]),
            row("Zero", None, [1700, 3300, 5000], [1450, 1680, 1870]),
        ],
    },
    PastMachine {
        name: "PowerPC 750, C",
        rows: &[
            row("Full", None, [12200, 17100, 22200], [590, 590, 590]),
            row("Part.", None, [7800, 12200, 17300], [780, 780, 780]),
            row("Min.", None, [2900, 9100, 14200], [1280, 1280, 1280]),
            row("Zero", None, [2500, 3600, 4900], [1030, 1580, 2040]),
        ],
    },
    PastMachine {
        name: "68040, C",
        rows: &[
            row("Full", Some(16700), [53000, 63500, 96700], [3500, 3500, 3500]),
            row("Part.", Some(18100), [36700, 47500, 78500], [4900, 4900, 4900]),
            row("Min.", Some(23300), [11000, 40000, 71800], [8150, 8150, 8150]),
            row("Zero", Some(16200), [9800, 13300, 17000], [6800, 8600, 10400]),
        ],
    },
];

/// Table 5.2 of the book: with the fixed tables of 256 KB, which the code size includes.
pub const TABLE_5_2: [PastMachine; 2] = [
    PastMachine {
        name: "Pentium Pro, assembler",
        rows: &[
            row("Comp.", Some(271_200), [6500, 9200, 11900], [258, 258, 258]),
            row("Full", Some(270_600), [5300, 8000, 11000], [315, 315, 315]),
            row("Part.", Some(272_900), [2600, 5300, 8200], [460, 460, 460]),
        ],
    },
    PastMachine {
        name: "Pentium Pro, Microsoft C",
        rows: &[row("Full", Some(273_300), [7300, 11200, 15700], [600, 600, 600])],
    },
];

/// The slide, for 128-bit keys: bytes of the message, clocks per byte.
pub const CURVE: [(usize, u32); 7] =
    [(16, 140), (64, 73), (256, 48), (1 << 10, 27), (4 << 10, 21), (16 << 10, 19), (64 << 10, 18)];

/// Bytes of memory for a key, of the slides.
pub fn slide_key_bytes(option: &str) -> Option<u32> {
    let bytes = [("Comp.", 4500), ("Full", 4500), ("Part.", 1400), ("Min.", 1400), ("Zero", 200)];
    bytes.iter().find(|(name, _)| *name == option).map(|(_, bytes)| *bytes)
}

const fn row(
    option: &'static str,
    code_bytes: Option<u32>,
    setup: [u32; 3],
    block: [u32; 3],
) -> PastRow {
    PastRow { option, code_bytes, setup, block }
}

/// The options that other tables are compared with: Pentium Pro, assembler.
pub fn best_machine() -> &'static [PastRow] {
    TABLE_5_1[0].rows
}

/// The kernel of an option without large tables.
pub fn kernel(option: &str) -> &'static str {
    match option {
        "Comp." => "compiled",
        "Full" => "full",
        "Part." => "partial",
        "Min." => "minimal",
        _ => "zero",
    }
}

/// The option of a kernel's name, and its clocks of set-up and block.
pub fn of_kernel(name: &str, key_bits: usize) -> Option<(u32, u32)> {
    let column = column(key_bits)?;
    let row = best_machine().iter().find(|row| kernel(row.option) == name)?;
    Some((row.setup[column], row.block[column]))
}

/// The slide's clocks per byte.
pub fn slide(key_bits: usize, n_bytes: usize) -> Option<u32> {
    let point = CURVE.iter().find(|(bytes, _)| *bytes == n_bytes);
    point.filter(|_| key_bits == 128).map(|(_, clocks)| *clocks)
}

/// The best option of the table for a message of so many blocks, by arithmetic: its name and clocks
/// per byte, set-up included.
pub fn best(key_bits: usize, n_blocks: u32) -> Option<(&'static str, f64)> {
    let column = column(key_bits)?;
    let clocks = |row: &PastRow| row.setup[column] + n_blocks * row.block[column];
    let best = best_machine().iter().min_by_key(|row| clocks(row))?;
    Some((best.option, f64::from(clocks(best)) / f64::from(16 * n_blocks)))
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
        let lines = |table: &[PastMachine]| table.iter().map(|machine| machine.rows.len()).sum();
        assert_eq!((lines(&TABLE_5_1), lines(&TABLE_5_2)), (38usize, 4usize));
        // More precomputation never sets up faster, nor encrypts slower, and longer keys cost more.
        for machine in TABLE_5_1.iter().chain(&TABLE_5_2) {
            for pair in machine.rows.windows(2) {
                for bits in 0..3 {
                    assert!(pair[0].setup[bits] > pair[1].setup[bits], "{}", machine.name);
                }
            }
            let grows = |figures: &[u32; 3]| figures.is_sorted();
            assert!(machine.rows.iter().all(|row| grows(&row.setup) && grows(&row.block)));
        }
    }

    #[test]
    fn large_tables_save_set_up_and_nothing_else() {
        for with in &TABLE_5_2 {
            let without = TABLE_5_1.iter().find(|machine| machine.name == with.name).unwrap();
            for row in with.rows {
                let plain = without.rows.iter().find(|plain| plain.option == row.option).unwrap();
                assert!(row.setup[0] < plain.setup[0] && row.block == plain.block);
                // Both sizes are rounded to hundreds.
                assert!(row.code_bytes > plain.code_bytes.map(|bytes| bytes + 256 * 1024 - 100));
            }
        }
    }
}
