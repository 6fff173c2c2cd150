// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `aead` 0.5.

use aead05::consts::{U0, U16, U32, U64};
use aead05::generic_array::ArrayLength;
use aead05::{AeadCore, AeadInPlace, Buffer, Error, Key, KeyInit, KeySizeUser, Nonce, Result, Tag};
use cipher04::InvalidLength;
use manyfish_sys::InOut;

use super::aead::Messages;
use super::{Ccm, Eax, Gcm, Ocb, Siv};
use crate::TAG_BYTES;

macro_rules! aead {
    ($name:ident, $key:ty, { $($in_place:item)* }) => {
        impl<N: ArrayLength<u8>> KeySizeUser for $name<N> {
            type KeySize = $key;
        }

        impl<N: ArrayLength<u8>> KeyInit for $name<N> {
            fn new(key: &Key<Self>) -> Self {
                const { assert!(Self::takes_nonces_of(N::USIZE), "the mode has no such nonces") }
                Self::expand(key).expect("it has keys of KeySize bytes")
            }

            fn new_from_slice(key: &[u8]) -> core::result::Result<Self, InvalidLength> {
                const { assert!(Self::takes_nonces_of(N::USIZE), "the mode has no such nonces") }
                Self::expand(key).ok_or(InvalidLength)
            }
        }

        impl<N: ArrayLength<u8>> AeadCore for $name<N> {
            type NonceSize = N;
            type TagSize = U16;
            type CiphertextOverhead = U0;
        }

        impl<N: ArrayLength<u8>> AeadInPlace for $name<N> {
            fn encrypt_in_place_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                data: &mut [u8],
            ) -> Result<Tag<Self>> {
                let tag = self.mode.encrypt_message(nonce, aad, &InOut::in_place(data));
                tag.map(Into::into).map_err(|_| Error)
            }

            fn decrypt_in_place_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                data: &mut [u8],
                tag: &Tag<Self>,
            ) -> Result<()> {
                self.mode.decrypt_message(nonce, aad, &InOut::in_place(data), tag).map_err(|_| Error)
            }

            $($in_place)*
        }
    };
}

aead!(Ocb, U32, {});
aead!(Eax, U32, {});
aead!(Gcm, U32, {});
aead!(Ccm, U32, {});
aead!(Siv, U64, {
    fn encrypt_in_place(
        &self,
        nonce: &Nonce<Self>,
        aad: &[u8],
        data: &mut dyn Buffer,
    ) -> Result<()> {
        let n_bytes = data.len();
        data.extend_from_slice(&[0; TAG_BYTES])?;
        data.as_mut().copy_within(..n_bytes, TAG_BYTES);
        let (tag, text) = data.as_mut().split_at_mut(TAG_BYTES);
        tag.copy_from_slice(&self.encrypt_in_place_detached(nonce, aad, text)?);
        Ok(())
    }

    fn decrypt_in_place(
        &self,
        nonce: &Nonce<Self>,
        aad: &[u8],
        data: &mut dyn Buffer,
    ) -> Result<()> {
        let n_bytes = data.len().checked_sub(TAG_BYTES).ok_or(Error)?;
        let (tag, text) = data.as_mut().split_at_mut(TAG_BYTES);
        self.decrypt_in_place_detached(nonce, aad, text, Tag::<Self>::from_slice(tag))?;
        data.as_mut().copy_within(TAG_BYTES.., 0);
        data.truncate(n_bytes);
        Ok(())
    }
});
