// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Progress and cancelling: a reader that tells how much has been read, and asks whether to go on.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use crate::error::Error;

/// An input that calls `watcher` after each read with the octets read so far. Where that answers
/// [`ControlFlow::Break`], the work ends with [`Error::Cancelled`].
///
/// ```
/// use std::ops::ControlFlow;
/// use manyfish_openpgp::{Error, Settings, Watched, encrypt};
///
/// let mut seen = 0;
/// let file = Watched::new(&[7; 1000][..], |octets| {
///     seen = octets;
///     ControlFlow::Continue(())
/// });
/// encrypt(b"correct horse", Settings::new()?, file, std::io::sink())?;
/// assert_eq!(seen, 1000);
///
/// let file = Watched::new(&[7; 1000][..], |_| ControlFlow::Break(()));
/// let result = encrypt(b"correct horse", Settings::new()?, file, std::io::sink());
/// assert!(matches!(result, Err(Error::Cancelled)));
/// # Ok::<(), Error>(())
/// ```
pub struct Watched<R, F> {
    input: R,
    octets: u64,
    watcher: F,
}

impl<R, F: FnMut(u64) -> ControlFlow<()>> Watched<R, F> {
    /// Watches `input` from here on.
    pub fn new(input: R, watcher: F) -> Self {
        Self { input, octets: 0, watcher }
    }
}

impl<R: Read, F: FnMut(u64) -> ControlFlow<()>> Read for Watched<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.octets += n as u64;
        match (self.watcher)(self.octets) {
            ControlFlow::Continue(()) => Ok(n),
            ControlFlow::Break(()) => Err(Error::Cancelled.into()),
        }
    }
}

/// The count begins again at the place that is sought: a second reading shows as one.
impl<R: Seek, F> Seek for Watched<R, F> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.octets = 0;
        self.input.seek(place)
    }

    /// Does not count as a move.
    fn stream_position(&mut self) -> io::Result<u64> {
        self.input.stream_position()
    }
}

impl<R, F> fmt::Debug for Watched<R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").field("octets", &self.octets).finish_non_exhaustive()
    }
}
