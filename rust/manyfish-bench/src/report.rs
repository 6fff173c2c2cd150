// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The figures as tables to read, or as JSON to keep.

use manyfish_sys::cycles::{CLOCK, Clock};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::calls::Call;
use crate::des::{self, BreakEven};
use crate::des_on_486::{self, Compared};
use crate::keys::ManyKeys;
use crate::machine::Machine;
use crate::messages::{self, Message, Point};
use crate::paper::{self, Here, Paper};
use crate::rows::{self, BothWays, Row};
use crate::table::Table;

/// Everything that was measured; the form of the JSON.
#[derive(Debug, Serialize)]
pub struct Report {
    pub(crate) machine: Machine,
    pub(crate) rows: Vec<Row>,
    /// Empty unless asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) calls: Vec<Call>,
    /// The same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) keys: Vec<ManyKeys>,
    /// Of Twofish.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) curve: Vec<Point>,
    /// Of DES, beside figures of a 486.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) des_on_486: Vec<Compared>,
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
            calls: Vec::new(),
            keys: Vec::new(),
            curve: Vec::new(),
            des_on_486: Vec::new(),
            break_even: Vec::new(),
            messages: Vec::new(),
            paper: None,
        }
    }

    /// Sets what follows from rows of DES.
    pub(crate) fn compare_des(&mut self) {
        self.des_on_486 = des_on_486::compare(&self.rows);
        self.break_even = des::break_evens(&self.rows);
    }

    pub(crate) fn des_tables(&self) -> String {
        let parts = [
            des::table(&self.rows),
            des_on_486::table(&self.des_on_486),
            des::break_even_table(&self.break_even),
        ];
        parts.concat()
    }

    /// Has it messages by all kernels?
    #[must_use]
    pub fn has_messages(&self) -> bool {
        !self.messages.is_empty()
    }

    /// Has it figures of DES, and none of Twofish?
    #[must_use]
    pub fn is_of_des(&self) -> bool {
        !self.des_on_486.is_empty()
    }

    /// Adds the tables of 1998; `why` says why there are no figures of a kernel.
    pub fn compare_with_paper(&mut self, why: impl Fn(&str) -> String) {
        let (rows, messages, in_cycles) =
            (&self.rows, &self.messages, self.machine.counts_cycles());
        self.paper = Some(paper::compare(&Here { rows, messages, in_cycles }, why));
    }

    /// Set-up, a block alone and a byte in bulk of each kernel, with keys of one size.
    #[must_use]
    pub fn brief(&self, key_bits: usize) -> Table {
        rows::brief(&self.rows, key_bits)
    }

    /// Everything as tables.
    #[must_use]
    pub fn text(&self) -> String {
        let head = head(&self.machine);
        if self.is_of_des() {
            return head + &self.des_tables();
        }
        let rows = if self.paper.is_some() { String::new() } else { rows::table(&self.rows) };
        head + &rows + &self.last_table()
    }

    /// Of Twofish, what comes behind all others.
    pub(crate) fn last_table(&self) -> String {
        self.paper.as_ref().map_or_else(|| messages::table(&self.curve), Paper::text)
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

/// Renames the members of a report that is not in cycles.
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

#[allow(clippy::ref_option)] // likewise
pub(crate) fn maybe_three_decimals<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => three_decimals(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// The lines above the tables.
pub(crate) fn head(machine: &Machine) -> String {
    let Machine { cpu, architecture, compiler, flags, rustc, unit, method, .. } = machine;
    format!(
        "{cpu} ({architecture})\n{compiler}\n{flags}\n{rustc}; {}\n\
         {unit}: {method}\n\n",
        machine.commit_and_date("; ")
    )
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
    use crate::rows::tests::row;

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
}
