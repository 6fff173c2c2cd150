// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The tables of 1998, this machine's figures beside them, and how many times the old ones are the new
//! ones. What the sources misprint is told in notes.

use std::fmt::Write;

use serde::{Serialize, Serializer};

use crate::history::{self, PastMachine, PastRow, TABLE_5_1, TABLE_5_2};
use crate::messages::Message;
use crate::report::{distinct, three_digits};
use crate::rows::Row;
use crate::table::Table;

/// A keying option of the sources [Twofish98, 5.1.1], and who has it here.
struct Keying {
    name: &'static str,
    option: &'static str,
    kernel: &'static str,
    /// Bytes of tables for each key, and of tables for all keys.
    tables: (u64, u64),
    key_sizes: &'static [usize],
}

const ALL_SIZES: &[usize] = &[128, 192, 256];
const BIG: u64 = 256 << 10;
const HUGE: u64 = 256 << 20;

/// All of them, in the order of the sources. A kernel that a build lacks has dashes.
const OPTIONS: [Keying; 10] = [
    keying("Comp.", "Comp.", "compiled", (4096, 0), ALL_SIZES),
    keying("Full", "Full", "full", (4096, 0), ALL_SIZES),
    keying("Part.", "Part.", "partial", (1024, 0), ALL_SIZES),
    keying("Min.", "Min.", "minimal", (1024, 0), ALL_SIZES),
    keying("Zero", "Zero", "zero", (0, 0), ALL_SIZES),
    keying("Comp. 256 KB", "Comp.", "compiled-big", (4096, BIG), ALL_SIZES),
    keying("Full 256 KB", "Full", "full-big", (4096, BIG), ALL_SIZES),
    keying("Part. 256 KB", "Part.", "partial-big", (1024, BIG), ALL_SIZES),
    keying("Comp. 256 MB", "Comp.", "compiled-huge", (4096, HUGE), &[128]),
    // Rows of the large table serve as the S-boxes.
    keying("Full 256 MB", "Full", "full-huge", (0, HUGE), &[128]),
];

const fn keying(
    name: &'static str,
    option: &'static str,
    kernel: &'static str,
    tables: (u64, u64),
    key_sizes: &'static [usize],
) -> Keying {
    Keying { name, option, kernel, tables, key_sizes }
}

/// The kernels of all options.
pub fn kernels() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|option| option.kernel)
}

const COMPILED_NOTE: &str = "The text beside Table 5.1 has figures of earlier versions: a set-up of 12,700 clocks, and \
     90 Mbit/s at 200 MHz, which is 285 clocks for a block and not 258; Section 5.1.3 has a set-up of 8,700";
const SHIFTED_NOTE: &str = "Table 5.1 has no code size for this machine, and prints the other figures one column too far \
     left; here they stand where they belong";
const LARGE_NOTE: &str = "Table 5.2 counts the 262,144 bytes of the large table as code; for C, Section 5.1.3 tells of \
     about 1000 clocks saved, the tables of 700 with 128-bit keys and of none with longer ones";
const HUGE_NOTE: &str = "The sources have no figures for this; they expect about 1000 clocks less than with 256 KB [TR3, 2]";
const SLIDE_NOTE: &str =
    "The slide's 140 is not explained by the authors' own figures, which give 131.9";
const SUM_NOTE: &str = "Table 5.3 prints 4690 as the clocks to encrypt 64 bytes; that is the sum with the set-up, and \
     3440 is right";
const MINIMAL_NOTE: &str = "Table 5.3 names Minimal keying; its 6880 clocks and 63.5 a byte are those of Zero \
     keying, and Minimal would take 63.8";
const SLIDES_C_NOTE: &str =
    "The slides print 1750 clocks for a block with a 128-bit key; that is the figure for 192 bits";

/// A line of a table, for one key size; the names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// Of the book; none for what it has no figures of.
    table: Option<&'static str>,
    machine: &'static str,
    keying: &'static str,
    #[serde(skip)]
    option: &'static str,
    key_bits: usize,
    code_bytes_1998: Option<u32>,
    setup_clocks_1998: Option<u32>,
    block_clocks_1998: Option<u32>,
    kernel: &'static str,
    #[serde(serialize_with = "maybe_three_decimals")]
    setup_cycles: Option<f64>,
    #[serde(serialize_with = "maybe_three_decimals")]
    block_cycles: Option<f64>,
    /// Clocks of 1998 for each cycle here.
    #[serde(serialize_with = "maybe_three_decimals")]
    setup_ratio: Option<f64>,
    #[serde(serialize_with = "maybe_three_decimals")]
    block_ratio: Option<f64>,
    note: Option<&'static str>,
}

/// What a keying option takes in memory, in bytes.
#[derive(Debug, Serialize)]
struct Memory {
    keying: &'static str,
    kernel: &'static str,
    code_bytes_1998: Option<u32>,
    code_bytes: Option<u64>,
    key_bytes_1998: Option<u32>,
    key_bytes: Option<usize>,
    key_table_bytes: u64,
    fixed_table_bytes: Option<u64>,
    note: Option<&'static str>,
}

/// Set-up and encryption of one message.
#[derive(Debug, Serialize)]
struct Total {
    key_bits: usize,
    bytes: usize,
    slide_1998: Option<u32>,
    keying_1998: &'static str,
    #[serde(serialize_with = "crate::report::three_decimals")]
    clocks_per_byte_1998: f64,
    /// The best of the keying options, and the best of all kernels.
    keying: Option<Best>,
    any: Option<Best>,
    note: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Best {
    kernel: String,
    #[serde(serialize_with = "crate::report::three_decimals")]
    cycles_per_byte: f64,
    #[serde(serialize_with = "maybe_three_decimals")]
    ratio: Option<f64>,
}

/// A keying option without figures here.
#[derive(Debug, Serialize)]
struct Missing {
    kernel: &'static str,
    why: String,
}

/// All of it.
#[derive(Debug, Serialize)]
pub struct Paper {
    tables: Vec<Comparison>,
    memory: Vec<Memory>,
    messages: Vec<Total>,
    missing: Vec<Missing>,
}

#[allow(clippy::ref_option)] // the form that serde wants
fn maybe_three_decimals<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => crate::report::three_decimals(value, serializer),
        None => serializer.serialize_none(),
    }
}

/// What was measured here.
pub struct Here<'a> {
    pub rows: &'a [Row],
    pub messages: &'a [Message],
    /// Figures in another unit than cycles are not compared.
    pub in_cycles: bool,
}

impl Here<'_> {
    fn row(&self, kernel: &str, key_bits: usize) -> Option<&Row> {
        self.rows.iter().find(|row| (&*row.kernel, row.key_bits) == (kernel, key_bits))
    }

    /// The key sizes measured, the smallest first.
    fn key_sizes(&self) -> Vec<usize> {
        let mut sizes = distinct(self.rows.iter().map(|row| row.key_bits));
        sizes.sort_unstable();
        sizes
    }

    fn ratio(&self, then: Option<f64>, now: Option<f64>) -> Option<f64> {
        let (then, now) = then.zip(now)?;
        self.in_cycles.then_some(then / now)
    }

    fn comparison(&self, keying: &Keying, key_bits: usize, past: &Past) -> Comparison {
        let column = history::column(key_bits).expect("a key size of the cipher");
        let row = self.row(keying.kernel, key_bits);
        let (setup, block) = (past.row.map(|r| r.setup[column]), past.row.map(|r| r.block[column]));
        let setup_cycles = row.map(|row| row.setup_cycles);
        let block_cycles = row.map(|row| row.block_cycles.encrypt);
        Comparison {
            table: past.table,
            machine: past.machine,
            keying: keying.name,
            option: keying.option,
            key_bits,
            code_bytes_1998: past.row.and_then(|row| row.code_bytes),
            setup_clocks_1998: setup,
            block_clocks_1998: block,
            kernel: keying.kernel,
            setup_cycles,
            block_cycles,
            setup_ratio: self.ratio(setup.map(f64::from), setup_cycles),
            block_ratio: self.ratio(block.map(f64::from), block_cycles),
            note: past.note,
        }
    }

    fn memory(&self, keying: &Keying, past: &Past) -> Memory {
        let row = self.rows.iter().find(|row| row.kernel == keying.kernel);
        let (key_table_bytes, shared) = keying.tables;
        Memory {
            keying: keying.name,
            kernel: keying.kernel,
            code_bytes_1998: past.row.and_then(|row| row.code_bytes),
            code_bytes: row.and_then(|row| row.code_bytes),
            key_bytes_1998: history::slide_key_bytes(keying.option).filter(|_| shared == 0),
            key_bytes: row.map(|row| row.context_bytes),
            key_table_bytes,
            fixed_table_bytes: row.and_then(|row| row.constant_bytes).map(|bytes| bytes + shared),
            note: past.note.filter(|note| *note == LARGE_NOTE),
        }
    }

    /// Of the messages of one length and key size, the best of those that count.
    fn best(
        &self,
        messages: &[Message],
        then: f64,
        counts: impl Fn(&Message) -> bool,
    ) -> Option<Best> {
        let messages = messages.iter().filter(|message| counts(message));
        let best = messages.min_by(|a, b| a.cycles_per_byte.total_cmp(&b.cycles_per_byte))?;
        Some(Best {
            kernel: best.kernel.clone(),
            cycles_per_byte: best.cycles_per_byte,
            ratio: self.ratio(Some(then), Some(best.cycles_per_byte)),
        })
    }

    fn total(&self, messages: &[Message]) -> Option<Total> {
        let (key_bits, bytes) = messages.first().map(|first| (first.key_bits, first.bytes))?;
        let (keying_1998, then) = history::best(key_bits, u32::try_from(bytes / 16).ok()?)?;
        Some(Total {
            key_bits,
            bytes,
            slide_1998: history::slide(key_bits, bytes),
            keying_1998,
            clocks_per_byte_1998: then,
            keying: self.best(messages, then, |m| kernels().any(|kernel| kernel == m.kernel)),
            any: self.best(messages, then, |_| true),
            note: (key_bits == 128).then(|| total_note(bytes)).flatten(),
        })
    }
}

/// What is wrong in the sources about messages of a length.
fn total_note(n_bytes: usize) -> Option<&'static str> {
    match n_bytes {
        16 => Some(SLIDE_NOTE),
        64 => Some(SUM_NOTE),
        128 => Some(MINIMAL_NOTE),
        _ => None,
    }
}

/// Where a line comes from.
struct Past {
    table: Option<&'static str>,
    machine: &'static str,
    row: Option<&'static PastRow>,
    note: Option<&'static str>,
}

/// Every line of the sources, and what they have no figures of, each with its option here.
fn lines() -> Vec<(&'static Keying, Past)> {
    let mut lines = Vec::new();
    for (table, machines) in [("5.1", &TABLE_5_1[..]), ("5.2", &TABLE_5_2[..])] {
        for (machine, row) in machines.iter().flat_map(|m| m.rows.iter().map(move |row| (m, row))) {
            let is_large = table == "5.2";
            let keying = OPTIONS
                .iter()
                .find(|keying| keying.option == row.option && (keying.tables.1 == BIG) == is_large);
            let note = note(machine, row, is_large);
            let past = Past { table: Some(table), machine: machine.name, row: Some(row), note };
            lines.push((keying.expect("every option of 1998 is in the list"), past));
        }
    }
    let huge = OPTIONS.iter().filter(|keying| keying.tables.1 == HUGE);
    let past = || Past { table: None, machine: BEST, row: None, note: Some(HUGE_NOTE) };
    lines.extend(huge.map(|keying| (keying, past())));
    lines
}

/// The machine of the authors' best figures.
const BEST: &str = TABLE_5_1[0].name;

fn note(machine: &PastMachine, row: &PastRow, is_large: bool) -> Option<&'static str> {
    match (machine.name, row.option) {
        _ if is_large => Some(LARGE_NOTE),
        (BEST, "Comp.") => Some(COMPILED_NOTE),
        _ if row.code_bytes.is_none() => Some(SHIFTED_NOTE),
        ("Pentium Pro, Microsoft C", "Zero") => Some(SLIDES_C_NOTE),
        _ => None,
    }
}

/// Compares all that was measured; `why` says why there are no figures of a kernel.
pub fn compare(here: &Here, why: impl Fn(&str) -> String) -> Paper {
    let sizes = here.key_sizes();
    let lines = lines();
    let takes = |keying: &Keying, bits: &usize| keying.key_sizes.contains(bits);
    let tables = lines.iter().flat_map(|(keying, past)| {
        let sizes = sizes.iter().filter(|bits| takes(keying, bits));
        sizes.map(|bits| here.comparison(keying, *bits, past)).collect::<Vec<_>>()
    });
    let best = lines.iter().filter(|(_, past)| past.machine == BEST);
    let same = |a: &Message, b: &Message| (a.key_bits, a.bytes) == (b.key_bits, b.bytes);
    let absent =
        |keying: &&Keying| !sizes.iter().any(|bits| here.row(keying.kernel, *bits).is_some());
    let missing = OPTIONS.iter().filter(absent);
    Paper {
        tables: tables.collect(),
        memory: best.map(|(keying, past)| here.memory(keying, past)).collect(),
        messages: here.messages.chunk_by(same).filter_map(|m| here.total(m)).collect(),
        missing: missing
            .map(|keying| Missing { kernel: keying.kernel, why: why(keying.kernel) })
            .collect(),
    }
}

/// The notes of the tables, numbered as they appear.
#[derive(Default)]
struct Notes(Vec<&'static str>);

impl Notes {
    /// The text with the mark of a note.
    fn mark(&mut self, text: &str, note: Option<&'static str>) -> String {
        let Some(note) = note else { return text.to_owned() };
        let found = self.0.iter().position(|known| *known == note);
        let at = found.unwrap_or_else(|| {
            self.0.push(note);
            self.0.len() - 1
        });
        format!("{text} [{}]", at + 1)
    }

    fn text(&self) -> String {
        let numbered = self.0.iter().enumerate();
        numbered.map(|(at, note)| wrapped(&format!("[{}] {note}.", at + 1), 4)).collect()
    }
}

/// Lines of 80 columns at most; all but the first are indented.
fn wrapped(text: &str, indent: usize) -> String {
    const COLUMNS: usize = 80;
    let (mut lines, mut line) = (String::new(), String::new());
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > COLUMNS {
            let _ = writeln!(lines, "{line}");
            line = " ".repeat(indent - 1);
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines + &line + "\n"
}

impl Paper {
    /// All tables, within 80 columns, and the notes below.
    pub fn text(&self) -> String {
        let mut notes = Notes::default();
        let mut text = self.best_table(&mut notes) + "\n" + &self.memory_table(&mut notes) + "\n";
        text += &self.other_tables(&mut notes);
        for key_bits in distinct(self.messages.iter().map(|total| total.key_bits)) {
            text += &self.message_table(key_bits, &mut notes);
        }
        text += "Sources: B. Schneier and others, The Twofish Encryption Algorithm (Wiley, 1999),\n\
                 Tables 5.1 and 5.2; the authors' slides of 1998 (slide; a key, 1998).\n";
        text += &notes.text();
        for Missing { kernel, why } in &self.missing {
            text += &wrapped(&format!("-: {kernel}: {why}."), 4);
        }
        text
    }

    /// The best machine of 1998, a line for each key size.
    fn best_table(&self, notes: &mut Notes) -> String {
        let head = ["keying", "key", "set-up 1998", "here", "ratio", "block 1998", "here", "ratio"];
        let mut table = Table::new("<>>>>>>>", &head);
        let mut last = "";
        for line in self.tables.iter().filter(|line| line.machine == BEST) {
            let name = notes.mark(line.keying, line.note);
            table.row([
                if last == line.keying { String::new() } else { name },
                line.key_bits.to_string(),
                dash(line.setup_clocks_1998),
                whole(line.setup_cycles),
                ratio(line.setup_ratio),
                dash(line.block_clocks_1998),
                whole(line.block_cycles),
                ratio(line.block_ratio),
            ]);
            last = line.keying;
        }
        format!(
            "Tables 5.1 and 5.2: {BEST}, beside this machine\n\n{table}\n\
             set-up: of a key; block: encryption of one, which waits for the one before.\n\
             ratio: clocks of 1998 for each of here. 256 KB, 256 MB: with fixed tables.\n"
        )
    }

    fn memory_table(&self, notes: &mut Notes) -> String {
        let head =
            ["keying", "code 1998", "here", "a key 1998", "here", "its tables", "fixed tables"];
        let mut table = Table::new("<>>>>>>", &head);
        for line in &self.memory {
            table.row([
                notes.mark(line.keying, line.note),
                dash(line.code_bytes_1998),
                dash(line.code_bytes),
                dash(line.key_bytes_1998),
                dash(line.key_bytes),
                line.key_table_bytes.to_string(),
                dash(line.fixed_table_bytes),
            ]);
        }
        format!(
            "Bytes of memory: {BEST}, beside this build\n\n{table}\n\
             code: for set-up, encryption and decryption with all key sizes; in 1998 the\n\
             fixed tables were about 4600 bytes. a key: all that is stored for it, 160 bytes\n\
             of subkeys among it; its tables: their share. Compiled keying here has the code\n\
             of full, too, for many blocks at once.\n"
        )
    }

    /// The other machines, a line for all key sizes.
    fn other_tables(&self, notes: &mut Notes) -> String {
        let others: Vec<&Comparison> =
            self.tables.iter().filter(|line| line.machine != BEST).collect();
        let same = |a: &&Comparison, b: &&Comparison| {
            (a.machine, a.keying, a.table) == (b.machine, b.keying, b.table)
        };
        let lines: Vec<&[&Comparison]> = others.chunk_by(same).collect();
        let Some(sizes) =
            lines.first().map(|line| line.iter().map(|l| l.key_bits).collect::<Vec<_>>())
        else {
            return String::new();
        };
        let mut head = vec!["keying".to_owned(), "code".to_owned()];
        for what in ["key ", "enc. "] {
            let what = |at| if at == 0 { what } else { "" };
            head.extend(sizes.iter().enumerate().map(|(at, bits)| format!("{}{bits}", what(at))));
        }
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let mut table = Table::new("<>>>>>>>", &head);
        let mut headings = Vec::new();
        for line in &lines {
            let first = line[0];
            // What is true of a whole machine is marked at its name.
            let is_of_machine = [SHIFTED_NOTE, LARGE_NOTE].map(Some).contains(&first.note);
            let (of_machine, of_line) =
                if is_of_machine { (first.note, None) } else { (None, first.note) };
            let large = if first.table == Some("5.2") { ", Table 5.2" } else { "" };
            headings.push(notes.mark(&format!("{}{large}", first.machine), of_machine));
            let mut cells = vec![notes.mark(first.option, of_line), dash(first.code_bytes_1998)];
            cells.extend(line.iter().map(|l| with_ratio(l.setup_clocks_1998, l.setup_ratio)));
            cells.extend(line.iter().map(|l| with_ratio(l.block_clocks_1998, l.block_ratio)));
            table.row(cells);
        }
        let table = table.to_string();
        let mut printed = table.lines();
        let mut text =
            "The other machines: clocks to set up a key and to encrypt a block, by key size,\n\
         and their ratio to cycles here\n\n"
                .to_owned()
                + printed.next().unwrap_or_default()
                + "\n";
        let mut last = String::new();
        for (heading, line) in headings.into_iter().zip(printed) {
            if heading != last {
                let _ = writeln!(text, "{heading}");
            }
            let _ = writeln!(text, "{line}");
            last = heading;
        }
        text + "\n"
    }

    fn message_table(&self, key_bits: usize, notes: &mut Notes) -> String {
        let head = ["bytes", "5.1", "", "slide", "keying options", "ratio", "all kernels", "ratio"];
        let mut table = Table::new("<><><><>", &head);
        let totals: Vec<&Total> =
            self.messages.iter().filter(|total| total.key_bits == key_bits).collect();
        let names = totals.iter().flat_map(|total| [&total.keying, &total.any]).flatten();
        let width = names.map(|best| best.kernel.len()).max().unwrap_or_default();
        let cell = |best: &Option<Best>| {
            best.as_ref().map_or_else(
                || "-".to_owned(),
                |best| format!("{:<width$} {:>5}", best.kernel, three_digits(best.cycles_per_byte)),
            )
        };
        for total in totals {
            let ratio_of = |best: &Option<Best>| ratio(best.as_ref().and_then(|best| best.ratio));
            table.row([
                notes.mark(&total.bytes.to_string(), total.note),
                three_digits(total.clocks_per_byte_1998),
                total.keying_1998.to_owned(),
                total.slide_1998.map(|clocks| clocks.to_string()).unwrap_or_default(),
                cell(&total.keying),
                ratio_of(&total.keying),
                cell(&total.any),
                ratio_of(&total.any),
            ]);
        }
        let slide = if self.messages.iter().any(|total| has_slide(total, key_bits)) {
            "slide: from the slides' own figures, by which compiled keying takes 285 clocks.\n"
        } else {
            ""
        };
        format!(
            "Key setup + encryption of one message, {key_bits}-bit key, a byte\n\n{table}\n\
             5.1: the best option by arithmetic of that table, to which the ratios are.\n{slide}\n"
        )
    }
}

fn has_slide(total: &Total, key_bits: usize) -> bool {
    total.key_bits == key_bits && total.slide_1998.is_some()
}

fn dash(figure: Option<impl ToString>) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| figure.to_string())
}

fn whole(figure: Option<f64>) -> String {
    dash(figure.map(|figure| format!("{figure:.0}")))
}

fn ratio(ratio: Option<f64>) -> String {
    dash(
        ratio.map(|ratio| if ratio < 9.95 { format!("{ratio:.1}") } else { format!("{ratio:.0}") }),
    )
}

fn with_ratio(clocks: Option<u32>, of: Option<f64>) -> String {
    format!("{} {:>3}", dash(clocks), ratio(of))
}

#[cfg(test)]
mod tests {
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
        let row =
            |bits: usize, (kernel, context_bytes, code, block): (&str, usize, u64, f64)| Row {
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
        assert!(
            text == include_str!("paper.txt"),
            "what is printed above is not src/paper/paper.txt"
        );
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
        assert_eq!(
            line.split_whitespace().collect::<Vec<_>>().join(" "),
            "Part. 128 4900 - - 460 - -"
        );
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
}
