// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CMAC.

use manyfish_sys::Status;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Input, detached};
use crate::key::Key;

/// A message in work.
#[pyclass(module = "manyfish._manyfish")]
pub struct Cmac {
    cmac: manyfish_sys::Cmac,
}

fn refused(status: Status) -> PyErr {
    PyValueError::new_err(match status {
        Status::TAG_LENGTH => "a tag of CMAC has 1 byte to a block".to_owned(),
        other => format!("CMAC refuses this: {other:?}"),
    })
}

#[pymethods]
impl Cmac {
    #[new]
    fn new(key: &Key) -> PyResult<Self> {
        let cmac = manyfish_sys::Cmac::new(key.key.clone());
        Ok(Self { cmac: cmac.map_err(refused)? })
    }

    fn update(&mut self, py: Python<'_>, data: Input) -> PyResult<()> {
        let data = data.bytes();
        detached(py, data.len(), || self.cmac.update(data)).map_err(refused)
    }

    /// The tag of what came so far; the message goes on.
    fn digest<'py>(&self, py: Python<'py>, tag_bytes: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut cmac = self.cmac.clone();
        PyBytes::new_with(py, tag_bytes, |tag| cmac.finish(tag).map_err(refused))
    }

    /// Whether it is the tag of what came so far, in a time that does not tell where it differs.
    fn verify(&self, tag: Input) -> PyResult<bool> {
        match self.cmac.clone().finish_verify(tag.bytes()) {
            Ok(()) => Ok(true),
            Err(Status::TAG) => Ok(false),
            Err(other) => Err(refused(other)),
        }
    }

    fn copy(&self) -> Self {
        Self { cmac: self.cmac.clone() }
    }
}
