// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The rest of the statement about kernels of libmanyfish-study: the tables that all keys share, as the library
//! builds them, and the object of compiled keying, as the library makes it.

use rustc_hash::FxHashSet;

use crate::algebra::Byte;
use crate::image::{HIGH, Image};
use crate::machine::{Common, Machine, Result, number};
use crate::memory::Memory;

/// Where the library puts the address of a new object.
const PLACE: u64 = HIGH + 0x1800_0008;
/// As badly aligned as the key.
const OTHER_KEY: u64 = HIGH + 0x1900_0001;
const OK: u64 = 0;
/// The section of the library that holds the addresses of the tables, and what the processor has.
pub const OWN_MEMORY: &str = ".bss";

/// Tables that all keys share.
pub struct SharedTables {
    /// Its number in the library: 1 for those of 256 KB, 2 for those of 256 MB.
    which: u64,
    build: u64,
}

impl SharedTables {
    /// By how many bytes of them a kernel says that it shares.
    pub fn find(image: &Image, bytes: u64) -> Option<Self> {
        let which = match bytes {
            0x4_0000 => 1,
            0x1000_0000 => 2,
            _ => return None,
        };
        let build = image.symbol("mf_twofish_tables_build")?;
        Some(Self { which, build })
    }

    /// In words of 64 bits, the longest key with which they help.
    pub fn max_k(&self) -> usize {
        if self.which == 2 { 2 } else { 4 }
    }

    /// Runs the function of the library, in one thread.
    pub fn build<'a>(&self, machine: &mut (impl Machine<'a> + ?Sized)) -> Result<()> {
        const ANY: u64 = u64::MAX;
        let (n_threads, progress, context) = (1, 0, 0);
        let max_steps = std::mem::replace(&mut machine.max_steps, ANY);
        let arguments = [self.which, n_threads, progress, context];
        let built =
            with_memory_of_library(machine, |machine| call(machine, self.build, &arguments));
        machine.max_steps = max_steps;
        built.map_err(|error| format!("building the tables: {error}"))
    }
}

/// The ways in which compiled keying sets up keys, with their flags; and the number of tables that one needs, 0 for none.
const SET_UPS: [(&str, u64, u64); 4] = [
    ("compiled", 0, 0),
    ("compiled-ct", 2, 0),
    ("compiled-big", 4, 1),
    ("compiled-huge", 8, 2),
];

/// The functions of compiled keying, and a way to set up keys.
pub struct Compiled {
    flags: u64,
    /// Asks the processor for what it has, which the library remembers.
    cpu_has: u64,
    new: u64,
    set_key: u64,
    pub encrypt_blocks: u64,
    pub decrypt_blocks: u64,
    free: u64,
}

impl Compiled {
    /// By the name of the way; with the tables that it needs.
    pub fn find(image: &Image, name: &str) -> Option<(Self, Option<SharedTables>)> {
        let (_, flags, tables) = SET_UPS.into_iter().find(|set_up| set_up.0 == name)?;
        let symbol = |name| image.symbol(&format!("mf_twofish_compiled_{name}"));
        let compiled = Self {
            flags,
            cpu_has: image.symbol("mf_cpu_has")?,
            new: symbol("new")?,
            set_key: symbol("set_key")?,
            encrypt_blocks: symbol("encrypt_blocks")?,
            decrypt_blocks: symbol("decrypt_blocks")?,
            free: symbol("free")?,
        };
        let build = image.symbol("mf_twofish_tables_build")?;
        let tables = (tables > 0).then_some(SharedTables {
            which: tables,
            build,
        });
        Some((compiled, tables))
    }

    /// Whether no address may depend on the key while it is set up.
    pub fn hides_key(&self) -> bool {
        self.flags == 2
    }

    /// An object with the key that lies at that address, after it had another one of as many bytes.
    pub fn new_with_key<'a>(
        &self,
        machine: &mut (impl Machine<'a> + ?Sized),
        key: u64,
        other_key: Vec<Byte>,
    ) -> Result<u64> {
        let n = other_key.len() as u64;
        with_memory_of_library(machine, |machine| machine.call(self.cpu_has, &[0]))?;
        let memory = &mut machine.memory;
        memory.put("the place of the object", PLACE, Memory::unknown(8), true);
        memory.put("another key", OTHER_KEY, other_key, false);
        call(machine, self.new, &[PLACE, self.flags])?;
        let object = number(machine.memory.bytes("the place of the object"))
            .ok_or("the address of the object is not known")?;
        call(machine, self.set_key, &[object, OTHER_KEY, n])?;
        call(machine, self.set_key, &[object, key, n])?;
        let Common {
            memory, algebra, ..
        } = &mut **machine;
        memory.put("the place of the object", PLACE, Vec::new(), false);
        memory.put("another key", OTHER_KEY, Vec::new(), false);
        memory.reform_mapped(|byte| algebra.settle(byte));
        memory.allow_writes_at(object, false)?;
        Ok(object)
    }

    /// Gives the object back. No secret may be left in its memory, nor any of that mapped.
    pub fn free<'a>(&self, machine: &mut (impl Machine<'a> + ?Sized), object: u64) -> Result<()> {
        machine.memory.allow_writes_at(object, true)?;
        machine.call(self.free, &[object])?;
        match machine.memory.load(object, 1) {
            Err(_) => Ok(()),
            Ok(_) => Err("the object is still there".into()),
        }
    }
}

/// The bytes of the code that ran so far, and of the constants that it read.
pub fn places_so_far<'a>(machine: &(impl Machine<'a> + ?Sized)) -> FxHashSet<u64> {
    let places = machine.places().into_iter();
    let code = places.flat_map(|(at, n)| at..at + n as u64);
    code.chain(machine.memory.seen(".rodata")).collect()
}

/// Does what may write to the library's own memory. Nothing else may.
fn with_memory_of_library<'a, M: Machine<'a> + ?Sized>(
    machine: &mut M,
    work: impl FnOnce(&mut M) -> Result<()>,
) -> Result<()> {
    machine.memory.allow_writes(OWN_MEMORY, true);
    let done = work(machine);
    machine.memory.allow_writes(OWN_MEMORY, false);
    done
}

/// Calls a function that returns a status, which must be that all is well.
pub fn call<'a>(
    machine: &mut (impl Machine<'a> + ?Sized),
    function: u64,
    arguments: &[u64],
) -> Result<()> {
    machine.call(function, arguments)?;
    match number(&machine.result()[..4]) {
        Some(OK) => Ok(()),
        Some(status) => Err(format!("the status is {status}")),
        None => Err("the status depends on a symbol".into()),
    }
}
