// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Databases of KeePass: KDB, KDBX 3 and KDBX 4 \[KDBX\]. The crate keepass reads and writes them; this module asks before
//! what that costs, and checks after writing that nothing was lost.

mod code_page;
mod header;
mod moved;
mod order;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use base64ct::{Base64, Encoding};
use keepass::db::{EntryMut, EntryRef, GroupRef, History, fields};
use keepass::error::DatabaseOpenError;
use keepass::{Database as Content, DatabaseKey};
use manyfish::on_wiped_stack;
use manyfish_openpgp::Limits;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::entries::{Entries, Entry, OTHER, USUAL};
use crate::error::within;
use crate::{Error, Result};
use header::Header;
pub use moved::{Cipher, from_safe};

/// The fields that all entries have, under our names: all but the group.
const FIELDS: [&str; 5] =
    [fields::TITLE, fields::USERNAME, fields::PASSWORD, fields::URL, fields::NOTES];

/// The parser of XML has the same limit. More would fill the stack.
const MOST_GROUPS: usize = 128;

/// A database as it lies on the disk.
#[derive(Debug)]
pub struct Sealed<'a> {
    file: &'a [u8],
    header: Header<'a>,
}

impl<'a> Sealed<'a> {
    /// Whether a file of at least 8 bytes begins as a database does.
    #[must_use]
    pub fn is_one(beginning: &[u8]) -> bool {
        Header::begins(beginning)
    }

    /// The header of a file.
    pub fn read(file: &'a [u8]) -> Result<Self> {
        if !Self::is_one(file) {
            return Err(header::unknown("another format than KDB and KDBX"));
        }
        Ok(Self { file, header: Header::read(file)? })
    }

    /// Its properties that need no passphrase, in lines.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let Header { format, cipher, kdf, .. } = &self.header;
        vec![
            format!("a database of KeePass, {format}, {} bytes", self.file.len()),
            format!("{cipher}, passphrase stretched by {kdf}"),
        ]
    }

    /// The cost of trying a passphrase. KDBX 3 takes a second try for its header, KDB for another code page; that for the
    /// order of texts comes after the passphrase has proved right.
    #[must_use]
    pub fn asks_for(&self) -> Limits {
        let cost = self.header.kdf.cost();
        if self.header.hashed.is_some() || !self.has_xml() { cost.and(cost) } else { cost }
    }

    /// Opens it. [`Error::OverLimits`] comes before any work.
    pub fn open(&self, key: &Key, limits: &Limits) -> Result<Database> {
        within(self.asks_for(), limits)?;
        guarded(|| {
            let content = self.content(key)?;
            if self.header.hashed.is_some() || has_history(&content) {
                self.xml(key)?;
            }
            Ok(content)
        })
        .map(Database)
    }

    /// Whether it is of KDBX.
    fn has_xml(&self) -> bool {
        self.header.format != "KDB"
    }

    /// Its XML, in an order that the crate reads rightly, under a header that is as it was written. The crate gives it by
    /// a call of its own, which derives the key again.
    fn xml(&self, key: &Key) -> Result<Zeroizing<Vec<u8>>> {
        let xml = xml(self.file, key)?;
        self.header.hashed.map_or(Ok(()), |header| check(header, &xml))?;
        order::check(&xml)?;
        Ok(xml)
    }

    fn content(&self, key: &Key) -> Result<Content> {
        let mut content = self.parsed(key)?;
        if !self.has_xml() {
            content.foreach_entry_mut(|mut entry| drop_no_attachment(&mut entry));
        }
        if is_nested_within(MOST_GROUPS, &content.root()) {
            Ok(content)
        } else {
            let problem = format!("more than {MOST_GROUPS} groups lie in each other");
            Err(Error::DamagedDatabase(problem))
        }
    }

    /// The content under a key in either encoding.
    fn parsed(&self, key: &Key) -> Result<Content> {
        let parse = |key| Content::parse(self.file, key).map_err(explain);
        let content = key.theirs().and_then(parse);
        if self.has_xml() || key.passphrase.is_ascii() || content.is_ok() {
            return content;
        }
        if let Some(Ok(content)) = code_page::key(key).map(parse) {
            return Ok(content);
        }
        content.map_err(|error| match error {
            Error::WrongPassphrase | Error::NotUtf8 => Error::WrongPassphraseOrCodePage,
            other => other,
        })
    }
}

/// KeePass 1 writes an attachment to each entry: without a name and octets if there is none.
fn drop_no_attachment(entry: &mut EntryMut) {
    if entry.as_ref().attachment_by_name("").is_some_and(|file| file.data.is_empty()) {
        entry.remove_attachment_by_name("");
    }
}

/// Whether an entry has earlier versions, so that texts may stand in an order that the crate does not read rightly.
fn has_history(content: &Content) -> bool {
    let has = |history: &History| !history.get_entries().is_empty();
    content.iter_all_entries().any(|entry| entry.history.as_ref().is_some_and(has))
}

/// Whether at most this many groups lie in each other.
fn is_nested_within(most: usize, group: &GroupRef) -> bool {
    group.groups().all(|inner| most > 0 && is_nested_within(most - 1, &inner))
}

/// The secrets of a database: at least one of them.
#[derive(Clone, Default)]
pub struct Key {
    /// In UTF-8, or for KDB in any encoding; empty for none.
    pub passphrase: Zeroizing<Vec<u8>>,
    /// The content of a key file.
    pub key_file: Option<Zeroizing<Vec<u8>>>,
}

impl Key {
    fn theirs(&self) -> Result<DatabaseKey> {
        let passphrase = str::from_utf8(&self.passphrase).map_err(|_| Error::NotUtf8)?;
        let mut key = DatabaseKey::new();
        if !passphrase.is_empty() || self.key_file.is_none() {
            key = key.with_password(passphrase);
        }
        match &self.key_file {
            Some(file) => Ok(key.with_keyfile(&mut &file[..])?),
            None => Ok(key),
        }
    }
}

/// Shows no secret.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

/// An opened database, which proved right under its passphrase.
pub struct Database(Content);

/// Group by group; earlier versions of an entry are left out.
impl Entries for Database {
    fn visit(&self, f: &mut dyn FnMut(&Entry)) {
        visit(&self.0.root(), "", f);
    }
}

/// Shows no secret.
impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").finish_non_exhaustive()
    }
}

/// The entries of a group and of those in it. `path` leads to it; the root has none.
fn visit(group: &GroupRef, path: &str, f: &mut dyn FnMut(&Entry)) {
    group.entries().for_each(|entry| f(&ours(&entry, path)));
    for inner in group.groups() {
        let slash = if path.is_empty() { "" } else { "/" };
        visit(&inner, &format!("{path}{slash}{}", inner.name), f);
    }
}

fn ours(entry: &EntryRef, group: &str) -> Entry {
    let text = |text: &str| Zeroizing::new(text.to_owned());
    let mut texts = vec![(USUAL[0].into(), text(group))];
    let usual = USUAL[1..].iter().zip(FIELDS);
    texts.extend(usual.map(|(name, field)| ((*name).into(), text(entry.get(field).unwrap_or("")))));
    let own = entry.fields.iter().filter(|(name, _)| !FIELDS.contains(&name.as_str()));
    let is_there = |name: &str| entry.fields.contains_key(name);
    let own: BTreeMap<_, _> =
        own.map(|(name, value)| (apart(name, is_there).into(), text(value.get()))).collect();
    texts.extend(own);
    let files = entry.attachments_named();
    let octets =
        files.map(|(name, file)| (name.to_owned().into(), Zeroizing::new(file.data.to_vec())));
    Entry { texts, octets: octets.collect::<BTreeMap<_, _>>().into_iter().collect() }
}

/// The name of an own field, or one that resembles it if the name is one of ours: KeePass has "Password" where we have
/// "password", and the entry may have both.
fn apart(name: &str, is_there: impl Fn(&str) -> bool) -> String {
    let mut apart = name.to_owned();
    while USUAL.contains(&&*apart) || apart == OTHER || apart != name && is_there(&apart) {
        apart += " (own field)";
    }
    apart
}

thread_local! {
    /// A panic of this thread is an error of the file.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Calls `work` on a stack that is wiped. The crate keepass panics where a field is shorter than its kind has it, or a time
/// beyond the calendar.
fn guarded<R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                hook(info);
            }
        }));
    });
    let outside = IS_GUARDED.replace(true);
    let result = on_wiped_stack(|| panic::catch_unwind(AssertUnwindSafe(work)));
    IS_GUARDED.set(outside);
    result.unwrap_or_else(|_| Err(Error::DamagedDatabase("a field in it makes no sense".into())))
}

/// The XML of a database of KDBX, which the caller wipes.
fn xml(file: &[u8], key: &Key) -> Result<Zeroizing<Vec<u8>>> {
    Content::get_xml(&mut &*file, key.theirs()?).map(Zeroizing::new).map_err(explain)
}

/// Compares the header of KDBX 3 with the hash of it that the encrypted part may hold. The crate keepass leaves that out,
/// so an altered header would show other passwords.
fn check(header: &[u8], xml: &[u8]) -> Result<()> {
    const TAG: &[u8] = b"<HeaderHash>";
    let Some(at) = xml.windows(TAG.len()).position(|window| window == TAG) else { return Ok(()) };
    let value = xml[at + TAG.len()..].split(|octet| *octet == b'<').next().unwrap_or_default();
    if value.trim_ascii() == Base64::encode_string(&Sha256::digest(header)).as_bytes() {
        Ok(())
    } else {
        Err(Error::DamagedDatabase("its header was altered".into()))
    }
}

/// An error of the crate keepass. A wrong passphrase shows in the first block that it decrypts, by its padding too.
fn explain(error: DatabaseOpenError) -> Error {
    match error {
        DatabaseOpenError::Key(_) | DatabaseOpenError::Cryptography(_) => Error::WrongPassphrase,
        DatabaseOpenError::UnexpectedEof => Error::Truncated { what: "database" },
        other => Error::DamagedDatabase(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_in_each_other_are_counted() {
        let mut content = Content::new();
        let mut id = content.root().id();
        for n in 0..3 {
            assert!(is_nested_within(n, &content.root()));
            id = content.group_mut(id).unwrap().add_group().id();
            assert!(!is_nested_within(n, &content.root()));
        }
    }
}
