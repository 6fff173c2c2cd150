// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Safes of Password Safe, version 3 \[PasswordSafe\]: stretched passphrase, Twofish in CBC, HMAC over all fields. Nothing of a
//! safe can be read before its HMAC has proved right.

use std::ops::Range;

use digest::KeyInit;
use hmac::{Hmac, Mac};
use manyfish::modes::{cbc, ecb};
use manyfish::on_wiped_stack;
use manyfish_openpgp::Limits;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::blocks::twofish;
use crate::entries;
use crate::error::within;
use crate::kdf::{Secret, copied};
use crate::{Error, Result};

const MAGIC: &[u8] = b"PWS3";
const END: &[u8; 16] = b"PWS3-EOFPWS3-EOF";
const BLOCK: usize = 16;
const HMAC_BYTES: usize = 32;
const HEAD_BYTES: usize = 4 + 32 + 4 + 32 + 64 + 16;
/// Ends a header or an entry.
const END_OF_ENTRY: u8 = 0xff;
/// Of an entry. The memory must hold all of them at once.
const MOST_FIELDS: usize = 1 << 16;
/// Length and kind of a field.
const FIELD_HEAD_BYTES: usize = 5;

/// A safe as it lies on the disk.
#[derive(Debug)]
pub struct Sealed {
    /// Salt, iterations, digest, keys, IV; then the fields up to `end`, a mark, and the HMAC.
    file: Vec<u8>,
    end: usize,
}

impl Sealed {
    /// Whether a file begins as a safe does.
    #[must_use]
    pub fn is_one(beginning: &[u8]) -> bool {
        beginning.starts_with(MAGIC)
    }

    /// The parts of a file.
    pub fn read(file: Vec<u8>) -> Result<Self> {
        if !Self::is_one(&file) {
            let what = "another format than that of Password Safe 3";
            return Err(Error::Unknown(what.into(), "Password Safe opens it"));
        }
        let rest = file.get(HEAD_BYTES..).ok_or(TRUNCATED)?;
        let end = rest.chunks_exact(BLOCK).position(|block| block == END).ok_or(TRUNCATED)?;
        match rest.len() - (end + 1) * BLOCK {
            0..HMAC_BYTES => Err(TRUNCATED),
            HMAC_BYTES => Ok(Self { file, end: HEAD_BYTES + end * BLOCK }),
            _ => Err(damaged("bytes behind its end")),
        }
    }

    /// The cost of trying a passphrase.
    #[must_use]
    pub fn asks_for(&self) -> Limits {
        Limits::hash(64 * u64::from(self.iterations()))
    }

    /// Its properties that need no passphrase, in lines.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        vec![
            format!("a safe of Password Safe 3, {} bytes", self.file.len()),
            format!("passphrase stretched by SHA-256, {} times", self.iterations()),
        ]
    }

    /// Opens it. [`Error::OverLimits`] comes before any work.
    pub fn open(self, passphrase: &[u8], limits: &Limits) -> Result<Safe> {
        within(self.asks_for(), limits)?;
        on_wiped_stack(|| self.open_wiped(passphrase))
    }

    fn iterations(&self) -> u32 {
        u32::from_le_bytes(self.file[36..40].try_into().expect("4 bytes"))
    }

    /// In place: a large safe fills the memory once.
    fn open_wiped(self, passphrase: &[u8]) -> Result<Safe> {
        let stretched = self.stretch(passphrase);
        if *Sha256::digest(&stretched) != self.file[40..72] {
            return Err(Error::WrongPassphrase);
        }
        let mut keys = copied(&self.file[72..136]);
        ecb::decrypt(&twofish(&stretched), &mut keys).expect("whole blocks");
        let (data_key, hmac_key) = keys.split_at(32);
        let mut iv = self.file[136..HEAD_BYTES].try_into().expect("a block");
        let mut file = Zeroizing::new(self.file);
        let (fields, rest) = file[HEAD_BYTES..].split_at_mut(self.end - HEAD_BYTES);
        cbc::decrypt(&twofish(data_key), &mut iv, fields).expect("whole blocks");
        let mut hmac = Hmac::<Sha256>::new_from_slice(hmac_key).expect("a key of any length");
        let (mut in_entry, mut most) = (0, 0);
        for field in Fields(fields) {
            let field = field.ok_or_else(|| damaged("a field that reaches beyond its end"))?;
            hmac.update(field.data);
            in_entry = if field.kind == END_OF_ENTRY { 0 } else { in_entry + 1 };
            most = most.max(in_entry);
        }
        hmac.verify_slice(&rest[BLOCK..]).map_err(|_| damaged("its content was altered"))?;
        if most > MOST_FIELDS {
            return Err(damaged(&format!("an entry has more than {MOST_FIELDS} fields")));
        }
        Ok(Safe { file, fields: HEAD_BYTES..self.end })
    }

    fn stretch(&self, passphrase: &[u8]) -> Secret {
        let mut digest =
            Sha256::new().chain_update(passphrase).chain_update(&self.file[4..36]).finalize();
        for _ in 0..self.iterations() {
            digest = Sha256::digest(digest);
        }
        copied(&digest)
    }
}

const TRUNCATED: Error = Error::Truncated { what: "safe" };

fn damaged(problem: &str) -> Error {
    Error::DamagedSafe(problem.into())
}

/// An opened safe, whose HMAC was right.
pub struct Safe {
    file: Zeroizing<Vec<u8>>,
    fields: Range<usize>,
}

impl Safe {
    /// For the fuzzer, which knows no passphrase.
    pub(crate) fn of(fields: &[u8]) -> Self {
        Self { file: fields.to_vec().into(), fields: 0..fields.len() }
    }

    /// Its entries, in their order.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut fields = Fields(&self.file[self.fields.clone()]);
        let is_in_header = |field: Option<Field>| field.is_some_and(|f| f.kind != END_OF_ENTRY);
        while fields.next().is_some_and(is_in_header) {}
        Entries(fields)
    }
}

impl entries::Entries for Safe {
    fn visit(&self, f: &mut dyn FnMut(&entries::Entry)) {
        self.entries().for_each(|entry| f(&entries::Entry::from(&entry)));
    }
}

/// Shows no secret.
impl std::fmt::Debug for Safe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Safe").finish_non_exhaustive()
    }
}

/// An entry: a password, and what belongs to it.
#[derive(Clone)]
pub struct Entry<'a>(Vec<Field<'a>>);

impl<'a> Entry<'a> {
    /// Its fields.
    #[must_use]
    pub fn fields(&self) -> &[Field<'a>] {
        &self.0
    }

    /// The text of the first field of this kind; "" if there is none, or if it is not in UTF-8.
    #[must_use]
    pub fn text(&self, kind: Kind) -> &'a str {
        let place = self.place(kind);
        place.and_then(|i| str::from_utf8(self.0[i].data).ok()).unwrap_or_default()
    }

    fn place(&self, kind: Kind) -> Option<usize> {
        self.0.iter().position(|field| field.kind == kind as u8)
    }

    /// The fields that [`Entry::text`] does not give.
    fn others(&self) -> impl Iterator<Item = &Field<'a>> {
        let texts = TEXTS.map(|(_, kind)| self.place(kind));
        let fields = self.0.iter().enumerate();
        let is_text = move |(i, field): &(usize, &Field)| {
            texts.contains(&Some(*i)) && str::from_utf8(field.data).is_ok()
        };
        fields.filter(move |field| !is_text(field)).map(|(_, field)| field)
    }
}

/// Shows no secret.
impl std::fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").finish_non_exhaustive()
    }
}

/// The texts of an entry, under the names by which they are shown; the usual ones first.
const TEXTS: [(&str, Kind); 10] = [
    ("group", Kind::Group),
    ("title", Kind::Title),
    ("user", Kind::User),
    ("password", Kind::Password),
    ("url", Kind::Url),
    ("notes", Kind::Notes),
    ("email", Kind::Email),
    ("autotype", Kind::Autotype),
    ("run", Kind::RunCommand),
    ("history", Kind::History),
];

impl From<&Entry<'_>> for entries::Entry {
    /// With its other fields under their numbers; from the second one of a kind on, as "6, 2".
    fn from(entry: &Entry) -> Self {
        let usual = |name: &str| entries::USUAL.contains(&name);
        let texts = TEXTS.iter().map(|(name, kind)| (*name, entry.text(*kind)));
        let texts = texts.filter(|(name, text)| usual(name) || !text.is_empty());
        let mut seen = [0_usize; 256];
        let others = entry.others().map(|Field { kind, data }| {
            let n = &mut seen[usize::from(*kind)];
            *n += 1;
            let name = if *n == 1 { kind.to_string() } else { format!("{kind}, {n}") };
            (name.into(), Zeroizing::new(data.to_vec()))
        });
        Self {
            octets: others.collect(),
            texts: texts.map(|(name, text)| (name.into(), Zeroizing::new(text.into()))).collect(),
        }
    }
}

/// A field of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its kind, as the format numbers them.
    pub kind: u8,
    /// Text in UTF-8, a time, a UUID, by its kind.
    pub data: &'a [u8],
}

/// Shows no secret.
impl std::fmt::Debug for Field<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Field").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// The kinds that are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the format")]
#[repr(u8)]
pub enum Kind {
    Group = 2,
    Title = 3,
    User = 4,
    Notes = 5,
    Password = 6,
    Url = 13,
    Autotype = 14,
    History = 15,
    RunCommand = 18,
    Email = 20,
}

/// Fields up to the end; `None` inside if the last one is longer than what is there.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Option<Field<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = first_field(self.0);
        self.0 = field.map_or(&[], |(_, rest)| rest);
        Some(field.map(|(field, _)| field))
    }
}

/// The first field, which fills whole blocks, and what follows.
fn first_field(octets: &[u8]) -> Option<(Field<'_>, &[u8])> {
    let (head, body) = octets.split_at_checked(FIELD_HEAD_BYTES)?;
    let (n_bytes, kind) = (u32::from_le_bytes(head[..4].try_into().ok()?), head[4]);
    let n_bytes = usize::try_from(n_bytes).ok()?;
    let data = body.get(..n_bytes)?;
    let padded = (FIELD_HEAD_BYTES + n_bytes).next_multiple_of(BLOCK);
    Some((Field { kind, data }, octets.get(padded..)?))
}

/// Entries up to the end; one that has no end is left out.
struct Entries<'a>(Fields<'a>);

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        let mut fields = Vec::new();
        loop {
            match self.0.next()?? {
                Field { kind: END_OF_ENTRY, .. } => return Some(Entry(fields)),
                field => fields.push(field),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exports and new databases have all of it.
    #[test]
    fn texts_that_come_twice_or_are_not_utf_8_are_kept() {
        let fields =
            [(END_OF_ENTRY, &b""[..]), (3, b"caf\xe9"), (6, b"one"), (6, b"two"), (6, b"three")];
        let fields = fields.map(|(kind, data)| {
            let mut field = vec![u8::try_from(data.len()).unwrap(), 0, 0, 0, kind];
            field.extend(data);
            field.resize(BLOCK, 0);
            field
        });
        let safe = Safe::of(&[&fields.concat()[..], &fields[0]].concat());
        let entry = entries::Entry::from(&safe.entries().next().unwrap());
        assert_eq!([entry.text("title"), entry.text("password")], ["", "one"]);
        let octets: Vec<_> =
            entry.octets.iter().map(|(name, octets)| (&**name, &octets[..])).collect();
        assert_eq!(octets, [("3", &b"caf\xe9"[..]), ("6", b"two"), ("6, 2", b"three")]);
    }
}
