// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Many messages under one key. A call takes some of them, so that Python looks for Ctrl-C and tells the progress
//! between calls; how many, it says.

mod mode;
mod strings;

use manyfish::Error;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use zeroize::{Zeroize, Zeroizing};

use self::mode::{Job, Mode};
use self::strings::{Held, Strings};
use crate::buffer::{Output, detached};
use crate::key::{Key, refusal};
use crate::number::number;
use crate::{InvalidTag, MessageTooLongError};

/// The messages of a call have no more bytes than this, unless it is one.
const CALL_BYTES: usize = 1 << 22;
/// There are no more of them.
const CALL_MESSAGES: usize = 1 << 13;

/// The results of a call: how many messages it took, the bytes of their results, and the exceptions by number.
type Taken<'py> = (usize, usize, Vec<(usize, Bound<'py, PyAny>)>);

/// A mode with its key, which many threads may use at once.
#[pyclass(frozen, module = "manyfish._manyfish")]
pub struct Many {
    mode: Mode,
}

#[pymethods]
impl Many {
    /// `option` is what the mode asks for: the bytes of a tag, the bits of a counter, or padding (0 or 1).
    #[new]
    #[pyo3(signature = (mode, decrypt, key, second, option))]
    fn new(
        mode: &str,
        decrypt: bool,
        key: &Key,
        second: Option<&Key>,
        #[pyo3(from_py_with = number)] option: usize,
    ) -> PyResult<Self> {
        Ok(Self { mode: Mode::new(mode, decrypt, key, second, option)? })
    }

    /// The most bytes that the result of a text of `n_bytes` has.
    fn out_bytes(&self, n_bytes: usize) -> usize {
        self.mode.out_bytes(n_bytes)
    }

    /// The same for all texts together.
    fn all_out_bytes(&self, texts: Strings) -> PyResult<usize> {
        (0..texts.len()).map(|i| Ok(self.mode.out_bytes(texts.bytes_of(i)?))).sum()
    }

    /// Works on messages from number `first` on and adds their results to a list, None for an error.
    #[pyo3(signature = (first, nonces, texts, aad, tags, results))]
    #[allow(clippy::too_many_arguments)] // of the Python code alone
    fn to_list<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        nonces: Option<Strings<'py>>,
        texts: Strings<'py>,
        aad: Option<Strings<'py>>,
        tags: Option<Strings<'py>>,
        results: &Bound<'py, PyList>,
    ) -> PyResult<Taken<'py>> {
        let call = Call::new(first, nonces, texts, aad, tags)?;
        let jobs = call.jobs(&self.mode)?;
        let mut out = Zeroizing::new(vec![0; room(&jobs)]);
        let (done, mut rest) = (self.run(py, &jobs, &mut out), &out[..]);
        for (job, result) in jobs.iter().zip(&done) {
            let (now, later) = rest.split_at(job.out_bytes);
            rest = later;
            match result {
                Ok(n_bytes) => results.append(PyBytes::new(py, &now[..*n_bytes]))?,
                Err(_) => results.append(py.None())?,
            }
        }
        Ok((jobs.len(), 0, self.exceptions(py, first, done)))
    }

    /// Works on messages from number `first` on and puts their results into `out` from byte `at` on; of an error, as
    /// many zeros.
    #[pyo3(signature = (first, nonces, texts, aad, tags, out, at))]
    #[allow(clippy::too_many_arguments)] // of the Python code alone
    fn to_rows<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        nonces: Option<Strings<'py>>,
        texts: Strings<'py>,
        aad: Option<Strings<'py>>,
        tags: Option<Strings<'py>>,
        mut out: Output,
        at: usize,
    ) -> PyResult<Taken<'py>> {
        let call = Call::new(first, nonces, texts, aad, tags)?;
        let jobs = call.jobs(&self.mode)?;
        let done = self.run(py, &jobs, part(&mut out, at, room(&jobs))?);
        Ok((jobs.len(), room(&jobs), self.exceptions(py, first, done)))
    }

    /// The same without gaps, and without bytes for an error; `ends`, 64 bits for each message, says where each
    /// result ends.
    #[pyo3(signature = (first, nonces, texts, aad, tags, out, at, ends))]
    #[allow(clippy::too_many_arguments)] // of the Python code alone
    fn to_column<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        nonces: Option<Strings<'py>>,
        texts: Strings<'py>,
        aad: Option<Strings<'py>>,
        tags: Option<Strings<'py>>,
        mut out: Output,
        at: usize,
        mut ends: Output,
    ) -> PyResult<Taken<'py>> {
        let call = Call::new(first, nonces, texts, aad, tags)?;
        let jobs = call.jobs(&self.mode)?;
        let out = part(&mut out, at, room(&jobs))?;
        let ends = part(&mut ends, 8 * first, 8 * jobs.len())?;
        let done = self.run(py, &jobs, out);
        let (mut from, mut end) = (0, 0);
        for ((job, result), place) in jobs.iter().zip(&done).zip(ends.chunks_exact_mut(8)) {
            let n_bytes = *result.as_ref().unwrap_or(&0);
            out.copy_within(from..from + n_bytes, end);
            (from, end) = (from + job.out_bytes, end + n_bytes);
            place.copy_from_slice(&((at + end) as u64).to_ne_bytes());
        }
        out[end..].zeroize();
        Ok((jobs.len(), end, self.exceptions(py, first, done)))
    }
}

impl Many {
    fn run(&self, py: Python<'_>, jobs: &[Job], out: &mut [u8]) -> Vec<Result<usize, Error>> {
        let n_bytes = jobs.iter().map(|job| job.text.len() + job.aad.map_or(0, <[u8]>::len)).sum();
        detached(py, n_bytes, || self.mode.run(jobs, out))
    }

    /// The errors, with the numbers of their messages.
    fn exceptions<'py>(
        &self,
        py: Python<'py>,
        first: usize,
        results: Vec<Result<usize, Error>>,
    ) -> Vec<(usize, Bound<'py, PyAny>)> {
        let numbered = results.into_iter().enumerate();
        let errors = numbered.filter_map(|(i, result)| Some((first + i, result.err()?)));
        errors
            .map(|(i, error)| (i, self.exception(error).into_value(py).into_bound(py).into_any()))
            .collect()
    }

    fn exception(&self, error: Error) -> PyErr {
        match error {
            Error::Tag | Error::TagLength { .. } => {
                InvalidTag::new_err("wrong tag: key, nonce, data or associated data differ")
            }
            Error::TooLong => {
                MessageTooLongError::new_err("the mode takes no message as long as this")
            }
            Error::NonceLength { mode, found, .. } => PyValueError::new_err(format!(
                "{mode} takes nonces of {}, not of {found} bytes",
                self.mode.nonces()
            )),
            other => refusal(other),
        }
    }
}

/// The bytes that all results together may have.
fn room(jobs: &[Job]) -> usize {
    jobs.iter().map(|job| job.out_bytes).sum()
}

/// Some bytes of an output, which the Python code has made large enough.
fn part(out: &mut Output, at: usize, n_bytes: usize) -> PyResult<&mut [u8]> {
    let end = at.checked_add(n_bytes).filter(|end| *end <= out.len());
    let end = end.ok_or_else(|| PyValueError::new_err("the output is too small"))?;
    Ok(&mut out.bytes_mut()[at..end])
}

/// The messages of a call, borrowed from Python.
struct Call {
    n: usize,
    nonces: Option<Held>,
    texts: Held,
    aad: Option<Held>,
    tags: Option<Held>,
}

impl Call {
    fn new<'py>(
        first: usize,
        nonces: Option<Strings<'py>>,
        texts: Strings<'py>,
        aad: Option<Strings<'py>>,
        tags: Option<Strings<'py>>,
    ) -> PyResult<Self> {
        let (texts, n) = texts.some(first, CALL_MESSAGES, CALL_BYTES)?;
        let others = |strings: Option<Strings<'py>>| {
            let held = strings.map(|strings| strings.some(first, n, usize::MAX)).transpose();
            held.map(|held| held.map(|(held, _)| held))
        };
        Ok(Self { n, nonces: others(nonces)?, texts, aad: others(aad)?, tags: others(tags)? })
    }

    fn jobs(&self, mode: &Mode) -> PyResult<Vec<Job<'_>>> {
        let job = |i| {
            let text = self.texts.get(i)?;
            Ok(Job {
                nonce: get(self.nonces.as_ref(), i)?.unwrap_or_default(),
                aad: get(self.aad.as_ref(), i)?,
                tag: get(self.tags.as_ref(), i)?.unwrap_or_default(),
                out_bytes: mode.out_bytes(text.len()),
                text,
            })
        };
        (0..self.n).map(job).collect()
    }
}

/// One of the strings, if there are any.
fn get(strings: Option<&Held>, i: usize) -> PyResult<Option<&[u8]>> {
    strings.map(|strings| strings.get(i)).transpose()
}
