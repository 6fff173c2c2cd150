// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The parts of the library, and whether they work here.

use manyfish::KernelInfo;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// The fields of the Python class `manyfish.Kernel`, in its order.
type Fields = (&'static str, &'static str, &'static str, usize, usize, usize, bool, bool, bool);

fn fields(info: KernelInfo) -> Fields {
    (
        info.name,
        info.summary,
        info.cpu_features,
        info.expanded_key_bytes,
        info.lanes,
        info.max_key_bytes,
        info.constant_time,
        info.runnable,
        info.is_default,
    )
}

/// The kernels of a cipher, "Twofish" or "DES", best first.
#[pyfunction]
pub fn kernels(cipher: &str) -> PyResult<Vec<Fields>> {
    match cipher {
        "Twofish" => Ok(manyfish::kernels().map(fields).collect()),
        "DES" => Ok(manyfish::des::kernels().map(fields).collect()),
        other => Err(no_cipher(other)),
    }
}

/// Runs known answers through a kernel. `RuntimeError` if it gives wrong results.
#[pyfunction]
pub fn selftest(py: Python<'_>, cipher: &str, kernel: &str) -> PyResult<()> {
    let result = match cipher {
        "Twofish" => py.detach(|| manyfish::selftest(kernel)),
        "DES" => py.detach(|| manyfish::des::selftest(kernel)),
        other => return Err(no_cipher(other)),
    };
    result.map_err(|error| match error {
        manyfish::Error::Selftest { .. } => PyRuntimeError::new_err(error.to_string()),
        other => PyValueError::new_err(other.to_string()),
    })
}

fn no_cipher(name: &str) -> PyErr {
    PyValueError::new_err(format!("the ciphers are \"Twofish\" and \"DES\", not \"{name}\""))
}
