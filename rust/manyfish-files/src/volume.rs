// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The plain data of an opened volume.

use std::num::NonZero;
use std::sync::RwLock;
use std::{fmt, io, iter, thread};

use zeroize::Zeroizing;

use crate::sectors::{DiskCipher, UNIT};
use crate::{Sink, Source};

/// A thread reads and decrypts this much at a time: whole sectors of each size.
const STEP_BYTES: usize = 512 << 10;

/// A volume with its key: plain bytes at any place. Many threads may use it at once.
pub struct Volume<S> {
    pub(crate) source: S,
    pub(crate) cipher: Box<dyn DiskCipher>,
    /// Where the data begins in the source.
    pub(crate) offset: u64,
    pub(crate) n_bytes: u64,
    pub(crate) sector_bytes: usize,
    /// The number of the first sector.
    pub(crate) first_number: u64,
    /// Held alone while a part of a sector is written, and with others while whole ones are: the rest of the sector that
    /// the part lies in is read first, and must not change meanwhile.
    pub(crate) part: RwLock<()>,
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
        let (n_bytes, skipped, whole) = self.sectors_with(out.len(), offset);
        let out = &mut out[..n_bytes];
        if n_bytes == whole {
            self.read_sectors(out, offset)?;
        } else {
            let mut sectors = Zeroizing::new(vec![0; whole]);
            self.read_sectors(&mut sectors, offset - skipped as u64)?;
            out.copy_from_slice(&sectors[skipped..skipped + n_bytes]);
        }
        Ok(n_bytes)
    }

    /// How many of `n_bytes` there are from `offset` on; where they begin in the sectors that hold them, and the length
    /// of those.
    fn sectors_with(&self, n_bytes: usize, offset: u64) -> (usize, usize, usize) {
        let left = usize::try_from(self.n_bytes.saturating_sub(offset)).unwrap_or(usize::MAX);
        let n_bytes = n_bytes.min(left);
        if n_bytes == 0 {
            return (0, 0, 0);
        }
        let skipped = usize::try_from(offset % self.sector_bytes as u64).expect("below a sector");
        (n_bytes, skipped, (skipped + n_bytes).next_multiple_of(self.sector_bytes))
    }

    /// Each core takes a share, and decrypts each step while the cache still holds it.
    fn read_sectors(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        let share = share(out.len());
        on_cores(out.chunks_mut(share).zip((offset..).step_by(share)), |share, offset| {
            let mut steps = share.chunks_mut(STEP_BYTES).zip((offset..).step_by(STEP_BYTES));
            steps.try_for_each(|(step, offset)| {
                self.source.read_exact_at(step, self.offset + offset)?;
                self.cipher.decrypt(self.number_at(offset), self.sector_bytes, step);
                Ok(())
            })
        })
    }

    fn number_at(&self, offset: u64) -> u64 {
        self.first_number.wrapping_add(offset / UNIT as u64)
    }
}

impl<S: Sink> Volume<S> {
    /// Writes plain bytes to byte `offset` and what follows, and returns how many: fewer only at the end. Whole sectors
    /// are fastest: of others the rest is read first. An error may leave some sectors written and others not.
    pub fn write_at(&self, data: &[u8], offset: u64) -> io::Result<usize> {
        let (n_bytes, skipped, whole) = self.sectors_with(data.len(), offset);
        let data = &data[..n_bytes];
        if n_bytes == whole {
            let _beside_others = self.part.read().expect("no thread panics");
            self.write_sectors(data, offset)?;
        } else {
            let _alone = self.part.write().expect("no thread panics");
            let start = offset - skipped as u64;
            let mut sectors = Zeroizing::new(vec![0; whole]);
            self.read_sectors(&mut sectors, start)?;
            sectors[skipped..skipped + n_bytes].copy_from_slice(data);
            self.write_sectors(&sectors, start)?;
        }
        Ok(n_bytes)
    }

    /// Waits until all that was written is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.source.sync()
    }

    fn write_sectors(&self, data: &[u8], offset: u64) -> io::Result<()> {
        let share = share(data.len());
        on_cores(data.chunks(share).zip((offset..).step_by(share)), |share, offset| {
            let mut sealed = Vec::with_capacity(share.len().min(STEP_BYTES));
            let mut steps = share.chunks(STEP_BYTES).zip((offset..).step_by(STEP_BYTES));
            steps.try_for_each(|(step, offset)| {
                sealed.clear();
                sealed.extend_from_slice(step);
                self.cipher.encrypt(self.number_at(offset), self.sector_bytes, &mut sealed);
                self.source.write_all_at(&sealed, self.offset + offset)
            })
        })
    }
}

/// The part of each core: whole steps.
fn share(n_bytes: usize) -> usize {
    n_bytes.div_ceil(cores()).next_multiple_of(STEP_BYTES).max(STEP_BYTES)
}

/// Each share in a thread of its own, unless it is alone.
fn on_cores<T: Send>(
    shares: impl Iterator<Item = (T, u64)>,
    work: impl Fn(T, u64) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let mut shares = shares.peekable();
    let Some((first, offset)) = shares.next() else { return Ok(()) };
    if shares.peek().is_none() {
        return work(first, offset);
    }
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = iter::once((first, offset))
            .chain(shares)
            .map(|(share, offset)| scope.spawn(move || work(share, offset)))
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("it does not panic"))
    })
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
    use std::fs::File;
    use std::sync::Mutex;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use super::*;
    use crate::sectors::Spec;

    const N_BYTES: usize = 3 << 20;

    fn volume(mode: &str, sector_bytes: usize) -> Volume<File> {
        let source = tempfile::tempfile().unwrap();
        let octets: Vec<u8> = (0..=250).cycle().take(N_BYTES).collect();
        source.write_all_at(&octets, 0).unwrap();
        let cipher = Spec::parse("twofish", mode).unwrap().with_key(&[7; 32]);
        let (offset, n_bytes, part) = (0, N_BYTES as u64, RwLock::default());
        Volume { source, cipher, offset, n_bytes, sector_bytes, first_number: 9, part }
    }

    fn content(volume: &Volume<File>) -> Vec<u8> {
        let mut content = vec![0; N_BYTES];
        assert_eq!(volume.read_at(&mut content, 0).unwrap(), N_BYTES);
        content
    }

    /// Several threads decrypt one read: it gives what reads of single sectors give. The same for writing.
    #[test]
    fn a_long_read_or_write_is_many_short_ones() {
        for (mode, sector_bytes) in [
            ("xts-plain64", 512),
            ("xts-plain64", 4096),
            ("lrw-benbi", 512),
            ("cbc-essiv:sha256", 512),
            ("ecb", 4096),
        ] {
            let (volume, copy) = (volume(mode, sector_bytes), volume(mode, sector_bytes));
            let long = content(&volume);
            let mut short = vec![0; sector_bytes];
            for (sector, start) in long.chunks(sector_bytes).zip((0..).step_by(sector_bytes)) {
                volume.read_at(&mut short, start).unwrap();
                assert!(sector == short, "{mode}, {sector_bytes}: byte {start}");
                copy.write_at(&[1; 4096][..sector_bytes], start).unwrap();
            }
            assert!(content(&copy) == vec![1; N_BYTES]);
            copy.write_at(&long, 0).unwrap();
            let mut sealed = vec![0; N_BYTES];
            copy.source.read_exact_at(&mut sealed, 0).unwrap();
            assert!(sealed.iter().copied().eq((0..=250).cycle().take(N_BYTES)), "{mode}");
        }
    }

    /// Of half sectors, in two threads at once.
    #[test]
    fn parts_of_sectors_stay_apart() {
        let volume = volume("xts-plain64", 4096);
        let mut expected = content(&volume);
        let half = |parity: u8| {
            for start in (0..N_BYTES as u64).step_by(2048).skip(parity.into()).step_by(2) {
                volume.write_at(&[parity; 2048], start).unwrap();
            }
        };
        thread::scope(|scope| {
            scope.spawn(|| half(0));
            scope.spawn(|| half(1));
        });
        for (half, parity) in expected.chunks_mut(2048).zip([0, 1].into_iter().cycle()) {
            half.fill(parity);
        }
        assert!(content(&volume) == expected);
        assert_eq!(volume.write_at(&[3; 9], N_BYTES as u64 - 5).unwrap(), 5, "up to the end");
        assert_eq!(volume.write_at(&[3; 9], 1 << 60).unwrap(), 0);
        expected[N_BYTES - 5..].fill(3);
        assert!(content(&volume) == expected);
    }

    /// One sector, a read of which lets another thread write, and waits a moment for it.
    struct Slow {
        file: File,
        begin: Mutex<Sender<()>>,
        written: Mutex<Receiver<()>>,
    }

    impl Source for Slow {
        fn n_bytes(&self) -> io::Result<u64> {
            self.file.n_bytes()
        }

        fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
            self.file.read_exact_at(out, offset)?;
            let _ = self.begin.lock().unwrap().send(());
            let _ = self.written.lock().unwrap().recv_timeout(Duration::from_millis(50));
            Ok(())
        }
    }

    impl Sink for Slow {
        fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()> {
            self.file.write_all_at(data, offset)
        }

        fn sync(&self) -> io::Result<()> {
            self.file.sync()
        }
    }

    #[test]
    fn a_part_of_a_sector_leaves_the_whole_that_another_thread_writes() {
        const SECTOR: usize = 4096;
        let ((begin, start), (write, written)) = (channel(), channel());
        let Volume { source, cipher, offset, sector_bytes, first_number, .. } =
            volume("xts-plain64", SECTOR);
        let source = Slow { file: source, begin: begin.into(), written: written.into() };
        let (n_bytes, part) = (SECTOR as u64, RwLock::default());
        let volume = Volume { source, cipher, offset, n_bytes, sector_bytes, first_number, part };
        thread::scope(|scope| {
            scope.spawn(|| volume.write_at(&[1; 9], 0).unwrap());
            start.recv().unwrap();
            volume.write_at(&[2; SECTOR], 0).unwrap();
            let _ = write.send(());
        });
        drop(start);
        let mut found = [0; SECTOR];
        volume.read_at(&mut found, 0).unwrap();
        assert!(found[9..] == [2; SECTOR - 9], "the whole sector is lost");
    }
}
