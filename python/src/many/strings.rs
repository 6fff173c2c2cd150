// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Byte strings of equal standing, however Python holds them: a list of buffers, the rows of a table, or one buffer
//! with offsets into it, as columns of Arrow are. None of them is copied.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::buffer::{Input, Rows};

/// All of them.
pub enum Strings<'py> {
    List(Bound<'py, PyList>),
    Rows(Rows),
    Column(Column),
}

/// Some of them, borrowed.
pub enum Held {
    List(Vec<Input>),
    Rows(Rows, usize),
    Column(Column, usize),
}

/// String number i begins in `data` at offset i and ends at offset i + 1; of it the bytes from `start` to `stop`
/// count.
pub struct Column {
    data: Input,
    offsets: Input,
    /// Bytes of an offset.
    width: usize,
    start: usize,
    stop: usize,
}

impl Column {
    fn offset(&self, i: usize) -> PyResult<usize> {
        let bytes = self.offsets.bytes().get(i * self.width..(i + 1) * self.width);
        let bytes = bytes.ok_or_else(|| PyIndexError::new_err("no such message"))?;
        let offset = match bytes.try_into() {
            Ok(bytes) => i64::from_ne_bytes(bytes),
            Err(_) => i32::from_ne_bytes(bytes.try_into().expect("4 or 8 bytes")).into(),
        };
        usize::try_from(offset).map_err(|_| wrong_offset(i))
    }

    fn get(&self, i: usize) -> PyResult<&[u8]> {
        let (from, to) = (self.offset(i)?, self.offset(i + 1)?);
        let string = self.data.bytes().get(from..to).ok_or_else(|| wrong_offset(i))?;
        let stop = self.stop.min(string.len());
        Ok(&string[self.start.min(stop)..stop])
    }

    fn len(&self) -> usize {
        (self.offsets.bytes().len() / self.width).saturating_sub(1)
    }
}

fn wrong_offset(i: usize) -> PyErr {
    let message = format!("the offsets {i} and {} do not enclose bytes of the data", i + 1);
    PyValueError::new_err(message)
}

impl<'py> FromPyObject<'_, 'py> for Strings<'py> {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(list) = object.cast::<PyList>() {
            return Ok(Self::List(list.to_owned()));
        }
        if object.is_instance_of::<PyTuple>() {
            let (data, offsets, width, start, stop) = object.extract()?;
            return Ok(Self::Column(Column { data, offsets, width, start, stop }));
        }
        object.extract().map(Self::Rows)
    }
}

impl Strings<'_> {
    pub fn len(&self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Rows(rows) => rows.len(),
            Self::Column(column) => column.len(),
        }
    }

    /// The bytes of one.
    pub fn bytes_of(&self, i: usize) -> PyResult<usize> {
        match self {
            Self::List(list) => Ok(list.get_item(i)?.extract::<Input>()?.bytes().len()),
            Self::Rows(rows) => Ok(rows.row_bytes()),
            Self::Column(column) => Ok(column.get(i)?.len()),
        }
    }

    /// Those from number `first` on: at most `most`, until they have `most_bytes` together. Also their number.
    pub fn some(self, first: usize, most: usize, most_bytes: usize) -> PyResult<(Held, usize)> {
        let most = most.min(self.len().saturating_sub(first));
        match self {
            Self::List(list) => {
                let (mut inputs, mut n_bytes) = (Vec::with_capacity(most), 0);
                while inputs.len() < most && (inputs.is_empty() || n_bytes < most_bytes) {
                    let input: Input = list.get_item(first + inputs.len())?.extract()?;
                    n_bytes += input.bytes().len();
                    inputs.push(input);
                }
                let n = inputs.len();
                Ok((Held::List(inputs), n))
            }
            Self::Rows(rows) => {
                let n = most.min((most_bytes / rows.row_bytes().max(1)).max(1));
                Ok((Held::Rows(rows, first), n))
            }
            Self::Column(column) => {
                let (mut n, mut n_bytes) = (0, 0);
                while n < most && (n == 0 || n_bytes < most_bytes) {
                    n_bytes += column.get(first + n)?.len();
                    n += 1;
                }
                Ok((Held::Column(column, first), n))
            }
        }
    }
}

impl Held {
    pub fn get(&self, i: usize) -> PyResult<&[u8]> {
        match self {
            Self::List(inputs) => Ok(inputs[i].bytes()),
            Self::Rows(rows, first) => Ok(rows.row(first + i)),
            Self::Column(column, first) => column.get(first + i),
        }
    }
}
