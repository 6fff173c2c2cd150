// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/study/tables.h>`: tables that all keys share.

use std::any::Any;
use std::cell::Cell;
use std::ffi::{CString, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
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

thread_local! {
    /// The library is at work for this thread, and holds its lock.
    static AT_WORK: Cell<bool> = const { Cell::new(false) };
}

/// The library's progress, and the caller's answer.
struct Told<F> {
    progress: F,
    /// A panic must not run through frames of C: it waits here.
    panic: Option<Box<dyn Any + Send>>,
}

impl<F: FnMut(usize, usize) -> bool> Told<F> {
    /// Lets the library work with `call` and the address of self as its context.
    fn listen(progress: F, work: impl FnOnce(*mut c_void) -> ffi::mf_status) -> Result<(), Status> {
        let mut told = Self { progress, panic: None };
        let status = alone(|| work((&raw mut told).cast()));
        if let Some(panic) = told.panic {
            resume_unwind(panic);
        }
        status.check()
    }

    /// # Safety
    /// `context` must point to a `Self` that nobody else uses.
    unsafe extern "C" fn call(context: *mut c_void, done_bytes: usize, all_bytes: usize) -> bool {
        // SAFETY: the caller vouches for it.
        let Self { progress, panic } = unsafe { &mut *context.cast::<Self>() };
        let answer = catch_unwind(AssertUnwindSafe(|| progress(done_bytes, all_bytes)));
        answer.unwrap_or_else(|payload| {
            *panic = Some(payload);
            false
        })
    }
}

/// Does what takes the library's lock. A progress function that came here would wait for itself for ever.
fn alone<T>(work: impl FnOnce() -> T) -> T {
    assert!(!AT_WORK.get(), "a progress function must not build, open or save tables");
    AT_WORK.set(true);
    let done = work(); // calls C only, from where no panic comes
    AT_WORK.set(false);
    done
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
    /// `progress` is called with the bytes done and the bytes of all, and cancels by `false`. It must not build,
    /// open or save tables: that panics, and a panic cancels, too, and then goes on.
    pub fn build<F>(self, threads: usize, progress: F) -> Result<(), Status>
    where
        F: FnMut(usize, usize) -> bool,
    {
        // SAFETY: call is given what it expects, which outlives the work and is used by this thread only.
        Told::listen(progress, |told| unsafe {
            ffi::mf_twofish_tables_build(
                self.number(),
                c_uint::try_from(threads).unwrap_or(c_uint::MAX),
                Some(Told::<F>::call),
                told,
            )
        })
    }

    /// Maps a file that [`save`](Self::save) has written and compares it with what it must be; the rest
    /// is as with [`build`](Self::build). The file must stay as it is as long as the process runs.
    pub fn open<F>(self, path: &Path, threads: usize, progress: F) -> Result<(), Status>
    where
        F: FnMut(usize, usize) -> bool,
    {
        let path = c_path(path)?;
        // SAFETY: path is a C string; the rest is as in build.
        Told::listen(progress, |told| unsafe {
            ffi::mf_twofish_tables_open(
                self.number(),
                path.as_ptr(),
                c_uint::try_from(threads).unwrap_or(c_uint::MAX),
                Some(Told::<F>::call),
                told,
            )
        })
    }

    /// Writes them to a file, by way of another name in its folder.
    pub fn save(self, path: &Path) -> Result<(), Status> {
        let path = c_path(path)?;
        // SAFETY: path is a C string.
        alone(|| unsafe { ffi::mf_twofish_tables_save(self.number(), path.as_ptr()) }).check()
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
