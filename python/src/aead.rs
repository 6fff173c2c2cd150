// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Whole messages with their tags in one call, named as in pyca/cryptography. Each class holds a key that
//! many threads may use at once.

use std::borrow::Cow;

use manyfish::{Ccm, Eax, Error, Gcm, Ocb, TAG_BYTES, Twofish};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::{Data, Input, Output, apart, detached, either, joined_first};
use crate::key::{expand, refusal};
use crate::number::number;
use crate::siv::strings;
use crate::{InvalidTag, MessageTooLongError};

/// A mode with one key, as the library has it.
trait Mode: Send + Sync {
    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: Data, tag: &mut [u8]) -> Result<(), Error>;
    fn decrypt(&self, nonce: &[u8], aad: &[u8], data: Data, tag: &[u8]) -> Result<(), Error>;
}

macro_rules! mode {
    ($($name:ident)*) => {$(
        impl Mode for $name {
            fn encrypt(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: Data,
                tag: &mut [u8],
            ) -> Result<(), Error> {
                tag.copy_from_slice(&either!(data, $name::seal, $name::seal_to, self, nonce, aad)?);
                Ok(())
            }

            fn decrypt(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: Data,
                tag: &[u8],
            ) -> Result<(), Error> {
                let tag = tag.try_into().expect("it was split off with its length");
                match data {
                    Data::InPlace(data) => self.open(nonce, aad, data, tag),
                    Data::Apart(out, input) => self.open_to(nonce, aad, out, input, tag),
                }
            }
        }
    )*};
}
mode!(Ocb Eax Gcm Ccm);

/// The exception of a mode, whose nonces are described.
fn refused(mode: &'static str, nonces: &'static str) -> impl Fn(Error) -> PyErr {
    move |error| match error {
        Error::Tag => InvalidTag::new_err("wrong tag: key, nonce, data or associated data differ"),
        Error::NonceLength { .. } => {
            PyValueError::new_err(format!("a nonce of {mode} has {nonces}"))
        }
        Error::TooLong => {
            MessageTooLongError::new_err(format!("{mode} takes no message as long as this"))
        }
        other => refusal(other),
    }
}

/// The result of a call that writes to a buffer of exactly `needed` bytes.
fn check_room(needed: usize, buffer: &Output) -> PyResult<()> {
    let found = buffer.len();
    if found == needed {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("the buffer must have {needed} bytes, not {found}")))
}

/// The ciphertext's length without its tag. `InvalidTag` if it is shorter than a tag.
fn text_bytes(data: &Input, tag_bytes: usize) -> PyResult<usize> {
    data.bytes().len().checked_sub(tag_bytes).ok_or_else(|| {
        InvalidTag::new_err(format!("the data is shorter than the tag of {tag_bytes} bytes"))
    })
}

/// A new key, by the system's random generator.
fn random_key(
    py: Python<'_>,
    bit_length: usize,
    allowed: [usize; 3],
) -> PyResult<Bound<'_, PyAny>> {
    if !allowed.contains(&bit_length) {
        let [first, second, third] = allowed;
        let message = format!("bit_length must be {first}, {second} or {third}, not {bit_length}");
        return Err(PyValueError::new_err(message));
    }
    py.import("os")?.call_method1("urandom", (bit_length / 8,))
}

/// Common to the classes with one key.
struct Aead<M> {
    mode: M,
    tag_bytes: usize,
    name: &'static str,
    nonces: &'static str,
}

impl<M: Mode> Aead<M> {
    fn error(&self) -> impl Fn(Error) -> PyErr {
        refused(self.name, self.nonces)
    }

    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &Input,
        data: &Input,
        aad: Option<&Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (nonce, data, aad) = (nonce.bytes(), data.bytes(), aad.map_or(&[][..], Input::bytes));
        let n_bytes = data.len();
        PyBytes::new_with(py, n_bytes + self.tag_bytes, |out| {
            let (out, tag) = out.split_at_mut(n_bytes);
            let work = || self.mode.encrypt(nonce, aad, Data::Apart(out, data), tag);
            detached(py, n_bytes + aad.len(), work).map_err(self.error())
        })
    }

    fn encrypt_into(
        &self,
        py: Python<'_>,
        nonce: &Input,
        data: &Input,
        aad: Option<&Input>,
        mut buffer: Output,
    ) -> PyResult<usize> {
        let n_bytes = data.bytes().len();
        check_room(n_bytes + self.tag_bytes, &buffer)?;
        let nonce = nonce.bytes().to_vec();
        let aad = aad.map_or(Cow::Borrowed(&[][..]), |aad| apart(aad, Some(&buffer)));
        let (data, tag) = joined_first(data, &mut buffer, n_bytes)?;
        let work = || self.mode.encrypt(&nonce, &aad, data, tag);
        detached(py, n_bytes + aad.len(), work).map_err(self.error())?;
        Ok(n_bytes + self.tag_bytes)
    }

    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &Input,
        data: &Input,
        aad: Option<&Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let n_bytes = text_bytes(data, self.tag_bytes)?;
        let (nonce, aad) = (nonce.bytes(), aad.map_or(&[][..], Input::bytes));
        let (data, tag) = data.bytes().split_at(n_bytes);
        PyBytes::new_with(py, n_bytes, |out| {
            let work = || self.mode.decrypt(nonce, aad, Data::Apart(out, data), tag);
            detached(py, n_bytes + aad.len(), work).map_err(self.error())
        })
    }

    fn decrypt_into(
        &self,
        py: Python<'_>,
        nonce: &Input,
        data: &Input,
        aad: Option<&Input>,
        mut buffer: Output,
    ) -> PyResult<usize> {
        let n_bytes = text_bytes(data, self.tag_bytes)?;
        check_room(n_bytes, &buffer)?;
        let (nonce, tag) = (nonce.bytes().to_vec(), data.bytes()[n_bytes..].to_vec());
        let aad = aad.map_or(Cow::Borrowed(&[][..]), |aad| apart(aad, Some(&buffer)));
        let (data, _) = joined_first(data, &mut buffer, n_bytes)?;
        let work = || self.mode.decrypt(&nonce, &aad, data, &tag);
        detached(py, n_bytes + aad.len(), work).map_err(self.error())?;
        Ok(n_bytes)
    }
}

/// One class; they differ in nothing but names, nonces and tags.
macro_rules! class {
    (
        $class:ident, $mode:ident, $make:expr, $name:literal, $nonces:literal,
        ($($tag_length:ident = $default:literal,)?) in $tags:pat, $allowed:literal, $signature:tt
    ) => {
        #[doc = concat!($name, " with a Twofish key of 16, 24 or 32 bytes, ready for any number of messages.\n\n")]
        #[doc = concat!("A nonce has ", $nonces, " and must never be used twice. ")]
        #[doc = concat!("tag_length, in bytes, is ", $allowed, ". kernel is one of manyfish.kernels(). ")]
        #[doc = "ValueError for others."]
        #[pyclass(frozen, module = "manyfish.aead")]
        pub struct $class(Aead<$mode>);

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(
                signature = (key, $($tag_length=$default,)? *, kernel=None),
                text_signature = $signature
            )]
            fn new(
                key: Input,
                $(#[pyo3(from_py_with = number)] $tag_length: usize,)?
                kernel: Option<&str>,
            ) -> PyResult<Self> {
                #[allow(unused_mut, unused_assignments)]
                let mut tag_bytes = TAG_BYTES;
                $(tag_bytes = $tag_length;)?
                if !matches!(tag_bytes, $tags) {
                    let message = format!("tag_length must be {}, not {tag_bytes}", $allowed);
                    return Err(PyValueError::new_err(message));
                }
                let make: fn(&Twofish, usize) -> Result<$mode, Error> = $make;
                let mode = make(&expand(key.bytes(), kernel)?, tag_bytes).map_err(refusal)?;
                Ok(Self(Aead { mode, tag_bytes, name: $name, nonces: $nonces }))
            }

            /// A random key of 128, 192 or 256 bits. ValueError for other lengths.
            #[staticmethod]
            fn generate_key(
                py: Python<'_>,
                #[pyo3(from_py_with = number)] bit_length: usize,
            ) -> PyResult<Bound<'_, PyAny>> {
                random_key(py, bit_length, [128, 192, 256])
            }

            /// Encrypts `data`, of any length, and returns it with the tag behind it.
            ///
            /// The tag also covers `associated_data`. ValueError for a nonce of another length,
            /// MessageTooLongError for more data than the mode allows.
            #[pyo3(signature = (nonce, data, associated_data=None))]
            fn encrypt<'py>(
                &self,
                py: Python<'py>,
                nonce: Input,
                data: Input,
                associated_data: Option<Input>,
            ) -> PyResult<Bound<'py, PyBytes>> {
                self.0.encrypt(py, &nonce, &data, associated_data.as_ref())
            }

            /// Does the same into `buf`, which must have as many bytes as `data` and the tag, and returns
            /// that number. `buf` may begin where `data` does, but not overlap it otherwise.
            #[pyo3(signature = (nonce, data, associated_data, buf))]
            fn encrypt_into(
                &self,
                py: Python<'_>,
                nonce: Input,
                data: Input,
                associated_data: Option<Input>,
                buf: Output,
            ) -> PyResult<usize> {
                self.0.encrypt_into(py, &nonce, &data, associated_data.as_ref(), buf)
            }

            /// Decrypts what `encrypt` made. InvalidTag if anything was changed.
            #[pyo3(signature = (nonce, data, associated_data=None))]
            fn decrypt<'py>(
                &self,
                py: Python<'py>,
                nonce: Input,
                data: Input,
                associated_data: Option<Input>,
            ) -> PyResult<Bound<'py, PyBytes>> {
                self.0.decrypt(py, &nonce, &data, associated_data.as_ref())
            }

            /// Does the same into `buf`, which must have as many bytes as `data` without its tag, and returns
            /// that number. After InvalidTag `buf` is wiped. It may begin where `data` does.
            #[pyo3(signature = (nonce, data, associated_data, buf))]
            fn decrypt_into(
                &self,
                py: Python<'_>,
                nonce: Input,
                data: Input,
                associated_data: Option<Input>,
                buf: Output,
            ) -> PyResult<usize> {
                self.0.decrypt_into(py, &nonce, &data, associated_data.as_ref(), buf)
            }
        }
    };
}

class!(TwofishOCB, Ocb, |key, _| Ok(Ocb::new(key)), "OCB", "1 to 15 bytes", () in TAG_BYTES, "16",
    "(key, *, kernel=None)");
class!(TwofishGCM, Gcm, Gcm::with_tag_bytes, "GCM", "1 byte or more", (tag_length = 16,)
    in 4 | 8 | 12..=16, "4, 8 or 12 to 16", "(key, tag_length=16, *, kernel=None)");
class!(TwofishEAX, Eax, Eax::with_tag_bytes, "EAX", "any number of bytes", (tag_length = 16,)
    in 4..=16, "4 to 16",
    "(key, tag_length=16, *, kernel=None)");
class!(TwofishCCM, Ccm, Ccm::with_tag_bytes, "CCM", "7 to 13 bytes", (tag_length = 16,)
    in 4 | 6 | 8 | 10 | 12 | 14 | 16, "4, 6, 8, 10, 12, 14 or 16",
    "(key, tag_length=16, *, kernel=None)");

/// SIV with a key of 32, 48 or 64 bytes, whose halves must differ, ready for any number of messages.
///
/// The associated data is a list of at most 126 strings, of which a nonce may be the last. The tag of 16
/// bytes comes before the ciphertext. Without a nonce equal messages give equal ciphertexts.
#[pyclass(frozen, module = "manyfish.aead")]
pub struct TwofishSIV {
    siv: manyfish::Siv,
}

fn siv_refused(error: Error) -> PyErr {
    match error {
        Error::TooLong => {
            MessageTooLongError::new_err("SIV takes at most 126 strings of associated data")
        }
        other => refused("SIV", "")(other),
    }
}

#[pymethods]
impl TwofishSIV {
    #[new]
    #[pyo3(signature = (key, *, kernel=None))]
    fn new(key: Input, kernel: Option<&str>) -> PyResult<Self> {
        let siv = match kernel {
            Some(name) => manyfish::Siv::from_key_with_kernel(name, key.bytes()),
            None => manyfish::Siv::from_key(key.bytes()),
        };
        Ok(Self { siv: siv.map_err(refusal)? })
    }

    /// A random key of 256, 384 or 512 bits. ValueError for other lengths.
    #[staticmethod]
    #[pyo3(signature = (bit_length=512))]
    fn generate_key(
        py: Python<'_>,
        #[pyo3(from_py_with = number)] bit_length: usize,
    ) -> PyResult<Bound<'_, PyAny>> {
        random_key(py, bit_length, [256, 384, 512])
    }

    /// Encrypts `data`, of any length, and returns it with the tag before it.
    #[pyo3(signature = (data, associated_data=None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        associated_data: Option<Vec<Input>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let aad = associated_data.unwrap_or_default();
        let aad: Vec<&[u8]> = aad.iter().map(Input::bytes).collect();
        let data = data.bytes();
        PyBytes::new_with(py, TAG_BYTES + data.len(), |out| {
            let (tag, out) = out.split_at_mut(TAG_BYTES);
            let work = || {
                tag.copy_from_slice(&self.siv.seal_to(b"", &aad, out, data)?);
                Ok(())
            };
            detached(py, data.len(), work).map_err(siv_refused)
        })
    }

    /// Decrypts what `encrypt` made. InvalidTag if anything was changed.
    #[pyo3(signature = (data, associated_data=None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        associated_data: Option<Vec<Input>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let aad = associated_data.unwrap_or_default();
        let aad: Vec<&[u8]> = aad.iter().map(Input::bytes).collect();
        let n_bytes = text_bytes(&data, TAG_BYTES)?;
        let (tag, data) = data.bytes().split_first_chunk().expect("it was counted");
        PyBytes::new_with(py, n_bytes, |out| {
            let work = || self.siv.open_to(b"", &aad, out, data, tag);
            detached(py, n_bytes, work).map_err(siv_refused)
        })
    }

    /// Encrypts into `buf`, which must have 16 bytes more than `data`, and returns their number.
    ///
    /// Data that lies in `buf` is copied first: the tag comes before it, so nothing stays in place.
    #[pyo3(signature = (data, associated_data, buf))]
    fn encrypt_into(
        &self,
        py: Python<'_>,
        data: Input,
        associated_data: Option<Vec<Input>>,
        mut buf: Output,
    ) -> PyResult<usize> {
        let aad = associated_data.unwrap_or_default();
        let aad = strings(&aad, Some(&buf));
        let aad: Vec<&[u8]> = aad.iter().map(Cow::as_ref).collect();
        let data = apart(&data, Some(&buf));
        check_room(TAG_BYTES + data.len(), &buf)?;
        let (tag, out) = buf.bytes_mut().split_at_mut(TAG_BYTES);
        let work = || {
            tag.copy_from_slice(&self.siv.seal_to(b"", &aad, out, &data)?);
            Ok(())
        };
        detached(py, data.len(), work).map_err(siv_refused)?;
        Ok(TAG_BYTES + data.len())
    }

    /// Decrypts into `buf`, which must have 16 bytes less than `data`, and returns their number. After
    /// InvalidTag it is wiped.
    #[pyo3(signature = (data, associated_data, buf))]
    fn decrypt_into(
        &self,
        py: Python<'_>,
        data: Input,
        associated_data: Option<Vec<Input>>,
        mut buf: Output,
    ) -> PyResult<usize> {
        let aad = associated_data.unwrap_or_default();
        let aad = strings(&aad, Some(&buf));
        let aad: Vec<&[u8]> = aad.iter().map(Cow::as_ref).collect();
        let n_bytes = text_bytes(&data, TAG_BYTES)?;
        check_room(n_bytes, &buf)?;
        let data = apart(&data, Some(&buf));
        let (tag, data) = data.split_first_chunk().expect("it was counted");
        let out = buf.bytes_mut();
        let work = || self.siv.open_to(b"", &aad, out, data, tag);
        detached(py, n_bytes, work).map_err(siv_refused)?;
        Ok(n_bytes)
    }
}
