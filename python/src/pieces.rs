// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Authenticated messages in pieces: OCB, EAX, GCM and CCM, as the Python classes take them. The order of
//! calls is checked there.

use manyfish_sys::{
    Eax, EaxMessage, Gcm, GcmMessage, InOut, Key as SysKey, Message as _, Ocb, OcbMessage, Status,
    Twofish,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use crate::buffer::{Data, Input, Output, Written, crypt, detached};
use crate::ccm::Ccm;
use crate::eax::DesEax;
use crate::key::Key;
use crate::{InvalidTag, MessageTooLongError};

/// Bytes of the longest tag.
const TAG_BYTES: usize = 16;

/// A message in work. Asking for the tag or checking one leaves it as it is.
pub trait Message: Send + Sync {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Status>;
    fn encrypt(&mut self, data: Data) -> Result<(), Status>;
    fn decrypt(&mut self, data: Data) -> Result<(), Status>;
    fn tag(&self, tag: &mut [u8]) -> Result<(), Status>;
    fn verify(&self, tag: &[u8]) -> Result<bool, Status>;
}

/// Whether a check has succeeded.
fn verdict(result: Result<(), Status>) -> Result<bool, Status> {
    match result {
        Err(Status::TAG) => Ok(false),
        other => other.map(|()| true),
    }
}

/// What the library takes in pieces of any length.
macro_rules! message {
    ($($name:ident)*) => {$(
        impl Message for $name {
            fn aad(&mut self, aad: &[u8]) -> Result<(), Status> {
                manyfish_sys::Message::aad(self, aad)
            }

            fn encrypt(&mut self, mut data: Data) -> Result<(), Status> {
                manyfish_sys::Message::encrypt(self, &data.in_out())
            }

            fn decrypt(&mut self, mut data: Data) -> Result<(), Status> {
                manyfish_sys::Message::decrypt(self, &data.in_out())
            }

            fn tag(&self, tag: &mut [u8]) -> Result<(), Status> {
                self.clone().encrypt_finish(&InOut::in_place(&mut []), tag)
            }

            fn verify(&self, tag: &[u8]) -> Result<bool, Status> {
                verdict(self.clone().decrypt_finish(&InOut::in_place(&mut []), tag))
            }
        }
    )*};
}
message!(EaxMessage GcmMessage);

/// OCB takes whole blocks, and then the rest of 0 to 15 bytes together with the tag. A rest that was
/// encrypted or decrypted is kept: afterwards only the tag may be asked for.
struct OcbPieces {
    message: OcbMessage,
    /// The last piece as it was given, if it was no whole block.
    rest: Zeroizing<Vec<u8>>,
}

impl OcbPieces {
    /// The whole blocks, and the rest with its pad.
    fn crypt(&mut self, data: Data, encrypting: bool) -> Result<(), Status> {
        let whole = data.len() - data.len() % 16;
        let (mut blocks, mut rest) = data.split_at(whole);
        if encrypting {
            self.message.encrypt(&blocks.in_out())?;
        } else {
            self.message.decrypt(&blocks.in_out())?;
        }
        if rest.len() > 0 {
            let pad = Zeroizing::new(self.message.last_pad()?);
            let rest = rest.copied();
            *self.rest = rest.to_vec();
            rest.iter_mut().zip(pad.iter()).for_each(|(byte, pad)| *byte ^= pad);
        }
        Ok(())
    }
}

impl Message for OcbPieces {
    fn aad(&mut self, aad: &[u8]) -> Result<(), Status> {
        self.message.aad(aad)
    }

    fn encrypt(&mut self, data: Data) -> Result<(), Status> {
        self.crypt(data, true)
    }

    fn decrypt(&mut self, data: Data) -> Result<(), Status> {
        self.crypt(data, false)
    }

    fn tag(&self, tag: &mut [u8]) -> Result<(), Status> {
        let mut rest = self.rest.clone();
        self.message.clone().encrypt_finish(&InOut::in_place(&mut rest), tag)
    }

    fn verify(&self, tag: &[u8]) -> Result<bool, Status> {
        let mut rest = self.rest.clone();
        verdict(self.message.clone().decrypt_finish(&InOut::in_place(&mut rest), tag))
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
        let message = message.map_err(refused(mode))?;
        let message = Box::new(OcbPieces { message, rest: Zeroizing::new(vec![]) });
        Ok(Self { mode, message, tag_bytes })
    }

    #[staticmethod]
    fn eax(key: &Key, nonce: Input, tag_bytes: usize) -> PyResult<Self> {
        let (mode, nonce) = ("EAX", nonce.bytes());
        if nonce.is_empty() {
            return Err(refused(mode)(Status::NONCE_LENGTH));
        }
        let message: Box<dyn Message> = match &key.key {
            SysKey::Twofish(key) => {
                check_tag(mode, tag_bytes, (4..=16).contains(&tag_bytes), "4 to 16")?;
                let message = Eax::new(key.clone()).and_then(|eax| eax.start(nonce));
                Box::new(message.map_err(refused(mode))?)
            }
            SysKey::Des(_) => {
                check_tag(mode, tag_bytes, (2..=8).contains(&tag_bytes), "2 to 8")?;
                Box::new(DesEax::new(&key.key, nonce).map_err(refused(mode))?)
            }
        };
        Ok(Self { mode, message, tag_bytes })
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
        let (mode, nonce) = ("CCM", nonce.bytes());
        twofish(mode, key)?;
        let fits = matches!(tag_bytes, 4 | 6 | 8 | 10 | 12 | 14 | 16);
        check_tag(mode, tag_bytes, fits, "4, 6, 8, 10, 12, 14 or 16")?;
        if !(7..=13).contains(&nonce.len()) {
            return Err(refused(mode)(Status::NONCE_LENGTH));
        }
        let length_bits = 8 * (15 - u32::try_from(nonce.len()).expect("7 to 13"));
        if n_bytes.checked_shr(length_bits).unwrap_or(0) > 0 {
            return Err(refused(mode)(Status::TOO_LONG));
        }
        let tag_length = u8::try_from(tag_bytes).expect("4 to 16");
        let message = Ccm::new(&key.key, nonce, aad_bytes, n_bytes, tag_length);
        Ok(Self { mode, message: Box::new(message.map_err(refused(mode))?), tag_bytes })
    }

    fn aad(&mut self, py: Python<'_>, data: Input) -> PyResult<()> {
        let data = data.bytes();
        detached(py, data.len(), || self.message.aad(data)).map_err(refused(self.mode))
    }

    /// In OCB a piece that is not whole blocks must be the last one.
    #[pyo3(signature = (data, output=None))]
    fn encrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let message = &mut self.message;
        crypt(py, &data, output, |data| message.encrypt(data), refused(self.mode))
    }

    /// The same; what it gives is not authenticated.
    #[pyo3(signature = (data, output=None))]
    fn decrypt<'py>(
        &mut self,
        py: Python<'py>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let message = &mut self.message;
        crypt(py, &data, output, |data| message.decrypt(data), refused(self.mode))
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
        let (tag, tag_bytes) = (tag.bytes().to_vec(), self.tag_bytes);
        let (mode, message) = (self.mode, &mut self.message);
        let work = |data: Data| message.decrypt_and_verify(data, &tag, tag_bytes);
        crypt(py, &data, output, work, |status| match status {
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

impl dyn Message {
    fn decrypt_and_verify(
        &mut self,
        mut data: Data,
        tag: &[u8],
        tag_bytes: usize,
    ) -> Result<(), Status> {
        self.decrypt(data.again())?;
        if tag.len() == tag_bytes && self.verify(tag)? {
            return Ok(());
        }
        data.wipe();
        Err(Status::TAG)
    }
}
