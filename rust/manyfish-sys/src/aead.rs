// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/aead.h>`: whole messages in EAX, GCM, CCM and SIV. Nothing here is written after `new`: a
//! message works on a copy of the C structure, so any number of threads may use one at once. A clone shares
//! the key. On [`Status::TAG`] the output is wiped.

use core::ffi::c_void;
use core::{array, ptr};

use crate::cipher::Sealed as _;
use crate::ffi::{
    MF_SIV_MAX_STRINGS, MF_SIV_TAG_BYTES, mf_ccm, mf_eax, mf_gcm, mf_siv, mf_siv_string,
};
use crate::state::{CStruct, State};
use crate::{InOut, Key, Status, Twofish, ffi};

impl CStruct for mf_eax {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_eax_wipe;

    fn point_to(&mut self, key: *const c_void) {
        self.aad.point_to(key);
        self.text.point_to(key);
        self.ctr.point_to(key);
    }
}

impl CStruct for mf_gcm {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_gcm_wipe;

    fn point_to(&mut self, key: *const c_void) {
        self.cipher.key = key;
        self.ctr.point_to(key);
    }
}

impl CStruct for mf_ccm {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_ccm_wipe;

    fn point_to(&mut self, key: *const c_void) {
        self.cipher.key = key;
        self.ctr.point_to(key);
    }
}

impl CStruct for mf_siv {
    const WIPE: unsafe extern "C" fn(*mut Self) = ffi::mf_siv_wipe;

    /// The key for S2V; the other one stays.
    fn point_to(&mut self, key: *const c_void) {
        self.s2v.point_to(key);
    }
}

/// A mode with one key and tags of several lengths, from the names that it has in C.
macro_rules! one_key_aead {
    (
        $(#[$about:meta])* $name:ident, $key:ident, $structure:ident,
        $init:path, $encrypt:path, $decrypt:path
    ) => {
        $(#[$about])*
        #[allow(missing_debug_implementations)] // it holds secrets made from the key
        pub struct $name {
            state: State<$structure>,
            key: $key,
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                Self { state: self.state.copy(), key: self.key.clone() }
            }
        }

        impl $name {
            /// Computes what the mode needs once per key.
            pub fn new(key: impl Into<$key>) -> Result<Self, Status> {
                let key = key.into();
                let cipher = key.cipher();
                // SAFETY: the init function fills the place; cipher is copied.
                let state = unsafe { State::new(|place| $init(place, &raw const cipher)) };
                Ok(Self { state: state?, key })
            }

            /// The key at work.
            #[must_use]
            pub fn key(&self) -> &$key {
                &self.key
            }

            /// For a message in pieces: a copy of the state, and the key.
            pub(crate) fn parts(&self) -> (State<$structure>, $key) {
                (self.state.copy(), self.key.clone())
            }

            /// For many messages at once.
            #[cfg(feature = "std")]
            pub(crate) fn structure(&self) -> &$structure {
                self.state.get()
            }

            /// Encrypts a whole message and writes its tag, as many bytes as `tag` has.
            pub fn encrypt(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: &InOut,
                tag: &mut [u8],
            ) -> Result<(), Status> {
                let mut message = self.state.copy();
                // SAFETY: the copy is filled and its key is alive in self; nonce, aad, data and tag
                // are slices of the lengths given, tag apart from the others.
                unsafe {
                    $encrypt(
                        message.at(&self.key),
                        nonce.as_ptr().cast(),
                        nonce.len(),
                        aad.as_ptr().cast(),
                        aad.len(),
                        data.out(),
                        data.input(),
                        data.n_bytes(),
                        tag.as_mut_ptr(),
                        tag.len(),
                    )
                }
                .check()
            }

            /// Decrypts a whole message.
            pub fn decrypt(
                &self,
                nonce: &[u8],
                aad: &[u8],
                data: &InOut,
                tag: &[u8],
            ) -> Result<(), Status> {
                let mut message = self.state.copy();
                // SAFETY: as in encrypt.
                unsafe {
                    $decrypt(
                        message.at(&self.key),
                        nonce.as_ptr().cast(),
                        nonce.len(),
                        aad.as_ptr().cast(),
                        aad.len(),
                        data.out(),
                        data.input(),
                        data.n_bytes(),
                        tag.as_ptr(),
                        tag.len(),
                    )
                }
                .check()
            }
        }
    };
}

one_key_aead!(
    /// A key of any cipher made ready for EAX.
    Eax, Key, mf_eax, ffi::mf_eax_init, ffi::mf_eax_encrypt, ffi::mf_eax_decrypt
);

one_key_aead!(
    /// A key made ready for GCM; its nonce is called IV there.
    Gcm, Twofish, mf_gcm, ffi::mf_gcm_init, ffi::mf_gcm_encrypt, ffi::mf_gcm_decrypt
);

/// A key for CCM, which computes nothing once per key.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // it holds a key
pub struct Ccm {
    key: Twofish,
}

impl Ccm {
    /// Cannot fail; the same as the other modes'.
    pub fn new(key: Twofish) -> Result<Self, Status> {
        Ok(Self { key })
    }

    /// The key at work.
    #[must_use]
    pub fn key(&self) -> &Twofish {
        &self.key
    }

    /// Starts a message in pieces of which all lengths are known: what a [`CcmMessage`](crate::CcmMessage) holds.
    pub(crate) fn begin(
        &self,
        nonce: &[u8],
        aad_bytes: u64,
        n_bytes: u64,
        tag_bytes: usize,
    ) -> Result<State<mf_ccm>, Status> {
        let cipher = self.key.cipher();
        let (from, nonce_bytes) = (nonce.as_ptr().cast(), nonce.len());
        let start = |place| {
            // SAFETY: place is memory for the structure; cipher is copied; nonce is a slice.
            unsafe {
                let cipher = &raw const cipher;
                ffi::mf_ccm_start(place, cipher, from, nonce_bytes, aad_bytes, n_bytes, tag_bytes)
            }
        };
        // SAFETY: mf_ccm_start fills the place, or returns an error.
        unsafe { State::new(start) }
    }

    /// For many messages at once, which take the cipher alone.
    #[cfg(feature = "std")]
    pub(crate) fn structure(&self) -> ffi::mf_cipher {
        self.key.cipher()
    }

    /// Encrypts a whole message and writes its tag, as many bytes as `tag` has.
    pub fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
        tag: &mut [u8],
    ) -> Result<(), Status> {
        let cipher = self.key.cipher();
        // SAFETY: the cipher's key outlives the call; nonce, aad, data and tag are slices of the
        // lengths given, tag apart from the others.
        unsafe {
            ffi::mf_ccm_encrypt(
                &raw const cipher,
                nonce.as_ptr().cast(),
                nonce.len(),
                aad.as_ptr().cast(),
                aad.len(),
                data.out(),
                data.input(),
                data.n_bytes(),
                tag.as_mut_ptr(),
                tag.len(),
            )
        }
        .check()
    }

    /// Decrypts a whole message.
    pub fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &InOut,
        tag: &[u8],
    ) -> Result<(), Status> {
        let cipher = self.key.cipher();
        // SAFETY: as in encrypt.
        unsafe {
            ffi::mf_ccm_decrypt(
                &raw const cipher,
                nonce.as_ptr().cast(),
                nonce.len(),
                aad.as_ptr().cast(),
                aad.len(),
                data.out(),
                data.input(),
                data.n_bytes(),
                tag.as_ptr(),
                tag.len(),
            )
        }
        .check()
    }
}

/// Two keys made ready for SIV.
#[allow(missing_debug_implementations)] // it holds subkeys
pub struct Siv {
    state: State<mf_siv>,
    s2v: Twofish,
    ctr: Twofish,
}

impl Clone for Siv {
    fn clone(&self) -> Self {
        Self { state: self.state.copy(), s2v: self.s2v.clone(), ctr: self.ctr.clone() }
    }
}

impl Siv {
    /// Takes K1 and K2 of the standard, which must be independent.
    pub fn new(s2v: Twofish, ctr: Twofish) -> Result<Self, Status> {
        let (first, second) = (s2v.cipher(), ctr.cipher());
        // SAFETY: mf_siv_init fills the place; both ciphers are copied.
        let state = unsafe {
            State::new(|place| ffi::mf_siv_init(place, &raw const first, &raw const second))
        };
        Ok(Self { state: state?, s2v, ctr })
    }

    /// The first key.
    #[must_use]
    pub fn key(&self) -> &Twofish {
        &self.s2v
    }

    /// For many messages at once.
    #[cfg(feature = "std")]
    pub(crate) fn structure(&self) -> &mf_siv {
        self.state.get()
    }

    /// A copy for one message, which points to the second key where that is now.
    fn message(&self) -> State<mf_siv> {
        let mut message = self.state.copy();
        message.get_mut().ctr.key = self.ctr.cipher().key;
        message
    }

    /// Encrypts a whole message and returns its tag, the synthetic IV.
    pub fn encrypt(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &InOut,
    ) -> Result<[u8; MF_SIV_TAG_BYTES], Status> {
        let (aad, n_aad) = strings(aad)?;
        let mut message = self.message();
        let mut tag = [0; MF_SIV_TAG_BYTES];
        // SAFETY: message is filled and its keys are alive in self; aad are slices, as nonce and data
        // are; tag is a buffer of its own.
        unsafe {
            ffi::mf_siv_encrypt(
                message.at(&self.s2v),
                aad.as_ptr(),
                n_aad,
                nonce.as_ptr().cast(),
                nonce.len(),
                data.out(),
                data.input(),
                data.n_bytes(),
                tag.as_mut_ptr(),
            )
        }
        .check()?;
        Ok(tag)
    }

    /// Decrypts a whole message.
    pub fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[&[u8]],
        data: &InOut,
        tag: &[u8; MF_SIV_TAG_BYTES],
    ) -> Result<(), Status> {
        let (aad, n_aad) = strings(aad)?;
        let mut message = self.message();
        // SAFETY: as in encrypt.
        unsafe {
            ffi::mf_siv_decrypt(
                message.at(&self.s2v),
                aad.as_ptr(),
                n_aad,
                nonce.as_ptr().cast(),
                nonce.len(),
                data.out(),
                data.input(),
                data.n_bytes(),
                tag.as_ptr(),
            )
        }
        .check()
    }
}

/// Strings of associated data as C takes them, good for as long as they are borrowed, and how many they are.
fn strings(aad: &[&[u8]]) -> Result<([mf_siv_string; MF_SIV_MAX_STRINGS], usize), Status> {
    if aad.len() > MF_SIV_MAX_STRINGS {
        return Err(Status::TOO_LONG);
    }
    let string = |i: usize| {
        let (data, n_bytes) =
            aad.get(i).map_or((ptr::null(), 0), |s: &&[u8]| (s.as_ptr().cast(), s.len()));
        mf_siv_string { data, n_bytes }
    };
    Ok((array::from_fn(string), aad.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::is_wiped;

    #[test]
    fn secrets_are_wiped() {
        let key = Twofish::new(None, &[7; 16]).unwrap();
        assert!(is_wiped(&Eax::new(key.clone()).unwrap().state));
        assert!(is_wiped(&Gcm::new(key.clone()).unwrap().state));
        assert!(is_wiped(&Siv::new(key.clone(), key).unwrap().state));
    }
}
