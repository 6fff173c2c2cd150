// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish speed` from end to end: the form of what it prints, and that its figures are possible.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn speed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_manyfish")).arg("speed").args(arguments).output();
    let output = output.expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn json_has_the_promised_form() {
    let json = speed(&["--json", "--kernel", "zero", "full", "--key-bits", "128", "256"]);
    if json.contains("nanoseconds") {
        println!("skipped: no cycles on this machine, so the names differ");
        return;
    }
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(keys(&report), ["curve", "machine", "rows"]);
    for field in ["cpu", "compiler", "flags", "rustc", "commit", "date", "method"] {
        assert!(!report["machine"][field].as_str().expect(field).is_empty(), "{field}");
    }
    let rows = report["rows"].as_array().expect("rows");
    let names = |row: &Value| format!("{} {} {}", row["cipher"], row["kernel"], row["key_bits"]);
    assert_eq!(
        rows.iter().map(names).collect::<Vec<_>>().join(", ").replace('"', ""),
        "twofish full 128, twofish full 256, twofish zero 128, twofish zero 256"
    );
    rows.iter().for_each(check_row);
    check_curve(report["curve"].as_array().expect("a curve"));
}

#[test]
fn calls_are_measured_when_asked_for() {
    let arguments = ["--kernel", "full", "--key-bits", "128", "--calls"];
    let json = speed(&[&["--json"], &arguments[..]].concat());
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let calls = report["calls"].as_array().expect("calls");
    let blocks: Vec<_> = calls.iter().filter_map(|call| call["blocks"].as_u64()).collect();
    assert_eq!(blocks, [1, 2, 4, 8, 16, 32, 64, 100, 1000]);
    let text = speed(&arguments);
    assert!(text.contains("number of blocks in a call"), "{text}");
    assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
}

#[test]
fn keys_are_measured_when_asked_for() {
    let arguments = ["--kernel", "bitslice", "--key-bits", "128", "--keys"];
    let json = speed(&[&["--json"], &arguments[..]].concat());
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let measured = report["keys"].as_array().expect("keys");
    let numbers: Vec<_> = measured.iter().filter_map(|keys| keys["keys"].as_u64()).collect();
    assert_eq!(numbers, [1, 2, 4, 8, 16, 32, 64, 100, 1000]);
    let cycles = |at: usize| measured[at]["cycles_per_key"].as_f64().expect("a figure");
    assert!(2.0 * cycles(6) < cycles(0), "64 keys fill the lanes: {json}");
    assert!(speed(&arguments).contains("number of keys in a call"));
}

fn check_row(row: &Value) {
    let expected = "block_cycles cipher code_bytes constant_bytes constant_time context_bytes \
                    cycles_per_byte kernel key_bits setup_cycles";
    assert_eq!(keys(row).join(" "), expected);
    for way in ["encrypt", "decrypt"] {
        let alone = row["block_cycles"][way].as_f64().expect(way);
        let bulk = row["cycles_per_byte"]["8192"][way].as_f64().expect(way);
        assert!(row["cycles_per_byte"]["1024"][way].as_f64().is_some());
        // 16 rounds of at least two dependent lookups, 5 cycles each, take 160 cycles; a bound that
        // only a wrong scale crosses.
        assert!((100.0..100_000.0).contains(&alone), "{row}");
        assert!(bulk * 16.0 < alone * 1.5, "bulk is no slower than single blocks: {row}");
    }
    assert!(row["setup_cycles"].as_f64().expect("set-up") > 100.0, "{row}");
}

fn check_curve(curve: &[Value]) {
    let lengths: Vec<_> = curve.iter().filter(|point| point["key_bits"] == 128).collect();
    assert_eq!(lengths.len(), 13, "16 bytes to 64 KiB, doubling");
    assert_eq!((&lengths[0]["bytes"], &lengths[0]["slide_1998"]), (&16.into(), &140.into()));
    assert_eq!(lengths[12]["bytes"], 64 << 10);
    let per_byte = |point: &Value| point["cycles_per_byte"].as_f64().expect("a figure");
    assert!(per_byte(lengths[0]) > per_byte(lengths[12]), "set-up weighs on short messages");
}

#[test]
fn the_tables_have_a_line_for_each_row() {
    let text = speed(&["--kernel", "minimal", "--key-bits", "192"]);
    let rows = text.lines().filter(|line| line.starts_with("minimal"));
    assert_eq!(rows.count(), 1, "{text}");
    assert!(text.contains("Table 5.1") && !text.contains("slide"), "{text}");
    assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
}

#[test]
fn the_paper_has_its_tables_and_its_json() {
    let arguments = ["--paper", "--kernel", "full", "zero", "full-big", "--key-bits", "128"];
    let text = speed(&arguments);
    for part in ["Tables 5.1 and 5.2", "Bytes of memory", "68040, C", "Key setup + encryption"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("\n-: partial: not among --kernel full zero full-big.\n"), "{text}");
    let json = speed(&[&["--json"], &arguments[..]].concat());
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(keys(&report), ["curve", "machine", "messages", "paper", "rows"]);
    assert_eq!(report["messages"].as_array().expect("messages").len(), 3 * 13);
    let lines = report["paper"]["tables"].as_array().expect("tables");
    let measured = lines.iter().filter(|line| line["kernel"] == "full-big");
    for line in measured {
        assert_eq!(line["table"], "5.2");
        if !json.contains("nanoseconds") {
            assert!(line["setup_ratio"].as_f64().expect("a ratio") > 0.0, "{line}");
        }
    }
    for kernel in ["full", "zero", "full-big"] {
        let memory = report["paper"]["memory"].as_array().expect("memory");
        let line = memory.iter().find(|line| line["kernel"] == kernel).expect(kernel);
        assert!(line["key_bytes"].as_u64().expect("bytes") >= 160, "{line}");
    }
}

#[test]
fn a_plot_is_written_and_replaced_when_forced() {
    let place = tempfile::tempdir().expect("a place");
    let path = place.path().join("curve.svg");
    let plot = path.to_str().expect("UTF-8");
    speed(&["--kernel", "zero", "--key-bits", "128", "--plot", plot]);
    let text = fs::read_to_string(&path).expect("a plot");
    assert!(text.starts_with("<svg ") && text.contains(">zero</text>"), "{text}");
    let json =
        speed(&["--json", "--kernel", "full", "--key-bits", "256", "--plot", plot, "--force"]);
    assert_eq!(
        keys(&serde_json::from_str(&json).expect("JSON")),
        ["curve", "machine", "messages", "rows"]
    );
    let text = fs::read_to_string(&path).expect("a plot");
    assert!(text.contains(">full</text>") && text.contains("256-bit key"), "{text}");
    assert!(!text.contains("zero"), "{text}");
}

/// The root of the repository, which a package of the crate alone has not.
fn repository() -> Option<&'static Path> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    root.join("bench/results").is_dir().then_some(root)
}

/// The source of a document: the file named in the last line that begins with `mark`.
fn source<'a>(document: &'a str, mark: &str) -> &'a str {
    let line = document.lines().rfind(|line| line.starts_with(mark)).expect(mark);
    line[mark.len()..].trim_end_matches("-->").trim()
}

/// The rates of the mailing list in docs/des.md, which shows this one of the command's tables.
#[test]
fn the_page_of_des_shows_the_486() {
    let Some(root) = repository() else {
        println!("skipped: not in the repository");
        return;
    };
    let document = fs::read_to_string(root.join("docs/des.md")).expect("the document");
    let csv = source(&document, "<!-- speed --cipher des:");
    let stored = root.join(csv);
    let text = speed(&["--from", stored.to_str().expect("UTF-8")]);
    let start = text.find("DES on a 486").expect("the table");
    let table = text[start..].split("\n\nBlocks under one key").next().expect("some text");
    assert!(document.contains(&format!("```text\n{table}\n```\n")), "not in docs/des.md: {table}");
}

/// The gain of compiled keying is one measurement, and one sentence in all places.
#[test]
fn compiled_keying_gains_the_same_everywhere() {
    let Some(root) = repository() else {
        println!("skipped: not in the repository");
        return;
    };
    let read = |path: &str| fs::read_to_string(root.join(path)).expect(path);
    let stored = root.join(source(&read("docs/keying-options.md"), "<!-- speed --paper:"));
    let text = speed(&["--paper", "--from", stored.to_str().expect("UTF-8")]);
    let after = text.split("\n- ").nth(1).expect("a sentence");
    let words = |text: &str| {
        let lines = text.lines().map(|line| line.trim_start_matches(['/', '*', '>', ' ']));
        lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    };
    let sentence = words(after);
    assert!(sentence.starts_with("Compiled keying"), "{sentence}");
    for path in [
        "docs/keying-options.md",
        "docs/decisions/compiled-keying.md",
        "rust/manyfish/src/compiled.rs",
        "c/study/include/manyfish/study/compiled.h",
    ] {
        assert!(words(&read(path)).contains(&sentence), "{path} has not: {sentence}");
    }
}

#[test]
fn the_documents_show_what_their_file_has() {
    let Some(root) = repository() else {
        println!("skipped: not in the repository");
        return;
    };
    let document = fs::read_to_string(root.join("docs/keying-options.md")).expect("the document");
    let csv = source(&document, "<!-- speed --paper:");
    let place = tempfile::tempdir().expect("a place");
    let plot = place.path().join("curve.svg");
    let stored = root.join(csv);
    let (stored, plot) = (stored.to_str().expect("UTF-8"), plot.to_str().expect("UTF-8"));
    let text = speed(&["--paper", "--from", stored, "--plot", plot]);
    let command = format!("manyfish speed --paper --from {csv} --plot bench/curve.svg --force");
    assert!(
        document.contains(&format!("```text\n{text}```\n")),
        "docs/keying-options.md has not what this prints: {command}"
    );
    let made = fs::read_to_string(plot).expect("a plot");
    let shown = fs::read_to_string(root.join("bench/curve.svg")).expect("the plot of the README");
    assert!(made == shown, "bench/curve.svg is not what this draws: {command}");
}
