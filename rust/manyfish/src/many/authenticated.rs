// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The authenticated modes, and CMAC.

use manyfish_sys::{Done, Many, Status};

use super::{Message, each};
use crate::error::from_status;
use crate::name::text;
use crate::tag::Tag;
use crate::{Ccm, Cmac, Eax, Error, Gcm, Ocb, Siv, TAG_BYTES};

mod sealed {
    use super::{Error, Many, Status};

    /// This crate's view of an authenticated mode.
    pub trait Sealed {
        const TITLE: &'static str;
        fn tag_bytes(&self) -> usize;
        fn encrypt_many(&self, many: &mut Many);
        fn decrypt_many(&self, many: &mut Many);
        fn error(status: Status, nonce_bytes: usize) -> Error;
    }
}
use sealed::Sealed;

/// An authenticated mode with its key: [`Ocb`], [`Eax`], [`Gcm`], [`Ccm`] or [`Siv`].
pub trait Aead: Sealed {}

macro_rules! aead {
    ($($mode:ident, $title:literal, $inner:ident, $tag_bytes:expr, $error:expr;)*) => {$(
        impl Sealed for $mode {
            const TITLE: &'static str = $title;

            fn tag_bytes(&self) -> usize {
                let tag_bytes: fn(&Self) -> usize = $tag_bytes;
                tag_bytes(self)
            }

            fn encrypt_many(&self, many: &mut Many) {
                self.$inner.encrypt_many(many, Sealed::tag_bytes(self));
            }

            fn decrypt_many(&self, many: &mut Many) {
                self.$inner.decrypt_many(many);
            }

            fn error(status: Status, nonce_bytes: usize) -> Error {
                let error: fn(Status, usize) -> Error = $error;
                error(status, nonce_bytes)
            }
        }

        impl Aead for $mode {}
    )*};
}

aead! {
    Ocb, "OCB", ocb, |_| TAG_BYTES, Self::error;
    Eax, "EAX", mode, |eax| eax.tag_bytes, Self::error;
    Gcm, "GCM", mode, |gcm| gcm.tag_bytes, Self::error;
    Ccm, "CCM", mode, |ccm| ccm.tag_bytes, Self::error;
    Siv, "SIV", siv, |_| TAG_BYTES, |status, _| from_status(status);
}

/// Encrypts messages, as `seal` of each mode does, and gives each ciphertext with its tag. A message has the nonce
/// and the associated data that the mode asks for; with SIV its associated data is one string, or none if
/// [`Message::aad`] was not called. Errors: [`Error::NonceLength`], [`Error::TooLong`], [`Error::Capacity`].
pub fn seal<'a, M: Aead>(
    mode: &M,
    messages: impl IntoIterator<Item = Message<'a>>,
) -> impl Iterator<Item = Result<(&'a mut [u8], Tag), Error>> {
    let check = |message: &Message| message.check_room(message.text.n_bytes());
    let result = move |done: Done<'a>| {
        let text = done.result.map_err(|status| M::error(status, done.nonce_bytes))?;
        Ok((text, made(done.tag, mode.tag_bytes())))
    };
    each(messages, check, move |many| mode.encrypt_many(many), result)
}

/// Decrypts messages, as `open` of each mode does, and gives the texts whose [`Message::tag`] is right. With a wrong
/// one, [`Error::Tag`], all of the text is wiped: nothing of it is released. Other errors: [`Error::TagLength`], and
/// those of [`seal`].
pub fn open<'a, M: Aead>(
    mode: &M,
    messages: impl IntoIterator<Item = Message<'a>>,
) -> impl Iterator<Item = Result<&'a mut [u8], Error>> {
    let check = move |message: &Message| {
        check_tag(M::TITLE, message, mode.tag_bytes())?;
        message.check_room(message.text.n_bytes())
    };
    let result =
        move |done: Done<'a>| done.result.map_err(|status| M::error(status, done.nonce_bytes));
    each(messages, check, move |many| mode.decrypt_many(many), result)
}

/// The CMAC of each text, under the key of `cmac` and with tags as long as its; a message that `cmac` has in work
/// plays no part. Nonce and associated data are ignored.
///
/// ```
/// use manyfish::many::{self, Message};
/// use manyfish::{Cmac, Error, Twofish};
///
/// let cmac = Cmac::new(&Twofish::new(&[7; 16])?);
/// let records = [&b"first"[..], b"second"];
/// let tags = many::cmac(&cmac, records.map(Message::read)).collect::<Result<Vec<_>, Error>>()?;
/// let messages = records.iter().zip(&tags).map(|(text, tag)| Message::read(text).tag(tag));
/// many::cmac_verify(&cmac, messages).collect::<Result<(), Error>>()?;
/// # Ok::<(), manyfish::Error>(())
/// ```
pub fn cmac<'a>(
    cmac: &Cmac,
    messages: impl IntoIterator<Item = Message<'a>>,
) -> impl Iterator<Item = Result<Tag, Error>> {
    let result = move |done: Done<'a>| {
        done.result.map(|_| made(done.tag, cmac.tag_bytes)).map_err(from_status)
    };
    each(messages, |_| Ok(()), move |many| many.cmac_compute(&cmac.cmac, cmac.tag_bytes), result)
}

/// Compares the [`Message::tag`] of each text with its CMAC, in a time that does not tell where they differ.
/// [`Error::Tag`] if they do, [`Error::TagLength`] if it has not as many bytes as the tags of `cmac`.
pub fn cmac_verify<'a>(
    cmac: &Cmac,
    messages: impl IntoIterator<Item = Message<'a>>,
) -> impl Iterator<Item = Result<(), Error>> {
    let check = move |message: &Message| check_tag("CMAC", message, cmac.tag_bytes);
    let result = move |done: Done<'a>| done.result.map(drop).map_err(from_status);
    each(messages, check, move |many| many.cmac_verify(&cmac.cmac), result)
}

/// [`Error::TagLength`] unless the tag of a message has `needed` bytes.
fn check_tag(mode: &'static str, message: &Message, needed: usize) -> Result<(), Error> {
    let found = message.tag.len();
    if found == needed {
        return Ok(());
    }
    Err(Error::TagLength { mode, allowed: text(needed), found })
}

fn made(bytes: [u8; TAG_BYTES], n_bytes: usize) -> Tag {
    let mut tag = Tag::zeroed(n_bytes);
    tag.bytes_mut().copy_from_slice(&bytes[..n_bytes]);
    tag
}
