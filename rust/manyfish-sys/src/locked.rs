// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Memory that the system may not write to a swap file, for programs that ask for it. Systems let a user lock some pages,
//! often 64 KiB, and a key takes one or two; where no more is to be had, everything works without.

use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};

static WANTED: AtomicBool = AtomicBool::new(false);

/// From now on keys that this process expands are locked into memory, and what is given to [`lock`], where the system
/// permits it; except those in the code of compiled keying, which the C library maps. Libraries leave the limit of the
/// process to its program, so nothing is locked without this.
pub fn lock_keys() {
    WANTED.store(true, Ordering::Relaxed);
}

/// Locks the pages of `secret` into memory, if [`lock_keys`] was called. They stay locked when it goes, since others may
/// share them.
pub fn lock(secret: &[u8]) {
    lock_at(secret.as_ptr().cast(), secret.len());
}

/// The same for a value that cannot be borrowed as bytes.
pub(crate) fn lock_value<T>(value: &T) {
    lock_at((&raw const *value).cast(), size_of::<T>());
}

fn lock_at(start: *const c_void, n_bytes: usize) {
    if WANTED.load(Ordering::Relaxed) && n_bytes > 0 {
        // SAFETY: locking reads and writes no memory. The answer does not matter.
        unsafe { system_lock(start, n_bytes) };
    }
}

#[cfg(unix)]
unsafe extern "C" {
    #[link_name = "mlock"]
    fn system_lock(start: *const c_void, n_bytes: usize) -> core::ffi::c_int;
}

#[cfg(windows)]
#[link(name = "kernel32")]
unsafe extern "system" {
    #[link_name = "VirtualLock"]
    fn system_lock(start: *const c_void, n_bytes: usize) -> core::ffi::c_int;
}

/// Elsewhere there is no such call.
#[cfg(not(any(unix, windows)))]
unsafe fn system_lock(_: *const c_void, _: usize) {}
