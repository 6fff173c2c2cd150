// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The modes without authentication, over either cipher. What may follow what, and the defaults, are the
//! Python code's matter.

use manyfish_sys::{
    InOut, Key as SysKey, Status, cbc_decrypt, cbc_encrypt, ecb_decrypt, ecb_encrypt,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zeroize::Zeroizing;

use crate::buffer::{Data, Input, Output, Written, crypt};
use crate::key::Key;

/// The exception for data that is not whole blocks, or for what the types exclude.
fn whole_blocks(
    mode: &'static str,
    block_bytes: usize,
    found: usize,
) -> impl FnOnce(Status) -> PyErr {
    move |status| match status {
        Status::LENGTH => {
            let message =
                format!("{mode} takes whole blocks of {block_bytes} bytes, not {found} bytes");
            PyValueError::new_err(message)
        }
        other => refused(mode)(other),
    }
}

/// The exception for what the types exclude.
fn refused(mode: &'static str) -> impl FnOnce(Status) -> PyErr {
    move |status| PyValueError::new_err(format!("{mode} refuses this: {status:?}"))
}

/// The bytes of one block.
pub fn block<'a>(key: &Key, name: &str, input: &'a Input) -> PyResult<&'a [u8]> {
    let (needed, found) = (key.block_size(), input.bytes().len());
    if found == needed {
        return Ok(input.bytes());
    }
    Err(PyValueError::new_err(format!("{name} must have {needed} bytes, not {found}")))
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
        crypt(py, &data, output, |mut data| ecb_encrypt(&self.key, &data.in_out()), error)
    }

    #[pyo3(signature = (data, output=None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = whole_blocks("ECB", self.key.block_bytes(), data.bytes().len());
        crypt(py, &data, output, |mut data| ecb_decrypt(&self.key, &data.in_out()), error)
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
        crypt(py, &data, output, |mut data| cbc_encrypt(key, iv, &data.in_out()), error)
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
        crypt(py, &data, output, |mut data| cbc_decrypt(key, iv, &data.in_out()), error)
    }
}

/// A message in CFB, in one direction, with segments of a byte, of a block, or of some bytes between.
#[pyclass(module = "manyfish._manyfish")]
pub struct Cfb(Segments);

enum Segments {
    /// Those that the library has.
    Usual(manyfish_sys::Cfb),
    Other(OtherSegments),
}

/// CFB with segments of any number of bytes. [SP800-38A, 6.3]
struct OtherSegments {
    key: SysKey,
    /// `I_j`, then the ciphertext of the segment in work, which pushes as many bytes out at the front.
    register: Zeroizing<Vec<u8>>,
    key_stream: Zeroizing<Vec<u8>>,
    segment_bytes: usize,
    used: usize,
}

impl OtherSegments {
    fn crypt(&mut self, data: &mut [u8], encrypting: bool) -> Result<(), Status> {
        for byte in data {
            if self.used == self.segment_bytes {
                self.register.drain(..self.segment_bytes);
                self.used = 0;
            }
            if self.used == 0 {
                self.key_stream.copy_from_slice(&self.register);
                ecb_encrypt(&self.key, &InOut::in_place(&mut self.key_stream))?;
            }
            let crypted = *byte ^ self.key_stream[self.used];
            self.register.push(if encrypting { crypted } else { *byte });
            *byte = crypted;
            self.used += 1;
        }
        Ok(())
    }
}

#[pymethods]
impl Cfb {
    #[new]
    fn new(key: &Key, iv: Input, segment_bytes: usize) -> PyResult<Self> {
        let (iv, block_bytes) = (block(key, "iv", &iv)?, key.block_size());
        if segment_bytes < 1 || segment_bytes > block_bytes {
            let bits = 8 * block_bytes;
            let message = format!("segment_size must be a multiple of 8 from 8 to {bits} bits");
            return Err(PyValueError::new_err(message));
        }
        let key = key.key.clone();
        Ok(Self(if segment_bytes == 1 || segment_bytes == block_bytes {
            let bits = if segment_bytes == 1 { 8 } else { 8 * block_bytes };
            let bits = u32::try_from(bits).expect("8, 64 or 128");
            Segments::Usual(manyfish_sys::Cfb::new(key, iv, bits).map_err(refused("CFB"))?)
        } else {
            let mut register = Zeroizing::new(Vec::with_capacity(2 * block_bytes));
            register.extend_from_slice(iv);
            let key_stream = Zeroizing::new(vec![0; block_bytes]);
            Segments::Other(OtherSegments { key, register, key_stream, segment_bytes, used: 0 })
        }))
    }

    #[pyo3(signature = (data, output=None))]
    fn encrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let work = |mut data: Data| match &mut self.0 {
            Segments::Usual(cfb) => cfb.encrypt(&data.in_out()),
            Segments::Other(cfb) => cfb.crypt(data.copied(), true),
        };
        crypt(py, &data, output, work, refused("CFB"))
    }

    #[pyo3(signature = (data, output=None))]
    fn decrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let work = |mut data: Data| match &mut self.0 {
            Segments::Usual(cfb) => cfb.decrypt(&data.in_out()),
            Segments::Other(cfb) => cfb.crypt(data.copied(), false),
        };
        crypt(py, &data, output, work, refused("CFB"))
    }
}

/// An OFB key stream.
#[pyclass(module = "manyfish._manyfish")]
pub struct Ofb {
    ofb: manyfish_sys::Ofb,
}

#[pymethods]
impl Ofb {
    #[new]
    fn new(key: &Key, iv: Input) -> PyResult<Self> {
        let ofb = manyfish_sys::Ofb::new(key.key.clone(), block(key, "iv", &iv)?);
        Ok(Self { ofb: ofb.map_err(refused("OFB"))? })
    }

    #[pyo3(signature = (data, output=None))]
    fn crypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let work = |mut data: Data| self.ofb.crypt(&data.in_out());
        crypt(py, &data, output, work, refused("OFB"))
    }
}

/// Two Twofish keys joined; threads may share it.
#[pyclass(frozen, module = "manyfish._manyfish")]
pub struct Xts {
    xts: manyfish_sys::Xts,
}

/// The exception for a data unit or for sectors.
fn data_unit(found: usize) -> impl FnOnce(Status) -> PyErr {
    move |status| {
        PyValueError::new_err(match status {
            Status::LENGTH => format!(
                "XTS takes data units of 16 bytes and more, and whole sectors; {found} bytes are neither"
            ),
            Status::TOO_LONG => "a data unit of XTS has at most 16 MiB".to_owned(),
            other => format!("XTS refuses this: {other:?}"),
        })
    }
}

#[pymethods]
impl Xts {
    /// The key for data and the key for tweaks, which must differ.
    #[new]
    fn new(data: &Key, tweak: &Key) -> PyResult<Self> {
        match (&data.key, &tweak.key) {
            (SysKey::Twofish(data), SysKey::Twofish(tweak)) => {
                let xts = manyfish_sys::Xts::new(data.clone(), tweak.clone());
                Ok(Self { xts: xts.map_err(refused("XTS"))? })
            }
            _ => Err(PyTypeError::new_err("XTS is for blocks of 16 bytes, which DES has not")),
        }
    }

    #[pyo3(signature = (tweak, data, output=None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        tweak: [u8; 16],
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = data_unit(data.bytes().len());
        crypt(py, &data, output, |mut data| self.xts.encrypt(&tweak, &data.in_out()), error)
    }

    #[pyo3(signature = (tweak, data, output=None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        tweak: [u8; 16],
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = data_unit(data.bytes().len());
        crypt(py, &data, output, |mut data| self.xts.decrypt(&tweak, &data.in_out()), error)
    }

    #[pyo3(signature = (first, sector_bytes, data, output=None))]
    fn encrypt_sectors<'py>(
        &self,
        py: Python<'py>,
        first: u64,
        sector_bytes: usize,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = data_unit(data.bytes().len());
        let work = |mut data: Data| self.xts.encrypt_sectors(first, sector_bytes, &data.in_out());
        crypt(py, &data, output, work, error)
    }

    #[pyo3(signature = (first, sector_bytes, data, output=None))]
    fn decrypt_sectors<'py>(
        &self,
        py: Python<'py>,
        first: u64,
        sector_bytes: usize,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = data_unit(data.bytes().len());
        let work = |mut data: Data| self.xts.decrypt_sectors(first, sector_bytes, &data.in_out());
        crypt(py, &data, output, work, error)
    }
}
