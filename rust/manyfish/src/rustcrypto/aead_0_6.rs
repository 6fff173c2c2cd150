// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `aead` 0.6.

use aead06::array::ArraySize;
use aead06::common::InvalidLength;
use aead06::consts::{U16, U32, U64};
use aead06::inout::InOutBuf;
use aead06::{
    AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Result, Tag, TagPosition,
};

use super::aead::Messages;
use super::{Ccm, Eax, Gcm, Ocb, Siv};

macro_rules! aead {
    ($($name:ident, $key:ty, $position:ident;)*) => {$(
        impl<N: ArraySize> KeySizeUser for $name<N> {
            type KeySize = $key;
        }

        impl<N: ArraySize> KeyInit for $name<N> {
            fn new(key: &Key<Self>) -> Self {
                const { assert!(Self::takes_nonces_of(N::USIZE), "the mode has no such nonces") }
                Self::expand(key).expect("it has keys of KeySize bytes")
            }

            fn new_from_slice(key: &[u8]) -> core::result::Result<Self, InvalidLength> {
                const { assert!(Self::takes_nonces_of(N::USIZE), "the mode has no such nonces") }
                Self::expand(key).ok_or(InvalidLength)
            }
        }

        impl<N: ArraySize> AeadCore for $name<N> {
            type NonceSize = N;
            type TagSize = U16;
            const TAG_POSITION: TagPosition = TagPosition::$position;
        }

        impl<N: ArraySize> AeadInOut for $name<N> {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                data: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<Self>> {
                self.mode.encrypt_message(nonce, aad, &data.into()).map(Into::into).map_err(|_| Error)
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                aad: &[u8],
                data: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> Result<()> {
                self.mode.decrypt_message(nonce, aad, &data.into(), tag).map_err(|_| Error)
            }
        }
    )*};
}

aead! {
    Ocb, U32, Postfix;
    Eax, U32, Postfix;
    Gcm, U32, Postfix;
    Ccm, U32, Postfix;
    Siv, U64, Prefix;
}
