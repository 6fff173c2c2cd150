// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `<manyfish/aead.h>`: authenticated messages in pieces of any length. A clone goes on with the same message
//! independently. Decrypted text is unauthenticated until `decrypt_finish` succeeds.
//! After an error other than [`Status::TAG`] a message goes on as if the call had not been made.

use core::ffi::c_void;
use core::marker::PhantomData;

use crate::ffi::{MF_OCB_TAG_BYTES, mf_ccm, mf_eax, mf_gcm, mf_ocb, mf_status};
use crate::state::State;
use crate::{Ccm, Eax, Gcm, InOut, Key, Ocb, Status, Twofish, ffi};

mod sealed {
    use super::{Piece, Status};

    /// Only the messages of this crate: what each mode does with a piece. They return how many bytes come out.
    pub trait Sealed {
        /// The output before the last piece is a multiple of this many bytes.
        const UNIT: usize;
        fn encrypt_piece(&mut self, piece: &Piece) -> Result<usize, Status>;
        fn decrypt_piece(&mut self, piece: &Piece) -> Result<usize, Status>;
        /// The last piece without the tag, where that is another call.
        fn encrypt_last_piece(&mut self, piece: &Piece) -> Result<usize, Status> {
            self.encrypt_piece(piece)
        }
        fn decrypt_last_piece(&mut self, piece: &Piece) -> Result<usize, Status> {
            self.decrypt_piece(piece)
        }
        fn encrypt_end(&mut self, piece: &Piece, tag: &mut [u8]) -> Result<usize, Status>;
        fn decrypt_end(&mut self, piece: &Piece, tag: &[u8]) -> Result<usize, Status>;
    }
}
use sealed::Sealed;

/// Where a call reads `n_bytes` and where it may write `capacity` bytes: the same memory or apart.
#[derive(Debug)]
pub struct Piece<'a> {
    out: *mut c_void,
    capacity: usize,
    input: *const c_void,
    n_bytes: usize,
    lifetime: PhantomData<(&'a mut [u8], &'a [u8])>,
}

impl<'a> Piece<'a> {
    fn joined(data: &'a InOut) -> Self {
        let (out, input, n_bytes) = (data.out(), data.input(), data.n_bytes());
        Self { out, capacity: n_bytes, input, n_bytes, lifetime: PhantomData }
    }

    fn apart(out: &'a mut [u8], input: &'a [u8]) -> Self {
        let (capacity, n_bytes) = (out.len(), input.len());
        let (out, input) = (out.as_mut_ptr().cast(), input.as_ptr().cast());
        Self { out, capacity, input, n_bytes, lifetime: PhantomData }
    }
}

/// A message in work, for code that serves all modes.
pub trait Message: Sealed + Clone + Send + Sync {
    /// The next piece of associated data.
    fn aad(&mut self, aad: &[u8]) -> Result<(), Status>;

    /// How many bytes wait for the rest of their block: 0 but in OCB.
    fn held_bytes(&self) -> usize;

    /// The name of the kernel at work.
    fn kernel(&self) -> &'static str;

    /// How many bytes come out for `n_bytes` more that are not the last ones.
    fn update_bytes(&self, n_bytes: usize) -> usize {
        let total = self.held_bytes() + n_bytes;
        total - total % Self::UNIT
    }

    /// Encrypts the next piece; in OCB of whole blocks after whole blocks, else [`Status::LENGTH`].
    fn encrypt(&mut self, data: &InOut) -> Result<(), Status> {
        comes_out_whole(self, data.n_bytes())?;
        self.encrypt_piece(&Piece::joined(data)).map(drop)
    }

    /// Decrypts the next piece, likewise.
    fn decrypt(&mut self, data: &InOut) -> Result<(), Status> {
        comes_out_whole(self, data.n_bytes())?;
        self.decrypt_piece(&Piece::joined(data)).map(drop)
    }

    /// Encrypts the last piece, of any length, and writes the tag. In OCB after whole blocks.
    fn encrypt_finish(mut self, data: &InOut, tag: &mut [u8]) -> Result<(), Status> {
        comes_out_whole(&self, 0)?;
        self.encrypt_end(&Piece::joined(data), tag).map(drop)
    }

    /// Decrypts the last piece and compares the tag; on [`Status::TAG`] the piece is wiped.
    fn decrypt_finish(mut self, data: &InOut, tag: &[u8]) -> Result<(), Status> {
        comes_out_whole(&self, 0)?;
        self.decrypt_end(&Piece::joined(data), tag).map(drop)
    }

    /// Encrypts the next piece, of any length, to the first bytes of `out`; returns how many come out: in OCB
    /// whole blocks, the rest waits. [`Status::CAPACITY`]
    fn encrypt_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<usize, Status> {
        self.encrypt_piece(&Piece::apart(out, input))
    }

    /// Decrypts the next piece, likewise.
    fn decrypt_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<usize, Status> {
        self.decrypt_piece(&Piece::apart(out, input))
    }

    /// Encrypts the last piece, of any length, without the tag, for interfaces that ask for that later. Only
    /// `encrypt_finish` of no bytes may follow. In OCB after whole blocks.
    fn encrypt_last(&mut self, data: &InOut) -> Result<(), Status> {
        comes_out_whole(self, 0)?;
        self.encrypt_last_piece(&Piece::joined(data)).map(drop)
    }

    /// Decrypts the last piece, likewise.
    fn decrypt_last(&mut self, data: &InOut) -> Result<(), Status> {
        comes_out_whole(self, 0)?;
        self.decrypt_last_piece(&Piece::joined(data)).map(drop)
    }

    /// Encrypts what waits and the last piece, without the tag; returns how many bytes come out.
    fn encrypt_last_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<usize, Status> {
        self.encrypt_last_piece(&Piece::apart(out, input))
    }

    /// Decrypts what waits and the last piece, likewise.
    fn decrypt_last_to(&mut self, out: &mut [u8], input: &[u8]) -> Result<usize, Status> {
        self.decrypt_last_piece(&Piece::apart(out, input))
    }

    /// Encrypts what waits and the last piece, and writes the tag; returns how many bytes come out.
    fn encrypt_finish_to(
        mut self,
        out: &mut [u8],
        input: &[u8],
        tag: &mut [u8],
    ) -> Result<usize, Status> {
        self.encrypt_end(&Piece::apart(out, input), tag)
    }

    /// Decrypts what waits and the last piece, and compares the tag; on [`Status::TAG`] what came out is wiped.
    fn decrypt_finish_to(
        mut self,
        out: &mut [u8],
        input: &[u8],
        tag: &[u8],
    ) -> Result<usize, Status> {
        self.decrypt_end(&Piece::apart(out, input), tag)
    }
}

/// Refuses what would not come out at once, as long as it is.
fn comes_out_whole<M: Message>(message: &M, n_bytes: usize) -> Result<(), Status> {
    let fits = message.held_bytes() == 0 && n_bytes.is_multiple_of(M::UNIT);
    if fits { Ok(()) } else { Err(Status::LENGTH) }
}

/// The modes whose output is as long as the input, as if they told it and checked the room.
macro_rules! same_length {
    ($structure:ident: $(
        $name:ident = $function:path $(, $tag:ident: $pointer:ty, $tag_bytes:ident)?;
    )*) => {$(
        /// # Safety
        /// As the C function asks.
        unsafe fn $name(
            state: *mut $structure,
            piece: &Piece,
            written: &mut usize,
            $($tag: $pointer, $tag_bytes: usize,)?
        ) -> mf_status {
            let &Piece { out, capacity, input, n_bytes, .. } = piece;
            if capacity < n_bytes {
                return ffi::MF_ERROR_CAPACITY;
            }
            *written = n_bytes;
            // SAFETY: the caller's promise.
            unsafe { $function(state, out, input, n_bytes $(, $tag, $tag_bytes)?) }
        }
    )*};
}

same_length! { mf_eax:
    eax_encrypt = ffi::mf_eax_encrypt_update;
    eax_decrypt = ffi::mf_eax_decrypt_update;
    eax_encrypt_finish = ffi::mf_eax_encrypt_finish, tag: *mut u8, tag_bytes;
    eax_decrypt_finish = ffi::mf_eax_decrypt_finish, tag: *const u8, tag_bytes;
}
same_length! { mf_gcm:
    gcm_encrypt = ffi::mf_gcm_encrypt_update;
    gcm_decrypt = ffi::mf_gcm_decrypt_update;
    gcm_encrypt_finish = ffi::mf_gcm_encrypt_finish, tag: *mut u8, tag_bytes;
    gcm_decrypt_finish = ffi::mf_gcm_decrypt_finish, tag: *const u8, tag_bytes;
}
same_length! { mf_ccm:
    ccm_encrypt = ffi::mf_ccm_encrypt_update;
    ccm_decrypt = ffi::mf_ccm_decrypt_update;
    ccm_encrypt_finish = ffi::mf_ccm_encrypt_finish, tag: *mut u8, tag_bytes;
    ccm_decrypt_finish = ffi::mf_ccm_decrypt_finish, tag: *const u8, tag_bytes;
}

/// OCB, whose tag has one length, which its functions do not take.
macro_rules! ocb {
    ($($name:ident = $function:path $(, $tag:ident: $pointer:ty, $tag_bytes:ident)?;)*) => {$(
        /// # Safety
        /// As the C function asks.
        unsafe fn $name(
            ocb: *mut mf_ocb,
            piece: &Piece,
            written: &mut usize,
            $($tag: $pointer, $tag_bytes: usize,)?
        ) -> mf_status {
            let &Piece { out, capacity, input, n_bytes, .. } = piece;
            $(if $tag_bytes != MF_OCB_TAG_BYTES {
                return ffi::MF_ERROR_TAG_LENGTH;
            })?
            // SAFETY: the caller's promise.
            unsafe { $function(ocb, out, capacity, written, input, n_bytes $(, $tag)?) }
        }
    )*};
}
ocb! {
    ocb_encrypt = ffi::mf_ocb_encrypt_update;
    ocb_decrypt = ffi::mf_ocb_decrypt_update;
    ocb_encrypt_last = ffi::mf_ocb_encrypt_last;
    ocb_decrypt_last = ffi::mf_ocb_decrypt_last;
    ocb_encrypt_finish = ffi::mf_ocb_encrypt_finish, tag: *mut u8, tag_bytes;
    ocb_decrypt_finish = ffi::mf_ocb_decrypt_finish, tag: *const u8, tag_bytes;
}

/// A message of one mode, from the names that it has in C.
macro_rules! message {
    (
        $(#[$about:meta])* $name:ident, $key:ident, $structure:ident, $aad:path,
        $encrypt:path, $decrypt:path, $encrypt_finish:path, $decrypt_finish:path,
        unit: $unit:literal, held: $held:expr
        $(, last: $encrypt_last:path, $decrypt_last:path)?
    ) => {
        $(#[$about])*
        #[allow(missing_debug_implementations)] // it holds secrets
        pub struct $name {
            state: State<$structure>,
            key: $key,
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                Self { state: self.state.copy(), key: self.key.clone() }
            }
        }

        impl Sealed for $name {
            const UNIT: usize = $unit;

            fn encrypt_piece(&mut self, piece: &Piece) -> Result<usize, Status> {
                let mut written = 0;
                // SAFETY: state is filled, its key is alive in self; piece comes of borrowed memory.
                unsafe { $encrypt(self.state.at(&self.key), piece, &mut written) }.check()?;
                Ok(written)
            }

            fn decrypt_piece(&mut self, piece: &Piece) -> Result<usize, Status> {
                let mut written = 0;
                // SAFETY: as in encrypt_piece.
                unsafe { $decrypt(self.state.at(&self.key), piece, &mut written) }.check()?;
                Ok(written)
            }

            $(
                fn encrypt_last_piece(&mut self, piece: &Piece) -> Result<usize, Status> {
                    let mut written = 0;
                    // SAFETY: as in encrypt_piece.
                    unsafe { $encrypt_last(self.state.at(&self.key), piece, &mut written) }
                        .check()?;
                    Ok(written)
                }

                fn decrypt_last_piece(&mut self, piece: &Piece) -> Result<usize, Status> {
                    let mut written = 0;
                    // SAFETY: as in encrypt_piece.
                    unsafe { $decrypt_last(self.state.at(&self.key), piece, &mut written) }
                        .check()?;
                    Ok(written)
                }
            )?

            fn encrypt_end(&mut self, piece: &Piece, tag: &mut [u8]) -> Result<usize, Status> {
                let (state, mut written) = (self.state.at(&self.key), 0);
                let (tag, tag_bytes) = (tag.as_mut_ptr(), tag.len());
                // SAFETY: as in encrypt_piece; tag is a slice apart from the piece.
                unsafe { $encrypt_finish(state, piece, &mut written, tag, tag_bytes) }.check()?;
                Ok(written)
            }

            fn decrypt_end(&mut self, piece: &Piece, tag: &[u8]) -> Result<usize, Status> {
                let (state, mut written) = (self.state.at(&self.key), 0);
                let (tag, tag_bytes) = (tag.as_ptr(), tag.len());
                // SAFETY: as in encrypt_end.
                unsafe { $decrypt_finish(state, piece, &mut written, tag, tag_bytes) }.check()?;
                Ok(written)
            }
        }

        impl Message for $name {
            fn aad(&mut self, aad: &[u8]) -> Result<(), Status> {
                // SAFETY: state is filled, its key is alive in self; aad is a slice.
                unsafe { $aad(self.state.at(&self.key), aad.as_ptr().cast(), aad.len()) }.check()
            }

            fn held_bytes(&self) -> usize {
                let held: fn(&$structure) -> usize = $held;
                held(self.state.get())
            }

            fn kernel(&self) -> &'static str {
                self.key.kernel()
            }
        }
    };
}

message!(
    /// A message in OCB, of which up to 15 bytes wait.
    OcbMessage, Twofish, mf_ocb, ffi::mf_ocb_aad,
    ocb_encrypt, ocb_decrypt, ocb_encrypt_finish, ocb_decrypt_finish,
    unit: 16, held: |ocb| ocb.rest_bytes,
    last: ocb_encrypt_last, ocb_decrypt_last
);

message!(
    /// A message in EAX.
    EaxMessage, Key, mf_eax, ffi::mf_eax_aad,
    eax_encrypt, eax_decrypt, eax_encrypt_finish, eax_decrypt_finish,
    unit: 1, held: |_| 0
);

message!(
    /// A message in GCM; the associated data comes first, else [`Status::STATE`].
    GcmMessage, Twofish, mf_gcm, ffi::mf_gcm_aad,
    gcm_encrypt, gcm_decrypt, gcm_encrypt_finish, gcm_decrypt_finish,
    unit: 1, held: |_| 0
);

message!(
    /// A message in CCM, of the lengths that were declared: more bytes are [`Status::TOO_LONG`]; fewer are
    /// [`Status::LENGTH`], of the associated data when the text begins, of the text with the tag.
    CcmMessage, Twofish, mf_ccm, ffi::mf_ccm_aad,
    ccm_encrypt, ccm_decrypt, ccm_encrypt_finish, ccm_decrypt_finish,
    unit: 1, held: |_| 0
);

/// The modes that compute something once per key.
macro_rules! start {
    ($($mode:ident, $message:ident, $start:path;)*) => {$(
        impl $mode {
            /// Starts a message in pieces.
            pub fn start(&self, nonce: &[u8]) -> Result<$message, Status> {
                let (mut state, key) = self.parts();
                let (from, n_bytes) = (nonce.as_ptr().cast(), nonce.len());
                // SAFETY: the copy is filled and its key goes with it; nonce is a slice.
                unsafe { $start(state.at(&key), from, n_bytes) }.check()?;
                Ok($message { state, key })
            }
        }
    )*};
}
start! {
    Ocb, OcbMessage, ffi::mf_ocb_start;
    Eax, EaxMessage, ffi::mf_eax_start;
    Gcm, GcmMessage, ffi::mf_gcm_start;
}

impl Ccm {
    /// Starts a message in pieces: `aad_bytes` of associated data, then `n_bytes` of text.
    pub fn start(
        &self,
        nonce: &[u8],
        aad_bytes: u64,
        n_bytes: u64,
        tag_bytes: usize,
    ) -> Result<CcmMessage, Status> {
        let state = self.begin(nonce, aad_bytes, n_bytes, tag_bytes)?;
        Ok(CcmMessage { state, key: self.key().clone() })
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
        let mut ccm = Ccm::new(key()).unwrap().start(b"a nonce", 0, 32, 16).unwrap();
        ccm.encrypt(&InOut::in_place(&mut data)).unwrap();
        assert!(is_wiped(&ccm.state));
    }

    #[test]
    fn a_text_may_end_before_its_tag() {
        let ocb = Ocb::new(key()).unwrap();
        let (mut sealed, mut tag, mut out) = ([9; 40], [0; 16], [0; 40]);
        let expected = ocb.encrypt(b"nonce", b"", &InOut::in_place(&mut sealed)).unwrap();
        let none = || InOut::in_place(&mut []);

        let mut message = ocb.start(b"nonce").unwrap();
        assert_eq!(message.encrypt_to(&mut out, &[9; 20]), Ok(16));
        assert_eq!(message.encrypt_last(&none()), Err(Status::LENGTH));
        assert_eq!(message.encrypt_last_to(&mut out[16..], &[9; 20]), Ok(24));
        assert_eq!(message.encrypt_to(&mut out, &[9]), Err(Status::STATE));
        message.encrypt_finish(&none(), &mut tag).unwrap();
        assert_eq!((out, tag), (sealed, expected));

        let mut message = ocb.start(b"nonce").unwrap();
        message.decrypt_last(&InOut::in_place(&mut out)).unwrap();
        message.decrypt_finish(&none(), &tag).unwrap();
        assert_eq!(out, [9; 40]);
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
