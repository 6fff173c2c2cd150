// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The tables of 1998, this machine's figures beside them, and how many times the old ones are the new
//! ones. Notes name the misprints of the sources.

pub mod keying;
mod notes;
mod summary;
#[cfg(test)]
mod tests;
mod text;

use serde::Serialize;

use crate::history::{self, BEST, EarlierRow};
use crate::messages::Message;
use crate::report::{distinct, maybe_three_decimals};
use crate::rows::Row;
use keying::{Keying, OPTIONS, Past, lines};

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

/// The memory of a keying option, in bytes.
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

/// A line of the tables before the book, beside the book's.
#[derive(Debug, Serialize)]
struct Earlier {
    source: &'static str,
    machine: &'static str,
    keying: &'static str,
    key_bytes: Option<u32>,
    setup_clocks: [u32; 3],
    block_clocks: [Option<u32>; 3],
    setup_clocks_of_book: [u32; 3],
    block_clocks_of_book: [u32; 3],
    note: Option<&'static str>,
}

/// A message on the slides, and what their own table makes of it.
#[derive(Debug, Serialize)]
struct Slide {
    bytes: usize,
    clocks_per_byte: u32,
    keying: &'static str,
    #[serde(serialize_with = "crate::report::three_decimals")]
    by_table: f64,
    note: Option<&'static str>,
}

/// Set-up and encryption of one message.
#[derive(Debug, Serialize)]
struct Total {
    key_bits: usize,
    bytes: usize,
    keying_1998: &'static str,
    #[serde(serialize_with = "crate::report::three_decimals")]
    clocks_per_byte_1998: f64,
    /// The best of the options that the tables of 1998 have, and the best of all kernels.
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
    summary: Vec<String>,
    tables: Vec<Comparison>,
    earlier: Vec<Earlier>,
    slide: Vec<Slide>,
    memory: Vec<Memory>,
    messages: Vec<Total>,
    missing: Vec<Missing>,
}

/// The figures of this machine.
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

    fn unit(&self) -> &'static str {
        if self.in_cycles { "cycles" } else { "nanoseconds" }
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
            key_bytes_1998: history::slide_key_bytes(keying),
            key_bytes: row.map(|row| row.context_bytes),
            key_table_bytes,
            fixed_table_bytes: row.and_then(|row| row.constant_bytes).map(|bytes| bytes + shared),
            note: past.note.filter(|note| *note == notes::LARGE),
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
            keying_1998,
            clocks_per_byte_1998: then,
            keying: self.best(messages, then, |m| has_past(&m.kernel)),
            any: self.best(messages, then, |_| true),
            note: (key_bits == 128).then(|| notes::of_length(bytes)).flatten(),
        })
    }
}

/// Whether the tables of 1998 have this option.
fn has_past(kernel: &str) -> bool {
    OPTIONS.iter().any(|option| option.kernel == kernel && option.has_past())
}

/// The slides' tables, and what differs between the report's and the book's.
fn earlier() -> Vec<Earlier> {
    let line = |row: &'static EarlierRow| {
        let book = row.in_book().expect("the book has all of them");
        let same = row.setup == book.setup && row.block == book.block.map(Some);
        (row.source == "slides" || !same).then(|| Earlier {
            source: &row.source,
            machine: &row.machine,
            keying: row.keying.name,
            key_bytes: row.key_bytes,
            setup_clocks: row.setup,
            block_clocks: row.block,
            setup_clocks_of_book: book.setup,
            block_clocks_of_book: book.block,
            note: notes::of_earlier(row),
        })
    };
    history::EARLIER.iter().filter_map(line).collect()
}

/// The slide's messages.
fn slide() -> Vec<Slide> {
    let line = |(bytes, clocks_per_byte): (usize, u32)| {
        let (keying, by_table) = history::best_of_slides(u32::try_from(bytes / 16).ok()?)?;
        let note = notes::of_slide(bytes);
        Some(Slide { bytes, clocks_per_byte, keying, by_table, note })
    };
    history::CURVE.into_iter().filter_map(line).collect()
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
    let tables: Vec<Comparison> = tables.collect();
    Paper {
        summary: summary::sentences(here),
        tables,
        earlier: earlier(),
        slide: slide(),
        memory: best.map(|(keying, past)| here.memory(keying, past)).collect(),
        messages: here.messages.chunk_by(same).filter_map(|m| here.total(m)).collect(),
        missing: missing
            .map(|keying| Missing { kernel: keying.kernel, why: why(keying.kernel) })
            .collect(),
    }
}
