// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The modes without authentication, over either cipher. What may follow what, and the defaults, are the
//! Python code's matter.

use manyfish_sys::{Key as SysKey, Status, cbc_decrypt, cbc_encrypt, ecb_decrypt, ecb_encrypt};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zeroize::Zeroizing;

use crate::buffer::{Input, Output, Written, crypt};
use crate::key::Key;

/// The exception for data that is not whole blocks, or for what the types exclude.
fn whole_blocks(
    mode: &'static str,
    block_bytes: usize,
    found: usize,
) -> impl FnOnce(Status) -> PyErr {
    move |status| {
        PyValueError::new_err(if status == Status::LENGTH {
            format!("{mode} takes whole blocks of {block_bytes} bytes, not {found} bytes")
        } else {
            format!("{mode} refuses this: {status:?}")
        })
    }
}

/// Each block by itself. It holds no state but the key, so threads may share it.
#[pyclass(frozen, module = "manyfish._manyfish")]
pub struct Ecb {
    key: SysKey,
}

#[pymethods]
impl Ecb {
    #[new]
    fn new(key: &Key) -> Self {
        Self { key: key.key.clone() }
    }

    #[pyo3(signature = (data, output=None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = whole_blocks("ECB", self.key.block_bytes(), data.bytes().len());
        crypt(py, &data, output, |data| ecb_encrypt(&self.key, data), error)
    }

    #[pyo3(signature = (data, output=None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = whole_blocks("ECB", self.key.block_bytes(), data.bytes().len());
        crypt(py, &data, output, |data| ecb_decrypt(&self.key, data), error)
    }
}

/// A message in CBC, in one direction.
#[pyclass(module = "manyfish._manyfish")]
pub struct Cbc {
    key: SysKey,
    iv: Zeroizing<Vec<u8>>,
}

#[pymethods]
impl Cbc {
    #[new]
    fn new(key: &Key, iv: Input) -> PyResult<Self> {
        Ok(Self { key: key.key.clone(), iv: Zeroizing::new(block(key, "iv", &iv)?.to_vec()) })
    }

    #[pyo3(signature = (data, output=None))]
    fn encrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = whole_blocks("CBC", self.iv.len(), data.bytes().len());
        let (key, iv) = (&self.key, &mut self.iv);
        crypt(py, &data, output, |data| cbc_encrypt(key, iv, data), error)
    }

    #[pyo3(signature = (data, output=None))]
    fn decrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = whole_blocks("CBC", self.iv.len(), data.bytes().len());
        let (key, iv) = (&self.key, &mut self.iv);
        crypt(py, &data, output, |data| cbc_decrypt(key, iv, data), error)
    }
}

/// The bytes of one block.
pub fn block<'a>(key: &Key, name: &str, input: &'a Input) -> PyResult<&'a [u8]> {
    let (needed, bytes) = (key.block_size(), input.bytes());
    if bytes.len() == needed {
        return Ok(bytes);
    }
    let found = bytes.len();
    Err(PyValueError::new_err(format!("{name} must have {needed} bytes, not {found}")))
}

/// A key stream from a counter that takes the last bytes of a block, big-endian.
#[pyclass(module = "manyfish._manyfish")]
pub struct Ctr {
    ctr: manyfish_sys::Ctr,
}

#[pymethods]
impl Ctr {
    #[new]
    fn new(key: &Key, initial: Input) -> PyResult<Self> {
        let initial = block(key, "the counter block", &initial)?;
        let bits = u32::try_from(8 * initial.len()).expect("64 or 128");
        let ctr = manyfish_sys::Ctr::new(key.key.clone(), initial, bits);
        Ok(Self { ctr: ctr.expect("a whole block counts") })
    }

    #[pyo3(signature = (data, output=None))]
    fn crypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = |status| PyValueError::new_err(format!("CTR refuses this: {status:?}"));
        crypt(py, &data, output, |data| self.ctr.crypt(data), error)
    }
}
