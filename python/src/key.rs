// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Expanded keys.

use manyfish_sys::{Des, Twofish};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::buffer::Input;

/// An expanded key, which many modes and many threads may use at once. It is wiped when its last user is
/// gone.
#[pyclass(frozen, module = "manyfish._manyfish")]
pub struct Key {
    pub key: manyfish_sys::Key,
}

#[pymethods]
impl Key {
    /// A key of 16, 24 or 32 bytes, for the kernel of that name or the default one.
    #[staticmethod]
    #[pyo3(signature = (key, kernel=None))]
    fn twofish(key: Input, kernel: Option<&str>) -> PyResult<Self> {
        expand(key.bytes(), kernel).map(|key| Self { key: key.into() })
    }

    /// A key of DES (8 bytes) or Triple-DES (16 or 24 bytes).
    #[staticmethod]
    #[pyo3(signature = (key, kernel=None))]
    fn des(key: Input, kernel: Option<&str>) -> PyResult<Self> {
        let key = key.bytes();
        match Des::new(kernel, key) {
            Ok(key) => Ok(Self { key: key.into() }),
            Err(_) => Err(refusal(match kernel {
                Some(name) => manyfish::Des::with_kernel(name, key).err(),
                None => manyfish::Des::new(key).err(),
            })),
        }
    }

    /// The name of the kernel at work.
    #[getter]
    fn kernel(&self) -> &'static str {
        self.key.kernel()
    }

    /// Bytes of a block.
    #[getter]
    pub fn block_size(&self) -> usize {
        self.key.block_bytes()
    }
}

/// A Twofish key.
pub fn expand(key: &[u8], kernel: Option<&str>) -> PyResult<Twofish> {
    Twofish::new(kernel, key).map_err(|_| {
        refusal(match kernel {
            Some(name) => manyfish::Twofish::with_kernel(name, key).err(),
            None => manyfish::Twofish::new(key).err(),
        })
    })
}

/// The sentence that the Rust library has for it.
pub fn refusal(error: Option<manyfish::Error>) -> PyErr {
    PyValueError::new_err(error.map_or_else(|| "the key is refused".to_owned(), |e| e.to_string()))
}
