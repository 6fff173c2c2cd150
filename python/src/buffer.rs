// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Python's memory without a copy: the only unsafe code of this crate.
//!
//! `PyO3` offers buffers from Python 3.11 on, when they entered the stable ABI. The two functions and the
//! structure have been the same in every release since 3.0, 3.9 and 3.10 included, which change no more;
//! so they are declared here, and one wheel does for all. On Windows only python3.dll fits every release, and it
//! has the two from 3.11 on.
//!
//! A `bytearray` that is borrowed here cannot be resized. That another thread writes to it during a call
//! without the GIL cannot be prevented, here as everywhere in Python; then the output is some bytes or
//! other, as the documentation says.
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::ffi::{c_char, c_int, c_void};
use std::{ptr, slice};

use manyfish::Error;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroize;

/// The GIL is released for this many bytes and more: less is done sooner than the GIL changes hands.
const DETACH_BYTES: usize = 4096;

/// `Py_buffer` of Python's headers, from 3.0 to this day.
#[repr(C)]
struct View {
    buf: *mut c_void,
    obj: *mut PyObject,
    len: Py_ssize_t,
    itemsize: Py_ssize_t,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut Py_ssize_t,
    strides: *mut Py_ssize_t,
    suboffsets: *mut Py_ssize_t,
    internal: *mut c_void,
}

/// Contiguous bytes, whatever the items are.
const SIMPLE: c_int = 0;
/// The same, to be written.
const WRITABLE: c_int = 1;
/// Of any shape, which it tells; with gaps between the items.
const STRIDED: c_int = 0x18;

#[cfg_attr(windows, link(name = "python3", kind = "raw-dylib"))]
unsafe extern "C" {
    fn PyObject_GetBuffer(object: *mut PyObject, view: *mut View, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut View);
}

/// Memory that an object lends until this is dropped. It cannot leave the thread that has the GIL.
struct Borrowed(Box<View>);

impl Borrowed {
    fn new(object: &Bound<'_, PyAny>, flags: c_int) -> PyResult<Self> {
        let mut view = Box::new(View {
            buf: ptr::null_mut(),
            obj: ptr::null_mut(),
            len: 0,
            itemsize: 0,
            readonly: 0,
            ndim: 0,
            format: ptr::null_mut(),
            shape: ptr::null_mut(),
            strides: ptr::null_mut(),
            suboffsets: ptr::null_mut(),
            internal: ptr::null_mut(),
        });
        // SAFETY: the GIL is held, as `object` shows; `view` is one such structure, which stays in place.
        if unsafe { PyObject_GetBuffer(object.as_ptr(), &raw mut *view, flags) } == 0 {
            Ok(Self(view))
        } else {
            Err(PyErr::fetch(object.py()))
        }
    }

    fn len(&self) -> usize {
        self.0.len.cast_unsigned()
    }

    /// Where the bytes are; not NULL, which an empty buffer may say.
    fn start(&self) -> *mut u8 {
        if self.len() == 0 { ptr::dangling_mut() } else { self.0.buf.cast() }
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // SAFETY: `new` has filled it; it holds a pointer, so it has not left the thread with the GIL.
        unsafe { PyBuffer_Release(&raw mut *self.0) }
    }
}

/// An argument that is read: any object with contiguous bytes.
pub struct Input(Borrowed);

impl Input {
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the memory is lent as long as self lives; the head of this file says who writes to it.
        unsafe { slice::from_raw_parts(self.0.start(), self.0.len()) }
    }
}

impl<'py> FromPyObject<'_, 'py> for Input {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Borrowed::new(&object, SIMPLE).map(Self)
    }
}

/// An argument that is written to.
pub struct Output(Borrowed);

impl Output {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether some of its bytes are those of `input`.
    pub fn overlaps(&self, input: &Input) -> bool {
        overlap(&self.0, &input.0)
    }

    /// All of it, where no input lies in it.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: the memory is lent to be written as long as self lives, and borrowed only once.
        unsafe { slice::from_raw_parts_mut(self.0.start(), self.0.len()) }
    }
}

impl<'py> FromPyObject<'_, 'py> for Output {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Borrowed::new(&object, WRITABLE).map(Self).map_err(|_| {
            PyTypeError::new_err("output must be writable contiguous memory, such as a bytearray")
        })
    }
}

/// An argument that is read: a table in two dimensions, whose rows may have gaps between them.
pub struct Rows {
    view: Borrowed,
    n: usize,
    row_bytes: usize,
    stride: isize,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.n
    }

    pub fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    pub fn row(&self, i: usize) -> &[u8] {
        assert!(i < self.n, "the caller's promise");
        if self.row_bytes == 0 {
            return &[];
        }
        // SAFETY: the memory is lent as long as self lives, for each of the rows, where the stride says.
        unsafe {
            let start = self.view.0.buf.cast::<u8>().offset(self.stride * i.cast_signed());
            slice::from_raw_parts(start, self.row_bytes)
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Rows {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let view = Borrowed::new(&object, STRIDED)?;
        if view.0.ndim != 2 || view.0.itemsize != 1 {
            let message =
                "expected an array of bytes in two dimensions, with a message in each row";
            return Err(PyValueError::new_err(message));
        }
        // SAFETY: a view in two dimensions, asked for with strides, has two of each.
        let (shape, strides) = unsafe {
            (slice::from_raw_parts(view.0.shape, 2), slice::from_raw_parts(view.0.strides, 2))
        };
        let (n, row_bytes) = (shape[0].cast_unsigned(), shape[1].cast_unsigned());
        let (stride, between) = (strides[0], strides[1]);
        if between != 1 && row_bytes > 1 {
            return Err(PyValueError::new_err("the bytes of each row must be next to each other"));
        }
        Ok(Self { view, n, row_bytes, stride })
    }
}

/// Where a call reads and writes: equally many bytes, but in OCB, which holds some back.
pub enum Data<'a> {
    InPlace(&'a mut [u8]),
    Apart(&'a mut [u8], &'a [u8]),
}

impl Data<'_> {
    pub fn len(&self) -> usize {
        match self {
            Self::InPlace(out) | Self::Apart(out, _) => out.len(),
        }
    }

    /// The same, to be used first.
    pub fn again(&mut self) -> Data<'_> {
        match self {
            Self::InPlace(data) => Data::InPlace(data),
            Self::Apart(out, input) => Data::Apart(out, input),
        }
    }

    /// The output with the input in it, for what works in place.
    pub fn copied(&mut self) -> &mut [u8] {
        match self {
            Self::InPlace(data) => data,
            Self::Apart(out, input) => {
                out.copy_from_slice(input);
                out
            }
        }
    }

    /// The first `n_bytes`, and the others.
    pub fn split_at(self, n_bytes: usize) -> (Self, Self) {
        match self {
            Self::InPlace(data) => {
                let (first, second) = data.split_at_mut(n_bytes);
                (Self::InPlace(first), Self::InPlace(second))
            }
            Self::Apart(out, input) => {
                let (out_first, out_second) = out.split_at_mut(n_bytes);
                let (first, second) = input.split_at(n_bytes);
                (Self::Apart(out_first, first), Self::Apart(out_second, second))
            }
        }
    }

    /// Overwrites the output with zeros, in a way that stays.
    pub fn wipe(&mut self) {
        match self {
            Self::InPlace(out) | Self::Apart(out, _) => out.zeroize(),
        }
    }
}

/// Checks the room for a result.
fn check_room(needed: usize, output: &Output) -> PyResult<()> {
    let found = output.len();
    if found == needed {
        return Ok(());
    }
    let message = format!("output must have as many bytes as the input, {needed}, not {found}");
    Err(PyValueError::new_err(message))
}

/// Calls the function that works in place, or the one from a slice to another, with the data after all else.
macro_rules! either {
    ($data:expr, $in_place:path, $apart:path $(, $argument:expr)*) => {
        match $data {
            $crate::buffer::Data::InPlace(data) => $in_place($($argument,)* data),
            $crate::buffer::Data::Apart(out, input) => $apart($($argument,)* out, input),
        }
    };
}
pub(crate) use either;

/// Joins the first `n_bytes` of both, which have as many; and what follows in the output.
pub fn joined_first<'a>(
    input: &'a Input,
    output: &'a mut Output,
    n_bytes: usize,
) -> PyResult<(Data<'a>, &'a mut [u8])> {
    let (from, to) = (input.0.start(), output.0.start());
    assert!(n_bytes <= input.0.len() && n_bytes <= output.0.len(), "the caller's promise");
    let overlap = output.overlaps(input);
    if overlap && from != to {
        let message = "input and output overlap in part; they must be the same bytes or disjoint";
        return Err(PyValueError::new_err(message));
    }
    // SAFETY: the memory is lent to be written as long as output is borrowed. Where input is the same, its
    // slice is not used any more.
    let out = unsafe { slice::from_raw_parts_mut(to, output.0.len()) };
    let (out, rest) = out.split_at_mut(n_bytes);
    let data =
        if overlap { Data::InPlace(out) } else { Data::Apart(out, &input.bytes()[..n_bytes]) };
    Ok((data, rest))
}

/// Whether two pieces of memory have a byte in common.
fn overlap(a: &Borrowed, b: &Borrowed) -> bool {
    let (from_a, from_b) = (a.start().addr(), b.start().addr());
    a.len() > 0 && b.len() > 0 && from_a < from_b + b.len() && from_b < from_a + a.len()
}

/// The bytes of a further argument: copied if the output lies there, too.
pub fn apart<'a>(input: &'a Input, output: Option<&Output>) -> Cow<'a, [u8]> {
    match output {
        Some(output) if output.overlaps(input) => Cow::Owned(input.bytes().to_vec()),
        _ => Cow::Borrowed(input.bytes()),
    }
}

/// The result of a call: new bytes, or None where it wrote to `output`.
pub type Written<'py> = Option<Bound<'py, PyBytes>>;

/// Runs `work`, without the GIL if there is much of it.
pub fn detached<T: Send>(py: Python<'_>, n_bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    if n_bytes < DETACH_BYTES { work() } else { py.detach(work) }
}

/// Runs `work` from `input` to `output`, or to as many new bytes if there is none. An error of `work` becomes an
/// exception by `error`. `ValueError` if the lengths differ or the two overlap in part.
pub fn crypt<'py>(
    py: Python<'py>,
    input: &Input,
    output: Option<Output>,
    work: impl FnOnce(Data<'_>) -> Result<(), Error> + Send,
    error: impl FnOnce(Error) -> PyErr,
) -> PyResult<Written<'py>> {
    let n_bytes = input.0.len();
    if let Some(mut output) = output {
        check_room(n_bytes, &output)?;
        let (data, _) = joined_first(input, &mut output, n_bytes)?;
        detached(py, n_bytes, || work(data)).map_err(error)?;
        return Ok(None);
    }
    crypt_apart(py, input, None, n_bytes, work, error)
}

/// The same where `out_bytes` come out, which may be other than come in. Input that lies in `output` is copied.
pub fn crypt_apart<'py>(
    py: Python<'py>,
    input: &Input,
    output: Option<Output>,
    out_bytes: usize,
    work: impl FnOnce(Data<'_>) -> Result<(), Error> + Send,
    error: impl FnOnce(Error) -> PyErr,
) -> PyResult<Written<'py>> {
    let n_bytes = input.0.len();
    if let Some(mut output) = output {
        check_room(out_bytes, &output)?;
        let bytes = apart(input, Some(&output));
        let data = Data::Apart(output.bytes_mut(), &bytes);
        detached(py, n_bytes, || work(data)).map_err(error)?;
        return Ok(None);
    }
    let bytes = input.bytes();
    let new = PyBytes::new_with(py, out_bytes, |out| {
        detached(py, n_bytes, || work(Data::Apart(out, bytes))).map_err(error)
    });
    new.map(Some)
}
