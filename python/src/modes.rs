// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The modes without authentication, over either cipher. The
//! Python code has the defaults, and checks the order of calls.

use manyfish::modes::{self, cbc, ecb};
use manyfish::{BlockCipher, Error};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zeroize::Zeroizing;

use crate::buffer::{Data, Input, Output, Written, crypt, either};
use crate::key::{Cipher, Key, refusal, to_block, with};
use crate::number::number;

/// The exception for data that is not whole blocks.
fn whole_blocks(mode: &'static str) -> impl FnOnce(Error) -> PyErr {
    move |error| match error {
        Error::Length { block_bytes, found } => {
            let message =
                format!("{mode} takes whole blocks of {block_bytes} bytes, not {found} bytes");
            PyValueError::new_err(message)
        }
        other => refusal(other),
    }
}

/// The bytes of one block.
pub fn block<'a>(key: &Key, name: &str, input: &'a Input) -> PyResult<&'a [u8]> {
    let (needed, found) = (key.block_size(), input.bytes().len());
    if found == needed {
        return Ok(input.bytes());
    }
    Err(PyValueError::new_err(format!("{name} must have {needed} bytes, not {found}")))
}

/// Encrypts each block by itself.
pub fn encrypt_ecb<'py>(
    py: Python<'py>,
    cipher: &(impl BlockCipher + Sync),
    data: &Input,
    output: Option<Output>,
) -> PyResult<Written<'py>> {
    let work = |data: Data| either!(data, ecb::encrypt, ecb::encrypt_to, cipher);
    crypt(py, data, output, work, whole_blocks("ECB"))
}

/// Decrypts each block by itself.
pub fn decrypt_ecb<'py>(
    py: Python<'py>,
    cipher: &(impl BlockCipher + Sync),
    data: &Input,
    output: Option<Output>,
) -> PyResult<Written<'py>> {
    let work = |data: Data| either!(data, ecb::decrypt, ecb::decrypt_to, cipher);
    crypt(py, data, output, work, whole_blocks("ECB"))
}

/// Each block by itself. It holds no state but the key, so threads may share it.
#[pyclass(frozen, module = "manyfish._manyfish")]
pub struct Ecb {
    key: Key,
}

#[pymethods]
impl Ecb {
    #[new]
    fn new(key: &Key) -> Self {
        Self { key: key.clone() }
    }

    #[pyo3(signature = (data, output=None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        with!(self.key, cipher => encrypt_ecb(py, cipher, &data, output))
    }

    #[pyo3(signature = (data, output=None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        with!(self.key, cipher => decrypt_ecb(py, cipher, &data, output))
    }
}

/// A message in CBC, in one direction.
#[pyclass(module = "manyfish._manyfish")]
pub struct Cbc {
    key: Key,
    iv: Zeroizing<Vec<u8>>,
}

#[pymethods]
impl Cbc {
    #[new]
    fn new(key: &Key, iv: Input) -> PyResult<Self> {
        Ok(Self { key: key.clone(), iv: Zeroizing::new(block(key, "iv", &iv)?.to_vec()) })
    }

    #[pyo3(signature = (data, output=None))]
    fn encrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let (key, iv) = (&self.key, &mut self.iv);
        let work = |data: Data| with!(key, cipher => crypt_cbc(cipher, iv, data, true));
        crypt(py, &data, output, work, whole_blocks("CBC"))
    }

    #[pyo3(signature = (data, output=None))]
    fn decrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let (key, iv) = (&self.key, &mut self.iv);
        let work = |data: Data| with!(key, cipher => crypt_cbc(cipher, iv, data, false));
        crypt(py, &data, output, work, whole_blocks("CBC"))
    }
}

/// The next blocks of a chain, whose last block goes to `iv`.
fn crypt_cbc<C: BlockCipher>(
    cipher: &C,
    iv: &mut [u8],
    data: Data,
    encrypting: bool,
) -> Result<(), Error> {
    let mut chain = to_block(cipher, iv);
    if encrypting {
        either!(data, cbc::encrypt, cbc::encrypt_to, cipher, &mut chain)
    } else {
        either!(data, cbc::decrypt, cbc::decrypt_to, cipher, &mut chain)
    }?;
    iv.copy_from_slice(chain.as_ref());
    Ok(())
}

/// A message in CFB, in one direction, with segments of a byte, of a block, or of some bytes between.
#[pyclass(module = "manyfish._manyfish")]
pub struct Cfb(Segments);

enum Segments {
    /// Those that the library has.
    Usual(modes::Cfb),
    Other(OtherSegments),
}

/// CFB with segments of any number of bytes. [SP800-38A, 6.3]
struct OtherSegments {
    key: Key,
    /// `I_j`, then the ciphertext of the segment in work, which pushes as many bytes out at the front.
    register: Zeroizing<Vec<u8>>,
    key_stream: Zeroizing<Vec<u8>>,
    segment_bytes: usize,
    used: usize,
}

impl OtherSegments {
    fn crypt(&mut self, data: &mut [u8], encrypting: bool) -> Result<(), Error> {
        for byte in data {
            if self.used == self.segment_bytes {
                self.register.drain(..self.segment_bytes);
                self.used = 0;
            }
            if self.used == 0 {
                self.key_stream.copy_from_slice(&self.register);
                with!(self.key, cipher => ecb::encrypt(cipher, &mut self.key_stream))?;
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
        let key = key.clone();
        Ok(Self(if segment_bytes == 1 || segment_bytes == block_bytes {
            let bits = if segment_bytes == 1 { 8 } else { 8 * block_bytes };
            let bits = u32::try_from(bits).expect("8, 64 or 128");
            let cfb = with!(key, cipher => modes::Cfb::new(cipher, &to_block(cipher, iv), bits));
            Segments::Usual(cfb.map_err(refusal)?)
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
            Segments::Usual(cfb) => either!(data, modes::Cfb::encrypt, modes::Cfb::encrypt_to, cfb),
            Segments::Other(cfb) => cfb.crypt(data.copied(), true),
        };
        crypt(py, &data, output, work, refusal)
    }

    #[pyo3(signature = (data, output=None))]
    fn decrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let work = |mut data: Data| match &mut self.0 {
            Segments::Usual(cfb) => either!(data, modes::Cfb::decrypt, modes::Cfb::decrypt_to, cfb),
            Segments::Other(cfb) => cfb.crypt(data.copied(), false),
        };
        crypt(py, &data, output, work, refusal)
    }
}

/// An OFB key stream.
#[pyclass(module = "manyfish._manyfish")]
pub struct Ofb {
    ofb: modes::Ofb,
}

#[pymethods]
impl Ofb {
    #[new]
    fn new(key: &Key, iv: Input) -> PyResult<Self> {
        let iv = block(key, "iv", &iv)?;
        let ofb = with!(key, cipher => modes::Ofb::new(cipher, &to_block(cipher, iv)));
        Ok(Self { ofb: ofb.map_err(refusal)? })
    }

    #[pyo3(signature = (data, output=None))]
    fn crypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let ofb = &mut self.ofb;
        let work = |data: Data| either!(data, modes::Ofb::crypt, modes::Ofb::crypt_to, ofb);
        crypt(py, &data, output, work, refusal)
    }
}

/// Two Twofish keys joined; threads may share it.
#[pyclass(frozen, module = "manyfish._manyfish")]
pub struct Xts {
    xts: modes::Xts,
}

/// The exception for a data unit or for sectors.
fn data_unit(found: usize) -> impl FnOnce(Error) -> PyErr {
    move |error| {
        PyValueError::new_err(match error {
            Error::TooShort { .. } | Error::Sectors { .. } => format!(
                "XTS takes data units of 16 bytes and more, and whole sectors; {found} bytes are neither"
            ),
            Error::TooLong => "a data unit of XTS has at most 16 MiB".to_owned(),
            other => other.to_string(),
        })
    }
}

#[pymethods]
impl Xts {
    /// The key for data and the key for tweaks, which must differ.
    #[new]
    fn new(data: &Key, tweak: &Key) -> PyResult<Self> {
        match (&data.key, &tweak.key) {
            (Cipher::Twofish(data), Cipher::Twofish(tweak)) => {
                Ok(Self { xts: modes::Xts::new(data, tweak) })
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
        crypt(
            py,
            &data,
            output,
            |data| either!(data, modes::Xts::encrypt, modes::Xts::encrypt_to, &self.xts, &tweak),
            error,
        )
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
        crypt(
            py,
            &data,
            output,
            |data| either!(data, modes::Xts::decrypt, modes::Xts::decrypt_to, &self.xts, &tweak),
            error,
        )
    }

    #[pyo3(signature = (first, sector_bytes, data, output=None))]
    fn encrypt_sectors<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = number)] first: u64,
        #[pyo3(from_py_with = number)] sector_bytes: usize,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = data_unit(data.bytes().len());
        let work = |data: Data| match data {
            Data::InPlace(data) => self.xts.encrypt_sectors(first, sector_bytes, data),
            Data::Apart(out, input) => self.xts.encrypt_sectors_to(first, sector_bytes, out, input),
        };
        crypt(py, &data, output, work, error)
    }

    #[pyo3(signature = (first, sector_bytes, data, output=None))]
    fn decrypt_sectors<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = number)] first: u64,
        #[pyo3(from_py_with = number)] sector_bytes: usize,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let error = data_unit(data.bytes().len());
        let work = |data: Data| match data {
            Data::InPlace(data) => self.xts.decrypt_sectors(first, sector_bytes, data),
            Data::Apart(out, input) => self.xts.decrypt_sectors_to(first, sector_bytes, out, input),
        };
        crypt(py, &data, output, work, error)
    }
}
