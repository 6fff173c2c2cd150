// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/study/variant.h>`: ciphers that are almost Twofish.

use core::ptr;

use crate::ffi::{
    MF_TWOFISH_FAMILY_KEY_BYTES, mf_cipher, mf_twofish_variant, mf_twofish_variation,
};
use crate::shared::Shared;
use crate::twofish::whole_blocks;
use crate::{InOut, Status, ffi};

/// The differences from Twofish.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations)] // it may hold a secret
pub struct Variation<'a> {
    /// 1 to 124; Twofish has 16.
    pub rounds: u32,
    /// Are keys added before the first round and after the last one?
    pub whitening: bool,
    /// A second key that chooses the cipher.
    pub family_key: Option<&'a [u8; MF_TWOFISH_FAMILY_KEY_BYTES]>,
}

/// One expanded key. A clone shares it, and the last owner to go wipes it.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // it holds a key
pub struct TwofishVariant(Shared<Context>);

struct Context(mf_twofish_variant);

impl Context {
    const EMPTY: Self = Self(mf_twofish_variant::EMPTY);
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: self is zero or filled by init.
        unsafe { ffi::mf_twofish_variant_wipe(&raw mut self.0) }
    }
}

impl TwofishVariant {
    /// Expands a key of a multiple of 8 bytes from 16 to 512, or to 32 in a family.
    /// [`Status::KEY_LENGTH`], [`Status::ROUNDS`].
    pub fn new(variation: &Variation, key: &[u8]) -> Result<Self, Status> {
        let for_c = mf_twofish_variation {
            rounds: variation.rounds,
            no_whitening: !variation.whitening,
            family_key: variation.family_key.map_or(ptr::null(), |key| key.as_ptr().cast()),
        };
        let mut context = Shared::new(Context::EMPTY);
        crate::locked::lock_value(&*context);
        let place = Shared::get_mut(&mut context).expect("nobody else has it yet");
        // SAFETY: the context is zero and our own; the others are apart from it and alive.
        unsafe {
            ffi::mf_twofish_variant_init(
                &raw mut place.0,
                &raw const for_c,
                key.as_ptr().cast(),
                key.len(),
            )
        }
        .check()?;
        Ok(Self(context))
    }

    fn as_ptr(&self) -> *const mf_twofish_variant {
        &raw const self.0.0
    }

    /// Encrypts whole blocks, each by itself.
    pub fn encrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        let (out, input) = (data.out(), data.input());
        // SAFETY: the key is set, and data spans 16 * n_blocks bytes on both sides.
        unsafe { ffi::mf_twofish_variant_encrypt_blocks(self.as_ptr(), out, input, n_blocks) }
            .check()
    }

    /// Decrypts whole blocks, each by itself.
    pub fn decrypt_blocks(&self, data: &InOut) -> Result<(), Status> {
        let n_blocks = whole_blocks(data)?;
        let (out, input) = (data.out(), data.input());
        // SAFETY: as in encrypt_blocks.
        unsafe { ffi::mf_twofish_variant_decrypt_blocks(self.as_ptr(), out, input, n_blocks) }
            .check()
    }

    /// The cipher as the modes take it. It holds the address of the key: keep a clone of self
    /// as long as you keep it.
    pub(crate) fn cipher(&self) -> mf_cipher {
        // SAFETY: the key is set; the call only notes its address.
        unsafe { ffi::mf_twofish_variant_cipher(self.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::is_wiped_when_dropped;

    #[test]
    fn keys_are_wiped() {
        let mut context = Context::EMPTY;
        let variation =
            mf_twofish_variation { rounds: 124, no_whitening: false, family_key: ptr::null() };
        // SAFETY: the context is zero; the key has 32 bytes.
        unsafe {
            ffi::mf_twofish_variant_init(
                &raw mut context.0,
                &raw const variation,
                [7; 32].as_ptr().cast(),
                32,
            )
        }
        .check()
        .unwrap();
        assert!(is_wiped_when_dropped(context));
    }
}
