// SPDX-License-Identifier: Apache-2.0 OR MIT

use super::*;
use crate::rows::{BothWays, to_float};

/// Bytes of an expanded key and of code, cycles of a block.
const FIGURES: [(&str, usize, u64, f64); 4] = [
    ("avx2", 1184, 30_000, 1000.0),
    ("full", 4256, 8000, 250.0),
    ("zero", 180, 11_000, 500.0),
    ("compiled", 16_384, 14_000, 225.4),
];

fn rows(key_sizes: &[usize]) -> Vec<Row> {
    let row = |bits: usize, (kernel, context_bytes, code, block): (&str, usize, u64, f64)| Row {
        cipher: "twofish",
        kernel: kernel.to_owned(),
        key_bits: bits,
        constant_time: kernel == "avx2",
        setup_cycles: to_float(bits) * 10.0,
        block_cycles: BothWays { encrypt: block, decrypt: 1.0 },
        cycles_per_byte: [].into(),
        context_bytes,
        code_bytes: Some(code),
        constant_bytes: Some(4608),
    };
    key_sizes.iter().flat_map(|bits| FIGURES.map(|figures| row(*bits, figures))).collect()
}

fn messages(key_sizes: &[usize]) -> Vec<Message> {
    let lengths = [16, 64, 128, 1024, 65536];
    let pairs = key_sizes.iter().flat_map(|bits| lengths.map(|bytes| (*bits, bytes)));
    let message = |(key_bits, bytes), (kernel, cycles_per_byte): (&str, f64)| Message {
        cipher: "twofish",
        kernel: kernel.to_owned(),
        key_bits,
        bytes,
        cycles_per_byte,
    };
    let costs = |bytes: usize| {
        let bytes = to_float(bytes);
        [
            ("avx2", 4000.0 / bytes + 5.0),
            ("full", 4500.0 / bytes + 9.0),
            ("zero", 800.0 / bytes + 33.0),
        ]
    };
    pairs.flat_map(|pair| costs(pair.1).map(|cost| message(pair, cost))).collect()
}

fn paper(key_sizes: &[usize], in_cycles: bool) -> Paper {
    let (rows, messages) = (rows(key_sizes), messages(key_sizes));
    let here = Here { rows: &rows, messages: &messages, in_cycles };
    compare(&here, |kernel| format!("no {kernel} in this test"))
}

/// After a change on purpose, take the text that this prints into the file, and read the difference.
#[test]
fn the_tables_are_those_of_the_file() {
    let text = paper(&[128, 192, 256], true).text();
    println!("{text}");
    assert!(text == include_str!("paper.txt"), "what is printed above is not src/paper/paper.txt");
}

#[test]
fn the_tables_fit_the_screen() {
    for sizes in [&[128][..], &[256], &[128, 192, 256]] {
        let text = paper(sizes, true).text();
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{}", wide.join("\n"));
        assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
    }
}

#[test]
fn notes_are_numbered_as_they_come_and_only_those_that_are_needed() {
    let text = paper(&[256], true).text();
    let marks = |text: &str, number: usize| text.matches(&format!(" [{number}]")).count();
    // Of compiled keying, Table 5.2, 1750 clocks and the shifted columns: no slide, no 256 MB.
    let notes = text.lines().filter(|line| line.starts_with('[')).count();
    assert_eq!(notes, 4, "{text}");
    for number in 1..=notes {
        assert!(marks(&text, number) > 0 && text.contains(&format!("\n[{number}] ")), "{text}");
    }
    assert!(!text.contains("131.9") && !text.contains("4690"), "{text}");
}

#[test]
fn misprints_are_in_notes_only() {
    let text = paper(&[128, 192, 256], true).text();
    let tables = &text[..text.find("\nSources:").expect("the end of the tables")];
    for misprint in ["12,700", "4690", "6880", "63.8"] {
        assert!(!tables.contains(misprint), "{misprint}: {tables}");
    }
    let zero = tables.lines().find(|line| line.starts_with("Zero [")).expect("Microsoft C");
    let cells: Vec<&str> = zero.split_whitespace().collect();
    assert_eq!(cells[9], "1310", "and not 1750 for 128 bits: {zero}");
    let sparc: Vec<&str> =
        tables.lines().skip_while(|line| !line.starts_with("UltraSPARC")).take(2).collect();
    let cells: Vec<&str> = sparc[1].split_whitespace().take(3).collect();
    assert_eq!(cells, ["Full", "-", "16600"], "no set-up among the code sizes");
}

#[test]
fn what_is_missing_has_dashes_and_a_reason() {
    let paper = paper(&[128], true);
    let text = paper.text();
    let line = text.lines().find(|line| line.starts_with("Part.")).expect("an option");
    assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), "Part. 128 4900 - - 460 - -");
    let missing: Vec<&str> = paper.missing.iter().map(|missing| missing.kernel).collect();
    let big = ["compiled-big", "full-big", "partial-big"];
    let huge = ["compiled-huge", "full-huge"];
    assert_eq!(missing, [&["partial", "minimal"][..], &big, &huge].concat());
    assert!(text.contains("\n-: partial: no partial in this test.\n"), "{text}");
    assert!(text.contains("\n-: compiled-big: no compiled-big in this test.\n"), "{text}");
}

#[test]
fn nanoseconds_have_no_ratio() {
    let paper = paper(&[128], false);
    assert!(paper.tables.iter().all(|line| line.setup_ratio.is_none()));
    assert!(paper.tables.iter().any(|line| line.setup_cycles.is_some()));
    let best = paper.messages.iter().flat_map(|total| [&total.keying, &total.any]).flatten();
    assert!(best.into_iter().all(|best| best.ratio.is_none()));
}

#[test]
fn json_has_every_line_with_its_figures() {
    let json = serde_json::to_value(paper(&[128, 192, 256], true)).expect("plain data");
    let tables = json["tables"].as_array().expect("lines");
    assert_eq!(tables.len(), (38 + 4) * 3 + 2, "and the huge tables");
    let full = tables.iter().find(|line| line["keying"] == "Full" && line["key_bits"] == 192);
    let full = full.expect("full");
    assert_eq!((&full["table"], &full["setup_clocks_1998"]), (&"5.1".into(), &10400.into()));
    assert_eq!((&full["setup_cycles"], &full["setup_ratio"]), (&1920.0.into(), &5.417.into()));
    assert_eq!(json["memory"][1]["code_bytes"], 8000);
    assert_eq!(json["messages"][0]["any"]["kernel"], "zero");
}
