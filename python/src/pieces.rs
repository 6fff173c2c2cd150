// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Authenticated messages in pieces: OCB, EAX, GCM and CCM, as the Python classes take them. The order of
//! calls is checked there.

use manyfish::pieces::{Decryptor, Encryptor, Pieces};
use manyfish::{Ccm, Eax, Error, Gcm, Ocb, TAG_BYTES, Tag, Twofish};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Data, Input, Output, Written, crypt, crypt_apart, detached};
use crate::key::{Cipher, Key, refusal, with};
use crate::number::number;
use crate::{InvalidTag, MessageTooLongError};

/// A message in work. Asking for the tag or checking one leaves it as it is: both may be done again.
trait Message: Send + Sync {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error>;
    /// How many bytes come out for `n_bytes` more of the text.
    fn out_bytes(&mut self, encrypting: bool, n_bytes: usize, last: bool) -> usize;
    fn encrypt(&mut self, data: Data, last: bool) -> Result<(), Error>;
    fn decrypt(&mut self, data: Data, last: bool) -> Result<(), Error>;
    fn tag(&self) -> Result<Tag, Error>;
    fn verify(&self, tag: &[u8]) -> Result<(), Error>;

    fn decrypt_and_verify(&mut self, mut data: Data, tag: &[u8]) -> Result<(), Error> {
        self.decrypt(data.again(), true)?;
        self.verify(tag).inspect_err(|_| data.wipe())
    }
}

/// How far a message has come.
enum Stage<M: Pieces> {
    Aad(manyfish::pieces::Message<M>),
    Encrypting(Encryptor<M>),
    Decrypting(Decryptor<M>),
}

const ORDER: &str = "the Python code keeps the order of calls";

impl<M: Pieces + Clone> Stage<M> {
    fn encryptor(&mut self) -> &mut Encryptor<M> {
        if let Self::Aad(message) = self {
            *self = Self::Encrypting(message.clone().encryptor());
        }
        let Self::Encrypting(encryptor) = self else { panic!("{ORDER}") };
        encryptor
    }

    fn decryptor(&mut self) -> &mut Decryptor<M> {
        if let Self::Aad(message) = self {
            *self = Self::Decrypting(message.clone().decryptor());
        }
        let Self::Decrypting(decryptor) = self else { panic!("{ORDER}") };
        decryptor
    }
}

impl<M: Pieces + Clone> Message for Stage<M> {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        let Self::Aad(message) = self else { panic!("{ORDER}") };
        message.aad(aad)
    }

    fn out_bytes(&mut self, encrypting: bool, n_bytes: usize, last: bool) -> usize {
        match (encrypting, last) {
            (true, false) => self.encryptor().update_bytes(n_bytes),
            (true, true) => self.encryptor().held_bytes() + n_bytes,
            (false, false) => self.decryptor().update_bytes(n_bytes),
            (false, true) => self.decryptor().held_bytes() + n_bytes,
        }
    }

    fn encrypt(&mut self, data: Data, last: bool) -> Result<(), Error> {
        let encryptor = self.encryptor();
        match (data, last) {
            (Data::InPlace(data), false) => encryptor.update(data),
            (Data::InPlace(data), true) => encryptor.last(data),
            (Data::Apart(out, input), false) => encryptor.update_to(out, input).map(drop),
            (Data::Apart(out, input), true) => encryptor.last_to(out, input).map(drop),
        }
    }

    fn decrypt(&mut self, data: Data, last: bool) -> Result<(), Error> {
        let decryptor = self.decryptor();
        match (data, last) {
            (Data::InPlace(data), false) => decryptor.update(data),
            (Data::InPlace(data), true) => decryptor.last(data),
            (Data::Apart(out, input), false) => decryptor.update_to(out, input).map(drop),
            (Data::Apart(out, input), true) => decryptor.last_to(out, input).map(drop),
        }
    }

    fn tag(&self) -> Result<Tag, Error> {
        match self {
            Self::Aad(message) => message.clone().encryptor(),
            Self::Encrypting(encryptor) => encryptor.clone(),
            Self::Decrypting(_) => panic!("{ORDER}"),
        }
        .finish(&mut [])
    }

    fn verify(&self, tag: &[u8]) -> Result<(), Error> {
        match self {
            Self::Aad(message) => message.clone().decryptor(),
            Self::Decrypting(decryptor) => decryptor.clone(),
            Self::Encrypting(_) => panic!("{ORDER}"),
        }
        .finish(&mut [], tag)
    }
}

/// A message in work.
#[pyclass(name = "Pieces", module = "manyfish._manyfish")]
pub struct PyPieces {
    mode: &'static str,
    message: Box<dyn Message>,
}

/// The exception of a mode.
fn refused(mode: &'static str) -> impl Fn(Error) -> PyErr {
    move |error| match error {
        Error::TooLong | Error::MoreThanDeclared => {
            MessageTooLongError::new_err(format!("{mode} allows no more data in one message"))
        }
        Error::NonceLength { .. } => PyValueError::new_err(match mode {
            "OCB" => "a nonce of OCB has 1 to 15 bytes".to_owned(),
            "CCM" => "a nonce of CCM has 7 to 13 bytes".to_owned(),
            other => format!("a nonce of {other} cannot be empty"),
        }),
        Error::TagLength { allowed, found, .. } => {
            PyValueError::new_err(format!("mac_len of {mode} must be {allowed}, not {found}"))
        }
        other => refusal(other),
    }
}

/// The key, if it has 16-byte blocks.
pub fn twofish<'a>(mode: &str, key: &'a Key) -> PyResult<&'a Twofish> {
    match &key.key {
        Cipher::Twofish(key) => Ok(key),
        Cipher::Des(_) => {
            let message = format!("{mode} is for blocks of 16 bytes, which DES has not");
            Err(PyTypeError::new_err(message))
        }
    }
}

#[pymethods]
impl PyPieces {
    #[staticmethod]
    fn ocb(
        key: &Key,
        nonce: Input,
        #[pyo3(from_py_with = number)] tag_bytes: usize,
    ) -> PyResult<Self> {
        let key = twofish("OCB", key)?;
        if tag_bytes != TAG_BYTES {
            let (allowed, found) = (TAG_BYTES.to_string(), tag_bytes);
            return Err(refused("OCB")(Error::TagLength { mode: "OCB", allowed, found }));
        }
        Self::new("OCB", Ocb::new(key).start(nonce.bytes()))
    }

    #[staticmethod]
    fn eax(
        key: &Key,
        nonce: Input,
        #[pyo3(from_py_with = number)] tag_bytes: usize,
    ) -> PyResult<Self> {
        let nonce = nonce.bytes();
        if nonce.is_empty() {
            return Err(PyValueError::new_err("a nonce of EAX cannot be empty"));
        }
        let eax = with!(key, cipher => Eax::with_tag_bytes(cipher, tag_bytes));
        Self::new("EAX", eax.and_then(|eax| eax.start(nonce)))
    }

    #[staticmethod]
    fn gcm(
        key: &Key,
        nonce: Input,
        #[pyo3(from_py_with = number)] tag_bytes: usize,
    ) -> PyResult<Self> {
        let gcm = Gcm::with_tag_bytes(twofish("GCM", key)?, tag_bytes);
        Self::new("GCM", gcm.and_then(|gcm| gcm.start(nonce.bytes())))
    }

    /// Both lengths are what will come.
    #[staticmethod]
    fn ccm(
        key: &Key,
        nonce: Input,
        #[pyo3(from_py_with = number)] tag_bytes: usize,
        #[pyo3(from_py_with = number)] aad_bytes: u64,
        #[pyo3(from_py_with = number)] n_bytes: u64,
    ) -> PyResult<Self> {
        let ccm = Ccm::with_tag_bytes(twofish("CCM", key)?, tag_bytes);
        Self::new("CCM", ccm.and_then(|ccm| ccm.start(nonce.bytes(), aad_bytes, n_bytes)))
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
        let work = |message: &mut dyn Message, data: Data| message.encrypt(data, last);
        self.crypt(py, &data, output, (true, last), work, error)
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
        let work = |message: &mut dyn Message, data: Data| message.decrypt(data, last);
        self.crypt(py, &data, output, (false, last), work, error)
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
        let (tag, mode) = (tag.bytes().to_vec(), self.mode);
        let work = |message: &mut dyn Message, data: Data| message.decrypt_and_verify(data, &tag);
        self.crypt(py, &data, output, (false, true), work, |error| match error {
            Error::Tag | Error::TagLength { .. } => InvalidTag::new_err("MAC check failed"),
            other => refused(mode)(other),
        })
    }

    /// The tag of what was encrypted so far.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let tag = self.message.tag().map_err(refused(self.mode))?;
        Ok(PyBytes::new(py, &tag))
    }

    /// Whether it is the tag of what was decrypted so far, in a time that does not tell where it differs.
    fn verify(&self, tag: Input) -> PyResult<bool> {
        match self.message.verify(tag.bytes()) {
            Err(Error::Tag | Error::TagLength { .. }) => Ok(false),
            other => other.map(|()| true).map_err(refused(self.mode)),
        }
    }
}

impl PyPieces {
    fn new<M: Pieces + Clone + 'static>(
        mode: &'static str,
        message: Result<manyfish::pieces::Message<M>, Error>,
    ) -> PyResult<Self> {
        let message = Box::new(Stage::Aad(message.map_err(refused(mode))?));
        Ok(Self { mode, message })
    }

    fn crypt<'py>(
        &mut self,
        py: Python<'py>,
        data: &Input,
        output: Option<Output>,
        (encrypting, last): (bool, bool),
        work: impl FnOnce(&mut dyn Message, Data) -> Result<(), Error> + Send,
        error: impl FnOnce(Error) -> PyErr,
    ) -> PyResult<Written<'py>> {
        let (message, n_bytes) = (&mut *self.message, data.bytes().len());
        let out_bytes = message.out_bytes(encrypting, n_bytes, last);
        let work = |data: Data| work(message, data);
        if out_bytes == n_bytes {
            crypt(py, data, output, work, error)
        } else {
            crypt_apart(py, data, output, out_bytes, work, error)
        }
    }
}
