// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The figures as tables to read, or as JSON to keep.

use std::fmt::Write;

use manyfish_sys::cycles::{CLOCK, Clock};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::calls::{BLOCKS, Request};
use crate::des::{self, BreakEven};
use crate::des_on_486::{self, Compared};
use crate::history;
use crate::machine::Machine;
use crate::messages::{Message, Point};
use crate::paper::{self, Here, Paper};
use crate::rows::{BULK_BYTES, BothWays, Row};
use crate::table::Table;

/// Everything that was measured; the form of the JSON.
#[derive(Debug, Serialize)]
pub struct Report {
    pub(crate) machine: Machine,
    pub(crate) rows: Vec<Row>,
    /// Empty unless asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) requests: Vec<Request>,
    /// Of Twofish.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) curve: Vec<Point>,
    /// Of DES, beside the thread.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) thread: Vec<Compared>,
    /// Of DES.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) break_even: Vec<BreakEven>,
    /// Of every kernel; empty unless asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) messages: Vec<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) paper: Option<Paper>,
}

impl Report {
    pub(crate) fn of(machine: Machine) -> Self {
        Self {
            machine,
            rows: Vec::new(),
            requests: Vec::new(),
            curve: Vec::new(),
            thread: Vec::new(),
            break_even: Vec::new(),
            messages: Vec::new(),
            paper: None,
        }
    }

    /// Sets what follows from rows of DES.
    pub(crate) fn compare_des(&mut self) {
        self.thread = des_on_486::compare(&self.rows);
        self.break_even = des::break_evens(&self.rows);
    }

    pub(crate) fn des_tables(&self) -> String {
        let (rows, thread) = (des::rows_table(&self.rows), des::thread_table(&self.thread));
        format!("{rows}{thread}{}", des::break_even_table(&self.break_even))
    }

    /// Has it messages by all kernels?
    #[must_use]
    pub fn has_messages(&self) -> bool {
        !self.messages.is_empty()
    }

    /// Has it figures of DES, and none of Twofish?
    #[must_use]
    pub fn is_of_des(&self) -> bool {
        !self.thread.is_empty()
    }

    /// Adds the tables of 1998; `why` says why there are no figures of a kernel.
    pub fn compare_with_paper(&mut self, why: impl Fn(&str) -> String) {
        let (rows, messages, in_cycles) =
            (&self.rows, &self.messages, self.machine.counts_cycles());
        self.paper = Some(paper::compare(&Here { rows, messages, in_cycles }, why));
    }

    /// Everything as tables.
    #[must_use]
    pub fn text(&self) -> String {
        let head = head(&self.machine);
        if self.is_of_des() {
            return head + &self.des_tables();
        }
        let rows = if self.paper.is_some() { String::new() } else { rows_table(&self.rows) };
        head + &rows + &self.last_table()
    }

    /// Of Twofish, what comes behind all others.
    pub(crate) fn last_table(&self) -> String {
        self.paper.as_ref().map_or_else(|| curve_table(&self.curve), Paper::text)
    }

    #[must_use]
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
pub(crate) fn three_decimals<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((value * 1000.0).round() / 1000.0)
}

/// The lines above the tables.
pub(crate) fn head(machine: &Machine) -> String {
    let Machine { cpu, architecture, compiler, flags, rustc, commit, date, unit, method } = machine;
    format!(
        "{cpu} ({architecture})\n{compiler}\n{flags}\n{rustc}; commit {commit}; {date}\n\
         {unit}: {method}\n\n"
    )
}

/// Every kernel with every key size, within 80 columns.
pub(crate) fn rows_table(rows: &[Row]) -> String {
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
         waits for the one before; {short_head}, {long_head}: a byte of so many. Two figures are for\n\
         encryption and decryption. 1998: set-up and one block, from\n{}.\n\n",
        history::TABLE_SOURCE
    )
}

/// A block in requests of few and many, one line for each kernel and key size.
pub(crate) fn requests_table(requests: &[Request]) -> String {
    let mut head = vec!["kernel".to_owned(), "key".to_owned()];
    head.extend(BLOCKS.map(|blocks| blocks.to_string()));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new("<>>>>>>>>>>", &head);
    for line in requests.chunks(BLOCKS.len()) {
        let cycles = line.iter().map(|request| format!("{:.0}", request.cycles_per_block));
        let names = [line[0].kernel.to_owned(), line[0].key_bits.to_string()];
        table.row(names.into_iter().chain(cycles));
    }
    format!("Encryption of one block, by the number of blocks in a request\n\n{table}\n")
}

/// Set-up and encryption of one message by the best kernel, one line for each length.
pub(crate) fn curve_table(curve: &[Point]) -> String {
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
    let width = curve.iter().map(|point| point.kernel.len()).max().unwrap_or_default();
    for n_bytes in distinct(curve.iter().map(|point| point.bytes)) {
        let points: Vec<&Point> = curve.iter().filter(|point| point.bytes == n_bytes).collect();
        table.row(curve_row(n_bytes, &points, width));
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

/// `width` is that of the longest name of a kernel.
fn curve_row(n_bytes: usize, points: &[&Point], width: usize) -> Vec<String> {
    let mut cells = vec![n_bytes.to_string()];
    for point in points {
        cells.push(format!("{:<width$} {:>4}", point.kernel, three_digits(point.cycles_per_byte)));
        let past = point.table_1998.as_ref();
        cells.push(past.map(|past| three_digits(past.cycles_per_byte)).unwrap_or_default());
    }
    cells.extend(points.iter().find_map(|point| point.slide_1998).map(|clocks| clocks.to_string()));
    cells
}

pub(crate) fn per_byte(figures: BothWays) -> String {
    format!("{} {}", three_digits(figures.encrypt), three_digits(figures.decrypt))
}

pub(crate) fn three_digits(figure: f64) -> String {
    let decimals = if figure < 9.995 { 2 } else { usize::from(figure < 99.95) };
    format!("{figure:.decimals$}")
}

/// The different values, in the order of their first appearance.
pub(crate) fn distinct(values: impl Iterator<Item = usize>) -> Vec<usize> {
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
    use crate::messages::Past;

    fn row() -> Row {
        let both = |figure| BothWays { encrypt: figure, decrypt: figure + 1.0 };
        Row {
            cipher: "twofish",
            kernel: "full".to_owned(),
            key_bits: 128,
            constant_time: false,
            setup_cycles: 9000.12345,
            block_cycles: both(250.0),
            cycles_per_byte: [(1024, both(9.25)), (8192, both(9.0))].into(),
            context_bytes: 4256,
            code_bytes: Some(5000),
            constant_bytes: None,
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
                + r#""8192":{"encrypt":9.0,"decrypt":10.0}},"context_bytes":4256,"#
                + r#""code_bytes":5000,"constant_bytes":null}"#
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

    #[test]
    fn the_curve_fits_the_screen() {
        let point = |key_bits, cycles_per_byte| Point {
            cipher: "twofish",
            key_bits,
            bytes: 65536,
            kernel: "avx2-gfni".to_owned(),
            cycles_per_byte,
            slide_1998: (key_bits == 128).then_some(140),
            table_1998: Some(Past { option: "Zero", cycles_per_byte: 131.9 }),
        };
        let table = curve_table(&[point(128, 247.2), point(192, 24.72), point(256, 2.472)]);
        let lines: Vec<&str> = table.lines().skip(2).take(2).collect();
        assert!(lines.iter().all(|line| line.len() <= 80), "{table}");
        let expected = "65536 avx2-gfni 247 132 avx2-gfni 24.7 132 avx2-gfni 2.47 132 140";
        assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn requests_have_a_line_for_each_kernel_and_key_size() {
        let request = |kernel, blocks| Request {
            cipher: "twofish",
            kernel,
            key_bits: 128,
            blocks,
            cycles_per_block: if blocks == 1 { 250.4 } else { 99.6 },
        };
        let requests: Vec<Request> =
            ["full", "zero"].iter().flat_map(|kernel| BLOCKS.map(|n| request(kernel, n))).collect();
        let table = requests_table(&requests);
        let lines: Vec<Vec<&str>> =
            table.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0].join(" "), "kernel key 1 2 4 8 16 32 64 100 1000");
        assert_eq!(lines[1].join(" "), "full 128 250 100 100 100 100 100 100 100 100");
        assert_eq!((lines[2][0], lines.len()), ("zero", 4), "and an empty line");
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    }
}
