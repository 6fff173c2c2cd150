// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Many keys, each for few blocks: what experiments with ciphers call a lot; and variants of Twofish.

use manyfish::{Error, FAMILY_KEY_BYTES, TwofishKeys, TwofishVariant, Variation};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::buffer::{Data, Input, Output, Written, crypt, either};
use crate::key::refusal;
use crate::modes::{decrypt_ecb, encrypt_ecb};
use crate::number::number;

const BLOCK_BYTES: usize = 16;
/// The bytes between two looks for Ctrl-C.
const PATIENCE_BYTES: usize = 1 << 20;

/// Encrypts or decrypts equal parts of `data`, each under its own key. Keys stand one after the other in
/// `keys`; their number must divide the blocks of `data`.
#[pyfunction]
#[pyo3(signature = (decrypt, keys, key_bytes, data, output=None, kernel=None))]
pub fn crypt_each<'py>(
    py: Python<'py>,
    decrypt: bool,
    keys: Input,
    key_bytes: usize,
    data: Input,
    output: Option<Output>,
    kernel: Option<&str>,
) -> PyResult<Written<'py>> {
    if output.as_ref().is_some_and(|output| output.overlaps(&keys)) {
        return Err(PyValueError::new_err("output and keys overlap; they must be disjoint"));
    }
    let (keys, n_bytes) = (keys.bytes(), data.bytes().len());
    let n_keys = count(keys.len(), key_bytes)?;
    let part = part_bytes(n_keys, n_bytes)?;
    // The keys that are worked on between two looks.
    let together = (PATIENCE_BYTES / part.max(1)).max(1);
    let mut interrupted = None;
    let each = |mut rest: Data| {
        for keys in keys.chunks(together * key_bytes) {
            if let Err(error) = check_signals() {
                interrupted = Some(error);
                return Err(Error::Cancelled);
            }
            let (now, later) = rest.split_at(part * (keys.len() / key_bytes));
            let keys = match kernel {
                Some(name) => TwofishKeys::with_kernel(name, keys, key_bytes),
                None => TwofishKeys::new(keys, key_bytes),
            }?;
            if decrypt {
                either!(now, TwofishKeys::decrypt_blocks, TwofishKeys::decrypt_blocks_to, &keys)
            } else {
                either!(now, TwofishKeys::encrypt_blocks, TwofishKeys::encrypt_blocks_to, &keys)
            }?;
            rest = later;
        }
        Ok(())
    };
    let written = crypt(py, &data, output, each, refusal);
    interrupted.map_or(written, Err)
}

/// The request of Ctrl-C.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method itself has one lifetime only"
)]
fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// How many keys there are.
fn count(keys: usize, key_bytes: usize) -> PyResult<usize> {
    if !matches!(key_bytes, 16 | 24 | 32) {
        let message = format!("a key has 16, 24 or 32 bytes, not {key_bytes}");
        return Err(PyValueError::new_err(message));
    }
    if !keys.is_multiple_of(key_bytes) {
        let message = format!("keys must be whole keys of {key_bytes} bytes, not {keys} bytes");
        return Err(PyValueError::new_err(message));
    }
    Ok(keys / key_bytes)
}

/// How many bytes of the data belong to each key.
fn part_bytes(n_keys: usize, n_bytes: usize) -> PyResult<usize> {
    let whole = n_keys.checked_mul(BLOCK_BYTES).is_some_and(|once| match once {
        0 => n_bytes == 0,
        once => n_bytes > 0 && n_bytes.is_multiple_of(once),
    });
    if !whole {
        return Err(PyValueError::new_err(format!(
            "data must be the same number of blocks of 16 bytes for each of {n_keys} keys, not {n_bytes} bytes"
        )));
    }
    Ok(n_bytes / n_keys.max(1))
}

/// Almost Twofish, block by block. It holds no state but the key, so threads may share it.
#[pyclass(frozen, module = "manyfish._manyfish")]
pub struct Variant {
    cipher: TwofishVariant,
}

#[pymethods]
impl Variant {
    #[new]
    #[pyo3(signature = (key, rounds, whitening, family_key=None))]
    fn new(
        key: Input,
        #[pyo3(from_py_with = number)] rounds: u32,
        whitening: bool,
        family_key: Option<Input>,
    ) -> PyResult<Self> {
        let family_key = family_key.as_ref().map(|key| to_family_key(key.bytes())).transpose()?;
        let variation = Variation { rounds, whitening, family_key };
        let cipher = TwofishVariant::new(&variation, key.bytes()).map_err(refusal)?;
        Ok(Self { cipher })
    }

    #[pyo3(signature = (data, output=None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        encrypt_ecb(py, &self.cipher, &data, output)
    }

    #[pyo3(signature = (data, output=None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        decrypt_ecb(py, &self.cipher, &data, output)
    }
}

fn to_family_key(bytes: &[u8]) -> PyResult<&[u8; FAMILY_KEY_BYTES]> {
    bytes.try_into().map_err(|_| {
        let found = bytes.len();
        PyValueError::new_err(format!("a family key has {FAMILY_KEY_BYTES} bytes, not {found}"))
    })
}
