// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/twofish_tables.h>`: tables that all keys share.

use std::ffi::{CString, c_uint, c_void};
use std::path::Path;

use crate::{Status, ffi};

/// Tables that do not depend on a key, which some kernels need; built once in a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tables {
    /// 256 KiB, for the kernels `full-big` and `partial-big`.
    Big,
    /// 256 MiB, for the kernel `full-huge`.
    Huge,
}

/// Hands what the library tells on to the closure.
///
/// # Safety
/// `context` must point to an `F` that nobody else uses.
unsafe extern "C" fn call<F: FnMut(usize, usize) -> bool>(
    context: *mut c_void,
    done_bytes: usize,
    all_bytes: usize,
) -> bool {
    // SAFETY: the caller vouches for it.
    let progress = unsafe { &mut *context.cast::<F>() };
    progress(done_bytes, all_bytes)
}

impl Tables {
    fn number(self) -> ffi::mf_twofish_tables {
        match self {
            Self::Big => ffi::MF_TWOFISH_TABLES_BIG,
            Self::Huge => ffi::MF_TWOFISH_TABLES_HUGE,
        }
    }

    /// How much memory they take.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::Big => ffi::MF_TWOFISH_TABLES_BIG_BYTES,
            Self::Huge => ffi::MF_TWOFISH_TABLES_HUGE_BYTES,
        }
    }

    /// True if kernels can use them.
    #[must_use]
    pub fn is_ready(self) -> bool {
        // SAFETY: any number is allowed.
        unsafe { ffi::mf_twofish_tables_ready(self.number()) }
    }

    /// Computes them, if they are not ready. `threads` is how many may work on it, 0 one for each core;
    /// `progress` is told the bytes done and the bytes of all, and cancels by `false`. It must not call a
    /// function of this type.
    pub fn build<F>(self, threads: usize, mut progress: F) -> Result<(), Status>
    where
        F: FnMut(usize, usize) -> bool,
    {
        // SAFETY: call is given the closure, which lives until the end of this function and is called
        // by this thread only.
        unsafe {
            ffi::mf_twofish_tables_build(
                self.number(),
                c_uint::try_from(threads).unwrap_or(c_uint::MAX),
                Some(call::<F>),
                (&raw mut progress).cast(),
            )
        }
        .check()
    }

    /// Maps a file that [`save`](Self::save) has written and compares it with what it must be; the rest
    /// is as with [`build`](Self::build). The file must stay as it is as long as the process runs.
    pub fn open<F>(self, path: &Path, threads: usize, mut progress: F) -> Result<(), Status>
    where
        F: FnMut(usize, usize) -> bool,
    {
        let path = c_path(path)?;
        // SAFETY: path is a C string; the rest is as in build.
        unsafe {
            ffi::mf_twofish_tables_open(
                self.number(),
                path.as_ptr(),
                c_uint::try_from(threads).unwrap_or(c_uint::MAX),
                Some(call::<F>),
                (&raw mut progress).cast(),
            )
        }
        .check()
    }

    /// Writes them to a file, by way of another name in its folder.
    pub fn save(self, path: &Path) -> Result<(), Status> {
        let path = c_path(path)?;
        // SAFETY: path is a C string.
        unsafe { ffi::mf_twofish_tables_save(self.number(), path.as_ptr()) }.check()
    }

    /// Gives their memory back.
    ///
    /// # Safety
    /// No other thread may use a kernel that needs them, set a key for one, or call a function of this type
    /// meanwhile; keys for `full-huge` must not be used before there are new tables.
    pub unsafe fn release(self) {
        // SAFETY: the caller vouches for it.
        unsafe { ffi::mf_twofish_tables_release(self.number()) }
    }
}

/// A path for C. No file has a zero byte in its name.
fn c_path(path: &Path) -> Result<CString, Status> {
    CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| Status::FILE)
}
