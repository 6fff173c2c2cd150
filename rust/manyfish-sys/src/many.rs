// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/many.h>`: many messages at once, under one key. Each output is borrowed apart from all else, so
//! messages that overlap cannot be expressed.

use core::marker::PhantomData;
use core::{ptr, slice};
use std::vec::Vec;

use crate::cipher::BlockCipher;
use crate::ffi::{
    MF_MESSAGE_WORK_BYTES, mf_cipher, mf_eax, mf_gcm, mf_message, mf_ocb, mf_siv, mf_status,
};
use crate::{Ccm, Cmac, Eax, Gcm, Ocb, Siv, Status, ffi};

/// Bytes of the longest tag.
const TAG: usize = 16;

/// Where a text is, and where its result goes.
#[derive(Debug)]
pub enum Text<'a> {
    /// The first bytes of a buffer, as many as said; the result takes their place.
    InPlace(&'a mut [u8], usize),
    /// The result goes to the first bytes of the first slice.
    Apart(&'a mut [u8], &'a [u8]),
    /// Only read, for CMAC.
    Read(&'a [u8]),
}

impl Text<'_> {
    /// Bytes of the text.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        match self {
            Self::InPlace(_, n_bytes) => *n_bytes,
            Self::Apart(_, input) | Self::Read(input) => input.len(),
        }
    }

    /// Bytes that there are for the result.
    #[must_use]
    pub fn room(&self) -> usize {
        match self {
            Self::InPlace(out, _) | Self::Apart(out, _) => out.len(),
            Self::Read(_) => 0,
        }
    }

    /// Output, input.
    fn pointers(&mut self) -> (*mut u8, *const u8) {
        match self {
            Self::InPlace(data, _) => {
                let out = data.as_mut_ptr();
                (out, out)
            }
            Self::Apart(out, input) => (out.as_mut_ptr(), input.as_ptr()),
            Self::Read(input) => (ptr::null_mut(), input.as_ptr()),
        }
    }
}

/// The outcome of a message.
#[derive(Debug)]
pub struct Done<'a> {
    /// The result, or why there is none.
    pub result: Result<&'a mut [u8], Status>,
    /// The tag that was made, if one was, in its first bytes.
    pub tag: [u8; TAG],
    /// Bytes of the nonce.
    pub nonce_bytes: usize,
    /// Bytes of the text.
    pub n_bytes: usize,
}

/// The facts about a message that C does not keep.
struct Kept<'a> {
    /// To be compared.
    tag: &'a [u8],
    /// Bytes of the output.
    room: usize,
}

/// Messages for one call.
#[derive(Default)]
#[allow(missing_debug_implementations)] // it holds pointers
pub struct Many<'a> {
    messages: Vec<mf_message>,
    kept: Vec<Kept<'a>>,
    made: Vec<[u8; TAG]>,
    lifetime: PhantomData<(&'a mut [u8], &'a [u8])>,
}

/// The tags of a call.
enum Tags {
    None,
    /// To be made, of this length.
    Made(usize),
    /// To be compared.
    Given,
}

impl<'a> Many<'a> {
    /// Adds a message; `aad` may say that there is none. `tag` is for calls that compare. Panics if the room is
    /// less than the text.
    pub fn push(
        &mut self,
        nonce: &'a [u8],
        aad: Option<&'a [u8]>,
        mut text: Text<'a>,
        tag: &'a [u8],
    ) {
        let (n_bytes, room) = (text.n_bytes(), text.room());
        assert!(matches!(text, Text::Read(_)) || n_bytes <= room, "the caller's promise");
        let (out, input) = text.pointers();
        self.messages.push(mf_message {
            nonce: nonce.as_ptr().cast(),
            nonce_bytes: nonce.len(),
            aad: aad.map_or(ptr::null(), |aad| aad.as_ptr().cast()),
            aad_bytes: aad.map_or(0, <[u8]>::len),
            out: out.cast(),
            input: input.cast(),
            n_bytes,
            tag: ptr::null_mut(),
            tag_bytes: 0,
            out_bytes: 0,
            status: ffi::MF_ERROR_STATE,
            work: [0; MF_MESSAGE_WORK_BYTES],
        });
        self.kept.push(Kept { tag, room });
    }

    /// Takes all messages out, in their order, with their results.
    pub fn drain(&mut self) -> impl Iterator<Item = Done<'a>> {
        self.kept.clear();
        let made = self.made.drain(..).map(Some).chain(core::iter::repeat(None));
        self.messages.drain(..).zip(made).map(|(message, tag)| {
            let (out, n_bytes) = (message.out.cast::<u8>(), message.out_bytes);
            let result = message.status.check().map(|()| match n_bytes {
                0 => &mut [][..],
                // SAFETY: push borrowed the buffer for 'a, with this many bytes or more; nobody else has it, and
                // it is given away once.
                _ => unsafe { slice::from_raw_parts_mut(out, n_bytes) },
            });
            let (nonce_bytes, n_bytes) = (message.nonce_bytes, message.n_bytes);
            Done { result, tag: tag.unwrap_or_default(), nonce_bytes, n_bytes }
        })
    }

    /// Points the messages to their tags, and calls.
    fn run(&mut self, tags: &Tags, call: impl FnOnce(*mut mf_message, usize) -> mf_status) {
        self.made.clear();
        if let Tags::Made(_) = tags {
            self.made.resize(self.messages.len(), [0; TAG]);
        }
        for (i, message) in self.messages.iter_mut().enumerate() {
            (message.tag, message.tag_bytes) = match tags {
                Tags::None => (ptr::null_mut(), 0),
                Tags::Made(n_bytes) => (self.made[i].as_mut_ptr(), *n_bytes),
                // Those calls only read there.
                Tags::Given => (self.kept[i].tag.as_ptr().cast_mut(), self.kept[i].tag.len()),
            };
        }
        // Each message says what the call answers.
        let _ = call(self.messages.as_mut_ptr(), self.messages.len());
    }

    /// The results are as long as the texts, unless the call has set another length.
    fn as_long_as_texts(&mut self) {
        for message in &mut self.messages {
            let is_written = !message.out.is_null();
            message.out_bytes = if is_written { message.n_bytes } else { 0 };
        }
    }

    /// CTR; see [`Ctr::new`](crate::Ctr::new) for the counter, which must have such bits.
    pub fn ctr_crypt(&mut self, key: &impl BlockCipher, counter_bits: u32) {
        let cipher = key.cipher();
        self.run(&Tags::None, |messages, n| {
            // SAFETY: the cipher's key outlives the call; push borrowed all that the messages point to.
            unsafe { ffi::mf_ctr_crypt_many(&raw const cipher, counter_bits, messages, n) }
        });
        self.as_long_as_texts();
    }

    /// CBC with PKCS#7 padding. Panics if there is no room for that.
    pub fn cbc_encrypt_padded(&mut self, key: &impl BlockCipher) {
        let cipher = key.cipher();
        let block = cipher.block_bytes;
        for (message, kept) in self.messages.iter().zip(&self.kept) {
            let padded = message.n_bytes - message.n_bytes % block + block;
            assert!(padded <= kept.room, "the caller's promise");
        }
        self.run(&Tags::None, |messages, n| {
            // SAFETY: as in ctr_crypt; there is room for the padding.
            unsafe { ffi::mf_cbc_encrypt_padded_many(&raw const cipher, messages, n) }
        });
    }

    /// The inverse of [`cbc_encrypt_padded`](Self::cbc_encrypt_padded).
    pub fn cbc_decrypt_padded(&mut self, key: &impl BlockCipher) {
        let cipher = key.cipher();
        self.run(&Tags::None, |messages, n| {
            // SAFETY: as in ctr_crypt.
            unsafe { ffi::mf_cbc_decrypt_padded_many(&raw const cipher, messages, n) }
        });
    }

    /// The tags of the texts, of `tag_bytes` each.
    pub fn cmac_compute(&mut self, cmac: &Cmac, tag_bytes: usize) {
        assert!(tag_bytes <= TAG, "the caller's promise");
        let cmac = cmac.structure();
        self.run(&Tags::Made(tag_bytes), |messages, n| {
            // SAFETY: cmac is filled and its key alive; push borrowed the rest, and run made room for the tags.
            unsafe { ffi::mf_cmac_compute_many(cmac, messages, n) }
        });
    }

    /// Compares the tags of the texts.
    pub fn cmac_verify(&mut self, cmac: &Cmac) {
        let cmac = cmac.structure();
        self.run(&Tags::Given, |messages, n| {
            // SAFETY: as in cmac_compute.
            unsafe { ffi::mf_cmac_verify_many(cmac, messages, n) }
        });
    }
}

macro_rules! of_a_cipher {
    ($($name:ident = $call:path),* $(,)?) => {
        impl Many<'_> {$(
            #[doc = concat!("`", stringify!($call), "`")]
            pub fn $name(&mut self, key: &impl BlockCipher) {
                let cipher = key.cipher();
                self.run(&Tags::None, |messages, n| {
                    // SAFETY: as in ctr_crypt.
                    unsafe { $call(&raw const cipher, messages, n) }
                });
                self.as_long_as_texts();
            }
        )*}
    };
}

of_a_cipher! {
    cbc_encrypt = ffi::mf_cbc_encrypt_many,
    cbc_decrypt = ffi::mf_cbc_decrypt_many,
    cfb_encrypt = ffi::mf_cfb_encrypt_many,
    cfb_decrypt = ffi::mf_cfb_decrypt_many,
    ofb_crypt = ffi::mf_ofb_crypt_many,
}

macro_rules! authenticated {
    ($($mode:ident ($structure:ident): $encrypt:path, $decrypt:path;)*) => {$(
        impl $mode {
            #[doc = concat!("`", stringify!($encrypt), "`, with tags of `tag_bytes` each.")]
            pub fn encrypt_many(&self, many: &mut Many<'_>, tag_bytes: usize) {
                assert!(tag_bytes <= TAG, "the caller's promise");
                let structure: &$structure = &self.structure();
                many.run(&Tags::Made(tag_bytes), |messages, n| {
                    // SAFETY: as in cmac_compute.
                    unsafe { $encrypt(structure, messages, n) }
                });
                many.as_long_as_texts();
            }

            #[doc = concat!("`", stringify!($decrypt), "`")]
            pub fn decrypt_many(&self, many: &mut Many<'_>) {
                let structure: &$structure = &self.structure();
                many.run(&Tags::Given, |messages, n| {
                    // SAFETY: as in cmac_compute.
                    unsafe { $decrypt(structure, messages, n) }
                });
                many.as_long_as_texts();
            }
        }
    )*};
}

authenticated! {
    Ocb (mf_ocb): ffi::mf_ocb_encrypt_many, ffi::mf_ocb_decrypt_many;
    Eax (mf_eax): ffi::mf_eax_encrypt_many, ffi::mf_eax_decrypt_many;
    Ccm (mf_cipher): ffi::mf_ccm_encrypt_many, ffi::mf_ccm_decrypt_many;
    Gcm (mf_gcm): ffi::mf_gcm_encrypt_many, ffi::mf_gcm_decrypt_many;
    Siv (mf_siv): ffi::mf_siv_encrypt_many, ffi::mf_siv_decrypt_many;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Twofish;

    #[test]
    #[should_panic(expected = "promise")]
    fn a_text_longer_than_its_room_is_refused() {
        Many::default().push(&[], None, Text::Apart(&mut [0; 15], &[0; 16]), &[]);
    }

    #[test]
    #[should_panic(expected = "promise")]
    fn padding_without_room_is_refused() {
        let (mut data, iv) = ([0; 16], [0; 16]);
        let mut many = Many::default();
        many.push(&iv, None, Text::InPlace(&mut data, 16), &[]);
        many.cbc_encrypt_padded(&Twofish::new(None, &[7; 16]).unwrap());
    }

    /// A text that is only read has no room for a result.
    #[test]
    fn no_cipher_writes_to_a_text_that_is_read() {
        let iv = [0; 16];
        let mut many = Many::default();
        many.push(&iv, None, Text::Read(&[0; 16]), &[]);
        many.cbc_encrypt(&Twofish::new(None, &[7; 16]).unwrap());
        assert_eq!(many.drain().next().unwrap().result.unwrap_err(), Status::NULL);
    }
}
