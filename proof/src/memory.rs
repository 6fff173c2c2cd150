// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Memory as regions with gaps between them. An access outside all of them, or a write to what may only be read, ends
//! the run: so a run that succeeds has shown that no access leaves what the function was given.

use crate::algebra::{Byte, UNKNOWN};

struct Region {
    name: String,
    start: u64,
    bytes: Vec<Byte>,
    may_write: bool,
    /// Whether the code may touch it at all.
    is_given: bool,
    /// Which bytes were read.
    seen: Vec<bool>,
}

#[derive(Default)]
pub struct Memory {
    regions: Vec<Region>,
    last: usize,
}

impl Memory {
    /// Adds a region, or replaces the one of this name.
    pub fn put(&mut self, name: &str, start: u64, bytes: Vec<Byte>, may_write: bool) {
        self.regions.retain(|region| region.name != name);
        let seen = vec![false; bytes.len()];
        self.regions.push(Region {
            name: name.into(),
            start,
            bytes,
            may_write,
            is_given: true,
            seen,
        });
        self.last = 0;
    }

    /// Gives the code those regions alone of which this says so, by name and start.
    pub fn give(&mut self, is_given: impl Fn(&str, u64) -> bool) {
        for region in &mut self.regions {
            region.is_given = is_given(&region.name, region.start);
        }
    }

    pub fn bytes(&self, name: &str) -> &[Byte] {
        &self
            .regions
            .iter()
            .find(|region| region.name == name)
            .expect("a region of this name")
            .bytes
    }

    /// The region that has all `n` bytes at the address, and where in it.
    fn find(&mut self, address: u64, n: usize) -> Result<(usize, usize), String> {
        let inside = |region: &Region| {
            let at = usize::try_from(address.checked_sub(region.start)?).ok()?;
            let is_inside = region.is_given && at.checked_add(n)? <= region.bytes.len();
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
        region.seen[at..at + n].fill(true);
        Ok(&region.bytes[at..at + n])
    }

    pub fn store(&mut self, address: u64, bytes: &[Byte]) -> Result<(), String> {
        let (i, at) = self.find(address, bytes.len())?;
        let region = &mut self.regions[i];
        if !region.may_write {
            return Err(format!("a write to {} at {address:#x}", region.name));
        }
        region.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// The addresses of a region that were read.
    pub fn seen(&self, name: &str) -> Vec<u64> {
        let region = self
            .regions
            .iter()
            .find(|region| region.name == name)
            .expect("a region of this name");
        let places = region.seen.iter().enumerate().filter(|(_, seen)| **seen);
        places.map(|(at, _)| region.start + at as u64).collect()
    }

    /// Bytes of a number.
    pub fn constants(bytes: &[u8]) -> Vec<Byte> {
        bytes.iter().map(|&byte| Byte::from(byte)).collect()
    }

    pub fn unknown(n: usize) -> Vec<Byte> {
        vec![UNKNOWN; n]
    }
}
