// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Many messages under one key: records of a database, sectors of a disk, entries of a safe.
//!
//! Where each block waits for the one before (CBC and CFB encryption, OFB, CMAC, EAX, CCM, SIV), a message alone
//! leaves all lanes of a kernel but one idle. These functions put a message into each lane. In the other modes they
//! gather the blocks of short messages. The results are those of the functions for one message, bit for bit.
//!
//! Each function takes messages from any iterator and returns an iterator of their results, in the same order. It
//! works while you iterate, on [`AT_A_TIME`] messages after each other, so it needs the same memory for any number.
//! A message with an error does not touch the others. Each message borrows its buffers, so the compiler refuses
//! messages that overlap.
//!
//! ```
//! use manyfish::many::{self, Message};
//! use manyfish::{Error, Ocb, Twofish};
//!
//! let ocb = Ocb::new(&Twofish::new(&[7; 32])?);
//! let mut records = vec![b"first".to_vec(), b"second".to_vec()];
//! let nonces = [[1; 12], [2; 12]]; // never twice under one key
//! let messages = records.iter_mut().zip(&nonces).map(|(record, n)| Message::in_place(n, record));
//! let mut tags = many::seal(&ocb, messages)
//!     .map(|sealed| sealed.map(|(_, tag)| tag.to_vec()))
//!     .collect::<Result<Vec<_>, Error>>()?;
//!
//! tags[0][0] ^= 1;
//! let messages = records
//!     .iter_mut()
//!     .zip(&nonces)
//!     .zip(&tags)
//!     .map(|((record, n), tag)| Message::in_place(n, record).tag(tag));
//! let texts: Vec<_> = many::open(&ocb, messages).collect();
//! assert_eq!(texts, [Err(Error::Tag), Ok(&mut b"second"[..].to_vec()[..])]);
//! # Ok::<(), manyfish::Error>(())
//! ```
//!
//! Of two messages that overlap the compiler says that `data` is borrowed twice:
//!
//! ```compile_fail,E0499
//! use manyfish::many::{self, Message};
//!
//! let cipher = manyfish::Twofish::new(&[7; 16])?;
//! let (iv, mut data) = ([0; 16], [0; 48]);
//! let first = Message::in_place(&iv, &mut data[..32]);
//! let second = Message::in_place(&iv, &mut data[16..]);
//! many::cbc_encrypt(&cipher, [first, second]).for_each(drop);
//! # Ok::<(), manyfish::Error>(())
//! ```
//!
//! The C library uses up to 40 KiB of the stack for a call.

mod authenticated;
mod modes;

use std::vec::IntoIter;

use manyfish_sys::{Done, Many, Text};

use crate::Error;
use crate::twofish::check_room;

pub use authenticated::{Aead, cmac, cmac_verify, open, seal};
pub use modes::{
    cbc_decrypt, cbc_decrypt_padded, cbc_encrypt, cbc_encrypt_padded, cfb_decrypt, cfb_encrypt,
    ctr_crypt, ofb_crypt,
};

/// Messages that are taken from an iterator before the first of them has a result.
pub const AT_A_TIME: usize = 1024;

/// A whole message.
#[derive(Debug)]
pub struct Message<'a> {
    nonce: &'a [u8],
    aad: Option<&'a [u8]>,
    text: Text<'a>,
    tag: &'a [u8],
}

impl<'a> Message<'a> {
    /// `data` is the text; its result takes its place. `nonce` is the nonce, the IV or the first counter block; CMAC
    /// has none.
    #[must_use]
    pub fn in_place(nonce: &'a [u8], data: &'a mut [u8]) -> Self {
        let n_bytes = data.len();
        Self { nonce, aad: None, text: Text::InPlace(data, n_bytes), tag: &[] }
    }

    /// The first `n_bytes` of `buffer` are the text, and the rest is room for padding: the result takes the place of
    /// both. [`Error::Capacity`] if the buffer is shorter.
    pub fn in_room(nonce: &'a [u8], buffer: &'a mut [u8], n_bytes: usize) -> Result<Self, Error> {
        check_room(n_bytes, buffer.len())?;
        Ok(Self { nonce, aad: None, text: Text::InPlace(buffer, n_bytes), tag: &[] })
    }

    /// The text is `input`, and its result goes to the first bytes of `out`. [`Error::Capacity`] if `out` is shorter.
    pub fn copying(nonce: &'a [u8], out: &'a mut [u8], input: &'a [u8]) -> Result<Self, Error> {
        check_room(input.len(), out.len())?;
        Ok(Self { nonce, aad: None, text: Text::Apart(out, input), tag: &[] })
    }

    /// A text for [`cmac`] and [`cmac_verify`], which only read it. Other functions answer [`Error::Capacity`].
    #[must_use]
    pub fn read(text: &'a [u8]) -> Self {
        Self { nonce: &[], aad: None, text: Text::Read(text), tag: &[] }
    }

    /// With associated data, which is authenticated but not encrypted. For SIV this is one string of it.
    #[must_use]
    pub fn aad(mut self, aad: &'a [u8]) -> Self {
        self.aad = Some(aad);
        self
    }

    /// With the tag to compare, for [`open`] and [`cmac_verify`]; the others ignore it.
    #[must_use]
    pub fn tag(mut self, tag: &'a [u8]) -> Self {
        self.tag = tag;
        self
    }

    /// [`Error::Capacity`] if the result has more bytes than there is room for.
    fn check_room(&self, n_bytes: usize) -> Result<(), Error> {
        check_room(n_bytes, self.text.room())
    }
}

/// A function for many messages, in three steps. The results, in order.
fn each<'a, T>(
    messages: impl IntoIterator<Item = Message<'a>>,
    check: impl Fn(&Message<'a>) -> Result<(), Error>,
    crypt: impl Fn(&mut Many<'a>),
    result: impl Fn(Done<'a>) -> Result<T, Error>,
) -> impl Iterator<Item = Result<T, Error>> {
    let (mut messages, mut many) = (messages.into_iter(), Many::default());
    let mut results = Vec::new().into_iter();
    core::iter::from_fn(move || {
        if results.len() == 0 {
            results = some(messages.by_ref().take(AT_A_TIME), &mut many, &check, &crypt, &result);
        }
        results.next()
    })
}

/// All messages of an iterator at once.
fn some<'a, T>(
    messages: impl Iterator<Item = Message<'a>>,
    many: &mut Many<'a>,
    check: impl Fn(&Message<'a>) -> Result<(), Error>,
    crypt: impl Fn(&mut Many<'a>),
    result: impl Fn(Done<'a>) -> Result<T, Error>,
) -> IntoIter<Result<T, Error>> {
    let mut push = |message: Message<'a>| {
        check(&message)?;
        many.push(message.nonce, message.aad, message.text, message.tag);
        Ok(())
    };
    let checked: Vec<Result<(), Error>> = messages.map(&mut push).collect();
    crypt(many);
    let mut done = many.drain();
    let mut next = || result(done.next().expect("as many as were pushed"));
    let results: Vec<_> =
        checked.into_iter().map(|checked| checked.and_then(|()| next())).collect();
    results.into_iter()
}
