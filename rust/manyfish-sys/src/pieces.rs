// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/aead.h>`: authenticated messages in pieces. A clone goes on with the same message
//! independently. What decryption gives before `decrypt_finish` has said so is not authenticated.
//! After an error other than [`Status::TAG`] a message goes on as if the call had not been made.

use crate::ffi::{MF_OCB_TAG_BYTES, mf_eax, mf_gcm, mf_ocb, mf_status};
use crate::state::State;
use crate::{Eax, Gcm, InOut, Ocb, Status, Twofish, ffi};

mod sealed {
    /// Only the messages of this crate.
    pub trait Sealed {}
}

/// A message in work, for code that serves all modes.
pub trait Message: sealed::Sealed + Clone + Send + Sync {
    /// The next piece of associated data.
    fn aad(&mut self, aad: &[u8]) -> Result<(), Status>;
    /// Encrypts the next piece; in OCB of whole blocks, else [`Status::LENGTH`].
    fn encrypt(&mut self, data: &InOut) -> Result<(), Status>;
    /// Decrypts the next piece, likewise.
    fn decrypt(&mut self, data: &InOut) -> Result<(), Status>;
    /// Encrypts the last piece, of any length, and writes the tag.
    fn encrypt_finish(self, data: &InOut, tag: &mut [u8]) -> Result<(), Status>;
    /// Decrypts the last piece and compares the tag; on [`Status::TAG`] the piece is wiped.
    fn decrypt_finish(self, data: &InOut, tag: &[u8]) -> Result<(), Status>;
    /// The key at work.
    fn key(&self) -> &Twofish;
}

/// A message of one mode, from the names that it has in C. `start` stands at the mode's type.
macro_rules! message {
    (
        $(#[$about:meta])* $name:ident, $mode:ident, $structure:ident, $start:path, $aad:path,
        $encrypt:path, $decrypt:path, $encrypt_finish:path, $decrypt_finish:path
    ) => {
        $(#[$about])*
        #[allow(missing_debug_implementations)] // it holds secrets
        pub struct $name {
            state: State<$structure>,
            key: Twofish,
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                Self { state: self.state.copy(), key: self.key.clone() }
            }
        }

        impl $mode {
            /// Starts a message in pieces.
            pub fn start(&self, nonce: &[u8]) -> Result<$name, Status> {
                let (mut state, key) = self.parts();
                let (from, n_bytes) = (nonce.as_ptr().cast(), nonce.len());
                // SAFETY: the copy is filled and its key goes with it; nonce is a slice.
                unsafe { $start(state.at(&key), from, n_bytes) }.check()?;
                Ok($name { state, key })
            }
        }

        impl sealed::Sealed for $name {}

        impl Message for $name {
            fn aad(&mut self, aad: &[u8]) -> Result<(), Status> {
                // SAFETY: state is filled, its key is alive in self; aad is a slice.
                unsafe { $aad(self.state.at(&self.key), aad.as_ptr().cast(), aad.len()) }.check()
            }

            fn encrypt(&mut self, data: &InOut) -> Result<(), Status> {
                let (out, input, n_bytes) = (data.out(), data.input(), data.n_bytes());
                // SAFETY: as in aad; data spans n_bytes on both sides.
                unsafe { $encrypt(self.state.at(&self.key), out, input, n_bytes) }.check()
            }

            fn decrypt(&mut self, data: &InOut) -> Result<(), Status> {
                let (out, input, n_bytes) = (data.out(), data.input(), data.n_bytes());
                // SAFETY: as in encrypt.
                unsafe { $decrypt(self.state.at(&self.key), out, input, n_bytes) }.check()
            }

            fn encrypt_finish(mut self, data: &InOut, tag: &mut [u8]) -> Result<(), Status> {
                let (out, input, n_bytes) = (data.out(), data.input(), data.n_bytes());
                let state = self.state.at(&self.key);
                // SAFETY: as in encrypt; tag is a slice apart from data.
                unsafe { $encrypt_finish(state, out, input, n_bytes, tag.as_mut_ptr(), tag.len()) }
                    .check()
            }

            fn decrypt_finish(mut self, data: &InOut, tag: &[u8]) -> Result<(), Status> {
                let (out, input, n_bytes) = (data.out(), data.input(), data.n_bytes());
                let state = self.state.at(&self.key);
                // SAFETY: as in encrypt_finish.
                unsafe { $decrypt_finish(state, out, input, n_bytes, tag.as_ptr(), tag.len()) }
                    .check()
            }

            fn key(&self) -> &Twofish {
                &self.key
            }
        }
    };
}

/// A piece of whole blocks: nothing waits.
macro_rules! ocb_update {
    ($name:ident, $update:path) => {
        /// # Safety
        /// As the C function asks; `out` has `n_bytes` bytes.
        unsafe fn $name(
            ocb: *mut mf_ocb,
            out: *mut core::ffi::c_void,
            input: *const core::ffi::c_void,
            n_bytes: usize,
        ) -> mf_status {
            let mut out_bytes = 0;
            if n_bytes % 16 != 0 {
                return ffi::MF_ERROR_LENGTH;
            }
            // SAFETY: the caller's promise.
            unsafe { $update(ocb, out, n_bytes, &raw mut out_bytes, input, n_bytes) }
        }
    };
}
ocb_update!(ocb_encrypt_update, ffi::mf_ocb_encrypt_update);
ocb_update!(ocb_decrypt_update, ffi::mf_ocb_decrypt_update);

/// The tag of OCB has one length, which its functions do not take.
///
/// # Safety
/// As the C function asks; `tag` has `tag_bytes` bytes.
unsafe fn ocb_encrypt_finish(
    ocb: *mut mf_ocb,
    out: *mut core::ffi::c_void,
    input: *const core::ffi::c_void,
    n_bytes: usize,
    tag: *mut u8,
    tag_bytes: usize,
) -> mf_status {
    if tag_bytes != MF_OCB_TAG_BYTES {
        return ffi::MF_ERROR_TAG_LENGTH;
    }
    let mut out_bytes = 0;
    // SAFETY: the caller's promise.
    unsafe {
        ffi::mf_ocb_encrypt_finish(ocb, out, n_bytes, &raw mut out_bytes, input, n_bytes, tag)
    }
}

/// The same.
///
/// # Safety
/// As [`ocb_encrypt_finish`].
unsafe fn ocb_decrypt_finish(
    ocb: *mut mf_ocb,
    out: *mut core::ffi::c_void,
    input: *const core::ffi::c_void,
    n_bytes: usize,
    tag: *const u8,
    tag_bytes: usize,
) -> mf_status {
    if tag_bytes != MF_OCB_TAG_BYTES {
        return ffi::MF_ERROR_TAG_LENGTH;
    }
    let mut out_bytes = 0;
    // SAFETY: the caller's promise.
    unsafe {
        ffi::mf_ocb_decrypt_finish(ocb, out, n_bytes, &raw mut out_bytes, input, n_bytes, tag)
    }
}

message!(
    /// A message in OCB. All pieces but the last have whole blocks of 16 bytes.
    OcbMessage, Ocb, mf_ocb, ffi::mf_ocb_start, ffi::mf_ocb_aad,
    ocb_encrypt_update, ocb_decrypt_update, ocb_encrypt_finish, ocb_decrypt_finish
);

message!(
    /// A message in EAX.
    EaxMessage, Eax, mf_eax, ffi::mf_eax_start, ffi::mf_eax_aad,
    ffi::mf_eax_encrypt_update, ffi::mf_eax_decrypt_update,
    ffi::mf_eax_encrypt_finish, ffi::mf_eax_decrypt_finish
);

message!(
    /// A message in GCM; the associated data comes first, else [`Status::STATE`].
    GcmMessage, Gcm, mf_gcm, ffi::mf_gcm_start, ffi::mf_gcm_aad,
    ffi::mf_gcm_encrypt_update, ffi::mf_gcm_decrypt_update,
    ffi::mf_gcm_encrypt_finish, ffi::mf_gcm_decrypt_finish
);

impl OcbMessage {
    /// The key stream for a last piece of 1 to 15 bytes that comes next, `E_K(Offset_*)`: for interfaces
    /// that give out the plaintext before they are told the tag. [RFC7253, 4.2, 4.3]
    pub fn last_pad(&self) -> Result<[u8; 16], Status> {
        let ocb = self.state.get();
        let mut pad = ocb.offset;
        pad.iter_mut().zip(ocb.l_star).for_each(|(pad, l_star)| *pad ^= l_star);
        self.key.encrypt_blocks(&InOut::in_place(&mut pad))?;
        Ok(pad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::is_wiped;

    fn key() -> Twofish {
        Twofish::new(None, &[7; 16]).unwrap()
    }

    #[test]
    fn messages_are_wiped() {
        let mut data = [1; 16];
        let mut ocb = Ocb::new(key()).unwrap().start(b"nonce").unwrap();
        ocb.encrypt(&InOut::in_place(&mut data)).unwrap();
        assert!(is_wiped(&ocb.state));
        let mut eax = Eax::new(key()).unwrap().start(b"nonce").unwrap();
        eax.encrypt(&InOut::in_place(&mut data)).unwrap();
        assert!(is_wiped(&eax.state));
        let mut gcm = Gcm::new(key()).unwrap().start(b"nonce").unwrap();
        gcm.encrypt(&InOut::in_place(&mut data)).unwrap();
        assert!(is_wiped(&gcm.state));
    }

    #[test]
    fn the_last_pad_decrypts_the_last_piece() {
        let ocb = Ocb::new(key()).unwrap();
        for n_bytes in [1, 15, 17, 16 * 300 + 9] {
            let plain: Vec<u8> = (0..n_bytes).map(|i| u8::try_from(i % 251).unwrap()).collect();
            let mut data = plain.clone();
            ocb.encrypt(b"nonce", b"", &InOut::in_place(&mut data)).unwrap();
            let whole = n_bytes - n_bytes % 16;
            let mut message = ocb.start(b"nonce").unwrap();
            message.decrypt(&InOut::in_place(&mut data[..whole])).unwrap();
            let pad = message.last_pad().unwrap();
            data[whole..].iter_mut().zip(pad).for_each(|(byte, pad)| *byte ^= pad);
            assert_eq!(data, plain);
        }
    }

    #[test]
    fn tags_of_ocb_have_16_bytes() {
        let message = Ocb::new(key()).unwrap().start(b"nonce").unwrap();
        let (mut none, mut tag) = ([], [0; 15]);
        let data = InOut::in_place(&mut none);
        assert_eq!(message.clone().encrypt_finish(&data, &mut tag), Err(Status::TAG_LENGTH));
        assert_eq!(message.decrypt_finish(&data, &tag), Err(Status::TAG_LENGTH));
    }
}
