// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The figures as tables to read, or as JSON to keep.

use std::fmt::Write;

use manyfish_sys::cycles::{CLOCK, Clock};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::curve::Point;
use super::history;
use super::machine::Machine;
use super::rows::{BULK_BYTES, BothWays, Row};
use crate::table::Table;

/// Everything that was measured; the form of the JSON.
#[derive(Serialize)]
pub struct Report {
    pub machine: Machine,
    pub rows: Vec<Row>,
    pub curve: Vec<Point>,
}

impl Report {
    pub fn json(&self) -> String {
        let text = match CLOCK {
            Clock::Counter => serde_json::to_string_pretty(self),
            Clock::Nanoseconds => serde_json::to_string_pretty(&in_nanoseconds(json!(self))),
        };
        text.expect("plain data") + "\n"
    }
}

/// What is not in cycles must not be called so: renames the members.
fn in_nanoseconds(value: Value) -> Value {
    let renamed = |(name, value): (String, Value)| {
        (name.replace("cycles", "nanoseconds"), in_nanoseconds(value))
    };
    match value {
        Value::Object(members) => members.into_iter().map(renamed).collect(),
        Value::Array(values) => values.into_iter().map(in_nanoseconds).collect(),
        other => other,
    }
}

/// For the JSON: more digits are noise.
#[allow(clippy::trivially_copy_pass_by_ref)] // the form that serde wants
pub fn three_decimals<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((value * 1000.0).round() / 1000.0)
}

/// The lines above the tables.
pub fn head(machine: &Machine) -> String {
    let Machine { cpu, architecture, compiler, flags, rustc, commit, date, unit, method } = machine;
    format!(
        "{cpu} ({architecture})\n{compiler}\n{flags}\n{rustc}; commit {commit}; {date}\n\
         {unit}: {method}\n\n"
    )
}

/// Every kernel with every key size, within 80 columns.
pub fn rows_table(rows: &[Row]) -> String {
    let [short, long] = BULK_BYTES;
    let [short_head, long_head] = BULK_BYTES.map(|n_bytes| format!("{} KiB", n_bytes / 1024));
    let head = ["kernel", "key", "ct", "bytes", "set-up", "one block"];
    let head = [&head[..], &[&short_head, &long_head, "1998", "block"]].concat();
    let mut table = Table::new("<><>>>>>>>", &head);
    for row in rows {
        let past = history::of_kernel(row.kernel, row.key_bits);
        table.row([
            row.kernel.to_owned(),
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
         waits for the one before; {short_head}, {long_head}: a byte of so many. Two figures are for\n\
         encryption and decryption. 1998: set-up and one block, from\n{}.\n\n",
        history::TABLE_SOURCE
    )
}

/// Set-up and encryption of one message by the best kernel, one line for each length.
pub fn curve_table(curve: &[Point]) -> String {
    let key_sizes = distinct(curve.iter().map(|point| point.key_bits));
    let with_slide = key_sizes.contains(&128);
    let mut head = vec!["bytes".to_owned()];
    for bits in &key_sizes {
        head.extend([format!("{bits} bits"), "1998".to_owned()]);
    }
    if with_slide {
        head.push("slide".to_owned());
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new("><><><>>", &head);
    for n_bytes in distinct(curve.iter().map(|point| point.bytes)) {
        let points: Vec<&Point> = curve.iter().filter(|point| point.bytes == n_bytes).collect();
        table.row(curve_row(n_bytes, &points));
    }
    let mut text =
        format!("Set-up and encryption of one message, a byte, by the best kernel\n\n{table}\n");
    let _ = writeln!(text, "1998: the best option by arithmetic of the table named above.");
    if with_slide {
        let _ = writeln!(
            text,
            "Slide, for 128 bits:\n{};\n{}.",
            history::CURVE_SOURCE,
            history::CURVE_NOTE
        );
    }
    text
}

fn curve_row(n_bytes: usize, points: &[&Point]) -> Vec<String> {
    let mut cells = vec![n_bytes.to_string()];
    for point in points {
        cells.push(format!("{:<7} {:>5.1}", point.kernel, point.cycles_per_byte));
        let past = point.table_1998.as_ref();
        cells.push(past.map(|past| format!("{:.1}", past.cycles_per_byte)).unwrap_or_default());
    }
    cells.extend(points.iter().find_map(|point| point.slide_1998).map(|clocks| clocks.to_string()));
    cells
}

/// Three digits each.
fn per_byte(figures: BothWays) -> String {
    let three = |figure: f64| format!("{figure:.*}", if figure < 9.995 { 2 } else { 1 });
    format!("{} {}", three(figures.encrypt), three(figures.decrypt))
}

/// The different values, in the order of their first appearance.
fn distinct(values: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let both = |figure| BothWays { encrypt: figure, decrypt: figure + 1.0 };
        Row {
            cipher: "twofish",
            kernel: "full",
            key_bits: 128,
            constant_time: false,
            setup_cycles: 9000.12345,
            block_cycles: both(250.0),
            cycles_per_byte: [(1024, both(9.25)), (8192, both(9.0))].into(),
            context_bytes: 4256,
        }
    }

    #[test]
    fn json_has_the_promised_form() {
        let json = serde_json::to_string(&row()).unwrap();
        assert_eq!(
            json,
            r#"{"cipher":"twofish","kernel":"full","key_bits":128,"constant_time":false,"#
                .to_owned()
                + r#""setup_cycles":9000.123,"block_cycles":{"encrypt":250.0,"decrypt":251.0},"#
                + r#""cycles_per_byte":{"1024":{"encrypt":9.25,"decrypt":10.25},"#
                + r#""8192":{"encrypt":9.0,"decrypt":10.0}},"context_bytes":4256}"#
        );
    }

    #[test]
    fn nanoseconds_are_never_called_cycles() {
        let rows = json!({"rows": [row()], "method": "no cycles"});
        let renamed = in_nanoseconds(rows).to_string();
        assert!(renamed.contains(r#""setup_nanoseconds":9000.123"#), "{renamed}");
        assert!(renamed.contains(r#""nanoseconds_per_byte":{"1024":"#), "{renamed}");
        assert_eq!(renamed.matches("cycles").count(), 1, "only in the text: {renamed}");
    }

    #[test]
    fn the_table_shows_1998_beside_the_kernel_of_that_name() {
        let table = rows_table(&[row()]);
        let line = table.lines().nth(1).unwrap();
        let cells: Vec<&str> = line.split_whitespace().collect();
        let expected = "full 128 no 4256 9000 250 251 9.25 10.2 9.00 10.0 7600 315";
        assert_eq!(cells.join(" "), expected);
    }
}
