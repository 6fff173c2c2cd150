// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Where keys and C structures lie: on the heap, where a key is shared by its owners and nothing moves. Without
//! the feature `std` there is no heap: they lie in their owner, a clone is a copy, and they move with it.

#[cfg(feature = "std")]
pub use std::{boxed::Box as Place, sync::Arc as Shared};

#[cfg(not(feature = "std"))]
pub use inline::{Place, Shared};

#[cfg(not(feature = "std"))]
mod inline {
    use core::mem::MaybeUninit;
    use core::ops::{Deref, DerefMut};

    /// As far as this crate uses `Arc`.
    #[derive(Clone)]
    pub struct Shared<T>(T);

    impl<T> Shared<T> {
        pub fn new(value: T) -> Self {
            Self(value)
        }

        /// Nobody else ever has it.
        #[allow(clippy::unnecessary_wraps)] // as Arc
        pub fn get_mut(this: &mut Self) -> Option<&mut T> {
            Some(&mut this.0)
        }
    }

    impl<T> Deref for Shared<T> {
        type Target = T;

        fn deref(&self) -> &T {
            &self.0
        }
    }

    /// As far as this crate uses `Box`.
    #[derive(Clone)]
    pub struct Place<T>(T);

    impl<T> Place<T> {
        pub fn new(value: T) -> Self {
            Self(value)
        }
    }

    impl<T> Place<MaybeUninit<T>> {
        /// # Safety
        /// The value must be there.
        pub unsafe fn assume_init(self) -> Place<T> {
            // SAFETY: the caller vouches for it.
            Place(unsafe { self.0.assume_init() })
        }
    }

    impl<T> Deref for Place<T> {
        type Target = T;

        fn deref(&self) -> &T {
            &self.0
        }
    }

    impl<T> DerefMut for Place<T> {
        fn deref_mut(&mut self) -> &mut T {
            &mut self.0
        }
    }
}
