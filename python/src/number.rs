// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Numbers as arguments.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// A number. `ValueError` for one that the type does not hold, where `PyO3` has `OverflowError`.
pub fn number<'a, 'py, T>(object: &'a Bound<'py, PyAny>) -> PyResult<T>
where
    T: FromPyObject<'a, 'py, Error = PyErr>,
{
    object.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(object.py()) {
            PyValueError::new_err(format!("{object} is negative, or too large"))
        } else {
            error
        }
    })
}
