// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The authenticated modes besides OCB, for data and protocols that ask for them: EAX, GCM, CCM, SIV.

use core::fmt;

use manyfish_sys::{InOut, Status};
use zeroize::ZeroizeOnDrop;

use crate::cipher::{BlockCipher, shared};
use crate::error::from_status;
use crate::name::text;
use crate::tag::{TAG_BYTES, Tag};
use crate::twofish::{copying, different_halves};
use crate::{Error, Expectation, Twofish};

/// A mode with one key and tags of several lengths. They differ in nothing but names and lengths.
macro_rules! aead {
    (
        $(#[$about:meta])*
        $name:ident, $title:literal,
        nonces: $nonces:literal
    ) => {
        $(#[$about])*
        #[derive(Clone)]
        pub struct $name {
            pub(crate) mode: manyfish_sys::$name,
            pub(crate) tag_bytes: usize,
        }

        impl $name {
            /// Encrypts `data` in place and returns the tag, which also covers `aad`.
            pub fn seal(&self, nonce: &[u8], aad: &[u8], data: &mut [u8]) -> Result<Tag, Error> {
                self.encrypt(nonce, aad, &InOut::in_place(data))
            }

            /// Decrypts `data` in place. With a wrong tag all of it is wiped: nothing of the plaintext
            /// is released. On the other errors it is untouched.
            pub fn open(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: &mut [u8],
                tag: &[u8],
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
            ) -> Result<Tag, Error> {
                self.encrypt(nonce, aad, &copying(out, input)?)
            }

            /// [`open`](Self::open) from `input` into the first bytes of `out`.
            pub fn open_to(
                &self,
                nonce: &[u8],
                aad: &[u8],
                out: &mut [u8],
                input: &[u8],
                tag: &[u8],
            ) -> Result<(), Error> {
                self.decrypt(nonce, aad, &copying(out, input)?, tag)
            }

            pub(crate) fn encrypt(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: &InOut,
            ) -> Result<Tag, Error> {
                let mut tag = Tag::zeroed(self.tag_bytes);
                let sealed = self.mode.encrypt(nonce, aad, data, tag.bytes_mut());
                sealed.map_err(|status| Self::error(status, nonce.len()))?;
                Ok(tag)
            }

            pub(crate) fn decrypt(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: &InOut,
                tag: &[u8],
            ) -> Result<(), Error> {
                if tag.len() != self.tag_bytes {
                    let allowed = text(self.tag_bytes);
                    return Err(Error::TagLength { mode: $title, allowed, found: tag.len() });
                }
                let opened = self.mode.decrypt(nonce, aad, data, tag);
                opened.map_err(|status| Self::error(status, nonce.len()))
            }

            pub(crate) fn error(status: Status, nonce_bytes: usize) -> Error {
                if status == Status::NONCE_LENGTH {
                    Error::NonceLength { mode: $title, allowed: $nonces, found: nonce_bytes }
                } else {
                    from_status(status)
                }
            }
        }

        /// Names the kernel, never the key.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("kernel", &self.mode.key().kernel())
                    .field("tag_bytes", &self.tag_bytes)
                    .finish_non_exhaustive()
            }
        }

        impl ZeroizeOnDrop for $name {}
    };
}

aead!(
    /// EAX \[EAX04\]: nonces of any length, never twice under one key. It takes one block at a time for
    /// its MAC; [`Ocb`](crate::Ocb) is several times as fast.
    ///
    /// ```
    /// use manyfish::{Eax, Twofish};
    ///
    /// let eax = Eax::new(&Twofish::new(&[7; 16])?);
    /// let mut message = *b"secret";
    /// let tag = eax.seal(b"nonce", b"public", &mut message)?;
    /// eax.open(b"nonce", b"public", &mut message, &tag)?;
    /// assert_eq!(&message, b"secret");
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    Eax, "EAX",
    nonces: "any number of bytes"
);

impl Eax {
    /// Makes a key of any cipher ready, for tags of a block.
    #[must_use]
    pub fn new<C: BlockCipher>(cipher: &C) -> Self {
        Self::with_tag_bytes(cipher, C::BLOCK_BYTES).expect("a block is a length of tags")
    }

    /// The same for tags of a quarter of a block to all of it: 4 to 16 bytes, or 2 to 8. Shorter ones are
    /// easier to forge.
    pub fn with_tag_bytes<C: BlockCipher>(cipher: &C, tag_bytes: usize) -> Result<Self, Error> {
        let (least, most) = (C::BLOCK_BYTES / 4, C::BLOCK_BYTES);
        if !(least..=most).contains(&tag_bytes) {
            let allowed = text(format_args!("{least} to {most}"));
            return Err(Error::TagLength { mode: "EAX", allowed, found: tag_bytes });
        }
        let mode = manyfish_sys::Eax::new(shared(cipher));
        Ok(Self { mode: mode.expect("the mode is defined for these blocks"), tag_bytes })
    }
}

aead!(
    /// GCM \[SP800-38D\]: nonces of 1 byte and more, the usual length being 12. A nonce used twice under
    /// one key lets anyone who sees both messages forge at will.
    ///
    /// ```
    /// use manyfish::{Gcm, Twofish};
    ///
    /// let gcm = Gcm::new(&Twofish::new(&[7; 16])?);
    /// let mut message = *b"secret";
    /// let tag = gcm.seal(b"twelve bytes", b"public", &mut message)?;
    /// gcm.open(b"twelve bytes", b"public", &mut message, &tag)?;
    /// assert_eq!(&message, b"secret");
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    Gcm, "GCM",
    nonces: "1 byte or more"
);

aead!(
    /// CCM \[SP800-38C\]: nonces of 7 to 13 bytes, never twice under one key; the longer the nonce, the
    /// shorter the longest message ([`Error::TooLong`]): 64 KiB after 13 bytes. It takes one block at
    /// a time for its MAC; [`Ocb`](crate::Ocb) is several times as fast.
    ///
    /// ```
    /// use manyfish::{Ccm, Twofish};
    ///
    /// let ccm = Ccm::new(&Twofish::new(&[7; 16])?);
    /// let mut message = *b"secret";
    /// let tag = ccm.seal(b"twelve bytes", b"public", &mut message)?;
    /// ccm.open(b"twelve bytes", b"public", &mut message, &tag)?;
    /// assert_eq!(&message, b"secret");
    /// # Ok::<(), manyfish::Error>(())
    /// ```
    Ccm, "CCM",
    nonces: "7 to 13 bytes"
);

/// The modes for blocks of 16 bytes alone.
macro_rules! of_twofish {
    ($($name:ident, $title:literal, tags: $tags:literal = $tag_bytes:pat),*) => {$(
        impl $name {
            /// Makes a key ready, for tags of 16 bytes.
            #[must_use]
            pub fn new(cipher: &Twofish) -> Self {
                Self::with_tag_bytes(cipher, TAG_BYTES).expect("16 is a length of tags")
            }

            #[doc = concat!("The same for tags of ", $tags, " bytes. Shorter ones are easier to forge.")]
            pub fn with_tag_bytes(cipher: &Twofish, tag_bytes: usize) -> Result<Self, Error> {
                if !matches!(tag_bytes, $tag_bytes) {
                    let allowed = text($tags);
                    return Err(Error::TagLength { mode: $title, allowed, found: tag_bytes });
                }
                let mode = manyfish_sys::$name::new(cipher.key.clone());
                Ok(Self { mode: mode.expect("the mode is defined for 16-byte blocks"), tag_bytes })
            }
        }
    )*};
}
of_twofish! {
    Gcm, "GCM", tags: "4, 8 or 12 to 16" = 4 | 8 | 12..=16,
    Ccm, "CCM", tags: "4, 6, 8, 10, 12, 14 or 16" = 4 | 6 | 8 | 10 | 12 | 14 | 16
}

/// SIV \[RFC5297\]: with a nonce used twice, or none, an observer learns whether two messages are equal,
/// and nothing else. The tag has 16 bytes; the standard puts it in front of the ciphertext.
///
/// ```
/// use manyfish::Siv;
///
/// let key: Vec<u8> = (0..64).collect();
/// let siv = Siv::from_key(&key)?;
/// let mut message = *b"secret";
/// let tag = siv.seal(b"nonce", &[b"public", b"strings"], &mut message)?;
/// siv.open(b"nonce", &[b"public", b"strings"], &mut message, &tag)?;
/// assert_eq!(&message, b"secret");
/// # Ok::<(), manyfish::Error>(())
/// ```
#[derive(Clone)]
pub struct Siv {
    pub(crate) siv: manyfish_sys::Siv,
}

impl Siv {
    /// Joins the key for S2V and the key for CTR, K1 and K2 of the standard. They must be independent:
    /// this is not checked here, but by [`from_key`](Self::from_key).
    #[must_use]
    pub fn new(s2v: &Twofish, ctr: &Twofish) -> Self {
        let siv = manyfish_sys::Siv::new(s2v.key.clone(), ctr.key.clone());
        Self { siv: siv.expect("the mode is defined for 16-byte blocks") }
    }

    /// Splits a key of 32, 48 or 64 bytes into K1 and K2, for the default kernel. Equal halves are
    /// [`Error::EqualKeys`].
    pub fn from_key(key: &[u8]) -> Result<Self, Error> {
        let (s2v, ctr) = different_halves("SIV", key)?;
        Ok(Self::new(&Twofish::new(s2v)?, &Twofish::new(ctr)?))
    }

    /// The same for the kernel of the given name; [`kernels`](crate::kernels) lists them.
    pub fn from_key_with_kernel(name: &str, key: &[u8]) -> Result<Self, Error> {
        let (s2v, ctr) = different_halves("SIV", key)?;
        Ok(Self::new(&Twofish::with_kernel(name, s2v)?, &Twofish::with_kernel(name, ctr)?))
    }

    /// The same for the kernels that cost least. The blocks expected are those of the messages: under K2
    /// they come as is said, under K1 one after the other, and the single blocks too. [`Error::Policy`] if
    /// no kernel keeps within what is allowed.
    pub fn from_key_for_expected(expectation: &Expectation, key: &[u8]) -> Result<Self, Error> {
        let (s2v, ctr) = different_halves("SIV", key)?;
        let (chain, others) = (expectation.one_by_one(), expectation.clone().single_blocks(0));
        Ok(Self::new(&Twofish::for_expected(&chain, s2v)?, &Twofish::for_expected(&others, ctr)?))
    }

    /// Encrypts `data` in place and returns the tag, which also covers the strings `aad`. An empty
    /// nonce means none. At most 126 strings, the nonce counted: else [`Error::TooLong`].
    pub fn seal(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &mut [u8],
    ) -> Result<[u8; TAG_BYTES], Error> {
        self.encrypt(nonce, aad, &InOut::in_place(data))
    }

    /// Decrypts `data` in place. With a wrong tag all of it is wiped: nothing of the plaintext is
    /// released. On the other errors it is untouched.
    pub fn open(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), Error> {
        self.decrypt(nonce, aad, &InOut::in_place(data), tag)
    }

    /// [`seal`](Self::seal) from `input` into the first bytes of `out`.
    pub fn seal_to(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        out: &mut [u8],
        input: &[u8],
    ) -> Result<[u8; TAG_BYTES], Error> {
        self.encrypt(nonce, aad, &copying(out, input)?)
    }

    /// [`open`](Self::open) from `input` into the first bytes of `out`.
    pub fn open_to(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        out: &mut [u8],
        input: &[u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), Error> {
        self.decrypt(nonce, aad, &copying(out, input)?, tag)
    }

    pub(crate) fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &InOut,
    ) -> Result<[u8; TAG_BYTES], Error> {
        self.siv.encrypt(nonce, aad, data).map_err(from_status)
    }

    pub(crate) fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &InOut,
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), Error> {
        self.siv.decrypt(nonce, aad, data, tag).map_err(from_status)
    }
}

/// Names the kernel, never the key.
impl fmt::Debug for Siv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Siv").field("kernel", &self.siv.key().kernel()).finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Siv {}
