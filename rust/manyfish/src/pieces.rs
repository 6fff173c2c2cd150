// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Authenticated messages in pieces, for what does not fit into memory or comes bit by bit. A message in one
//! call, as [`Ocb::seal`] and [`Ocb::open`] take it, is the way to prefer: there nothing that is not
//! authenticated is ever released.
//!
//! A [`Message`] takes the associated data, then becomes an [`Encryptor`] or a [`Decryptor`].
//!
//! ```
//! use manyfish::{Ocb, Twofish};
//!
//! let ocb = Ocb::new(&Twofish::new(&[7; 32])?);
//! let mut data = *b"sixteen bytes, some more";
//!
//! let mut message = ocb.start(b"nonce")?;
//! message.aad(b"public")?;
//! let mut encryptor = message.encryptor();
//! encryptor.update(&mut data[..16])?;
//! let tag = encryptor.finish(&mut data[16..])?;
//!
//! let mut message = ocb.start(b"nonce")?;
//! message.aad(b"public")?;
//! let mut decryptor = message.decryptor();
//! decryptor.update(&mut data[..16])?; // not authenticated yet: to be kept apart
//! decryptor.finish(&mut data[16..], &tag)?; // now it is
//! assert_eq!(&data, b"sixteen bytes, some more");
//! # Ok::<(), manyfish::Error>(())
//! ```

use core::fmt;

use manyfish_sys::{InOut, Message as _, Status};
use zeroize::ZeroizeOnDrop;

use crate::error::from_status;
use crate::name::text;
use crate::tag::{TAG_BYTES, Tag};
use crate::{BLOCK_BYTES, Ccm, Eax, Error, Gcm, Ocb};

mod sealed {
    use super::{BLOCK_BYTES, Error, Status, from_status};

    /// This crate's view of a mode.
    pub trait Sealed {
        type Message: manyfish_sys::Message;
        const MODE: &'static str;
        /// The error of a piece of `found` bytes.
        fn refused(status: Status, found: usize) -> Error {
            match status {
                Status::LENGTH => Error::Length { block_bytes: BLOCK_BYTES, found },
                Status::STATE => Error::Ended,
                other => from_status(other),
            }
        }
    }
}
use sealed::Sealed;

/// A mode whose messages may come in pieces: [`Ocb`], [`Eax`], [`Gcm`] or [`Ccm`].
pub trait Pieces: Sealed {}

impl Sealed for Ocb {
    type Message = manyfish_sys::OcbMessage;
    const MODE: &'static str = "OCB";
}

impl Sealed for Eax {
    type Message = manyfish_sys::EaxMessage;
    const MODE: &'static str = "EAX";
}

impl Sealed for Gcm {
    type Message = manyfish_sys::GcmMessage;
    const MODE: &'static str = "GCM";
}

impl Sealed for Ccm {
    type Message = manyfish_sys::CcmMessage;
    const MODE: &'static str = "CCM";

    fn refused(status: Status, _: usize) -> Error {
        match status {
            Status::TOO_LONG => Error::MoreThanDeclared,
            Status::LENGTH => Error::LessThanDeclared,
            other => from_status(other),
        }
    }
}

impl Pieces for Ocb {}
impl Pieces for Eax {}
impl Pieces for Gcm {}
impl Pieces for Ccm {}

impl Ocb {
    /// Starts a message in pieces; see [`pieces`](crate::pieces).
    pub fn start(&self, nonce: &[u8]) -> Result<Message<Self>, Error> {
        let message = self.ocb.start(nonce).map_err(|status| Self::error(status, nonce.len()))?;
        Ok(Message { message, tag_bytes: TAG_BYTES })
    }
}

/// The modes with tags of several lengths.
macro_rules! start {
    ($($mode:ident)*) => {$(
        impl $mode {
            /// Starts a message in pieces; see [`pieces`](crate::pieces).
            pub fn start(&self, nonce: &[u8]) -> Result<Message<Self>, Error> {
                let message = self.mode.start(nonce).map_err(|status| Self::error(status, nonce.len()))?;
                Ok(Message { message, tag_bytes: self.tag_bytes })
            }
        }
    )*};
}
start!(Eax Gcm);

impl Ccm {
    /// Starts a message in pieces whose lengths come first in what is authenticated: `aad_bytes` of associated
    /// data, then `n_bytes` of text. Other numbers are [`Error::MoreThanDeclared`] and
    /// [`Error::LessThanDeclared`] when they are noticed. [`Error::TooLong`] if the nonce leaves too few
    /// counters.
    pub fn start(
        &self,
        nonce: &[u8],
        aad_bytes: u64,
        n_bytes: u64,
    ) -> Result<Message<Self>, Error> {
        let message = self.mode.start(nonce, aad_bytes, n_bytes, self.tag_bytes);
        let message = message.map_err(|status| Self::error(status, nonce.len()))?;
        Ok(Message { message, tag_bytes: self.tag_bytes })
    }
}

/// A message of which no text has come yet. A clone goes on independently, with the same nonce: never
/// encrypt with both.
#[derive(Clone)]
pub struct Message<M: Pieces> {
    message: M::Message,
    tag_bytes: usize,
}

impl<M: Pieces> Message<M> {
    /// The next piece of the associated data, of any length. [`Error::TooLong`]
    pub fn aad(&mut self, aad: &[u8]) -> Result<(), Error> {
        self.message.aad(aad).map_err(|status| M::refused(status, aad.len()))
    }

    /// Goes on with the text, to encrypt it.
    #[must_use]
    pub fn encryptor(self) -> Encryptor<M> {
        Encryptor { message: self.message, tag_bytes: self.tag_bytes }
    }

    /// Goes on with the text, to decrypt it.
    #[must_use]
    pub fn decryptor(self) -> Decryptor<M> {
        Decryptor { message: self.message, tag_bytes: self.tag_bytes }
    }
}

/// A message whose text is being encrypted. A clone goes on independently, with the same nonce: never encrypt
/// with both.
#[derive(Clone)]
pub struct Encryptor<M: Pieces> {
    message: M::Message,
    tag_bytes: usize,
}

impl<M: Pieces> Encryptor<M> {
    /// Encrypts the next piece in place, of any length; in OCB whole blocks of 16 bytes after whole blocks, else
    /// [`Error::Length`]. [`Error::TooLong`]
    pub fn update(&mut self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        self.message.encrypt(&InOut::in_place(data)).map_err(|status| M::refused(status, found))
    }

    /// Encrypts the next piece, of any length, to the first bytes of `out`; returns how many come out. In OCB
    /// these are whole blocks, and the rest waits for the next call: [`held_bytes`](Self::held_bytes).
    /// [`Error::Capacity`], [`Error::TooLong`]
    pub fn update_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<usize, Error> {
        let (needed, found) = (self.message.update_bytes(input.len()), out.len());
        let written = self.message.encrypt_to(out, input);
        written.map_err(|status| room::<M>(status, needed, found))
    }

    /// How many bytes wait for the rest of their block: 0 to 15 in OCB, else 0.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.message.held_bytes()
    }

    /// How many bytes [`update_to`](Self::update_to) gives for `n_bytes` more.
    #[must_use]
    pub fn update_bytes(&self, n_bytes: usize) -> usize {
        self.message.update_bytes(n_bytes)
    }

    /// Encrypts the last piece in place, of any length, for interfaces that deal with the tag later: only `finish` of
    /// no bytes may follow, and OCB refuses more ([`Error::Ended`]). If bytes wait, [`Error::Length`].
    pub fn last(&mut self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        let done = self.message.encrypt_last(&InOut::in_place(data));
        done.map_err(|status| M::refused(status, found))
    }

    /// Encrypts what waits and the last piece likewise, to the first bytes of `out`, as many as both have.
    /// [`Error::Capacity`]
    pub fn last_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<usize, Error> {
        let (needed, found) = (self.held_bytes() + input.len(), out.len());
        let written = self.message.encrypt_last_to(out, input);
        written.map_err(|status| room::<M>(status, needed, found))
    }

    /// Encrypts the last piece in place, of any length and possibly none, and returns the tag. If bytes wait,
    /// [`Error::Length`]: take [`finish_to`](Self::finish_to).
    pub fn finish(self, data: &mut [u8]) -> Result<Tag, Error> {
        let (mut tag, found) = (Tag::zeroed(self.tag_bytes), data.len());
        let finished = self.message.encrypt_finish(&InOut::in_place(data), tag.bytes_mut());
        finished.map_err(|status| M::refused(status, found))?;
        Ok(tag)
    }

    /// Encrypts what waits and the last piece, to the first bytes of `out`, as many as both have.
    /// [`Error::Capacity`]
    pub fn finish_to(self, out: &mut [u8], input: &[u8]) -> Result<Tag, Error> {
        let (needed, found) = (self.held_bytes() + input.len(), out.len());
        let mut tag = Tag::zeroed(self.tag_bytes);
        let finished = self.message.encrypt_finish_to(out, input, tag.bytes_mut());
        finished.map_err(|status| room::<M>(status, needed, found))?;
        Ok(tag)
    }
}

/// A message whose text is being decrypted. [`update`](Self::update) gives unauthenticated text until
/// [`finish`](Self::finish) has succeeded: do not act on it, and discard it if that fails. A clone goes on
/// independently.
#[derive(Clone)]
pub struct Decryptor<M: Pieces> {
    message: M::Message,
    tag_bytes: usize,
}

impl<M: Pieces> Decryptor<M> {
    /// Decrypts the next piece in place, of any length; in OCB whole blocks of 16 bytes after whole blocks, else
    /// [`Error::Length`]. [`Error::TooLong`]
    pub fn update(&mut self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        self.message.decrypt(&InOut::in_place(data)).map_err(|status| M::refused(status, found))
    }

    /// Decrypts the next piece, of any length, to the first bytes of `out`; returns how many come out. In OCB
    /// these are whole blocks, and the rest waits for the next call: [`held_bytes`](Self::held_bytes).
    /// [`Error::Capacity`], [`Error::TooLong`]
    pub fn update_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<usize, Error> {
        let (needed, found) = (self.message.update_bytes(input.len()), out.len());
        let written = self.message.decrypt_to(out, input);
        written.map_err(|status| room::<M>(status, needed, found))
    }

    /// How many bytes wait for the rest of their block: 0 to 15 in OCB, else 0.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.message.held_bytes()
    }

    /// How many bytes [`update_to`](Self::update_to) gives for `n_bytes` more.
    #[must_use]
    pub fn update_bytes(&self, n_bytes: usize) -> usize {
        self.message.update_bytes(n_bytes)
    }

    /// Decrypts the last piece in place, of any length, for interfaces that deal with the tag later: only `finish` of
    /// no bytes may follow, and OCB refuses more ([`Error::Ended`]). If bytes wait, [`Error::Length`].
    pub fn last(&mut self, data: &mut [u8]) -> Result<(), Error> {
        let found = data.len();
        let done = self.message.decrypt_last(&InOut::in_place(data));
        done.map_err(|status| M::refused(status, found))
    }

    /// Decrypts what waits and the last piece likewise, to the first bytes of `out`, as many as both have.
    /// [`Error::Capacity`]
    pub fn last_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<usize, Error> {
        let (needed, found) = (self.held_bytes() + input.len(), out.len());
        let written = self.message.decrypt_last_to(out, input);
        written.map_err(|status| room::<M>(status, needed, found))
    }

    /// Decrypts the last piece in place, of any length and possibly none, and checks the tag. With a wrong
    /// one ([`Error::Tag`]) this piece is wiped. If bytes wait, [`Error::Length`]: take
    /// [`finish_to`](Self::finish_to). [`Error::TagLength`]
    pub fn finish(self, data: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.check_tag(tag)?;
        let found = data.len();
        let finished = self.message.decrypt_finish(&InOut::in_place(data), tag);
        finished.map_err(|status| M::refused(status, found))
    }

    /// Decrypts what waits and the last piece, to the first bytes of `out`, as many as both have, and checks
    /// the tag. With a wrong one they are wiped. [`Error::Capacity`]
    pub fn finish_to(self, out: &mut [u8], input: &[u8], tag: &[u8]) -> Result<(), Error> {
        self.check_tag(tag)?;
        let (needed, found) = (self.held_bytes() + input.len(), out.len());
        let finished = self.message.decrypt_finish_to(out, input, tag);
        finished.map(|_| ()).map_err(|status| room::<M>(status, needed, found))
    }

    fn check_tag(&self, tag: &[u8]) -> Result<(), Error> {
        if tag.len() == self.tag_bytes {
            return Ok(());
        }
        let allowed = text(self.tag_bytes);
        Err(Error::TagLength { mode: M::MODE, allowed, found: tag.len() })
    }
}

/// The error of a piece that goes elsewhere.
fn room<M: Pieces>(status: Status, needed: usize, found: usize) -> Error {
    match status {
        Status::CAPACITY => Error::Capacity { needed, found },
        other => M::refused(other, found),
    }
}

/// Each names mode and kernel, never the key.
macro_rules! debug_and_zeroize {
    ($($name:ident)*) => {$(
        impl<M: Pieces> fmt::Debug for $name<M> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("mode", &M::MODE)
                    .field("kernel", &self.message.kernel())
                    .finish_non_exhaustive()
            }
        }

        impl<M: Pieces> ZeroizeOnDrop for $name<M> {}
    )*};
}
debug_and_zeroize!(Message Encryptor Decryptor);
