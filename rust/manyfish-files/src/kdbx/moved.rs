// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! New databases of KDBX 4, from older ones and from safes of Password Safe. Each is read again and compared.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use keepass::Database as Content;
use keepass::config::{DatabaseConfig, KdfConfig, OuterCipherConfig};
use keepass::db::{EntryMut, GroupId, GroupRef, Times, fields};

use super::{FIELDS, Key, Sealed, explain, guarded, ours, xml};
use crate::entries::{Entry, Octets, USUAL};
use crate::error::within;
use crate::psafe3::{self, Field, Kind, Safe};
use crate::{Error, Limits, Result};

/// Argon2id of a new database: what telephones can bear, and half a second of an ordinary core.
const MEMORY: u64 = 64 << 20;
const PASSES: u64 = 8;
const LANES: u32 = 2;
const WHITE: [u8; 4] = *b" \t\r\n";
/// Elements of KDBX 3 that KDBX 4 has elsewhere: in the header, with the attachments.
const ELSEWHERE: [&[u8]; 3] = [b"HeaderHash", b"Binary", b"Key"];

/// The cipher of a new database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Cipher {
    #[default]
    Aes,
    ChaCha20,
    Twofish,
}

impl Sealed<'_> {
    /// The same database under another cipher, as a file of KDBX 4. The work on the passphrase does not get less.
    /// [`Error::Loses`]: the new file would lack something.
    pub fn moved(&self, key: &Key, cipher: Cipher, limits: &Limits) -> Result<Vec<u8>> {
        within(self.asks_for(), limits)?;
        guarded(|| {
            if !self.has_xml() {
                return written(self.content(key)?, key, cipher); // its fields have fixed numbers
            }
            let old = self.xml(key)?;
            let file = written(self.content(key)?, key, cipher)?;
            match lost(&old, &xml(&file, key)?) {
                Some(name) => Err(Error::Loses(format!("the element {name:?}"))),
                None => Ok(file),
            }
        })
    }
}

/// The entries of a safe as a database of KDBX 4 under this key. All fields are kept except UUIDs.
pub fn from_safe(safe: &Safe, key: &Key, cipher: Cipher) -> Result<Vec<u8>> {
    guarded(|| {
        let mut content = Content::new();
        for entry in safe.entries() {
            let id = group_at(&mut content, entry.text(Kind::Group))?;
            let mut group = content.group_mut(id).expect("it is there");
            fill(&mut group.add_entry(), &entry);
        }
        written(content, key, cipher)
    })
}

/// A file with this content, which gives the same when it is read.
fn written(mut content: Content, key: &Key, cipher: Cipher) -> Result<Vec<u8>> {
    let mut config = DatabaseConfig::default();
    config.outer_cipher_config = match cipher {
        Cipher::Aes => OuterCipherConfig::AES256,
        Cipher::ChaCha20 => OuterCipherConfig::ChaCha20,
        Cipher::Twofish => OuterCipherConfig::Twofish,
    };
    config.kdf_config = kdf(&content.config.kdf_config, &config.kdf_config);
    config.public_custom_data = content.config.public_custom_data.take();
    content.config = config;
    content.foreach_group_mut(|mut group| group.name.retain(is_xml));
    content.foreach_entry_mut(|mut entry| {
        let strange = entry.fields.iter().filter(|(_, value)| !value.get().chars().all(is_xml));
        let strange: Vec<_> = strange.map(|(name, value)| (name.clone(), value.clone())).collect();
        for (name, value) in strange {
            let digits = base16ct::lower::encode_string(value.get().as_bytes());
            entry.set_protected(format!("{name} in hexadecimal digits"), digits);
            let text = value.get().chars().filter(|c| is_xml(*c)).collect::<String>();
            if value.is_protected() {
                entry.set_protected(name, text);
            } else {
                entry.set_unprotected(name, text);
            }
        }
    });
    let mut file = Vec::new();
    let refuse = |error: &dyn std::fmt::Display| Error::CannotWrite(error.to_string());
    content.save(&mut file, key.theirs()?).map_err(|error| refuse(&error))?;
    let again = Content::parse(&file, key.theirs()?).map_err(explain)?;
    if files(&again) == files(&content) && without_files(again) == without_files(content) {
        Ok(file)
    } else {
        Err(Error::CannotWrite("reading it again gives other entries".into()))
    }
}

/// The files of all entries and of what these were earlier, by their names. The crate counts files again, and notes only
/// those of KeePass 1 at their entries, so that its own comparison calls the same ones others.
fn files(content: &Content) -> Vec<Octets> {
    let mut found = Vec::new();
    add_files(&content.root(), &mut found);
    found
}

fn add_files(group: &GroupRef, found: &mut Vec<Octets>) {
    for entry in group.entries() {
        found.push(ours(&entry, "").octets);
        let earlier = (0..).map_while(|index| entry.historical(index));
        found.extend(earlier.map(|version| ours(&version, "").octets));
    }
    group.groups().for_each(|inner| add_files(&inner, found));
}

/// All but the files of entries.
fn without_files(mut content: Content) -> Content {
    content.foreach_entry_mut(|mut entry| {
        let names: Vec<_> =
            entry.as_ref().attachments_named().map(|(name, _)| name.to_owned()).collect();
        for name in names {
            entry.remove_attachment_by_name(&name);
        }
    });
    content
}

/// XML has no other characters, and KeePass drops them, too: a field of its own tells what the text was.
fn is_xml(c: char) -> bool {
    !(c < ' ' && !"\t\n\r".contains(c) || ['\u{fffe}', '\u{ffff}'].contains(&c))
}

/// The old one, if it is Argon2 and takes as much memory and work; else our own.
fn kdf(old: &KdfConfig, default: &KdfConfig) -> KdfConfig {
    let is_strong = match *old {
        KdfConfig::Argon2 { iterations, memory, .. }
        | KdfConfig::Argon2id { iterations, memory, .. } => {
            memory >= MEMORY && memory.saturating_mul(iterations) >= MEMORY * PASSES
        }
        _ => false,
    };
    match *default {
        KdfConfig::Argon2 { version, .. } if !is_strong => {
            KdfConfig::Argon2id { iterations: PASSES, memory: MEMORY, parallelism: LANES, version }
        }
        _ => old.clone(),
    }
}

// --- nothing lost ------------------------------------------------------------------------------------

/// The name of an element with a text of its own that occurs less often in the new XML.
fn lost(old: &[u8], new: &[u8]) -> Option<String> {
    let (old, new) = (texts(old), texts(new));
    let fewer = |(name, n): &(&&[u8], &usize)| {
        new.get(*name).is_none_or(|there| there < n) && !ELSEWHERE.contains(*name)
    };
    let (name, _) = old.iter().find(fewer)?;
    Some(String::from_utf8_lossy(name).into_owned())
}

/// How many elements of each name have a text of their own.
fn texts(xml: &[u8]) -> BTreeMap<&[u8], usize> {
    let mut counts = BTreeMap::new();
    for tag in xml.split(|octet| *octet == b'<') {
        let name_end = tag.iter().position(|octet| !octet.is_ascii_alphanumeric());
        let text = tag.iter().position(|octet| *octet == b'>').map(|end| &tag[end + 1..]);
        let (Some(name_end @ 1..), Some(text)) = (name_end, text) else { continue };
        if !text.iter().all(|octet| WHITE.contains(octet)) {
            *counts.entry(&tag[..name_end]).or_default() += 1;
        }
    }
    counts
}

// --- Password Safe -----------------------------------------------------------------------------------

/// Fields that are times, and the identity of an entry.
const UUID: u8 = 1;
const CREATED: u8 = 7;
const USED: u8 = 9;
const EXPIRES: u8 = 10;
const CHANGED: u8 = 12;
/// Seconds since 1970; since 2038 was near, in 40 bits.
const TIME_BYTES: RangeInclusive<usize> = 4..=5;

/// Of the path of a group. Some more would be too many for the parser of XML, and far more for the stack.
const MOST_PARTS: usize = 100;

/// The group at this path, whose parts are divided by dots.
fn group_at(content: &mut Content, path: &str) -> Result<GroupId> {
    let mut id = content.root().id();
    let parts = || path.split('.').filter(|name| !name.is_empty());
    if parts().count() > MOST_PARTS {
        let problem = format!("a group lies in more than {MOST_PARTS} others");
        return Err(Error::CannotWrite(problem));
    }
    for name in parts() {
        let mut group = content.group_mut(id).expect("it is there");
        let same = group.as_ref().groups().find(|inner| inner.name == name).map(|inner| inner.id());
        id = same.unwrap_or_else(|| {
            let mut inner = group.add_group();
            name.clone_into(&mut inner.name);
            inner.id()
        });
    }
    Ok(id)
}

fn fill(theirs: &mut EntryMut, entry: &psafe3::Entry) {
    let ours = Entry::from(entry);
    for (name, text) in &ours.texts[1..] {
        let field = USUAL[1..].iter().zip(FIELDS).find(|(usual, _)| *usual == name);
        let field = field.map_or(name.as_ref(), |(_, field)| field);
        if field == fields::PASSWORD || field == name {
            theirs.set_protected(field, text.as_str());
        } else {
            theirs.set_unprotected(field, text.as_str());
        }
    }
    for Field { kind, data } in entry.fields() {
        if !TIME_BYTES.contains(&data.len()) {
            continue;
        }
        let seconds = data.iter().rev().fold(0, |sum, octet| sum << 8 | u64::from(*octet));
        let time = (seconds > 0).then(|| Times::epoch() + Duration::from_secs(seconds));
        let times = &mut theirs.times;
        match *kind {
            CREATED => times.creation = time,
            CHANGED => times.last_modification = time,
            USED => times.last_access = time,
            EXPIRES => {
                (times.expires, times.expiry) =
                    (Some(time.is_some()), time.unwrap_or_else(Times::epoch));
            }
            _ => {}
        }
    }
    for (kind, octets) in &ours.octets {
        let is_time = TIME_BYTES.contains(&octets.len())
            && [CREATED, USED, EXPIRES, CHANGED].iter().any(|known| known.to_string() == *kind);
        if !is_time && UUID.to_string() != *kind {
            let digits = base16ct::lower::encode_string(octets);
            theirs.set_protected(format!("Password Safe field {kind}"), digits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path of a hostile safe would overflow the stack.
    #[test]
    fn groups_lie_in_at_most_so_many_others() {
        let at = |n| group_at(&mut Content::new(), &"a.".repeat(n));
        assert!(at(MOST_PARTS).is_ok());
        assert!(matches!(at(MOST_PARTS + 1), Err(Error::CannotWrite(_))));
    }
}
