// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The two buffers of a C call: one slice worked on in place, or two that are disjoint because Rust
//! borrowed them so. A partial overlap cannot be expressed.

use core::ffi::c_void;
use core::marker::PhantomData;

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

    /// `n_bytes` bytes of both from byte `start` on, or [`Status::LENGTH`] if there are fewer.
    pub fn part(&self, start: usize, n_bytes: usize) -> Result<InOut<'_>, Status> {
        if start.checked_add(n_bytes).is_none_or(|end| end > self.n_bytes) {
            return Err(Status::LENGTH);
        }
        // SAFETY: both have self.n_bytes bytes, so start is within them or at their end.
        let (out, input) = unsafe { (self.out.add(start), self.input.add(start)) };
        Ok(InOut { out, input, n_bytes, lifetime: PhantomData })
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

/// From the buffers of a generation of the crate `cipher`, which are arrays of bytes.
#[cfg(any(feature = "cipher-0-4", feature = "cipher-0-5"))]
macro_rules! from_cipher {
    ($cipher:ident, $array:ty, $length:path) => {
        impl<'a, N: $length> From<$cipher::inout::InOut<'a, 'a, $array>> for InOut<'a> {
            #[inline]
            fn from(block: $cipher::inout::InOut<'a, 'a, $array>) -> Self {
                let (input, out) = block.into_raw();
                let n_bytes = size_of::<$array>();
                // That type promises what this one needs: equal or apart, and good for one array.
                Self { out: out.cast(), input: input.cast(), n_bytes, lifetime: PhantomData }
            }
        }

        impl<'a> From<$cipher::inout::InOutBuf<'a, 'a, u8>> for InOut<'a> {
            #[inline]
            fn from(data: $cipher::inout::InOutBuf<'a, 'a, u8>) -> Self {
                let n_bytes = data.len();
                let (input, out) = data.into_raw();
                // As above, and good for n_bytes.
                Self { out, input, n_bytes, lifetime: PhantomData }
            }
        }

        impl<'a, N: $length> From<$cipher::inout::InOutBuf<'a, 'a, $array>> for InOut<'a> {
            #[inline]
            fn from(blocks: $cipher::inout::InOutBuf<'a, 'a, $array>) -> Self {
                let n_bytes = blocks.len() * size_of::<$array>();
                let (input, out) = blocks.into_raw();
                // As above, and good for these arrays.
                Self { out: out.cast(), input: input.cast(), n_bytes, lifetime: PhantomData }
            }
        }
    };
}

#[cfg(feature = "cipher-0-4")]
from_cipher!(
    cipher04,
    cipher04::generic_array::GenericArray<u8, N>,
    cipher04::generic_array::ArrayLength<u8>
);
#[cfg(feature = "cipher-0-5")]
from_cipher!(cipher05, cipher05::array::Array<u8, N>, cipher05::array::ArraySize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stay_within_the_whole() {
        let mut data = [0; 5];
        let whole = InOut::in_place(&mut data);
        for (start, n_bytes) in [(0, 5), (2, 3), (5, 0)] {
            let part = whole.part(start, n_bytes).unwrap();
            let offset = part.out().addr() - whole.out().addr();
            assert_eq!((offset, part.n_bytes()), (start, n_bytes));
        }
        for (start, n_bytes) in [(0, 6), (5, 1), (6, 0), (usize::MAX, 2)] {
            assert_eq!(whole.part(start, n_bytes).unwrap_err(), Status::LENGTH);
        }
    }
}
