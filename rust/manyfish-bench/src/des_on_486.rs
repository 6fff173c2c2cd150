// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The cost of DES in the middle of the 1990s, from a mailing list [KarnThread].

use serde::Serialize;

use crate::des::bulk_block;
use crate::report::{three_decimals, three_digits};
use crate::rows::Row;
use crate::table::Table;

pub const SOURCE: &str =
    "P. Karn and others, \"fast 386 DES code figures\", Cypherpunks mailing list";
/// A note on the figures.
pub const NOTE: &str = "\
Then: 16-bit code with tables of 2 KB on a 486 at 50 MHz, with the loop in C around
it; of 3DES an estimate from the two above it, without its inner permutations.
The commercial DES was given as 40,600 blocks/s at 33 MHz. Here: one block waits
for the one before; without IP and FP is what a step of 3DES adds to DES.";

/// A rate that was claimed.
struct Claim {
    what: &'static str,
    cipher: &'static str,
    blocks_per_second: u32,
    hertz: u32,
}

const CLOCK: u32 = 50_000_000;

/// By tables of 2 KB.
const CLAIMS: [Claim; 4] = [
    Claim { what: "DES", cipher: "des", blocks_per_second: 38_373, hertz: CLOCK },
    Claim {
        what: "DES without IP and FP",
        cipher: "step",
        blocks_per_second: 42_986,
        hertz: CLOCK,
    },
    Claim { what: "3DES", cipher: "3des", blocks_per_second: 13_777, hertz: CLOCK },
    Claim { what: "DES, commercial", cipher: "des", blocks_per_second: 40_600, hertz: 33_000_000 },
];

impl Claim {
    fn exact_clocks(&self) -> f64 {
        f64::from(self.hertz) / f64::from(self.blocks_per_second)
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some thousand
    fn clocks(&self) -> u32 {
        self.exact_clocks().round() as u32
    }
}

/// Clocks of a block of "des" or "3des" on the 486.
pub fn clocks_of(cipher: &str) -> Option<u32> {
    CLAIMS.iter().find(|claim| claim.cipher == cipher).map(Claim::clocks)
}

/// A claim beside a kernel of this machine; the names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct Compared {
    pub what: &'static str,
    pub clocks_then: u32,
    /// At 50 MHz.
    #[serde(serialize_with = "three_decimals")]
    pub blocks_per_second_then: f64,
    pub kernel: String,
    #[serde(serialize_with = "three_decimals")]
    pub cycles: f64,
    /// At 50 MHz.
    #[serde(serialize_with = "three_decimals")]
    pub blocks_per_second: f64,
    /// How many times as fast, clock for clock.
    #[serde(serialize_with = "three_decimals")]
    pub times: f64,
}

/// Each claim beside the same work by `sp2k`, then DES and Triple-DES beside the best kernel for many
/// blocks at once.
pub fn compare(rows: &[Row]) -> Vec<Compared> {
    let simple = CLAIMS.iter().filter_map(|claim| {
        let cycles = simple_cycles(rows, claim.cipher)?;
        Some(compared(claim, claim.what, "sp2k", cycles))
    });
    let bulk = [(&CLAIMS[0], "DES, many at once"), (&CLAIMS[2], "3DES, many at once")];
    let bulk = bulk.into_iter().filter_map(|(claim, what)| {
        let of_cipher = rows.iter().filter(|row| row.cipher == claim.cipher);
        let best = of_cipher.min_by(|a, b| bulk_block(a).total_cmp(&bulk_block(b)))?;
        Some(compared(claim, what, &best.kernel, bulk_block(best)))
    });
    simple.chain(bulk).collect()
}

/// Cycles of a block by `sp2k`; of a "step", what the second and the third one of Triple-DES add, half
/// each: they are without permutations.
fn simple_cycles(rows: &[Row], cipher: &str) -> Option<f64> {
    let of = |cipher: &str| {
        let row = rows.iter().find(|row| row.cipher == cipher && row.kernel == "sp2k")?;
        Some(row.block_cycles.encrypt)
    };
    if cipher == "step" { Some((of("3des")? - of("des")?) / 2.0) } else { of(cipher) }
}

fn compared(claim: &Claim, what: &'static str, kernel: &str, cycles: f64) -> Compared {
    Compared {
        what,
        clocks_then: claim.clocks(),
        blocks_per_second_then: f64::from(CLOCK) / claim.exact_clocks(),
        kernel: kernel.to_owned(),
        cycles,
        blocks_per_second: f64::from(CLOCK) / cycles,
        times: claim.exact_clocks() / cycles,
    }
}

/// A 486 and this machine at equal clock.
pub fn table(compared: &[Compared]) -> String {
    let head = ["", "then: clocks", "blocks/s", "here: kernel", "clocks", "blocks/s", "times"];
    let mut table = Table::new("<>><>>>", &head);
    for line in compared {
        table.row([
            line.what.to_owned(),
            line.clocks_then.to_string(),
            format!("{:.0}", line.blocks_per_second_then),
            line.kernel.clone(),
            format!("{:.0}", line.cycles),
            format!("{:.0}", line.blocks_per_second),
            three_digits(line.times),
        ]);
    }
    format!("DES on a 486 and on this machine, both as if at 50 MHz\n\n{table}\n{NOTE}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::des::tests::row;

    #[test]
    fn clocks_follow_from_the_rates() {
        assert_eq!(CLAIMS.map(|claim| claim.clocks()), [1303, 1163, 3629, 813]);
        // The estimate is that of three without permutations and one pair of them.
        assert_eq!(
            CLAIMS[2].clocks(),
            3 * CLAIMS[1].clocks() + CLAIMS[0].clocks() - CLAIMS[1].clocks()
        );
        assert_eq!((clocks_of("3des"), clocks_of("aes")), (Some(3629), None));
    }

    #[test]
    fn equal_clock_makes_the_ratio() {
        let rows = [
            row("des", "sp2k", 400.0, 250.0, 16.0),
            row("3des", "sp2k", 1200.0, 700.0, 40.0),
            row("des", "bitslice", 500.0, 9000.0, 2.0),
        ];
        let lines = compare(&rows);
        let found: Vec<_> =
            lines.iter().map(|line| (line.what, &*line.kernel, line.cycles)).collect();
        let expected = [
            ("DES", "sp2k", 250.0),
            ("DES without IP and FP", "sp2k", 225.0),
            ("3DES", "sp2k", 700.0),
            ("DES, commercial", "sp2k", 250.0),
            ("DES, many at once", "bitslice", 16.0),
            ("3DES, many at once", "sp2k", 320.0),
        ];
        assert_eq!(found, expected);
        assert!((lines[0].times - 5.212).abs() < 1e-3);
        assert!((lines[0].blocks_per_second - 200_000.0).abs() < 1e-9);
        let rates = lines.iter().map(|line| format!("{:.0}", line.blocks_per_second_then));
        let expected = ["38373", "42986", "13777", "61515", "38373", "13777"];
        assert_eq!(rates.collect::<Vec<_>>(), expected);
        assert!(compare(&rows[2..]).len() == 1, "what is not measured is left out");
    }
}
