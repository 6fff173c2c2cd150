// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Tables that all keys share.

use std::path::Path;

use crate::Error;
use crate::error::from_status;

/// Tables that do not depend on any key, for a quicker key set-up: some [`kernels`](crate::kernels) need
/// them. They are built once, on request, and stay as long as the process runs.
///
/// Which of their rows are read depends on the key, and those in a file are memory that other processes
/// have in common with this one: these kernels leak more than other ones do.
///
/// ```
/// use manyfish::{Tables, Twofish};
/// Tables::Big.build(0, |_, _| true)?;
/// let cipher = Twofish::with_kernel("full-big", &[7; 32])?;
/// # Ok::<(), manyfish::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tables {
    /// 256 KiB, for the kernels `full-big` and `partial-big`.
    Big,
    /// 256 MiB, for the kernel `full-huge`, which takes 128-bit keys only.
    Huge,
}

impl Tables {
    /// Both, the smaller one first.
    pub const ALL: [Self; 2] = [Self::Big, Self::Huge];

    fn inner(self) -> manyfish_sys::Tables {
        match self {
            Self::Big => manyfish_sys::Tables::Big,
            Self::Huge => manyfish_sys::Tables::Huge,
        }
    }

    /// The tables that a kernel needs, if it needs some.
    #[must_use]
    pub fn of_kernel(name: &str) -> Option<Self> {
        let kernel = crate::kernels().find(|kernel| kernel.name == name)?;
        Self::ALL.into_iter().find(|tables| tables.bytes() == kernel.shared_bytes)
    }

    /// How much memory they take.
    #[must_use]
    pub fn bytes(self) -> usize {
        self.inner().bytes()
    }

    /// True if the kernels that need them can be used.
    #[must_use]
    pub fn is_ready(self) -> bool {
        self.inner().is_ready()
    }

    /// Computes them, if they are not ready; if another thread is at it, waits for that.
    ///
    /// `threads` is how many may work on it, 0 one for each core. This thread calls `progress` with
    /// the bytes done and the bytes of all, also at the end; it cancels by `false`. A panic of it cancels, too,
    /// and reaches the caller. It must not build, open or save tables: that panics.
    ///
    /// [`Error::Memory`], [`Error::Cancelled`]
    pub fn build(
        self,
        threads: usize,
        progress: impl FnMut(usize, usize) -> bool,
    ) -> Result<(), Error> {
        self.inner().build(threads, progress).map_err(from_status)
    }

    /// Maps them from a file that [`save`](Self::save) has written, so that processes share the memory.
    /// Each byte is compared with what it must be, which takes about as long as to build them. The rest is
    /// as with [`build`](Self::build).
    ///
    /// The file must belong to this user or to root, nobody else may write it, and its owner must leave it
    /// as it is while the process runs: if it gets shorter, the process is killed.
    ///
    /// [`Error::TablesFile`], [`Error::Cancelled`]
    pub fn open(
        self,
        path: impl AsRef<Path>,
        threads: usize,
        progress: impl FnMut(usize, usize) -> bool,
    ) -> Result<(), Error> {
        self.inner().open(path.as_ref(), threads, progress).map_err(from_status)
    }

    /// Writes them to a file, by way of another name in the same folder. An old file of this name is
    /// replaced, and on an error as before.
    ///
    /// [`Error::TablesFile`], also if they are not ready
    pub fn save(self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.inner().save(path.as_ref()).map_err(|_| Error::TablesFile)
    }
}
