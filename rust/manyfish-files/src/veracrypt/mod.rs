// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Volumes of VeraCrypt and TrueCrypt \[VeraCrypt\] with Twofish, alone or in a cascade. They have no magic: a volume is
//! known only by the passphrase that opens it.

mod cascade;
mod header;
mod kdfs;
mod key_files;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{io, thread};

use manyfish::on_wiped_stack;

use crate::source::read;
use crate::volume::cores;
use crate::{Error, Kdf, Result, Source, Volume};
use header::{HEADER_BYTES, Header, SALT_BYTES};

pub use header::Program;
pub use key_files::mixed;

const WHAT: &str = "volume header";
/// Keys of three ciphers, each with two halves.
const HEADER_KEY_BYTES: usize = 192;
const HIDDEN: u64 = 64 << 10;
/// The place of the header of an encrypted system, counted from the start of the disk.
const SYSTEM: u64 = 62 * 512;

/// The choices that the user has made.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Choices {
    /// The personal iterations multiplier; `None` for the one that is the default.
    pub pim: Option<u32>,
    /// The header at the end, which is a copy.
    pub backup: bool,
}

/// A volume that was opened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// The program that made it.
    pub program: Program,
    /// Its ciphers, as VeraCrypt calls them: "AES-Twofish".
    pub ciphers: &'static str,
    /// How the passphrase becomes a key.
    pub kdf: Kdf,
    /// It lies in the free space of another volume.
    pub hidden: bool,
}

/// Whether a file of this length may be a volume: it has sectors, and room for all headers.
#[must_use]
pub fn may_be(n_bytes: u64) -> bool {
    n_bytes.is_multiple_of(512) && n_bytes > 4 * HIDDEN
}

/// Tries the passphrase on each place, with each function and each cascade.
///
/// That takes up to a minute. The memory is at most 416 MiB, or what a PIM asks for.
pub fn open<S: Source>(
    source: S,
    passphrase: &[u8],
    choices: Choices,
) -> Result<(Found, Volume<S>)> {
    let attempts = attempts(&source, choices)?;
    let try_one =
        |attempt: &Attempt, stop: &AtomicBool| on_wiped_stack(|| attempt.open(passphrase, stop));
    let (attempt, header) = first(&attempts, try_one)?.ok_or(Error::WrongPassphraseOrFormat)?;
    let (program, cascade) = (header.program, header.cascade);
    let (kdf, hidden) = (attempt.kdf.clone(), attempt.hidden);
    let found = Found { program, ciphers: cascade.name, kdf, hidden };
    let data = header.data(source.n_bytes()?)?;
    let cipher = on_wiped_stack(|| cascade.with_keys(&header.keys))?;
    let volume = Volume {
        source,
        cipher: Box::new(cipher),
        offset: data.start,
        n_bytes: data.end - data.start,
        sector_bytes: 512,
        first_number: data.start / 512,
    };
    Ok((found, volume))
}

/// A header that is tried with one function.
struct Attempt {
    sealed: Vec<u8>,
    hidden: bool,
    kdf: Kdf,
}

impl Attempt {
    fn open(&self, passphrase: &[u8], stop: &AtomicBool) -> Result<Option<Header>> {
        let key = self.kdf.derive_until(stop, passphrase, HEADER_KEY_BYTES)?;
        Ok(Header::open(&self.sealed, &key))
    }
}

/// Those of all places with the likeliest function come first.
fn attempts(source: &impl Source, choices: Choices) -> Result<Vec<Attempt>> {
    let n_bytes = source.n_bytes()?;
    let end = if choices.backup { n_bytes.saturating_sub(2 * HIDDEN) } else { 0 };
    let mut places = vec![(end, false, false), (end + HIDDEN, true, false)];
    if !choices.backup && has_boot_sector(source)? {
        places.push((SYSTEM, false, true));
    }
    let mut attempts = Vec::new();
    for (place, hidden, is_system) in places {
        let mut sealed = vec![0; HEADER_BYTES];
        read(source, &mut sealed, place, WHAT)?;
        let kdfs = kdfs::all(&sealed[..SALT_BYTES], choices.pim, is_system);
        let of_place = kdfs.into_iter().map(|kdf| Attempt { sealed: sealed.clone(), hidden, kdf });
        attempts.extend(of_place.enumerate());
    }
    attempts.sort_by_key(|(rank, _)| *rank);
    Ok(attempts.into_iter().map(|(_, attempt)| attempt).collect())
}

fn has_boot_sector(source: &impl Source) -> io::Result<bool> {
    let mut mark = [0; 2];
    source.read_exact_at(&mut mark, 510)?;
    Ok(mark == [0x55, 0xaa])
}

/// The first success, with what gave it; all cores search. The error of an attempt, such as too little memory, counts
/// only where no other succeeds.
fn first<T: Sync, R: Send>(
    attempts: &[T],
    open: impl Fn(&T, &AtomicBool) -> Result<Option<R>> + Sync,
) -> Result<Option<(&T, R)>> {
    let (next, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let outcome = Mutex::new(Ok(None));
    let work = || {
        while !done.load(Ordering::Relaxed) {
            let Some(attempt) = attempts.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let opened = open(attempt, &done).transpose();
            let mut outcome = outcome.lock().expect("no thread panics");
            match opened {
                Some(Ok(found)) => {
                    done.store(true, Ordering::Relaxed);
                    *outcome = Ok(Some((attempt, found)));
                }
                Some(Err(error)) if matches!(*outcome, Ok(None)) => *outcome = Err(error),
                _ => {}
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..cores() {
            scope.spawn(work);
        }
    });
    outcome.into_inner().expect("no thread panics")
}
