// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The authenticated modes with nothing but the traits, for `aead` 0.5 and 0.6.

use core::fmt;
use core::marker::PhantomData;

use manyfish_sys::InOut;
use zeroize::ZeroizeOnDrop;

#[cfg(not(feature = "aead-0-6"))]
use aead05::consts::{U12, U16};
#[cfg(feature = "aead-0-6")]
use aead06::consts::{U12, U16};

use super::Blocks;
use crate::{Error, TAG_BYTES};

/// A key ready for whole messages, as the traits see it.
pub(super) trait Messages: Sized {
    /// `None` if there are no keys of this length.
    fn expand(key: &[u8]) -> Option<Self>;
    fn encrypt_message(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
    ) -> Result<[u8; TAG_BYTES], Error>;
    fn decrypt_message(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
        tag: &[u8],
    ) -> Result<(), Error>;
}

impl Messages for crate::Ocb {
    fn expand(key: &[u8]) -> Option<Self> {
        crate::Twofish::expand(key).map(|key| Self::new(&key))
    }

    fn encrypt_message(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
    ) -> Result<[u8; TAG_BYTES], Error> {
        self.encrypt(nonce, aad, data)
    }

    fn decrypt_message(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
        tag: &[u8],
    ) -> Result<(), Error> {
        self.decrypt(nonce, aad, data, tag.try_into().map_err(|_| Error::Tag)?)
    }
}

impl Messages for crate::Siv {
    /// Equal halves are not refused: the traits have no error for them.
    fn expand(key: &[u8]) -> Option<Self> {
        let (s2v, ctr) = key.split_at(key.len() / 2);
        if s2v.len() != ctr.len() {
            return None;
        }
        Some(Self::new(&crate::Twofish::expand(s2v)?, &crate::Twofish::expand(ctr)?))
    }

    fn encrypt_message(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
    ) -> Result<[u8; TAG_BYTES], Error> {
        self.encrypt(nonce, &[aad], data)
    }

    fn decrypt_message(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
        tag: &[u8],
    ) -> Result<(), Error> {
        self.decrypt(nonce, &[aad], data, tag.try_into().map_err(|_| Error::Tag)?)
    }
}

/// A mode with tags of several lengths; here they have 16 bytes.
macro_rules! messages {
    ($($mode:ident)*) => {$(
        impl Messages for crate::$mode {
            fn expand(key: &[u8]) -> Option<Self> {
                crate::Twofish::expand(key).map(|key| Self::new(&key))
            }

            fn encrypt_message(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: &InOut,
            ) -> Result<[u8; TAG_BYTES], Error> {
                let tag = self.encrypt(nonce, aad, data)?;
                Ok((*tag).try_into().expect("made for tags of 16 bytes"))
            }

            fn decrypt_message(&self, nonce: &[u8], aad: &[u8], data: &InOut, tag: &[u8]) -> Result<(), Error> {
                self.decrypt(nonce, aad, data, tag)
            }
        }
    )*};
}

messages! { Eax Gcm Ccm }

macro_rules! traits_only {
    ($(#[$about:meta])* $name:ident, $nonce:ty, $nonce_bytes:pat, $lengths:literal) => {
        $(#[$about])*
        #[doc = ""]
        #[doc = concat!("Nonces have `N` bytes, ", $lengths, "; another number does not compile. Tags have 16.")]
        pub struct $name<N = $nonce> {
            pub(super) mode: crate::$name,
            nonce: PhantomData<N>,
        }

        impl<N> $name<N> {
            pub(super) const fn takes_nonces_of(n_bytes: usize) -> bool {
                matches!(n_bytes, $nonce_bytes)
            }

            pub(super) fn expand(key: &[u8]) -> Option<Self> {
                let mode = <crate::$name as Messages>::expand(key)?;
                Some(Self { mode, nonce: PhantomData })
            }
        }

        impl<N> Clone for $name<N> {
            fn clone(&self) -> Self {
                Self { mode: self.mode.clone(), nonce: PhantomData }
            }
        }

        /// The name alone.
        impl<N> fmt::Debug for $name<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), " { ... }"))
            }
        }

        impl<N> ZeroizeOnDrop for $name<N> {}
    };
}

traits_only!(
    /// OCB3 \[RFC7253\], the mode to prefer.
    Ocb, U12, 1..=15, "1 to 15"
);
traits_only!(
    /// EAX \[EAX04\].
    Eax, U16, _, "any number"
);
traits_only!(
    /// GCM \[SP800-38D\].
    Gcm, U12, 1.., "1 and more"
);
traits_only!(
    /// CCM \[SP800-38C\].
    Ccm, U12, 7..=13, "7 to 13"
);
traits_only!(
    /// SIV \[RFC5297\] with a nonce, whose tag stands in front of the ciphertext. Its keys are two keys of
    /// Twofish, 32, 48 or 64 bytes; that they differ is for the caller to see to.
    Siv, U16, _, "any number"
);

/// With a kernel that was chosen, and tags of 16 bytes.
macro_rules! from_key {
    ($($name:ident)*) => {$(
        impl<N> From<&crate::Twofish> for $name<N> {
            fn from(key: &crate::Twofish) -> Self {
                Self { mode: crate::$name::new(key), nonce: PhantomData }
            }
        }
    )*};
}

from_key! { Ocb Eax Gcm Ccm }
