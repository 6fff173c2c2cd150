// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Work on secrets that leaves none of them on the stack. Values that Rust moves, arguments, and registers that the
//! compiler spills have no name by which they could be wiped, so all of the stack that was used is.

use core::mem::MaybeUninit;

use crate::ffi;

/// How deep `on_wiped_stack` wipes: deeper than Argon2, HKDF and a key set-up go. A test of the command searches its memory
/// for what may have lain deeper.
pub const WIPED_STACK_BYTES: usize = 64 << 10;

/// Calls `work`, and overwrites the [`WIPED_STACK_BYTES`] of the stack below, which `work` has used. Its result
/// stays on the stack, so it must have secrets on the heap only. The caller's stack must have as much room.
pub fn on_wiped_stack<R>(work: impl FnOnce() -> R) -> R {
    let result = apart(work);
    wipe_stack();
    result
}

/// Overwrites the [`WIPED_STACK_BYTES`] of the stack below the caller.
#[inline(never)]
pub fn wipe_stack() {
    let mut below = MaybeUninit::<[u8; WIPED_STACK_BYTES]>::uninit();
    // SAFETY: it is a variable of WIPED_STACK_BYTES, and nobody reads it.
    unsafe { ffi::mf_wipe(below.as_mut_ptr().cast(), WIPED_STACK_BYTES) }
}

/// Its frame lies where that of `wipe_stack` will. Not inlined, or the caller's frame would hold its variables.
#[inline(never)]
fn apart<R>(work: impl FnOnce() -> R) -> R {
    work()
}
