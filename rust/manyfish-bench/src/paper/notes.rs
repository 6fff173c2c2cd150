// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Misprints and gaps of the sources.

use std::fmt::Write;

use crate::history::{BEST, EarlierRow, PastRow};

const COMPILED: &str = "The text beside Table 5.1 has figures of earlier versions: a set-up of 12,700 clocks, and \
     90 Mbit/s at 200 MHz, which is 285 clocks for a block and not 258; Section 5.1.3 has a set-up of 8,700";
pub const SHIFTED: &str = "Table 5.1 has no code size for this machine, and prints the other figures one column too far \
     left; here they stand where they belong";
pub const LARGE: &str = "Table 5.2 counts the 262,144 bytes of the large table as code; for C, Section 5.1.3 tells of \
     about 1000 clocks saved, the tables of 700 with 128-bit keys and of none with longer ones";
pub const HUGE: &str = "The sources have no figures for this; they expect about 1000 clocks less than with 256 KB [TR3, 2]. Here \
     the rows of the tables are in the cache";
const SLIDE: &str =
    "The slide's 140 is not explained by the authors' own figures, which give 131.9";
const SUM: &str = "Table 5.3 prints 4690 as the clocks to encrypt 64 bytes; that is the sum with the set-up, and \
     3440 is right";
const MINIMAL: &str = "Table 5.3 names Minimal keying; its 6880 clocks and 63.5 a byte are those of Zero \
     keying, and Minimal would take 63.8";
const SLIDES_C: &str = "The slides print 1750 clocks for a block with a 128-bit key; that is the book's figure for 192 bits";
const SLIDES_FASTER: &str = "The slides came first. The report made the set-up faster [TR3, 1]: of full keying it then \
     has the book's figures, of compiled keying 100 or 200 clocks more than the book";
const REPORT: &str = "285 clocks for a block became 258 between report and book; no text that we have says how, and the \
     book's own text still counts with 285";

/// The fault of the sources about messages of a length.
pub fn of_length(n_bytes: usize) -> Option<&'static str> {
    match n_bytes {
        64 => Some(SUM),
        128 => Some(MINIMAL),
        _ => None,
    }
}

/// The fault of the slide about messages.
pub fn of_slide(n_bytes: usize) -> Option<&'static str> {
    (n_bytes == 16).then_some(SLIDE)
}

/// Why an earlier table differs from the book's.
pub fn of_earlier(row: &EarlierRow) -> Option<&'static str> {
    match (&*row.source, &*row.machine, row.keying.option) {
        ("slides", BEST, "Comp." | "Full") => Some(SLIDES_FASTER),
        ("slides", machine, "Zero") if machine != BEST => Some(SLIDES_C),
        ("report", ..) => Some(REPORT),
        _ => None,
    }
}

/// The fault of the sources in a line.
pub fn of_row(row: &PastRow, is_large: bool) -> Option<&'static str> {
    match (&*row.machine, row.keying.option) {
        _ if is_large => Some(LARGE),
        (BEST, "Comp.") => Some(COMPILED),
        _ if row.code_bytes.is_none() => Some(SHIFTED),
        _ => None,
    }
}

/// The notes of the tables, numbered as they appear.
#[derive(Default)]
pub struct Notes(Vec<&'static str>);

impl Notes {
    /// The text with the mark of a note.
    pub fn mark(&mut self, text: &str, note: Option<&'static str>) -> String {
        let Some(note) = note else { return text.to_owned() };
        let found = self.0.iter().position(|known| *known == note);
        let at = found.unwrap_or_else(|| {
            self.0.push(note);
            self.0.len() - 1
        });
        format!("{text} [{}]", at + 1)
    }

    pub fn text(&self) -> String {
        let numbered = self.0.iter().enumerate();
        numbered.map(|(at, note)| wrapped(&format!("[{}] {note}.", at + 1), 4)).collect()
    }
}

/// Lines of 80 columns at most; all but the first are indented.
pub fn wrapped(text: &str, indent: usize) -> String {
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
