// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The system, as far as libmanyfish-study calls it for memory and locks: Linux on x86-64, with one core. Each function
//! refuses all arguments but those that it knows.

use std::cell::Cell;
use std::rc::Rc;

use crate::algebra::Byte;
use crate::machine::{Argument, Common, Outside, Result, as_size, number};
use crate::memory::{Memory, Rights};

const PAGE: u64 = 4096;
/// Pages lie at no rounder an address than they must, except that the huge tables lie at a multiple of their size.
const FIRST_PAGE: u64 = 0x7F12_3457_5000;
const HUGE: u64 = 1 << 28;

type Function = fn(&mut Common, &[Argument; 6], &Cell<bool>) -> Result<u64>;

/// By name; the second argument says whether the lock of the library is held.
const FUNCTIONS: [(&str, Function); 9] = [
    ("mmap", |common, a, _| map(common, a)),
    ("munmap", |common, a, _| protect(common, a, None)),
    ("mprotect", |common, a, _| {
        let rights = rights(constant(&a[2])?)?;
        protect(common, a, Some(rights))
    }),
    ("madvise", |_, _, _| Ok(0)),
    ("sysconf", |_, a, _| of_system(constant(&a[0])?)),
    ("pthread_mutex_lock", |_, _, lock| change(lock, false)),
    ("pthread_mutex_unlock", |_, _, lock| change(lock, true)),
    ("sigfillset", |common, a, _| signals(common, &a[0])),
    ("pthread_sigmask", |common, a, _| {
        common.memory.load(constant(&a[1])?, SIGNALS_BYTES)?;
        signals(common, &a[2])
    }),
];

/// Of a set of signals.
const SIGNALS_BYTES: usize = 128;

/// The names, with the addresses that the linker gives them.
pub fn functions() -> impl Iterator<Item = (&'static str, u64)> {
    FUNCTIONS
        .iter()
        .map(|(name, _)| *name)
        .zip((0x3000..).step_by(16))
}

/// A system of which nothing was asked yet.
pub fn start(common: &mut Common) {
    common.memory.unmap_all();
    let is_locked = Rc::new(Cell::new(false));
    for ((_, at), (_, function)) in functions().zip(FUNCTIONS) {
        let is_locked = Rc::clone(&is_locked);
        let outside: Outside = Box::new(move |common, a| function(common, a, &is_locked));
        common.outside.insert(at, outside);
    }
}

fn constant(argument: &[Byte]) -> Result<u64> {
    number(argument).ok_or_else(|| "an argument for the system depends on a symbol".into())
}

/// mmap of new memory.
fn map(common: &mut Common, a: &[Argument; 6]) -> Result<u64> {
    const READ_WRITE: u64 = 3;
    const PRIVATE_ANONYMOUS: u64 = 0x22;
    let n = constant(&a[1])?;
    let rights = [&a[2], &a[3], &a[4]].map(|argument| number(&argument[..4]));
    let wanted = [READ_WRITE, PRIVATE_ANONYMOUS, 0xFFFF_FFFF];
    if constant(&a[0])? != 0 || rights != wanted.map(Some) || constant(&a[5])? != 0 {
        return Err("mmap of other than new memory".into());
    }
    let free = common.memory.end_of_mapped().unwrap_or(FIRST_PAGE - PAGE);
    let free = free.next_multiple_of(PAGE) + PAGE;
    let start = if n >= HUGE {
        free.next_multiple_of(HUGE)
    } else {
        free
    };
    common.memory.map(start, as_size(n.next_multiple_of(PAGE)));
    Ok(start)
}

/// mprotect and munmap of whole pages.
fn protect(common: &mut Common, a: &[Argument; 6], rights: Option<Rights>) -> Result<u64> {
    let (start, n) = (constant(&a[0])?, constant(&a[1])?);
    if !start.is_multiple_of(PAGE) {
        return Err(format!("{start:#x} is not the start of a page"));
    }
    common
        .memory
        .protect(start, n.next_multiple_of(PAGE), rights)?;
    Ok(0)
}

fn rights(number: u64) -> Result<Rights> {
    match number & 0xFFFF_FFFF {
        0 => Ok(Rights::None),
        1 => Ok(Rights::Read),
        3 => Ok(Rights::Write),
        5 => Ok(Rights::Run),
        _ => Err(format!("mprotect with the rights {number:#x}")),
    }
}

/// sysconf.
fn of_system(what: u64) -> Result<u64> {
    match what {
        30 => Ok(PAGE),
        84 => Ok(1), // cores
        _ => Err(format!("sysconf of {what}")),
    }
}

/// Takes the lock, or gives it back.
fn change(is_locked: &Cell<bool>, expected: bool) -> Result<u64> {
    if is_locked.replace(!expected) == expected {
        Ok(0)
    } else {
        Err(format!("the lock is taken: {}", !expected))
    }
}

/// Writes a set of signals, if there is a place for one.
fn signals(common: &mut Common, place: &Argument) -> Result<u64> {
    match constant(place)? {
        0 => {}
        place => common
            .memory
            .store(place, &Memory::unknown(SIGNALS_BYTES))?,
    }
    Ok(0)
}
