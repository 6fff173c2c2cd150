// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The two buffers of a C call: one slice worked on in place, or two that are disjoint because Rust
//! borrowed them so. A partial overlap cannot be expressed.

use std::ffi::c_void;
use std::marker::PhantomData;

use crate::Status;

/// Equally long output and input.
#[derive(Debug)]
pub struct InOut<'a> {
    out: *mut u8,
    input: *const u8,
    n_bytes: usize,
    lifetime: PhantomData<(&'a mut [u8], &'a [u8])>,
}

impl<'a> InOut<'a> {
    /// Output takes the place of input.
    #[must_use]
    pub fn in_place(data: &'a mut [u8]) -> Self {
        let out = data.as_mut_ptr();
        Self { out, input: out, n_bytes: data.len(), lifetime: PhantomData }
    }

    /// Output goes to the first bytes of `out`; [`Status::CAPACITY`] if they do not suffice.
    pub fn copying(out: &'a mut [u8], input: &'a [u8]) -> Result<Self, Status> {
        let n_bytes = input.len();
        let out = out.get_mut(..n_bytes).ok_or(Status::CAPACITY)?.as_mut_ptr();
        Ok(Self { out, input: input.as_ptr(), n_bytes, lifetime: PhantomData })
    }

    pub(crate) fn out(&self) -> *mut c_void {
        self.out.cast()
    }

    pub(crate) fn input(&self) -> *const c_void {
        self.input.cast()
    }

    pub(crate) fn n_bytes(&self) -> usize {
        self.n_bytes
    }
}
