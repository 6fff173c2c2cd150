// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Safes of Password Safe and databases of KeePass: their entries listed, shown, exported.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::io::Read;

use clap::ValueEnum;
use manyfish_files::entries::{Entries, Entry, OTHER, USUAL};
use manyfish_files::kdbx::{self, Key};
use manyfish_files::{Error as FileError, psafe3};
use serde_json::{Map, Value};
use zeroize::Zeroizing;

use super::{OpenArgs, UnlockArgs, beginning, explain};
use crate::Error;
use crate::error::shown;
use crate::input::Input;
use crate::output::{Content, Output, Target};
use crate::passphrase::{Passphrase, from_key_file};

const NO_KEY_FILE: &str = "a database with a key file also needs --key-file";
const OTHER_KEY_FILE: &str = "or the key file is another one, or was altered";
/// Any file may be the key file, even another database.
const MOST_KEY_FILE_BYTES: usize = 192 << 20;
/// A safe of a million entries has 190 MB.
pub const MOST_BYTES: u64 = MOST_KEY_FILE_BYTES as u64;

/// The forms that other programs import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    Csv,
    Json,
    Pem,
}

/// The programs whose files hold entries.
#[derive(Clone, Copy, Debug)]
pub enum Program {
    PasswordSafe,
    KeePass,
}

impl Program {
    pub fn of(input: &Input) -> Option<Self> {
        let beginning: [u8; 8] = beginning(input)?;
        if psafe3::Sealed::is_one(&beginning) {
            Some(Self::PasswordSafe)
        } else {
            kdbx::Sealed::is_one(&beginning).then_some(Self::KeePass)
        }
    }
}

/// The file, which has at most `most` bytes.
pub fn read(input: &mut Input, most: u64) -> Result<Vec<u8>, Error> {
    // All the space at once: a buffer that grows takes up to twice as much.
    let expected = input.bytes.unwrap_or_default().min(most) + 1;
    let mut file = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    let limited = input.reader.by_ref().take(most + 1).read_to_end(&mut file);
    limited.map_err(|error| Error::io(format_args!("cannot read {input}"), &error))?;
    if file.len() as u64 > most {
        let limit = most >> 20;
        return Err(Error::failed(format_args!(
            "{input} is longer than {limit} MiB, expected passwords or keys"
        )));
    }
    Ok(file)
}

pub fn open(args: &OpenArgs, program: Program, mut input: Input) -> Result<(), Error> {
    if args.export == Some(Form::Pem) {
        return Err(Error::usage("--export pem is for keystores; passwords take csv and json"));
    }
    let file = read(&mut input, MOST_BYTES)?;
    let target = args.output.target(Content::Plaintext, &input)?;
    match program {
        Program::PasswordSafe => {
            let (safe, _) = open_safe(&args.unlock, file, &input)?;
            write(args, &safe, &target)
        }
        Program::KeePass => write(args, &open_database(&args.unlock, &file, &input)?, &target),
    }
}

fn write(args: &OpenArgs, entries: &dyn Entries, target: &Target) -> Result<(), Error> {
    let mut output = target.create()?;
    match (&args.show, args.export) {
        (Some(name), _) => show(entries, name, target.is_text_only(), &mut output)?,
        (None, Some(Form::Json)) => json(entries, &mut output)?,
        (None, Some(Form::Csv)) => csv(entries, &mut output)?,
        (None, _) => each(entries, &mut output, list)?,
    }
    output.commit()
}

/// Writes the text that `describe` gives for each entry.
fn each(
    entries: &dyn Entries,
    output: &mut Output,
    mut describe: impl FnMut(&Entry, &mut Text),
) -> Result<(), Error> {
    let mut result = Ok(());
    let mut text = Text::default();
    entries.visit(&mut |entry| {
        if result.is_ok() {
            text.clear();
            describe(entry, &mut text);
            result = output.put(text.as_bytes());
        }
    });
    result
}

/// The safe, and the passphrase that opened it.
pub fn open_safe(
    args: &UnlockArgs,
    file: Vec<u8>,
    input: &Input,
) -> Result<(psafe3::Safe, Passphrase), Error> {
    let refuse = |error| explain(error, input);
    let sealed = psafe3::Sealed::read(file).map_err(refuse)?;
    let limits = args.within(sealed.asks_for()).map_err(refuse)?;
    let passphrase = args.passphrase.get()?;
    let safe = sealed.open(&passphrase, &limits).map_err(refuse)?;
    Ok((safe, passphrase))
}

fn open_database(args: &UnlockArgs, file: &[u8], input: &Input) -> Result<kdbx::Database, Error> {
    let refuse = |error| explain_database(error, args, input);
    let sealed = kdbx::Sealed::read(file).map_err(refuse)?;
    let limits = args.within(sealed.asks_for()).map_err(refuse)?;
    sealed.open(&key(args)?, &limits).map_err(refuse)
}

/// The error of a database, which cannot tell a wrong passphrase from a key file that is wrong or missing.
pub fn explain_database(error: FileError, args: &UnlockArgs, input: &Input) -> Error {
    let is_wrong =
        matches!(error, FileError::WrongPassphrase | FileError::WrongPassphraseOrCodePage);
    let hint = if args.has_key_file() { OTHER_KEY_FILE } else { NO_KEY_FILE };
    let error = explain(error, input);
    if is_wrong { error.hint(hint) } else { error }
}

/// The passphrase and the key file of a database.
pub fn key(args: &UnlockArgs) -> Result<Key, Error> {
    let key_file = match &args.key_file[..] {
        [] => None,
        [path] => Some(from_key_file(path, MOST_KEY_FILE_BYTES)?),
        _ => return Err(Error::usage("a KeePass database takes one key file")),
    };
    let passphrase = args.passphrase.get_or_empty(key_file.is_some())?;
    Ok(Key { passphrase, key_file })
}

pub type Text = Zeroizing<String>;

/// A line: its name and its user.
fn list(entry: &Entry, text: &mut Text) {
    let user = entry.text("user");
    let gap = if user.is_empty() { "" } else { "\t" };
    writeln!(text, "{}{gap}{}", shown(&entry.path()), shown(user)).expect("a string takes all");
}

/// All texts of the entries of this name.
fn show(
    entries: &dyn Entries,
    wanted: &str,
    is_escaped: bool,
    output: &mut Output,
) -> Result<(), Error> {
    let mut gap = "";
    each(entries, output, |entry, text| {
        if entry.path() != wanted && entry.text("title") != wanted {
            return;
        }
        text.push_str(gap);
        gap = "\n";
        for (name, value) in &entry.texts {
            add_lines(text, &shown(name), value, is_escaped);
        }
    })?;
    if gap.is_empty() { Err(nothing_called(wanted)) } else { Ok(()) }
}

/// Adds a line for each one of a text. A terminal gets what would steer it escaped; elsewhere the text stays as it is.
fn add_lines(text: &mut Text, name: &str, value: &str, is_escaped: bool) {
    let mut add = |line: &str| writeln!(text, "{name}: {line}").expect("a string takes all");
    if is_escaped {
        value.lines().for_each(|line| add(&shown(line)));
    } else if !value.is_empty() {
        value.split('\n').for_each(add);
    }
}

pub fn nothing_called(name: &str) -> Error {
    Error::failed(format_args!("there is no entry {name:?}"))
        .hint("without --show the command lists the entries")
}

/// With all that entries hold: what is no text as hexadecimal digits.
fn json(entries: &dyn Entries, output: &mut Output) -> Result<(), Error> {
    let mut separator = "";
    output.put(b"[")?;
    each(entries, output, |entry, text| {
        let list = serde_json::to_string_pretty(&[object(entry)]).expect("an object of strings");
        let list = Zeroizing::new(list);
        text.push_str(separator);
        separator = ",";
        text.push_str(
            list.strip_prefix('[').and_then(|list| list.strip_suffix("\n]")).expect("a list"),
        );
    })?;
    output.put(if separator.is_empty() { b"]\n" } else { b"\n]\n" })
}

fn object(entry: &Entry) -> Value {
    let texts = entry.texts.iter().map(|(name, text)| (name.to_string(), text.as_str().into()));
    let mut object: Map<String, Value> = texts.collect();
    let digits = |octets: &[u8]| Value::from(base16ct::lower::encode_string(octets));
    let octets = entry.octets.iter().map(|(name, octets)| (name.to_string(), digits(octets)));
    object.insert(OTHER.into(), octets.collect::<Map<_, _>>().into());
    Value::Object(object)
}

/// With the texts alone [RFC4180]: a column for each name that occurs.
fn csv(entries: &dyn Entries, output: &mut Output) -> Result<(), Error> {
    let mut own = BTreeSet::new();
    entries.visit(&mut |entry| {
        let names = entry.texts.iter().map(|(name, _)| name);
        own.extend(names.filter(|name| !USUAL.contains(&name.as_ref())).cloned());
    });
    let columns: Vec<_> = USUAL.into_iter().chain(own.iter().map(AsRef::as_ref)).collect();
    let line = |cells: Vec<String>| cells.join(",") + "\r\n";
    output.put(line(columns.iter().map(|name| quoted(name)).collect()).as_bytes())?;
    each(entries, output, |entry, text| {
        let texts: HashMap<_, _> = entry.texts.iter().map(|(name, text)| (&**name, text)).collect();
        let cells = columns.iter().map(|name| quoted(texts.get(name).map_or("", |text| text)));
        text.push_str(&Zeroizing::new(line(cells.collect())));
    })
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(Entry);

    impl Entries for One {
        fn visit(&self, f: &mut dyn FnMut(&Entry)) {
            f(&self.0);
        }
    }

    /// The command line of `open`.
    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: OpenArgs,
    }

    /// The text that a file gets.
    fn written(options: &[&str], entry: Entry) -> String {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out");
        let line = [&["open", "in", "-o", path.to_str().unwrap()], options].concat();
        let Line { args } = clap::Parser::parse_from(line);
        let target = args.output.target(Content::Plaintext, &Input::open(None).unwrap()).unwrap();
        write(&args, &One(entry), &target).unwrap();
        std::fs::read_to_string(path).unwrap()
    }

    fn entry(texts: &[(&str, &str)]) -> Entry {
        let text = |text: &str| Zeroizing::new(text.to_owned());
        let texts = texts.iter().map(|(name, value)| (name.to_string().into(), text(value)));
        Entry { texts: texts.collect(), octets: vec![] }
    }

    /// Comparing each of these names with each takes half a minute.
    #[test]
    fn csv_takes_an_entry_of_many_names() {
        let names: Vec<_> = (100_000..200_000).map(|n| n.to_string()).collect();
        let texts: Vec<_> = names.iter().map(|name| (name.as_str(), &name[1..])).collect();
        let values: Vec<_> = texts.iter().map(|(_, value)| *value).collect();
        let head = [&USUAL[..], &names.iter().map(String::as_str).collect::<Vec<_>>()].concat();
        let expected = format!("{}\r\n,,,,,,{}\r\n", head.join(","), values.join(","));
        assert!(written(&["--export", "csv"], entry(&texts)) == expected);
    }

    #[test]
    fn texts_are_escaped_for_a_terminal_alone() {
        const TEXT: &str = "a\x1b[31m\u{202e}\tb\r\n\nc\n";
        let entry = entry(&[("title", "t"), ("password", TEXT), ("url", "")]);
        let lines = "password: a\x1b[31m\u{202e}\tb\r\npassword: \npassword: c\npassword: \n";
        assert_eq!(written(&["--show", "t"], entry), format!("title: t\n{lines}"));
        let mut text = Text::default();
        add_lines(&mut text, "url", TEXT, true);
        assert_eq!(*text, "url: a\\u{1b}[31m\\u{202e}\\tb\nurl: \nurl: c\n");
    }
}
