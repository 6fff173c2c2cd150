// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The shared tables that `manyfish tables build` saves: a file for each in the user's cache folder.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use manyfish::{KERNEL_VARIABLE, Tables};

use crate::error::{reason, warn};
use crate::{cache, platform};

/// A file begins with a head of 4096 bytes; those after the first 28 are zero [c/study/src/tables.c].
const HEAD_BYTES: usize = 4096;
const NAME: &[u8] = b"manyfish tables\n";
const VERSION: u32 = 1;
const BYTE_ORDER: u32 = 0x0102_0304;

/// The name of tables on the command line, and their number in a file.
fn name_and_number(tables: Tables) -> (&'static str, u32) {
    match tables {
        Tables::Big => ("big", 1),
        Tables::Huge => ("huge", 2),
    }
}

pub fn name(tables: Tables) -> &'static str {
    name_and_number(tables).0
}

pub fn file_name(tables: Tables) -> String {
    format!("tables-{}.bin", name(tables))
}

/// How long a file of tables is.
pub fn file_bytes(tables: Tables) -> u64 {
    (HEAD_BYTES + tables.bytes()) as u64
}

/// Opens saved tables, if there are any; tells whether their kernels can be used now. It checks each byte, and
/// warns of a file that it cannot use.
pub fn open(tables: Tables) -> bool {
    tables.is_ready() || path(tables).is_some_and(|path| open_file(tables, &path))
}

/// Opens those of the kernel that the environment names, if it needs some.
pub fn open_for_default() {
    let name = env::var(KERNEL_VARIABLE).unwrap_or_default();
    if let Some(tables) = Tables::of_kernel(&name) {
        open(tables);
    }
}

fn path(tables: Tables) -> Option<PathBuf> {
    let path = cache::folder()?.join(file_name(tables));
    path.symlink_metadata().is_ok().then_some(path)
}

fn open_file(tables: Tables, path: &Path) -> bool {
    let opened = tables.open(path, 0, |_, _| true);
    if opened.is_err() {
        let (name, why) = (name(tables), why_refused(tables, path));
        let hint = format!("\"manyfish tables build {name}\" saves new ones");
        warn(format_args!("ignoring {}: {why}; {hint}", path.display()));
    }
    opened.is_ok()
}

/// Why the library has refused to open a file, as the end of a sentence.
pub fn why_refused(tables: Tables, path: &Path) -> String {
    fault(tables, path).unwrap_or_else(|| "some of its bytes are wrong".to_owned())
}

/// The fault of a file that a quick look finds, as the end of a sentence. It does not compare the tables.
pub fn fault(tables: Tables, path: &Path) -> Option<String> {
    let found = look(tables, path);
    found.unwrap_or_else(|error| Some(format!("it cannot be read ({})", reason(&error))))
}

fn look(tables: Tables, path: &Path) -> io::Result<Option<String>> {
    let found = fs::metadata(path)?;
    let (bytes, expected) = (found.len(), file_bytes(tables));
    if !found.is_file() {
        return Ok(Some("it is not a file".to_owned()));
    }
    if bytes != expected {
        return Ok(Some(format!("it has {bytes} bytes instead of {expected}")));
    }
    if platform::others_may_change(&found) {
        return Ok(Some("it belongs to another user, or others may write it".to_owned()));
    }
    let is_right = has_head(tables, &mut File::open(path)?)?;
    Ok((!is_right)
        .then(|| "its head is of other tables, or of another version or machine".to_owned()))
}

fn has_head(tables: Tables, file: &mut impl Read) -> io::Result<bool> {
    let (_, number) = name_and_number(tables);
    let words = [VERSION, BYTE_ORDER, number].map(u32::to_ne_bytes);
    let mut head = [0; HEAD_BYTES];
    file.read_exact(&mut head)?;
    let (start, rest) = head.split_at(NAME.len() + size_of_val(&words));
    Ok(start == [NAME, words.as_flattened()].concat() && rest.iter().all(|byte| *byte == 0))
}
