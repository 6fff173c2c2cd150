// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Volumes of VeraCrypt and TrueCrypt \[VeraCrypt\] with Twofish, alone or in a cascade. They have no magic: a volume is
//! known only by the passphrase that opens it.

mod cascade;
mod header;
mod kdfs;
mod key_files;
mod legacy;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};
use std::{io, thread};

use manyfish::on_wiped_stack;

use crate::source::read;
use crate::volume::cores;
use crate::{Error, Kdf, Result, Source, Volume};
use header::{Data, HEADER_BYTES, HIDDEN_BEFORE_END, Header, Mode, SALT_BYTES};

pub use header::Program;
pub use key_files::{KEY_FILE_BYTES, mixed};

const WHAT: &str = "volume header";
/// Keys of three ciphers, each with two halves.
const HEADER_KEY_BYTES: usize = 192;
const HIDDEN: u64 = 64 << 10;
/// TrueCrypt makes no shorter file.
const SMALLEST: u64 = 19 << 10;
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
    /// The mode of each cipher, or of the cascade: "XTS".
    pub mode: &'static str,
    /// How the passphrase becomes a key.
    pub kdf: Kdf,
    /// It lies in the free space of another volume.
    pub hidden: bool,
}

/// Whether a file of this length may be a volume: it has whole sectors, and as many as the smallest one of TrueCrypt.
#[must_use]
pub fn may_be(n_bytes: u64) -> bool {
    n_bytes.is_multiple_of(512) && n_bytes >= SMALLEST
}

/// Tries the passphrase on each place, with each function, each cascade and each mode.
///
/// That takes up to a minute. The memory is at most 416 MiB, or what a PIM asks for.
pub fn open<S: Source>(
    source: S,
    passphrase: &[u8],
    choices: Choices,
) -> Result<(Found, Volume<S>)> {
    let (quick, costly) = attempts(&source, choices)?;
    let try_one =
        |attempt: &Attempt, stop: &AtomicBool| on_wiped_stack(|| attempt.open(passphrase, stop));
    let found = match first(&quick, try_one)? {
        None => first(&costly, try_one)?,
        found => found,
    };
    let (attempt, header) = found.ok_or(Error::WrongPassphraseOrFormat)?;
    let Attempt { kdf, hidden, .. } = attempt;
    let found = Found {
        program: header.program,
        ciphers: header.cascade.name,
        mode: header.mode.name(),
        kdf: kdf.clone(),
        hidden: *hidden,
    };
    let Data { place, first_number } = header.data(source.n_bytes()?, *hidden)?;
    let volume = Volume {
        source,
        cipher: on_wiped_stack(|| header.cipher()),
        offset: place.start,
        n_bytes: place.end - place.start,
        sector_bytes: 512,
        first_number,
        part: RwLock::default(),
    };
    Ok((found, volume))
}

/// A header that is tried with one function.
struct Attempt {
    sealed: Vec<u8>,
    hidden: bool,
    kdf: Kdf,
    modes: &'static [Mode],
}

impl Attempt {
    /// With the memory of Argon2 once, whatever the number of cores.
    fn open(&self, passphrase: &[u8], stop: &AtomicBool) -> Result<Option<Header>> {
        static MEMORY: Mutex<()> = Mutex::new(());
        let takes_memory = matches!(self.kdf, Kdf::Argon2 { .. });
        let _alone = takes_memory.then(|| MEMORY.lock().expect("no thread panics"));
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let key = self.kdf.derive_until(stop, passphrase, HEADER_KEY_BYTES)?;
        Ok(Header::open(&self.sealed, &key, self.modes))
    }
}

/// Those of TrueCrypt come first, which are quick; then those of all places with the likeliest function. Apart from
/// them are those that may take minutes, which nothing stops once they run.
fn attempts(source: &impl Source, choices: Choices) -> Result<(Vec<Attempt>, Vec<Attempt>)> {
    let n_bytes = source.n_bytes()?;
    let end = if choices.backup { n_bytes.saturating_sub(2 * HIDDEN) } else { 0 };
    let mut places = vec![Place::new(end, false), Place::new(end + HIDDEN, true)];
    if !choices.backup {
        places.push(Place::new(n_bytes.saturating_sub(HIDDEN_BEFORE_END), true));
        if has_boot_sector(source)? {
            places.push(Place { is_system: true, ..Place::new(SYSTEM, false) });
        }
    }
    places.retain(|place| place.offset + HEADER_BYTES as u64 <= n_bytes);
    let (mut quick, mut slow) = (Vec::new(), Vec::new());
    for Place { offset, hidden, is_system } in places {
        let mut sealed = vec![0; HEADER_BYTES];
        read(source, &mut sealed, offset, WHAT)?;
        let salt = &sealed[..SALT_BYTES];
        let attempt = |kdf, modes| Attempt { sealed: sealed.clone(), hidden, kdf, modes };
        let kdfs = kdfs::truecrypt(salt, is_system).into_iter();
        quick.extend(kdfs.map(|kdf| attempt(kdf, &Mode::ALL[..])));
        // VeraCrypt has no header there, and none in a file as short.
        if offset + HIDDEN_BEFORE_END == n_bytes || n_bytes <= 4 * HIDDEN {
            continue;
        }
        let kdfs = kdfs::veracrypt(salt, choices.pim, is_system).into_iter();
        slow.extend(kdfs.map(|kdf| attempt(kdf, &Mode::ALL[..1])).enumerate());
    }
    slow.sort_by_key(|(rank, _)| *rank);
    let all = quick.into_iter().chain(slow.into_iter().map(|(_, attempt)| attempt));
    Ok(all.partition(|attempt| !kdfs::is_costly(&attempt.kdf, choices.pim)))
}

/// A place where a header may lie.
struct Place {
    offset: u64,
    hidden: bool,
    is_system: bool,
}

impl Place {
    fn new(offset: u64, hidden: bool) -> Self {
        Self { offset, hidden, is_system: false }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_pim_leaves_argon2_for_the_end() {
        for (pim, n_costly) in [(None, 0), (Some(12), 0), (Some(13), 2)] {
            let (quick, costly) =
                attempts(&vec![0; 512 << 10], Choices { pim, ..Choices::default() }).unwrap();
            let of_argon2 = |attempt: &Attempt| matches!(attempt.kdf, Kdf::Argon2 { .. });
            assert_eq!(quick.iter().filter(|attempt| of_argon2(attempt)).count(), 2 - n_costly);
            assert!(costly.len() == n_costly && costly.iter().all(of_argon2), "{pim:?}");
        }
    }
}
