// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The build, the machine and the date of a measurement: a figure without them says nothing.

use std::collections::BTreeSet;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::stopwatch::{CYCLES, UNIT, method};

/// The head of every report; the names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct Machine {
    pub cpu: String,
    pub architecture: String,
    pub compiler: String,
    pub flags: String,
    pub rustc: String,
    /// None where the sources came without their history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    pub date: String,
    pub unit: String,
    pub method: String,
}

impl Machine {
    /// The name of the processor.
    #[must_use]
    pub fn cpu_here() -> String {
        cpu(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
    }

    /// Figures in another unit are compared with no others.
    #[must_use]
    pub fn counts_cycles(&self) -> bool {
        self.unit == CYCLES
    }

    #[must_use]
    pub fn here() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            cpu: Self::cpu_here(),
            architecture: std::env::consts::ARCH.to_owned(),
            compiler: manyfish_sys::C_COMPILER.to_owned(),
            flags: manyfish_sys::C_FLAGS.to_owned(),
            rustc: env!("MANYFISH_RUSTC").to_owned(),
            commit: Some(env!("MANYFISH_COMMIT").to_owned()).filter(|commit| !commit.is_empty()),
            date: date(now.as_secs()),
            unit: UNIT.to_owned(),
            method: method(),
        }
    }
}

impl Machine {
    /// "commit 1234567, 2026-01-31", as much of it as is known.
    pub(crate) fn commit_and_date(&self, between: &str) -> String {
        let commit = self.commit.as_ref();
        let commit = commit.map(|commit| format!("commit {commit}{between}")).unwrap_or_default();
        commit + &self.date
    }
}

/// The name of the processor, as Linux tells it on x86, where family and model say more than the name of a
/// virtual machine; on ARM the numbers of its cores, of which it may have several kinds.
fn cpu(cpuinfo: &str) -> String {
    let fields = || {
        let pairs = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        pairs.map(|(key, value)| (key.trim(), value.trim()))
    };
    let field = |name: &str| fields().find(|(key, _)| *key == name).map(|(_, value)| value);
    match (field("model name"), field("cpu family"), field("model"), field("CPU implementer")) {
        (Some(name), Some(family), Some(model), _) => {
            format!("{name}, family {family} model {model}")
        }
        (Some(name), ..) => name.to_owned(),
        (None, _, _, Some(implementer)) => {
            let parts: BTreeSet<_> = fields().filter(|(key, _)| *key == "CPU part").collect();
            let parts: Vec<_> = parts.into_iter().map(|(_, part)| part).collect();
            format!("ARM implementer {implementer} part {}", parts.join(" and "))
        }
        _ => "unknown CPU".to_owned(),
    }
}

/// Seconds since 1970 as a date of the Gregorian calendar, UTC.
fn date(seconds: u64) -> String {
    let mut days = seconds / (24 * 60 * 60);
    let mut year = 1970;
    while days >= days_of_year(year) {
        days -= days_of_year(year);
        year += 1;
    }
    let february = if days_of_year(year) == 366 { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}

fn days_of_year(year: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    if is_leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_735_689_599), "2024-12-31");
        assert_eq!(date(1_735_689_600), "2025-01-01");
    }

    #[test]
    fn the_processor_is_named() {
        let text = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Some CPU\n";
        assert_eq!(cpu(text), "Some CPU, family 6 model 143");
        assert_eq!(cpu("processor : 0\n"), "unknown CPU");
        let core = |part: &str| format!("CPU implementer : 0x41\nCPU part : {part}\n\n");
        let text = core("0xd0b") + &core("0xd05") + &core("0xd0b");
        assert_eq!(cpu(&text), "ARM implementer 0x41 part 0xd05 and 0xd0b");
    }
}
