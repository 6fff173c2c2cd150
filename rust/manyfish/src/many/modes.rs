// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The modes without authentication.

use core::convert::identity as same;

use manyfish_sys::{Done, Many, Status};

use super::{Message, each};
use crate::cipher::{block_bits, length};
use crate::{BlockCipher, Error};

/// The results of a mode. `needed` gives the bytes of a result, from those of its text.
fn results<'a, C: BlockCipher>(
    mode: &'static str,
    cipher: &C,
    messages: impl IntoIterator<Item = Message<'a>>,
    needed: impl Fn(usize) -> usize,
    crypt: impl Fn(&mut Many<'a>),
) -> impl Iterator<Item = Result<&'a mut [u8], Error>> {
    let check = move |message: &Message| message.check_room(needed(message.text.n_bytes()));
    let result = move |done: Done<'a>| {
        done.result.map_err(|status| match status {
            Status::NONCE_LENGTH => {
                Error::NonceLength { mode, allowed: "an IV of a block", found: done.nonce_bytes }
            }
            other => length(cipher, other, done.n_bytes),
        })
    };
    each(messages, check, crypt, result)
}

macro_rules! modes {
    ($($(#[$about:meta])* $name:ident, $mode:literal;)*) => {$(
        $(#[$about])*
        pub fn $name<'a, C: BlockCipher>(
            cipher: &C,
            messages: impl IntoIterator<Item = Message<'a>>,
        ) -> impl Iterator<Item = Result<&'a mut [u8], Error>> {
            results($mode, cipher, messages, same, move |many| many.$name(cipher.key()))
        }
    )*};
}

modes! {
    /// CBC over whole blocks, as [`cbc::encrypt`](crate::modes::cbc::encrypt). The nonce of a message is its IV, a
    /// block, else [`Error::NonceLength`]; its text has whole blocks, else [`Error::Length`].
    ///
    /// ```
    /// use manyfish::many::{self, Message};
    ///
    /// let cipher = manyfish::Twofish::new(&[7; 16])?;
    /// let mut records = [[1; 48], [2; 48]]; // an IV, then two blocks
    /// let messages = records.iter_mut().map(|record| {
    ///     let (iv, text) = record.split_at_mut(16);
    ///     Message::in_place(iv, text)
    /// });
    /// for text in many::cbc_encrypt(&cipher, messages) {
    ///     assert_eq!(text?.len(), 32);
    /// }
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    cbc_encrypt, "CBC";
    /// The inverse of [`cbc_encrypt`].
    cbc_decrypt, "CBC";
    /// CFB with segments of a block, as [`Cfb::encrypt`](crate::modes::Cfb::encrypt); a text may have any length. The
    /// nonce of a message is its IV, a block, else [`Error::NonceLength`].
    cfb_encrypt, "CFB";
    /// The inverse of [`cfb_encrypt`].
    cfb_decrypt, "CFB";
    /// OFB, both ways, as [`Ofb::crypt`](crate::modes::Ofb::crypt). The nonce of a message is its IV, a block, else
    /// [`Error::NonceLength`].
    ofb_crypt, "OFB";
}

/// CTR, both ways, as [`Ctr`](crate::modes::Ctr). The nonce of a message is its first counter block, else
/// [`Error::NonceLength`], of which the last `counter_bits` (32, or all) count: else [`Error::CounterBits`], at
/// once. [`Error::TooLong`] if the counter does not suffice.
pub fn ctr_crypt<'a, C: BlockCipher>(
    cipher: &C,
    counter_bits: u32,
    messages: impl IntoIterator<Item = Message<'a>>,
) -> Result<impl Iterator<Item = Result<&'a mut [u8], Error>>, Error> {
    let block_bits = block_bits(cipher);
    if counter_bits != 32 && counter_bits != block_bits {
        return Err(Error::CounterBits { block_bits, found: counter_bits });
    }
    let crypt = move |many: &mut Many<'a>| many.ctr_crypt(cipher.key(), counter_bits);
    Ok(results("CTR", cipher, messages, same, crypt))
}

/// CBC with PKCS#7 padding, as [`cbc::encrypt_padded`](crate::modes::cbc::encrypt_padded). The result has 1 byte to a
/// block more than the text: [`Error::Capacity`] if there is no room. [`Message::in_room`] and [`Message::copying`]
/// give it.
///
/// ```
/// use manyfish::many::{self, Message};
///
/// let cipher = manyfish::Twofish::new(&[7; 16])?;
/// let (iv, mut buffer) = ([9; 16], *b"any length......");
/// let message = Message::in_room(&iv, &mut buffer, 10)?;
/// many::cbc_encrypt_padded(&cipher, [message]).try_for_each(|text| text.map(drop))?;
/// let message = Message::in_place(&iv, &mut buffer);
/// let texts: Vec<_> = many::cbc_decrypt_padded(&cipher, [message]).collect();
/// assert_eq!(texts, [Ok(&mut b"any length".to_owned()[..])]);
/// # Ok::<(), manyfish::Error>(())
/// ```
pub fn cbc_encrypt_padded<'a, C: BlockCipher>(
    cipher: &C,
    messages: impl IntoIterator<Item = Message<'a>>,
) -> impl Iterator<Item = Result<&'a mut [u8], Error>> {
    let padded = |n_bytes| n_bytes - n_bytes % C::BLOCK_BYTES + C::BLOCK_BYTES;
    results("CBC", cipher, messages, padded, move |many| many.cbc_encrypt_padded(cipher.key()))
}

/// The inverse of [`cbc_encrypt_padded`]: the results are the texts without padding. [`Error::Padding`] wipes the
/// text, and is a padding oracle, as [`cbc::decrypt_padded`](crate::modes::cbc::decrypt_padded) explains.
pub fn cbc_decrypt_padded<'a, C: BlockCipher>(
    cipher: &C,
    messages: impl IntoIterator<Item = Message<'a>>,
) -> impl Iterator<Item = Result<&'a mut [u8], Error>> {
    results("CBC", cipher, messages, same, move |many| many.cbc_decrypt_padded(cipher.key()))
}
