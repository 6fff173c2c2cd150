// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The C structures that the modes work in: on the heap, where they stay, because a value that moves
//! leaves copies on the stack; wiped when dropped.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ptr;

use crate::Status;
use crate::cipher::Sealed;
use crate::ffi::mf_status;
use crate::shared::Place;

/// A C structure with the function that wipes it.
pub trait CStruct: Sized {
    /// Wipes a structure that its init function has filled.
    const WIPE: unsafe extern "C" fn(*mut Self);

    /// Writes the address of its key wherever it has one.
    fn point_to(&mut self, key: *const c_void);
}

/// A C structure in use. Its pointers to a key are good from [`at`](Self::at) on for as long as the key does
/// not move: without a heap, it moves with its owner.
pub struct State<T: CStruct>(Place<T>);

impl<T: CStruct> State<T> {
    /// Memory for the structure, filled by its init function.
    ///
    /// # Safety
    /// `init` must fill the memory that it is given, or return an error.
    pub unsafe fn new(init: impl FnOnce(*mut T) -> mf_status) -> Result<Self, Status> {
        let mut place = Place::new(MaybeUninit::<T>::zeroed());
        #[cfg(feature = "std")]
        crate::locked::lock_value(&*place);
        init(place.as_mut_ptr()).check()?;
        // SAFETY: the caller promises that init has filled it.
        Ok(Self(unsafe { place.assume_init() }))
    }

    /// An independent copy, which the headers allow of every structure here.
    pub fn copy(&self) -> Self {
        let mut copy = Place::new(MaybeUninit::<T>::uninit());
        #[cfg(feature = "std")]
        crate::locked::lock_value(&*copy);
        // SAFETY: both are memory for one T, apart from each other, and self is filled.
        unsafe {
            ptr::copy_nonoverlapping(&raw const *self.0, copy.as_mut_ptr(), 1);
            Self(copy.assume_init())
        }
    }

    pub fn get(&self) -> &T {
        &self.0
    }

    pub fn get_mut(&mut self) -> &mut T {
        &mut self.0
    }

    /// For a call that works with this key: the one that it was made for, or a copy of that.
    pub fn at(&mut self, key: &impl Sealed) -> *mut T {
        if cfg!(not(feature = "std")) {
            self.0.point_to(key.cipher().key);
        }
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
// the owner of this shares, and which nobody writes until its last owner goes.
unsafe impl<T: CStruct> Send for State<T> {}
// SAFETY: through a shared State the structure is only read.
unsafe impl<T: CStruct> Sync for State<T> {}

#[cfg(test)]
pub mod tests {
    use super::*;
    use core::slice;

    /// Wipes a copy and looks at its bytes: some before, and none after.
    pub fn is_wiped<T: CStruct>(state: &State<T>) -> bool {
        let mut copy = state.copy();
        let place = &raw mut *copy.0;
        let holds_nothing = |place: *const T| {
            // SAFETY: the memory of a filled structure; padding does not matter to this comparison.
            let bytes = unsafe { slice::from_raw_parts(place.cast::<u8>(), size_of::<T>()) };
            bytes.iter().all(|byte| *byte == 0)
        };
        let was_there = !holds_nothing(place);
        // SAFETY: it is filled.
        unsafe { T::WIPE(place) }
        was_there && holds_nothing(place)
    }
}
