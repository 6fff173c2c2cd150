// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The C structures that the modes work in: on the heap, where they stay, because a value that moves
//! leaves copies on the stack; wiped when dropped.

use std::mem::MaybeUninit;
use std::ptr;

use crate::Status;
use crate::ffi::mf_status;

/// A C structure with the function that wipes it.
pub trait CStruct: Sized {
    /// Wipes a structure that its init function has filled.
    const WIPE: unsafe extern "C" fn(*mut Self);
}

/// A C structure in use. Its pointers to a key are good for as long as whoever owns this owns the key.
pub struct State<T: CStruct>(Box<T>);

impl<T: CStruct> State<T> {
    /// Memory for the structure, filled by its init function.
    ///
    /// # Safety
    /// `init` must fill the memory that it is given, or return an error.
    pub unsafe fn new(init: impl FnOnce(*mut T) -> mf_status) -> Result<Self, Status> {
        let mut place = Box::new(MaybeUninit::<T>::zeroed());
        init(place.as_mut_ptr()).check()?;
        // SAFETY: the caller promises that init has filled it.
        Ok(Self(unsafe { place.assume_init() }))
    }

    /// An independent copy, which the headers allow of every structure here.
    pub fn copy(&self) -> Self {
        let mut copy = Box::new(MaybeUninit::<T>::uninit());
        // SAFETY: both are memory for one T, apart from each other, and self is filled.
        unsafe {
            ptr::copy_nonoverlapping(&raw const *self.0, copy.as_mut_ptr(), 1);
            Self(copy.assume_init())
        }
    }

    pub fn as_ptr(&self) -> *const T {
        &raw const *self.0
    }

    pub fn as_mut_ptr(&mut self) -> *mut T {
        &raw mut *self.0
    }
}

impl<T: CStruct> Drop for State<T> {
    fn drop(&mut self) {
        // SAFETY: new has filled it, or copy from one that is.
        unsafe { T::WIPE(&raw mut *self.0) }
    }
}

// SAFETY: the pointers in the structures are to static functions and to the context of a key, which
// whoever owns this shares, and which nobody writes until its last owner goes.
unsafe impl<T: CStruct> Send for State<T> {}
// SAFETY: through a shared State the structure is only read.
unsafe impl<T: CStruct> Sync for State<T> {}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::slice;

    /// Wipes a copy and looks at its bytes: some before, and none after.
    pub fn is_wiped<T: CStruct>(state: &State<T>) -> bool {
        let mut copy = state.copy();
        let holds_nothing = |place: *const T| {
            // SAFETY: the memory of a filled structure; padding does not matter to this comparison.
            let bytes = unsafe { slice::from_raw_parts(place.cast::<u8>(), size_of::<T>()) };
            bytes.iter().all(|byte| *byte == 0)
        };
        let was_there = !holds_nothing(copy.as_ptr());
        // SAFETY: it is filled.
        unsafe { T::WIPE(copy.as_mut_ptr()) }
        was_there && holds_nothing(copy.as_ptr())
    }
}
