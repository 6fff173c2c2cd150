// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! OCB3, the authenticated mode. [RFC7253]

use core::fmt;

use manyfish_sys::{InOut, Status};
use zeroize::ZeroizeOnDrop;

use crate::error::from_status;
use crate::twofish::copying;
use crate::{Error, TAG_BYTES, Twofish};

/// Authenticated encryption under one key: nobody without it can read a message, or change it or its
/// associated data unnoticed. Many threads may use one at once; a clone shares the key.
///
/// A nonce, of 1 to 15 bytes, must never be used for two messages under one key.
#[derive(Clone)]
pub struct Ocb {
    pub(crate) ocb: manyfish_sys::Ocb,
}

impl Ocb {
    /// Makes a key ready.
    #[must_use]
    pub fn new(cipher: &Twofish) -> Self {
        let ocb = manyfish_sys::Ocb::new(cipher.key.clone());
        Self { ocb: ocb.expect("the mode is defined for 16-byte blocks") }
    }

    /// Encrypts `data` in place and returns the tag, which also covers `aad`.
    pub fn seal(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
    ) -> Result<[u8; TAG_BYTES], Error> {
        self.encrypt(nonce, aad, &InOut::in_place(data))
    }

    /// Decrypts `data` in place. With a wrong tag all of it is wiped: nothing of the plaintext is
    /// released. On the other errors it is untouched.
    pub fn open(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), Error> {
        self.decrypt(nonce, aad, &InOut::in_place(data), tag)
    }

    /// [`seal`](Self::seal) from `input` into the first bytes of `out`.
    pub fn seal_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        out: &mut [u8],
        input: &[u8],
    ) -> Result<[u8; TAG_BYTES], Error> {
        self.encrypt(nonce, aad, &copying(out, input)?)
    }

    /// [`open`](Self::open) from `input` into the first bytes of `out`.
    pub fn open_to(
        &self,
        nonce: &[u8],
        aad: &[u8],
        out: &mut [u8],
        input: &[u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), Error> {
        self.decrypt(nonce, aad, &copying(out, input)?, tag)
    }

    pub(crate) fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
    ) -> Result<[u8; TAG_BYTES], Error> {
        let sealed = self.ocb.encrypt(nonce, aad, data);
        sealed.map_err(|status| Self::error(status, nonce.len()))
    }

    pub(crate) fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), Error> {
        let opened = self.ocb.decrypt(nonce, aad, data, tag);
        opened.map_err(|status| Self::error(status, nonce.len()))
    }

    /// The error of a call that takes a nonce.
    pub(crate) fn error(status: Status, nonce_bytes: usize) -> Error {
        if status == Status::NONCE_LENGTH {
            Error::NonceLength { mode: "OCB", allowed: "1 to 15 bytes", found: nonce_bytes }
        } else {
            from_status(status)
        }
    }
}

/// Names the kernel, never the key.
impl fmt::Debug for Ocb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ocb").field("kernel", &self.ocb.key().kernel()).finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Ocb {}
