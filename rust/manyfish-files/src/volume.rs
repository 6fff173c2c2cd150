// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The plain data of an opened volume.

use std::fmt;
use std::io;
use std::num::NonZero;
use std::thread;

use crate::Source;
use crate::sectors::{Decrypt, UNIT};

/// A thread reads and decrypts this much at a time: whole sectors of each size.
const STEP_BYTES: usize = 512 << 10;

/// A volume with its key: plain bytes at any place. Many threads may read it at once.
pub struct Volume<S> {
    pub(crate) source: S,
    pub(crate) cipher: Box<dyn Decrypt>,
    /// Where the data begins in the source.
    pub(crate) offset: u64,
    pub(crate) n_bytes: u64,
    pub(crate) sector_bytes: usize,
    /// The number of the first sector.
    pub(crate) first_number: u64,
}

impl<S: Source> Volume<S> {
    /// The length of the plain data, in bytes.
    #[must_use]
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Fills `out` with plain bytes from byte `offset` on, and returns how many there were: fewer only at the end.
    /// Whole sectors are fastest.
    pub fn read_at(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = usize::try_from(self.n_bytes.saturating_sub(offset)).unwrap_or(usize::MAX);
        let n_bytes = out.len().min(left);
        if n_bytes == 0 {
            return Ok(0);
        }
        let out = &mut out[..n_bytes];
        let skipped = usize::try_from(offset % self.sector_bytes as u64).expect("below a sector");
        let whole = (skipped + n_bytes).next_multiple_of(self.sector_bytes);
        if skipped == 0 && whole == n_bytes {
            self.read_sectors(out, offset)?;
        } else {
            let mut sectors = vec![0; whole];
            self.read_sectors(&mut sectors, offset - skipped as u64)?;
            out.copy_from_slice(&sectors[skipped..skipped + n_bytes]);
        }
        Ok(n_bytes)
    }

    /// Each core takes a share.
    fn read_sectors(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        let share = out.len().div_ceil(cores()).next_multiple_of(STEP_BYTES);
        if out.len() <= share {
            return self.read_share(out, offset);
        }
        let shares = out.chunks_mut(share).zip((offset..).step_by(share));
        thread::scope(|scope| {
            let threads: Vec<_> = shares
                .map(|(share, offset)| scope.spawn(move || self.read_share(share, offset)))
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("it does not panic"))
        })
    }

    /// Decrypts each step while the cache still holds it.
    fn read_share(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        for (step, start) in out.chunks_mut(STEP_BYTES).zip((offset..).step_by(STEP_BYTES)) {
            self.source.read_exact_at(step, self.offset + start)?;
            let number = self.first_number.wrapping_add(start / UNIT as u64);
            self.cipher.decrypt(number, self.sector_bytes, step);
        }
        Ok(())
    }
}

pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Shows no key.
impl<S> fmt::Debug for Volume<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Volume").field("n_bytes", &self.n_bytes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sectors::Spec;

    /// Several threads decrypt one read: it gives what reads of single sectors give.
    #[test]
    fn a_long_read_is_many_short_ones() {
        for (mode, sector_bytes) in
            [("xts-plain64", 512), ("xts-plain64", 4096), ("cbc-plain", 512)]
        {
            let cipher = Spec::parse("twofish", mode).unwrap().with_key(&[7; 32]).unwrap();
            let cipher = Box::new(cipher);
            let source: Vec<u8> = (0..=250).cycle().take(3 << 20).collect();
            let n_bytes = source.len() as u64;
            let volume =
                Volume { source, cipher, offset: 0, n_bytes, sector_bytes, first_number: 9 };
            let mut long = vec![0; 3 << 20];
            volume.read_at(&mut long, 0).unwrap();
            let mut short = vec![0; sector_bytes];
            for (sector, start) in long.chunks(sector_bytes).zip((0..).step_by(sector_bytes)) {
                volume.read_at(&mut short, start).unwrap();
                assert!(sector == short, "{mode}, {sector_bytes}: byte {start}");
            }
        }
    }
}
