// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The figures with what they were measured on, as JSON.

use std::collections::BTreeMap;

use manyfish_bench::machine::Machine;
use manyfish_bench::stopwatch::{Figure, UNIT};
use serde::Serialize;

use crate::measure::Measure;
use crate::operation::Implementation;
use crate::{Wanted, ours};

/// A clock that changes by more than this makes figures of different minutes incomparable.
const DRIFT_LIMIT: f64 = 0.02;
/// So much is the median above the minimum on a machine that has nothing else to do, or less.
const SPREAD_LIMIT: f64 = 0.05;

/// The form of the JSON.
#[derive(Debug, Serialize)]
pub struct Report {
    cipher: &'static str,
    many: bool,
    machine: Machine,
    /// Of each implementation.
    versions: BTreeMap<String, String>,
    missing: Vec<String>,
    default_kernel: String,
    pub quality: Quality,
    rows: Vec<Row>,
}

/// How far the figures can be trusted: each is the fraction by which the larger exceeds the smaller.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Quality {
    /// The fastest clock of all measures against the slowest.
    pub clock_drift: f64,
    /// The median of a figure's runs against their minimum: the middle one of all figures.
    pub spread: f64,
}

#[derive(Debug, Serialize)]
struct Row {
    implementation: String,
    /// Only known of ours.
    constant_time: Option<bool>,
    key_bits: usize,
    measure: String,
    minimum: f64,
    median: f64,
    #[serde(skip)]
    cycles_per_tick: f64,
}

impl Report {
    #[must_use]
    pub fn begin(wanted: &Wanted, everybody: &[Box<dyn Implementation>], missing: &[&str]) -> Self {
        let here = Machine::here();
        let method = here.method.clone() + "; everybody in turn";
        let machine = Machine { commit: Some(wanted.commit.clone()), method, ..here };
        Self {
            cipher: wanted.cipher.name(),
            many: wanted.many,
            machine,
            versions: everybody.iter().map(|who| (who.name(), who.version())).collect(),
            missing: missing.iter().map(|&text| text.to_owned()).collect(),
            default_kernel: ours::default_name(wanted.cipher),
            quality: Quality::default(),
            rows: Vec::new(),
        }
    }

    pub fn add(
        &mut self,
        everybody: &[Box<dyn Implementation>],
        measure: Measure,
        figures: &[(usize, Figure)],
    ) {
        let unit = if UNIT == "nanoseconds" { UNIT } else { "cycles" };
        self.rows.extend(figures.iter().map(|(place, figure)| Row {
            implementation: everybody[*place].name(),
            constant_time: everybody[*place].constant_time(),
            key_bits: measure.key_bits,
            measure: measure.name(unit),
            minimum: three_decimals(figure.minimum),
            median: three_decimals(figure.median),
            cycles_per_tick: figure.cycles_per_tick,
        }));
        self.quality = Quality::of(&self.rows);
    }

    /// The reasons to doubt the figures.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let percent = |fraction: f64| format!("{:.1} %", fraction * 100.0);
        let Quality { clock_drift, spread } = self.quality;
        let mut warnings = Vec::new();
        if clock_drift > DRIFT_LIMIT {
            warnings.push(format!("the core's clock drifted by {}", percent(clock_drift)));
        }
        if spread > SPREAD_LIMIT {
            let spread = percent(spread);
            warnings
                .push(format!("half of the figures spread by {spread} or more: a busy machine"));
        }
        warnings
    }

    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data")
    }
}

impl Quality {
    fn of(rows: &[Row]) -> Self {
        let sorted = |value: fn(&Row) -> f64| {
            let mut values: Vec<f64> = rows.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let clocks = sorted(|row| row.cycles_per_tick);
        let spreads = sorted(|row| row.median / row.minimum - 1.0);
        let drift =
            clocks.last().zip(clocks.first()).map(|(fastest, slowest)| fastest / slowest - 1.0);
        Self {
            clock_drift: three_decimals(drift.unwrap_or_default()),
            spread: three_decimals(spreads.get(spreads.len() / 2).copied().unwrap_or_default()),
        }
    }
}

/// More digits are noise.
fn three_decimals(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cipher;

    fn row(minimum: f64, median: f64, cycles_per_tick: f64) -> Row {
        Row {
            implementation: "somebody".to_owned(),
            constant_time: None,
            key_bits: 128,
            measure: "setup_cycles".to_owned(),
            minimum,
            median,
            cycles_per_tick,
        }
    }

    fn warned(rows: Vec<Row>) -> String {
        let (cipher, commit) = (Cipher::Twofish, "0123abc".to_owned());
        let wanted = Wanted { cipher, many: false, quick: true, commit };
        let mut report = Report::begin(&wanted, &[], &[]);
        report.quality = Quality::of(&rows);
        report.rows = rows;
        report.warnings().join("; ")
    }

    #[test]
    fn a_quiet_machine_warns_of_nothing() {
        assert_eq!(warned(vec![row(100.0, 101.0, 1.5), row(10.0, 10.1, 1.51)]), "");
    }

    #[test]
    fn a_busy_machine_and_a_drifting_clock_are_told() {
        let rows = vec![row(100.0, 101.0, 1.5), row(10.0, 12.0, 1.65), row(10.0, 13.0, 1.6)];
        let warnings = warned(rows);
        assert!(warnings.contains("drifted by 10.0 %"), "{warnings}");
        assert!(warnings.contains("spread by 20.0 %"), "{warnings}");
    }
}
