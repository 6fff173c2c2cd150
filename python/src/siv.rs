// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! SIV, whole messages.

use std::borrow::Cow;

use manyfish::Error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use crate::buffer::{Data, Input, Output, Written, apart, crypt, either};
use crate::key::{Key, refusal};
use crate::pieces::twofish;
use crate::{InvalidTag, MessageTooLongError};

const TAG_BYTES: usize = 16;

/// Two keys made ready for one message. Calls borrow it mutably, so that `PyO3` refuses a second thread.
#[pyclass(module = "manyfish._manyfish")]
pub struct Siv {
    siv: manyfish::Siv,
}

fn refused(error: Error) -> PyErr {
    match error {
        Error::Tag => InvalidTag::new_err("MAC check failed"),
        Error::TooLong => {
            MessageTooLongError::new_err("SIV takes at most 126 strings, the nonce counted")
        }
        other => refusal(other),
    }
}

#[pymethods]
impl Siv {
    #[new]
    fn new(s2v: &Key, ctr: &Key) -> PyResult<Self> {
        let (s2v, ctr) = (twofish("SIV", s2v)?, twofish("SIV", ctr)?);
        Ok(Self { siv: manyfish::Siv::new(s2v, ctr) })
    }

    /// An empty nonce means none.
    #[pyo3(signature = (nonce, aad, data, output=None))]
    fn encrypt<'py>(
        &mut self,
        py: Python<'py>,
        nonce: Input,
        aad: Vec<Input>,
        data: Input,
        output: Option<Output>,
    ) -> PyResult<(Written<'py>, Bound<'py, PyBytes>)> {
        let (nonce, aad) = (nonce.bytes().to_vec(), strings(&aad, output.as_ref()));
        let aad: Vec<&[u8]> = aad.iter().map(Cow::as_ref).collect();
        let mut tag = Zeroizing::new([0; TAG_BYTES]);
        let siv = &self.siv;
        let work = |data: Data| {
            *tag = either!(data, manyfish::Siv::seal, manyfish::Siv::seal_to, siv, &nonce, &aad)?;
            Ok(())
        };
        let written = crypt(py, &data, output, work, refused)?;
        Ok((written, PyBytes::new(py, &*tag)))
    }

    /// `InvalidTag` if the tag does not fit, and the output is wiped.
    #[pyo3(signature = (nonce, aad, data, tag, output=None))]
    fn decrypt<'py>(
        &mut self,
        py: Python<'py>,
        nonce: Input,
        aad: Vec<Input>,
        data: Input,
        tag: Input,
        output: Option<Output>,
    ) -> PyResult<Written<'py>> {
        let (nonce, aad) = (nonce.bytes().to_vec(), strings(&aad, output.as_ref()));
        let aad: Vec<&[u8]> = aad.iter().map(Cow::as_ref).collect();
        let tag: [u8; TAG_BYTES] = tag.bytes().try_into().map_err(|_| refused(Error::Tag))?;
        let work = |data: Data| match data {
            Data::InPlace(data) => self.siv.open(&nonce, &aad, data, &tag),
            Data::Apart(out, input) => self.siv.open_to(&nonce, &aad, out, input, &tag),
        };
        crypt(py, &data, output, work, refused)
    }
}

/// Strings that are none of the output's memory.
pub fn strings<'a>(aad: &'a [Input], output: Option<&Output>) -> Vec<Cow<'a, [u8]>> {
    aad.iter().map(|string| apart(string, output)).collect()
}
