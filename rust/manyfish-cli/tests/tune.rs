// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish tune` from end to end: what it measures, keeps, shows and forgets, and how the other commands
//! take what is of no use.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use manyfish::{Costs, Expectation, KernelInfo, Leaks, Tables};
use tempfile::TempDir;

/// A user's cache directory.
struct Cache(TempDir);

impl Cache {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_manyfish"));
        let output = command.args(arguments).env("XDG_CACHE_HOME", self.0.path()).output();
        output.expect("the command starts")
    }

    /// The output of a command that succeeds, and its warnings.
    fn prints(&self, arguments: &[&str]) -> (String, String) {
        let output = self.run(arguments);
        let text = |bytes| String::from_utf8(bytes).expect("text");
        assert!(output.status.success(), "{arguments:?}: {}", text(output.stderr));
        (text(output.stdout), text(output.stderr))
    }

    /// The only file in there.
    fn file(&self) -> PathBuf {
        let files = fs::read_dir(self.0.path().join("manyfish")).expect("a folder");
        let files: Vec<_> = files.map(|entry| entry.expect("a file").path()).collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }
}

const KERNELS: [&str; 5] = ["kernels", "--expect", "64", "--leaks", "any"];

/// The line of the kernel that is taken.
fn chosen(table: &str) -> &str {
    let mut lines = table.lines().filter(|line| line.ends_with("  yes"));
    lines.next().expect("a kernel is chosen").split_whitespace().next().expect("a name")
}

/// The table of the library, in which one kernel is as good as free.
fn biased(kernel: &str) -> String {
    let text = Costs::shipped().to_string();
    let cheap = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        if fields[0] == kernel {
            format!("{kernel},{},1,{}\n", fields[1], ",1".repeat(14))
        } else {
            format!("{line}\n")
        }
    };
    text.lines().map(cheap).collect()
}

/// One test, since measuring takes seconds.
#[test]
fn what_is_measured_is_kept_used_and_forgotten() {
    let cache = Cache::new();
    let (text, warnings) = cache.prints(&["tune"]);
    assert!(text.contains("The kernels that cost least") && text.contains("stored in "), "{text}");
    assert_eq!(warnings, "", "no progress but on a terminal");
    let stored = fs::read_to_string(cache.file()).expect("text");

    it_is_of_this_machine(&cache, &stored);
    choices_go_by_it(&cache, &stored);
    what_is_of_no_use_is_told(&cache, &stored);

    let (text, _) = cache.prints(&["tune", "--forget"]);
    assert!(text.starts_with("removed ") && text.contains("manyfish/costs-"), "{text}");
    assert_eq!(cache.prints(&["tune", "--forget"]).0, "nothing was stored\n");
}

fn it_is_of_this_machine(cache: &Cache, stored: &str) {
    let name = cache.file().file_name().expect("a name").to_string_lossy().into_owned();
    assert!(name.starts_with(&format!("costs-{}-", manyfish::version())), "{name}");
    let costs: Costs = stored.parse().expect("a table");
    let (shown, _) = cache.prints(&["tune", "--show"]);
    assert_eq!(shown.parse::<Costs>().expect("a table").to_string(), costs.to_string());
    let expected = |leaks| Expectation::blocks(64).leaks(leaks).costs(&costs);
    let with_big = |kernel: &KernelInfo| kernel.shared_bytes == Tables::Big.bytes();
    for kernel in manyfish::kernels().filter(|kernel| kernel.runnable || with_big(kernel)) {
        let any = expected(Leaks::Any).max_shared_bytes(kernel.shared_bytes);
        let cost = any.cost_of(kernel.name, 24).expect("allowed");
        assert!(cost.is_some(), "{} was not measured", kernel.name);
    }
    for kernel in ["full", "partial", "minimal", "zero"] {
        let cost = expected(Leaks::Text).cost_of(kernel, 16).expect("allowed");
        assert!(cost.is_some(), "the constant-time set-up of {kernel} was not measured");
    }
    assert!(!stored.contains("full-huge"), "256 MiB are taken only if asked for");
}

fn head(stored: &str) -> String {
    let lines = stored.lines().filter(|line| line.starts_with('#'));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

fn choices_go_by_it(cache: &Cache, stored: &str) {
    for kernel in ["full", "partial", "bitslice", "zero"] {
        fs::write(cache.file(), head(stored) + &biased(kernel)).expect("written");
        let (table, warnings) = cache.prints(&KERNELS);
        assert_eq!((chosen(&table), warnings.as_str()), (kernel, ""), "{table}");
    }
}

fn what_is_of_no_use_is_told(cache: &Cache, stored: &str) {
    let (own, _) = Cache::new().prints(&KERNELS);
    let good = head(stored) + &biased("bitslice");
    let damaged = [
        (good.clone() + "x", "line "),
        (good[..=good[..good.len() / 2].rfind(',').expect("rows")].to_owned(), "line "),
        (good.replace("# version: ", "# version: 9."), "it is for another version, 9."),
        (good.replace("# cpu: ", "# cpu: not "), "it is for another processor, not "),
        (biased("bitslice"), "it names no processor"),
        (String::new(), "it names no processor"),
        ("\u{fffd}".repeat(99), "it names no processor"),
    ];
    for (text, reason) in damaged {
        fs::write(cache.file(), text).expect("written");
        let (table, warnings) = cache.prints(&KERNELS);
        assert_eq!(table, own, "the library's own costs are taken");
        assert!(warnings.contains(reason), "{warnings}");
        assert!(warnings.contains("manyfish tune --forget"), "{warnings}");
        assert_eq!(warnings.lines().count(), 1, "{warnings}");
    }
    fs::write(cache.file(), [0xff; 50]).expect("written");
    assert!(cache.prints(&KERNELS).1.contains("cannot be read"));
}

#[test]
fn what_is_printed_is_not_stored() {
    let cache = Cache::new();
    let (text, _) = cache.prints(&["tune", "--print"]);
    assert!(text.starts_with("# cpu: ") && text.parse::<Costs>().is_ok(), "{text}");
    assert!(!cache.0.path().join("manyfish").exists());
}

#[test]
fn a_cache_that_cannot_be_written_is_an_error() {
    let cache = Cache::new();
    fs::write(cache.0.path().join("manyfish"), "a file instead of a folder").expect("written");
    let output = cache.run(&["tune"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.starts_with("manyfish: error: cannot write "), "{errors}");
    let (_, warnings) = cache.prints(&KERNELS);
    assert!(warnings.contains("cannot be read"), "{warnings}");
}

#[test]
fn the_options_of_an_expectation_count() {
    let cache = Cache::new();
    let line = |arguments: &[&str], kernel: &str| {
        let (table, _) = cache.prints(&[&["kernels", "--expect", "65536"], arguments].concat());
        let line = table.lines().find(|line| line.starts_with(kernel)).expect(kernel).to_owned();
        line.split_whitespace().map(str::to_owned).collect::<Vec<String>>()
    };
    // Name, runs here, allowed, cost.
    let cost = |arguments: &[&str]| line(arguments, "bitslice")[3].parse::<u64>().expect("a cost");
    assert!(cost(&["--serial"]) > 2 * cost(&[]), "blocks that wait fill no lanes");
    assert!(cost(&[]) > cost(&["--key-bits", "128"]), "more layers for longer keys");
    for (leaks, allowed) in [("none", "no"), ("text", "yes"), ("any", "yes")] {
        assert_eq!(line(&["--leaks", leaks], "full")[2], allowed, "{leaks}");
    }
    let huge = |bits| line(&["--leaks", "any", "--key-bits", bits], "full-huge").swap_remove(2);
    assert_eq!([huge("128"), huge("192")], ["yes", "no"], "it takes short keys only");
}
