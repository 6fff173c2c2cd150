// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Expanded keys.

use manyfish::{BlockCipher, Des, Error, Twofish};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::buffer::Input;

/// An expanded key, which many modes and many threads may use at once. It is wiped when its last user is
/// gone.
#[pyclass(frozen, module = "manyfish._manyfish")]
#[derive(Clone)]
pub struct Key {
    pub key: Cipher,
}

/// The same, by its cipher.
#[derive(Clone)]
pub enum Cipher {
    Twofish(Twofish),
    Des(Des),
}

/// An expression for either cipher.
macro_rules! with {
    ($key:expr, $cipher:ident => $work:expr) => {
        match &$key.key {
            $crate::key::Cipher::Twofish($cipher) => $work,
            $crate::key::Cipher::Des($cipher) => $work,
        }
    };
}
pub(crate) use with;

#[pymethods]
impl Key {
    /// A key of 16, 24 or 32 bytes, for the kernel of that name or the default one.
    #[staticmethod]
    #[pyo3(signature = (key, kernel=None))]
    fn twofish(key: Input, kernel: Option<&str>) -> PyResult<Self> {
        expand(key.bytes(), kernel).map(|key| Self { key: Cipher::Twofish(key) })
    }

    /// A key of DES (8 bytes) or Triple-DES (16 or 24 bytes).
    #[staticmethod]
    #[pyo3(signature = (key, kernel=None))]
    fn des(key: Input, kernel: Option<&str>) -> PyResult<Self> {
        let key = match kernel {
            Some(name) => Des::with_kernel(name, key.bytes()),
            None => Des::new(key.bytes()),
        };
        Ok(Self { key: Cipher::Des(key.map_err(refusal)?) })
    }

    /// A key of Triple-DES. `ValueError` for one of single DES, whose first or last two keys are equal.
    #[staticmethod]
    #[pyo3(signature = (key, kernel=None))]
    fn des3(key: Input, kernel: Option<&str>) -> PyResult<Self> {
        let bytes = key.bytes();
        let n_bytes = bytes.len();
        if !matches!(n_bytes, 16 | 24) {
            let message = format!("a Triple-DES key has 16 or 24 bytes, not {n_bytes}");
            return Err(PyValueError::new_err(message));
        }
        let (first, last) = (&bytes[..16], &bytes[n_bytes - 16..]);
        if are_equal(first) | are_equal(last) {
            let message = "two keys of this Triple-DES key are equal: it is a key of single DES";
            return Err(PyValueError::new_err(message));
        }
        Self::des(key, kernel)
    }

    /// The name of the kernel at work.
    #[getter]
    fn kernel(&self) -> &'static str {
        with!(self, cipher => cipher.kernel())
    }

    /// Bytes of a block.
    #[getter]
    pub fn block_size(&self) -> usize {
        match &self.key {
            Cipher::Twofish(_) => Twofish::BLOCK_BYTES,
            Cipher::Des(_) => Des::BLOCK_BYTES,
        }
    }
}

/// Whether two keys of DES are equal, parity aside, in a time that does not tell where they differ.
fn are_equal(keys: &[u8]) -> bool {
    let (first, second) = keys.split_at(8);
    first.iter().zip(second).fold(0, |bits, (a, b)| bits | (a ^ b)) & 0xFE == 0
}

/// A Twofish key.
pub fn expand(key: &[u8], kernel: Option<&str>) -> PyResult<Twofish> {
    let key = match kernel {
        Some(name) => Twofish::with_kernel(name, key),
        None => Twofish::new(key),
    };
    key.map_err(refusal)
}

/// The sentence that the Rust library has for it.
pub fn refusal(error: Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// One block of a cipher, from as many bytes.
pub fn to_block<C: BlockCipher>(_: &C, bytes: &[u8]) -> C::Block {
    let mut block = C::Block::default();
    block.as_mut().copy_from_slice(bytes);
    block
}
