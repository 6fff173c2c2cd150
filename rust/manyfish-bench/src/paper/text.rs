// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The comparison as tables to read.

use std::fmt::Write;

use super::notes::{LARGE, Notes, SHIFTED, wrapped};
use super::{Best, Comparison, Missing, Paper, Total};
use crate::history::BEST;
use crate::report::{distinct, three_digits};
use crate::table::Table;

impl Paper {
    /// All tables, within 80 columns, and the notes below.
    pub fn text(&self) -> String {
        let mut notes = Notes::default();
        let mut text = self.in_short() + &self.best_table(&mut notes) + "\n";
        text += &self.memory_table(&mut notes);
        text += "\n";
        text += &self.other_tables(&mut notes);
        text += &self.earlier_table(&mut notes);
        text += &self.slide_table(&mut notes);
        for key_bits in distinct(self.messages.iter().map(|total| total.key_bits)) {
            text += &self.message_table(key_bits, &mut notes);
        }
        text += "Sources: B. Schneier and others, The Twofish Encryption Algorithm (Wiley, 1999),\n\
                 Tables 5.1 and 5.2; the authors' slides of 1998 (also: a key, 1998); their\n\
                 Twofish Technical Report 3 of 1998, Tables 1 and 2.\n";
        text += &notes.text();
        for Missing { kernel, why } in &self.missing {
            text += &wrapped(&format!("-: {kernel}: {why}."), 4);
        }
        text
    }

    /// The sentences above the tables.
    fn in_short(&self) -> String {
        let lines: String =
            self.summary.iter().map(|said| wrapped(&format!("- {said}"), 2)).collect();
        if lines.is_empty() { lines } else { format!("In short\n\n{lines}\n") }
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
        let Some(first) = lines.first() else { return String::new() };
        let mut table = Table::new("<>>>>>>>", &head_of_others(first));
        let mut headings = Vec::new();
        for line in &lines {
            // A note on a whole machine stands at its name.
            let (of_machine, of_line) = match line[0].note {
                note @ Some(SHIFTED | LARGE) => (note, None),
                note => (None, note),
            };
            headings.push(notes.mark(&heading(line[0]), of_machine));
            table.row(cells_of_other(line, notes.mark(line[0].option, of_line)));
        }
        "The other machines: clocks to set up a key and to encrypt a block, by key size,\n\
         and their ratio to cycles here\n\n"
            .to_owned()
            + &under_headings(&table, &headings)
            + "\n"
    }

    /// The tables before the book, the book's figure behind each that differs.
    fn earlier_table(&self, notes: &mut Notes) -> String {
        let head = ["", "a key", "key 128", "192", "256", "a block"];
        let mut table = Table::new("<>>>>>", &head);
        let mut headings = Vec::new();
        for line in &self.earlier {
            let setup = line.setup_clocks.map(Some).into_iter().zip(line.setup_clocks_of_book);
            // All sizes take as much; with zero keying the slides have 128 bits alone.
            let block = [(line.block_clocks[0], line.block_clocks_of_book[0])];
            let name = notes.mark(line.keying, line.note);
            let clocks = setup.chain(block).map(|(then, book)| beside_book(then, book));
            table.row([name, dash(line.key_bytes)].into_iter().chain(clocks));
            headings.push(format!("{}, {}", line.source, line.machine));
        }
        "Before the book: bytes of a key, and clocks. The slides were for \"Pentium or\n\
         Pentium Pro\"; of the report, what differs. In brackets: the book\n\n"
            .to_owned()
            + &under_headings(&table, &headings)
            + "\n"
    }

    /// The slide of messages beside the arithmetic of its own table.
    fn slide_table(&self, notes: &mut Notes) -> String {
        let mut table = Table::new("<><>", &["bytes", "slide", "by the slides' table", ""]);
        for line in &self.slide {
            table.row([
                notes.mark(&line.bytes.to_string(), line.note),
                line.clocks_per_byte.to_string(),
                line.keying.to_owned(),
                three_digits(line.by_table),
            ]);
        }
        format!("Key setup + encryption on the slides, 128-bit key, a byte\n\n{table}\n")
    }

    fn message_table(&self, key_bits: usize, notes: &mut Notes) -> String {
        let head = ["bytes", "1998", "", "the same options", "ratio", "all kernels", "ratio"];
        let mut table = Table::new("<><<><>", &head);
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
                cell(&total.keying),
                ratio_of(&total.keying),
                cell(&total.any),
                ratio_of(&total.any),
            ]);
        }
        format!(
            "Key setup + encryption of independent blocks, {key_bits}-bit key, a byte\n\n{table}\n\
             1998: the best option by arithmetic of Tables 5.1 and 5.2, to which the ratios\n\
             are. The same options: all of these, and none with tables of 256 MB.\n\n"
        )
    }
}

/// Clocks, with the book's behind if these are others.
fn beside_book(then: Option<u32>, book: u32) -> String {
    match then {
        Some(clocks) if clocks != book => format!("{clocks} ({book})"),
        _ => dash(then),
    }
}

/// The head of a table whose lines are for all the key sizes of this one.
fn head_of_others(line: &[&Comparison]) -> Vec<String> {
    let of = |what: &str| {
        let sizes = line.iter().enumerate();
        let names =
            sizes.map(|(at, l)| format!("{}{}", if at == 0 { what } else { "" }, l.key_bits));
        names.collect::<Vec<_>>()
    };
    [vec!["keying".to_owned(), "code".to_owned()], of("key "), of("enc. ")].concat()
}

fn heading(line: &Comparison) -> String {
    let large = if line.table == Some("5.2") { ", Table 5.2" } else { "" };
    format!("{}{large}", line.machine)
}

fn cells_of_other(line: &[&Comparison], name: String) -> Vec<String> {
    let mut cells = vec![name, dash(line[0].code_bytes_1998)];
    cells.extend(line.iter().map(|l| with_ratio(l.setup_clocks_1998, l.setup_ratio)));
    cells.extend(line.iter().map(|l| with_ratio(l.block_clocks_1998, l.block_ratio)));
    cells
}

/// The table, with a heading above each line that has another than the line before.
fn under_headings(table: &Table, headings: &[String]) -> String {
    let table = table.to_string();
    let mut lines = table.lines();
    let mut text = format!("{}\n", lines.next().unwrap_or_default());
    let mut last = None;
    for (heading, line) in headings.iter().zip(lines) {
        if last.replace(heading) != Some(heading) {
            let _ = writeln!(text, "{heading}");
        }
        let _ = writeln!(text, "{line}");
    }
    text
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
