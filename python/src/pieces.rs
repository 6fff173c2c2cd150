// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Authenticated messages in pieces: OCB, EAX, GCM and CCM, as the Python classes take them. The order of
//! calls is checked there.

use manyfish_sys::{Ccm, Eax, Gcm, InOut, Key as SysKey, Ocb, Status, Twofish};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Data, Input, Output, Written, crypt, crypt_apart, detached};
use crate::key::Key;
use crate::{InvalidTag, MessageTooLongError};

/// Bytes of the longest tag.
const TAG_BYTES: usize = 16;

/// A message in work. Asking for the tag or checking one leaves it as it is: both may be done again.
trait Message: Send + Sync {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Status>;
    /// How many bytes come out for `n_bytes` more.
    fn out_bytes(&self, n_bytes: usize, last: bool) -> usize;
    fn encrypt(&mut self, data: Data, last: bool) -> Result<(), Status>;
    fn decrypt(&mut self, data: Data, last: bool) -> Result<(), Status>;
    fn tag(&self, tag: &mut [u8]) -> Result<(), Status>;
    fn verify(&self, tag: &[u8]) -> Result<bool, Status>;

    fn decrypt_and_verify(
        &mut self,
        mut data: Data,
        tag: &[u8],
        tag_bytes: usize,
    ) -> Result<(), Status> {
        self.decrypt(data.again(), true)?;
        if tag.len() == tag_bytes && self.verify(tag)? {
            return Ok(());
        }
        data.wipe();
        Err(Status::TAG)
    }
}

impl<M: manyfish_sys::Message> Message for M {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Status> {
        self.aad(aad)
    }

    fn out_bytes(&self, n_bytes: usize, last: bool) -> usize {
        if last { self.held_bytes() + n_bytes } else { self.update_bytes(n_bytes) }
    }

    fn encrypt(&mut self, data: Data, last: bool) -> Result<(), Status> {
        match (data, last) {
            (Data::InPlace(data), false) => self.encrypt(&InOut::in_place(data)),
            (Data::InPlace(data), true) => self.encrypt_last(&InOut::in_place(data)),
            (Data::Apart(out, input), false) => self.encrypt_to(out, input).map(drop),
            (Data::Apart(out, input), true) => self.encrypt_last_to(out, input).map(drop),
        }
    }

    fn decrypt(&mut self, data: Data, last: bool) -> Result<(), Status> {
        match (data, last) {
            (Data::InPlace(data), false) => self.decrypt(&InOut::in_place(data)),
            (Data::InPlace(data), true) => self.decrypt_last(&InOut::in_place(data)),
            (Data::Apart(out, input), false) => self.decrypt_to(out, input).map(drop),
            (Data::Apart(out, input), true) => self.decrypt_last_to(out, input).map(drop),
        }
    }

    fn tag(&self, tag: &mut [u8]) -> Result<(), Status> {
        self.clone().encrypt_finish(&InOut::in_place(&mut []), tag)
    }

    fn verify(&self, tag: &[u8]) -> Result<bool, Status> {
        match self.clone().decrypt_finish(&InOut::in_place(&mut []), tag) {
            Err(Status::TAG) => Ok(false),
            other => other.map(|()| true),
        }
    }
}

/// A message in work.
#[pyclass(module = "manyfish._manyfish")]
pub struct Pieces {
    mode: &'static str,
    message: Box<dyn Message>,
    tag_bytes: usize,
}

/// The exception of a mode.
fn refused(mode: &'static str) -> impl Fn(Status) -> PyErr {
    move |status| match status {
        Status::TOO_LONG => {
            MessageTooLongError::new_err(format!("{mode} allows no more data in one message"))
        }
        Status::NONCE_LENGTH => PyValueError::new_err(match mode {
            "OCB" => "a nonce of OCB has 1 to 15 bytes".to_owned(),
            "CCM" => "a nonce of CCM has 7 to 13 bytes".to_owned(),
            other => format!("a nonce of {other} cannot be empty"),
        }),
        other => PyValueError::new_err(format!("{mode} refuses this: {other:?}")),
    }
}

/// The exception for a length of tags that the mode does not have.
fn check_tag(mode: &str, tag_bytes: usize, fits: bool, allowed: &str) -> PyResult<()> {
    if fits {
        return Ok(());
    }
    let message = format!("mac_len of {mode} must be {allowed}, not {tag_bytes}");
    Err(PyValueError::new_err(message))
}

/// The key, if it has 16-byte blocks.
pub fn twofish<'a>(mode: &str, key: &'a Key) -> PyResult<&'a Twofish> {
    match &key.key {
        SysKey::Twofish(key) => Ok(key),
        SysKey::Des(_) => {
            let message = format!("{mode} is for blocks of 16 bytes, which DES has not");
            Err(PyTypeError::new_err(message))
        }
    }
}

#[pymethods]
impl Pieces {
    #[staticmethod]
    fn ocb(key: &Key, nonce: Input, tag_bytes: usize) -> PyResult<Self> {
        let (mode, key) = ("OCB", twofish("OCB", key)?);
        check_tag(mode, tag_bytes, tag_bytes == TAG_BYTES, "16")?;
        let message = Ocb::new(key.clone()).and_then(|ocb| ocb.start(nonce.bytes()));
        Ok(Self { mode, message: Box::new(message.map_err(refused(mode))?), tag_bytes })
    }

    #[staticmethod]
    fn eax(key: &Key, nonce: Input, tag_bytes: usize) -> PyResult<Self> {
        let (mode, nonce) = ("EAX", nonce.bytes());
        if nonce.is_empty() {
            return Err(refused(mode)(Status::NONCE_LENGTH));
        }
        match key.block_size() {
            8 => check_tag(mode, tag_bytes, (2..=8).contains(&tag_bytes), "2 to 8")?,
            _ => check_tag(mode, tag_bytes, (4..=16).contains(&tag_bytes), "4 to 16")?,
        }
        let message = Eax::new(key.key.clone()).and_then(|eax| eax.start(nonce));
        Ok(Self { mode, message: Box::new(message.map_err(refused(mode))?), tag_bytes })
    }

    #[staticmethod]
    fn gcm(key: &Key, nonce: Input, tag_bytes: usize) -> PyResult<Self> {
        let (mode, key) = ("GCM", twofish("GCM", key)?);
        let fits = matches!(tag_bytes, 4 | 8 | 12..=16);
        check_tag(mode, tag_bytes, fits, "4, 8 or 12 to 16")?;
        let message = Gcm::new(key.clone()).and_then(|gcm| gcm.start(nonce.bytes()));
        Ok(Self { mode, message: Box::new(message.map_err(refused(mode))?), tag_bytes })
    }

    /// Both lengths are what will come.
    #[staticmethod]
    fn ccm(
        key: &Key,
        nonce: Input,
        tag_bytes: usize,
        aad_bytes: u64,
        n_bytes: u64,
    ) -> PyResult<Self> {
        let (mode, key) = ("CCM", twofish("CCM", key)?);
        let fits = matches!(tag_bytes, 4 | 6 | 8 | 10 | 12 | 14 | 16);
        check_tag(mode, tag_bytes, fits, "4, 6, 8, 10, 12, 14 or 16")?;
        let start = |ccm: Ccm| ccm.start(nonce.bytes(), aad_bytes, n_bytes, tag_bytes);
        let message = Ccm::new(key.clone()).and_then(start);
        Ok(Self { mode, message: Box::new(message.map_err(refused(mode))?), tag_bytes })
    }

    fn aad(&mut self, py: Python<'_>, data: Input) -> PyResult<()> {
        let data = data.bytes();
        detached(py, data.len(), || self.message.aad(data)).map_err(refused(self.mode))
    }

    /// The next piece or the `last` one before the tag; in OCB what makes whole blocks of the others.
    #[pyo3(signature = (data, output=None, last=false))]
    fn encrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
        last: bool,
    ) -> PyResult<Written<'py>> {
        let error = refused(self.mode);
        self.crypt(py, &data, output, last, |message, data| message.encrypt(data, last), error)
    }

    /// The same; what it gives is not authenticated.
    #[pyo3(signature = (data, output=None, last=false))]
    fn decrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
        last: bool,
    ) -> PyResult<Written<'py>> {
        let error = refused(self.mode);
        self.crypt(py, &data, output, last, |message, data| message.decrypt(data, last), error)
    }

    /// The last piece and the tag: `InvalidTag` if it does not fit, and the output is wiped.
    #[pyo3(signature = (data, tag, output=None))]
    fn decrypt_and_verify<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        tag: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let (tag, tag_bytes, mode) = (tag.bytes().to_vec(), self.tag_bytes, self.mode);
        let work = |message: &mut dyn Message, data: Data| {
            message.decrypt_and_verify(data, &tag, tag_bytes)
        };
        self.crypt(py, &data, output, true, work, |status| match status {
            Status::TAG => InvalidTag::new_err("MAC check failed"),
            other => refused(mode)(other),
        })
    }

    /// The tag of what was encrypted so far.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let error = refused(self.mode);
        PyBytes::new_with(py, self.tag_bytes, |tag| self.message.tag(tag).map_err(error))
    }

    /// Whether it is the tag of what was decrypted so far, in a time that does not tell where it differs.
    fn verify(&self, tag: Input) -> PyResult<bool> {
        let tag = tag.bytes();
        if tag.len() != self.tag_bytes {
            return Ok(false);
        }
        self.message.verify(tag).map_err(refused(self.mode))
    }
}

impl Pieces {
    fn crypt<'py>(
        &mut self,
        py: Python<'py>,
        data: &Input,
        output: Option<Output>,
        last: bool,
        work: impl FnOnce(&mut dyn Message, Data) -> Result<(), Status> + Send,
        error: impl FnOnce(Status) -> PyErr,
    ) -> PyResult<Written<'py>> {
        let (message, n_bytes) = (&mut *self.message, data.bytes().len());
        let out_bytes = message.out_bytes(n_bytes, last);
        let work = |data: Data| work(message, data);
        if out_bytes == n_bytes {
            crypt(py, data, output, work, error)
        } else {
            crypt_apart(py, data, output, out_bytes, work, error)
        }
    }
}
