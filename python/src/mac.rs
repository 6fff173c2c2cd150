// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CMAC.

use manyfish::Error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Input, detached};
use crate::key::{Key, refusal, with};

/// A message in work.
#[pyclass(module = "manyfish._manyfish")]
pub struct Cmac {
    cmac: manyfish::Cmac,
}

#[pymethods]
impl Cmac {
    #[new]
    fn new(key: &Key, tag_bytes: usize) -> PyResult<Self> {
        let cmac = with!(key, cipher => manyfish::Cmac::with_tag_bytes(cipher, tag_bytes));
        Ok(Self { cmac: cmac.map_err(refusal)? })
    }

    fn update(&mut self, py: Python<'_>, data: Input) -> PyResult<()> {
        let data = data.bytes();
        detached(py, data.len(), || self.cmac.update(data)).map_err(refusal)
    }

    /// The tag of what came so far; the message goes on.
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.cmac.clone().finish())
    }

    /// Whether it is the tag of what came so far, in a time that does not tell where it differs.
    fn verify(&self, tag: Input) -> PyResult<bool> {
        match self.cmac.clone().verify(tag.bytes()) {
            Err(Error::Tag | Error::TagLength { .. }) => Ok(false),
            other => other.map(|()| true).map_err(refusal),
        }
    }

    fn copy(&self) -> Self {
        Self { cmac: self.cmac.clone() }
    }
}
