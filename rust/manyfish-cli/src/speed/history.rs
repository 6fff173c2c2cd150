// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What Twofish cost in 1998 on a Pentium Pro, in assembler, as its authors printed it.

/// Where the table of keying options comes from.
pub const TABLE_SOURCE: &str =
    "The Twofish Encryption Algorithm (Wiley, 1999), Table 5.1: Pentium Pro, assembler";
/// Where the curve comes from.
pub const CURVE_SOURCE: &str =
    "Twofish overview, the authors' slides of 1998, \"Speed: Key Setup + Encryption\"";
/// What is wrong with the curve.
pub const CURVE_NOTE: &str =
    "the slide's 140 for 16 bytes is not explained by its own table, which gives 131.9";

/// One keying option: clocks of the set-up and of one block for 128, 192 and 256 bits of key.
pub struct Option1998 {
    pub name: &'static str,
    /// The kernel of the same name, where there is one.
    pub kernel: &'static str,
    pub setup: [u32; 3],
    pub block: [u32; 3],
}

/// Table 5.1 of the book.
pub const TABLE: [Option1998; 5] = [
    option("Comp.", "compiled", [8600, 11300, 14100], [258, 258, 258]),
    option("Full", "full", [7600, 10400, 13200], [315, 315, 315]),
    option("Part.", "partial", [4900, 7600, 10500], [460, 460, 460]),
    option("Min.", "minimal", [2400, 5300, 8200], [720, 720, 720]),
    option("Zero", "zero", [1250, 1600, 2000], [860, 1130, 1420]),
];

/// The slide, for 128-bit keys: bytes of the message, clocks per byte.
pub const CURVE: [(usize, u32); 7] =
    [(16, 140), (64, 73), (256, 48), (1 << 10, 27), (4 << 10, 21), (16 << 10, 19), (64 << 10, 18)];

const fn option(
    name: &'static str,
    kernel: &'static str,
    setup: [u32; 3],
    block: [u32; 3],
) -> Option1998 {
    Option1998 { name, kernel, setup, block }
}

/// The option of a kernel's name, and its clocks of set-up and block.
pub fn of_kernel(kernel: &str, key_bits: usize) -> Option<(u32, u32)> {
    let column = column(key_bits)?;
    let option = TABLE.iter().find(|option| option.kernel == kernel)?;
    Some((option.setup[column], option.block[column]))
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
    let clocks = |option: &Option1998| option.setup[column] + n_blocks * option.block[column];
    let best = TABLE.iter().min_by_key(|option| clocks(option))?;
    Some((best.name, f64::from(clocks(best)) / f64::from(16 * n_blocks)))
}

fn column(key_bits: usize) -> Option<usize> {
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
}
