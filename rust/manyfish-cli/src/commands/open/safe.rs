// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Safes of Password Safe: listed, shown, exported.

use std::fmt::Write as _;
use std::io::Read;

use clap::ValueEnum;
use manyfish_files::psafe3::{Entry, Kind, Safe, Sealed};
use manyfish_files::{Limits, Source};
use serde_json::{Map, Value};
use zeroize::Zeroizing;

use super::{OpenArgs, explain};
use crate::Error;
use crate::error::shown;
use crate::input::{Input, Reader};
use crate::output::Content;

/// A safe of a million entries is smaller.
const MOST_BYTES: u64 = 1 << 30;

/// The forms that other programs import.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Form {
    Csv,
    Json,
}

const COLUMNS: [(&str, Kind); 9] = [
    ("group", Kind::Group),
    ("title", Kind::Title),
    ("user", Kind::User),
    ("password", Kind::Password),
    ("url", Kind::Url),
    ("email", Kind::Email),
    ("notes", Kind::Notes),
    ("autotype", Kind::Autotype),
    ("run", Kind::RunCommand),
];

pub fn is_one(input: &Input) -> bool {
    let Reader::File(file) = &input.reader else { return false };
    let mut beginning = [0; 4];
    file.read_exact_at(&mut beginning, 0).is_ok() && Sealed::is_one(&beginning)
}

/// The file, which is small.
pub fn read(input: &mut Input) -> Result<Vec<u8>, Error> {
    let mut file = Vec::new();
    let limited = input.reader.by_ref().take(MOST_BYTES + 1).read_to_end(&mut file);
    limited.map_err(|error| Error::io(format_args!("cannot read {input}"), &error))?;
    if file.len() as u64 > MOST_BYTES {
        return Err(Error::failed(format_args!("{input} is longer than 1 GiB, expected a safe")));
    }
    Ok(file)
}

pub fn open(args: &OpenArgs, mut input: Input) -> Result<(), Error> {
    let file = read(&mut input)?;
    let sealed = Sealed::read(&file).map_err(|error| explain(error, &input))?;
    let target = args.output.target(Content::Plaintext, &input)?;
    let limits = args.limits(Limits::default());
    let passphrase = args.passphrase.get()?;
    let safe = sealed.open(&passphrase, &limits).map_err(|error| explain(error, &input))?;
    let text = match (&args.show, args.export) {
        (Some(name), _) => show(&safe, name)?,
        (None, Some(Form::Json)) => json(&safe),
        (None, Some(Form::Csv)) => csv(&safe),
        (None, None) => list(&safe),
    };
    let mut output = target.create()?;
    output.put(text.as_bytes())?;
    output.commit()
}

type Text = Zeroizing<String>;

/// A line for each entry: its name and its user.
fn list(safe: &Safe) -> Text {
    let mut text = Text::default();
    for entry in safe.entries() {
        let user = entry.text(Kind::User);
        let gap = if user.is_empty() { "" } else { "\t" };
        writeln!(text, "{}{gap}{}", shown(&name(&entry)), shown(user)).expect("a string takes all");
    }
    text
}

fn name(entry: &Entry) -> String {
    let (group, title) = (entry.text(Kind::Group), entry.text(Kind::Title));
    if group.is_empty() { title.into() } else { format!("{group}/{title}") }
}

/// All texts of the entries of this name.
fn show(safe: &Safe, wanted: &str) -> Result<Text, Error> {
    let mut text = Text::default();
    let fits = |entry: &Entry| name(entry) == wanted || entry.text(Kind::Title) == wanted;
    for entry in safe.entries().filter(fits) {
        let gap = if text.is_empty() { "" } else { "\n" };
        text.push_str(gap);
        for (column, kind) in COLUMNS {
            for line in entry.text(kind).lines() {
                writeln!(text, "{column}: {}", shown(line)).expect("a string takes all");
            }
        }
    }
    if text.is_empty() {
        return Err(Error::failed(format_args!("the safe has no entry {wanted:?}"))
            .hint("without --show the command lists the entries"));
    }
    Ok(text)
}

/// With all fields: those that are no text as hexadecimal digits, under their numbers.
fn json(safe: &Safe) -> Text {
    let entries = safe.entries().map(|entry| {
        let texts =
            COLUMNS.iter().map(|(column, kind)| ((*column).into(), entry.text(*kind).into()));
        let mut object: Map<String, Value> = texts.collect();
        let is_text = |kind: u8| COLUMNS.iter().any(|(_, text)| *text as u8 == kind);
        let others = entry.fields().iter().filter(|field| !is_text(field.kind));
        let others: Map<_, _> = others
            .map(|field| {
                (field.kind.to_string(), base16ct::lower::encode_string(field.data).into())
            })
            .collect();
        object.insert("other".into(), others.into());
        Value::Object(object)
    });
    let entries: Vec<_> = entries.collect();
    let text = serde_json::to_string_pretty(&entries).expect("objects of strings");
    Zeroizing::new(text + "\n")
}

/// With the texts alone [RFC4180].
fn csv(safe: &Safe) -> Text {
    let mut text = Text::default();
    text.push_str(&COLUMNS.map(|(column, _)| column).join(","));
    text.push_str("\r\n");
    for entry in safe.entries() {
        let cells = COLUMNS.map(|(_, kind)| quoted(entry.text(kind)));
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.into()
    }
}
