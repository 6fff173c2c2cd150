// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The results of this machine: the form of the file, and a summary for a person.

use std::fmt::Write;
use std::fs;
use std::thread;

use manyfish::{KernelInfo, des};
use manyfish_bench::machine::Machine;
use serde::Serialize;

use crate::checks::Check;
use crate::measures::Measured;

/// The form of the JSON that bench/probed.py reads.
const FORM: u32 = 1;

/// The names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct Found {
    probe: u32,
    version: &'static str,
    /// Then the figures are worth nothing.
    quick: bool,
    pub machine: Machine,
    host: Host,
    checks: Vec<Check>,
    /// None if a check failed.
    measured: Option<Measured>,
}

/// Facts that the reports lack.
#[derive(Debug, Serialize)]
struct Host {
    /// As /proc/cpuinfo has them.
    flags: String,
    cores: usize,
    linux: String,
}

impl Host {
    fn here() -> Self {
        let text = |path| fs::read_to_string(path).unwrap_or_default();
        Self {
            flags: flags(&text("/proc/cpuinfo")),
            cores: thread::available_parallelism().map_or(0, usize::from),
            linux: text("/proc/sys/kernel/osrelease").trim().to_owned(),
        }
    }
}

/// The features of the first processor.
fn flags(cpuinfo: &str) -> String {
    let mut fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    let found = fields.find(|(name, _)| ["flags", "Features"].contains(&name.trim()));
    found.map(|(_, flags)| flags.trim().to_owned()).unwrap_or_default()
}

impl Found {
    pub fn new(quick: bool, checks: Vec<Check>, measured: Option<Measured>) -> Self {
        let (machine, host) = (Machine::here(), Host::here());
        Self { probe: FORM, version: manyfish::version(), quick, machine, host, checks, measured }
    }

    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("plain data") + "\n"
    }

    /// For a person.
    pub fn summary(&self) -> String {
        let (machine, host) = (&self.machine, &self.host);
        let mut text = format!(
            "\n{} ({}), {} cores, Linux {}\n",
            machine.cpu, machine.architecture, host.cores, host.linux
        );
        for (cipher, kernels) in [
            ("Twofish", manyfish::kernels().collect::<Vec<_>>()),
            ("DES", des::kernels().collect()),
        ] {
            let _ = write!(text, "{}", runs_here(cipher, &kernels));
        }
        text += &self.checked();
        if let Some(measured) = &self.measured {
            text += &figures(measured);
        }
        text
    }

    fn checked(&self) -> String {
        let sum = |of: fn(&Check) -> u64| self.checks.iter().map(of).sum::<u64>();
        let (passed, failed) = (sum(|check| check.passed), sum(|check| check.failed));
        let mut text = format!("Checks of all kernels: {passed} passed, {failed} failed\n");
        for check in self.checks.iter().filter(|check| check.failed > 0) {
            let _ = write!(text, "\nfailed: {}\n{}\n", check.name, check.output.trim_end());
        }
        text
    }
}

fn runs_here(cipher: &str, kernels: &[KernelInfo]) -> String {
    let names = |kernels: &mut dyn Iterator<Item = &KernelInfo>| {
        kernels.map(|kernel| kernel.name).collect::<Vec<_>>().join(", ")
    };
    let lacking = |kernel: &&KernelInfo| !kernel.runnable && kernel.shared_bytes == 0;
    let mut text = format!(
        "Kernels of {cipher} that run here: {}\n",
        names(&mut kernels.iter().filter(|kernel| !lacking(kernel)))
    );
    if kernels.iter().any(|kernel| lacking(&kernel)) {
        let _ = writeln!(
            text,
            "    whose instructions are missing: {}",
            names(&mut kernels.iter().filter(lacking))
        );
    }
    text
}

fn figures(measured: &Measured) -> String {
    let (twofish, des) = (measured.twofish[0].brief(128), measured.des[0].brief(64));
    let doubts = [&measured.peers, &measured.peers_des].map(manyfish_bench_peers::Report::warnings);
    format!(
        "\nTwofish, 128-bit keys, core cycles:\n\n{twofish}\nDES, core cycles:\n\n{des}\n{}",
        quiet(&doubts.concat())
    )
}

/// Was the machine quiet, or why not?
fn quiet(doubts: &[String]) -> String {
    if doubts.is_empty() {
        return "The machine was quiet.\n".to_owned();
    }
    let lines = doubts.join("\n    ");
    format!("The machine was not quiet; run this again when nothing else runs:\n    {lines}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn check(failed: u64) -> Check {
        let output = if failed > 0 { "line 3 differs\n".to_owned() } else { String::new() };
        Check { name: "vectors".into(), passed: 5, failed, skipped: Vec::new(), output }
    }

    #[test]
    fn a_failure_stands_in_the_file_and_in_the_summary() {
        let found = Found::new(false, vec![check(0), check(2)], None);
        let json: Value = serde_json::from_str(&found.json()).unwrap();
        assert_eq!((&json["probe"], &json["checks"][1]["failed"]), (&1.into(), &2.into()));
        assert!(json["measured"].is_null());
        let summary = found.summary();
        assert!(summary.contains("10 passed, 2 failed"), "{summary}");
        assert!(summary.contains("failed: vectors\nline 3 differs\n"), "{summary}");
    }

    #[test]
    fn a_machine_with_other_work_is_told_to_wait() {
        assert_eq!(quiet(&[]), "The machine was quiet.\n");
        let text = quiet(&["the core's clock drifted by 10.0 %".to_owned()]);
        assert!(text.contains("run this again") && text.contains("    the core's clock"), "{text}");
    }

    #[test]
    fn features_are_those_of_x86_or_arm() {
        assert_eq!(flags("processor : 0\nflags\t\t: fpu avx2\n\nflags : other\n"), "fpu avx2");
        assert_eq!(flags("Features\t: fp asimd\n"), "fp asimd");
        assert_eq!(flags(""), "");
    }
}
