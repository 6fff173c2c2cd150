// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CMAC: authentication without secrecy. [SP800-38B]

use core::fmt;

use manyfish_sys::Status;
use zeroize::ZeroizeOnDrop;

use crate::cipher::shared;
use crate::error::from_status;
use crate::name::{Name, text};
use crate::tag::Tag;
use crate::{BlockCipher, Error};

/// A message in work, under one key: nobody without it can make the tag of another message. It takes
/// one block at a time by its nature. A clone goes on with the same message independently.
///
/// ```
/// use manyfish::{Cmac, Twofish};
///
/// let mut cmac = Cmac::new(&Twofish::new(&[7; 16])?);
/// cmac.update(b"in pieces ")?;
/// cmac.update(b"of any length")?;
/// let tag = cmac.finish();
/// cmac.update(b"in pieces of any length")?;
/// cmac.verify(&tag)?;
/// # Ok::<(), manyfish::Error>(())
/// ```
#[derive(Clone)]
pub struct Cmac {
    pub(crate) cmac: manyfish_sys::Cmac,
    pub(crate) tag_bytes: usize,
}

impl Cmac {
    /// Makes a key ready, for tags of a block, and begins a message.
    #[must_use]
    pub fn new<C: BlockCipher>(cipher: &C) -> Self {
        Self::with_tag_bytes(cipher, C::BLOCK_BYTES).expect("a block is a length of tags")
    }

    /// The same for tags cut to 1 byte up to a block. Below 8 bytes a forger may simply guess.
    pub fn with_tag_bytes<C: BlockCipher>(cipher: &C, tag_bytes: usize) -> Result<Self, Error> {
        if !(1..=C::BLOCK_BYTES).contains(&tag_bytes) {
            return Err(tag_length(text(format_args!("1 to {}", C::BLOCK_BYTES)), tag_bytes));
        }
        let cmac = manyfish_sys::Cmac::new(shared(cipher));
        Ok(Self { cmac: cmac.expect("the mode is defined for these blocks"), tag_bytes })
    }

    /// The next piece of the message.
    pub fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.cmac.update(data).map_err(from_status)
    }

    /// The tag of all pieces; the next message begins.
    pub fn finish(&mut self) -> Tag {
        let mut tag = Tag::zeroed(self.tag_bytes);
        self.cmac.finish(tag.bytes_mut()).expect("the length was checked with the key");
        tag
    }

    /// Compares the tag of all pieces, in a time that does not tell where tags differ; the next
    /// message begins. [`Error::Tag`] if they differ. [`Error::TagLength`] for a tag of another
    /// length than was chosen with the key: the message goes on then.
    pub fn verify(&mut self, tag: &[u8]) -> Result<(), Error> {
        if tag.len() != self.tag_bytes {
            return Err(tag_length(text(self.tag_bytes), tag.len()));
        }
        self.cmac.finish_verify(tag).map_err(|status| match status {
            Status::TAG => Error::Tag,
            other => from_status(other),
        })
    }
}

fn tag_length(allowed: Name, found: usize) -> Error {
    Error::TagLength { mode: "CMAC", allowed, found }
}

/// Names the kernel, never the key.
impl fmt::Debug for Cmac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cmac").field("kernel", &self.cmac.key().kernel()).finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Cmac {}
