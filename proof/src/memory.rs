// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Memory as regions with gaps between them. An access outside all of them, or one that a region does not allow, ends
//! the run: so a run that succeeds has shown that no access leaves what the function was given.

use crate::algebra::{Byte, UNKNOWN};

/// The use that a region allows. None is written to and run at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rights {
    None,
    Read,
    /// And read.
    Write,
    /// And read.
    Run,
}

enum Contents {
    Symbols(Vec<Byte>),
    /// A quarter of the room.
    Constants(Vec<u8>),
}

impl Contents {
    fn len(&self) -> usize {
        match self {
            Self::Symbols(bytes) => bytes.len(),
            Self::Constants(bytes) => bytes.len(),
        }
    }

    fn store(&mut self, at: usize, bytes: &[Byte]) {
        if let Self::Constants(constants) = self {
            if let Some(new) = as_constants(bytes) {
                constants[at..at + bytes.len()].copy_from_slice(&new);
                return;
            }
            *self = Self::Symbols(Memory::constants(constants));
        }
        if let Self::Symbols(symbols) = self {
            symbols[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }

    fn has_symbols(&self) -> bool {
        match self {
            Self::Symbols(bytes) => as_constants(bytes).is_none(),
            Self::Constants(_) => false,
        }
    }

    /// Leaves the bytes before `at`, and gives the others.
    fn split_off(&mut self, at: usize) -> Self {
        match self {
            Self::Symbols(bytes) => Self::Symbols(bytes.split_off(at)),
            Self::Constants(bytes) => Self::Constants(bytes.split_off(at)),
        }
    }
}

fn as_constants(bytes: &[Byte]) -> Option<Vec<u8>> {
    bytes.iter().map(|&byte| u8::try_from(byte).ok()).collect()
}

struct Region {
    name: String,
    start: u64,
    contents: Contents,
    rights: Rights,
    /// Whether the code may touch it at all.
    is_given: bool,
    /// Which bytes were read; of mapped memory nobody asks.
    seen: Vec<bool>,
    /// Another one after each change of what is mapped.
    version: u64,
}

impl Region {
    fn end(&self) -> u64 {
        self.start + self.contents.len() as u64
    }
}

/// A region of constants that nothing may write to.
pub struct Sealed<'a> {
    /// As long as it is the same, so are the constants.
    pub version: u64,
    pub start: u64,
    pub bytes: &'a [u8],
}

#[derive(Default)]
pub struct Memory {
    regions: Vec<Region>,
    last: usize,
    n_versions: u64,
    /// Constants that were read last, as `load` gives them.
    loaded: Vec<Byte>,
}

/// The name of each region that the system mapped.
const MAPPED: &str = "mapped memory";

impl Memory {
    /// Adds a region, or replaces the one of this name.
    pub fn put(&mut self, name: &str, start: u64, bytes: Vec<Byte>, may_write: bool) {
        self.regions.retain(|region| region.name != name);
        let seen = vec![false; bytes.len()];
        let rights = if may_write {
            Rights::Write
        } else {
            Rights::Read
        };
        self.add(name, start, Contents::Symbols(bytes), rights, seen);
    }

    fn add(&mut self, name: &str, start: u64, contents: Contents, rights: Rights, seen: Vec<bool>) {
        self.n_versions += 1;
        self.regions.push(Region {
            name: name.into(),
            start,
            contents,
            rights,
            is_given: true,
            seen,
            version: self.n_versions,
        });
        self.last = 0;
    }

    /// Gives the code those regions alone of which this says so, by name and start.
    pub fn give(&mut self, is_given: impl Fn(&str, u64) -> bool) {
        for region in &mut self.regions {
            region.is_given = is_given(&region.name, region.start);
        }
    }

    fn region(&self, name: &str) -> &Region {
        self.regions
            .iter()
            .find(|region| region.name == name)
            .expect("a region of this name")
    }

    /// # Panics
    /// If the system mapped the region.
    pub fn bytes(&self, name: &str) -> &[Byte] {
        match &self.region(name).contents {
            Contents::Symbols(bytes) => bytes,
            Contents::Constants(_) => panic!("{name} has constants only"),
        }
    }

    /// Other bytes for the region of this name.
    pub fn refill(&mut self, name: &str, bytes: Vec<Byte>) {
        self.n_versions += 1;
        for region in self.regions.iter_mut().filter(|region| region.name == name) {
            region.version = self.n_versions;
            region.contents = Contents::Symbols(bytes.clone());
        }
    }

    /// Whether the region of this name may be written to.
    pub fn allow_writes(&mut self, name: &str, may_write: bool) {
        self.n_versions += 1;
        for region in self.regions.iter_mut().filter(|region| region.name == name) {
            region.rights = if may_write {
                Rights::Write
            } else {
                Rights::Read
            };
            region.version = self.n_versions;
        }
    }

    /// The region that has all `n` bytes at the address, and where in it.
    fn find(&mut self, address: u64, n: usize) -> Result<(usize, usize), String> {
        let inside = |region: &Region| {
            let at = usize::try_from(address.checked_sub(region.start)?).ok()?;
            let is_inside = region.is_given && at.checked_add(n)? <= region.contents.len();
            is_inside.then_some(at)
        };
        if let Some(at) = self.regions.get(self.last).and_then(inside) {
            return Ok((self.last, at));
        }
        let found = self
            .regions
            .iter()
            .enumerate()
            .find_map(|(i, region)| inside(region).map(|at| (i, at)));
        self.last = found.map_or(0, |found| found.0);
        found.ok_or_else(|| {
            format!("{n} bytes at {address:#x} are outside what the function was given")
        })
    }

    pub fn load(&mut self, address: u64, n: usize) -> Result<&[Byte], String> {
        let (i, at) = self.find(address, n)?;
        let region = &mut self.regions[i];
        if region.rights == Rights::None {
            return Err(format!("a read of {} at {address:#x}", region.name));
        }
        if let Some(seen) = region.seen.get_mut(at..at + n) {
            seen.fill(true);
        }
        match &region.contents {
            Contents::Symbols(bytes) => Ok(&bytes[at..at + n]),
            Contents::Constants(bytes) => {
                self.loaded.clear();
                let constants = bytes[at..at + n].iter().map(|&byte| Byte::from(byte));
                self.loaded.extend(constants);
                Ok(&self.loaded)
            }
        }
    }

    pub fn store(&mut self, address: u64, bytes: &[Byte]) -> Result<(), String> {
        let (i, at) = self.find(address, bytes.len())?;
        let region = &mut self.regions[i];
        if region.rights != Rights::Write {
            return Err(format!("a write to {} at {address:#x}", region.name));
        }
        region.contents.store(at, bytes);
        Ok(())
    }

    /// The addresses of a region that were read.
    pub fn seen(&self, name: &str) -> Vec<u64> {
        let region = self.region(name);
        let places = region.seen.iter().enumerate().filter(|(_, seen)| **seen);
        places.map(|(at, _)| region.start + at as u64).collect()
    }

    /// At most `n` bytes at an address of a region that may be run.
    pub fn code(&mut self, address: u64, n: usize) -> Result<Vec<Byte>, String> {
        let (i, at) = self.find(address, 1)?;
        let region = &self.regions[i];
        if region.rights != Rights::Run {
            return Err(format!("{} at {address:#x} may not be run", region.name));
        }
        let n = n.min(region.contents.len() - at);
        Ok(self.load(address, n)?.to_vec())
    }

    pub fn sealed(&mut self, address: u64) -> Option<Sealed<'_>> {
        let (i, _) = self.find(address, 1).ok()?;
        let region = &self.regions[i];
        match &region.contents {
            Contents::Constants(bytes) if region.rights == Rights::Read => Some(Sealed {
                version: region.version,
                start: region.start,
                bytes,
            }),
            _ => None,
        }
    }

    // --- what the system maps ---------------------------------------------------------------------------------------

    /// Adds zeros that may be written to.
    pub fn map(&mut self, start: u64, n: usize) {
        let zeros = Contents::Constants(vec![0; n]);
        self.add(MAPPED, start, zeros, Rights::Write, Vec::new());
    }

    /// The end of all that is mapped; `None`: nothing is.
    pub fn end_of_mapped(&self) -> Option<u64> {
        let mapped = self.regions.iter().filter(|region| region.name == MAPPED);
        mapped.map(Region::end).max()
    }

    /// Whether the mapped region at an address may be written to.
    pub fn allow_writes_at(&mut self, address: u64, may_write: bool) -> Result<(), String> {
        let (i, _) = self.find(address, 1)?;
        self.n_versions += 1;
        let region = &mut self.regions[i];
        region.version = self.n_versions;
        region.rights = if may_write {
            Rights::Write
        } else {
            Rights::Read
        };
        Ok(())
    }

    /// Puts each byte of what is mapped into another form of the same value.
    pub fn reform_mapped(&mut self, mut form: impl FnMut(Byte) -> Byte) {
        let mapped = self
            .regions
            .iter_mut()
            .filter(|region| region.name == MAPPED);
        for region in mapped {
            if let Contents::Symbols(bytes) = &mut region.contents {
                bytes.iter_mut().for_each(|byte| *byte = form(*byte));
            }
        }
    }

    pub fn unmap_all(&mut self) {
        self.regions.retain(|region| region.name != MAPPED);
        self.last = 0;
    }

    /// Gives `n` mapped bytes, which may lie in several regions, these rights. `None`: they are unmapped, and must have no
    /// symbols then.
    pub fn protect(&mut self, start: u64, n: u64, rights: Option<Rights>) -> Result<(), String> {
        let end = start.checked_add(n).ok_or("a range without an end")?;
        self.divide(start);
        self.divide(end);
        let inside =
            |region: &Region| region.name == MAPPED && start <= region.start && region.end() <= end;
        let all = self.regions.iter().filter(|region| inside(region));
        if all.map(|region| region.contents.len() as u64).sum::<u64>() != n {
            return Err(format!("{n} bytes at {start:#x} are not all mapped"));
        }
        self.last = 0;
        let Some(rights) = rights else {
            let mut all = self.regions.iter().filter(|region| inside(region));
            if all.any(|region| region.contents.has_symbols()) {
                return Err("memory that goes back to the system depends on a symbol".into());
            }
            self.regions.retain(|region| !inside(region));
            return Ok(());
        };
        self.n_versions += 1;
        for region in self.regions.iter_mut().filter(|region| inside(region)) {
            region.rights = rights;
            region.version = self.n_versions;
        }
        Ok(())
    }

    /// Makes two regions of a mapped one that has this address inside.
    fn divide(&mut self, address: u64) {
        let inside = |region: &Region| {
            region.name == MAPPED && region.start < address && address < region.end()
        };
        if let Some(region) = self.regions.iter_mut().find(|region| inside(region)) {
            self.n_versions += 1;
            region.version = self.n_versions;
            let at = usize::try_from(address - region.start).expect("64 bits");
            let (rest, rights) = (region.contents.split_off(at), region.rights);
            self.add(MAPPED, address, rest, rights, Vec::new());
        }
    }

    // --- bytes ------------------------------------------------------------------------------------------------------

    /// Bytes of a number.
    pub fn constants(bytes: &[u8]) -> Vec<Byte> {
        bytes.iter().map(|&byte| Byte::from(byte)).collect()
    }

    pub fn unknown(n: usize) -> Vec<Byte> {
        vec![UNKNOWN; n]
    }
}
