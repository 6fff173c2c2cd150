// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The authenticated modes behind the traits of `aead` 0.5 and 0.6: against RustCrypto's over our cipher, and
//! against our own functions.

#![cfg(all(feature = "aead-0-5", feature = "aead-0-6"))]

use manyfish::rustcrypto::{self, Ccm, Eax, Gcm, Ocb, Siv};

const LENGTHS: [usize; 9] = [0, 1, 15, 16, 17, 31, 1000, 1024, 1041];

/// Some bytes, none like its neighbour.
fn bytes(n_bytes: usize) -> Vec<u8> {
    (1..=251).cycle().take(n_bytes).collect()
}

macro_rules! generation {
    ($name:ident, $aead:ident, $trait:ident, $ocb:ident, $eax:ident) => {
        mod $name {
            use super::*;
            use rustcrypto::$aead::consts::{U1, U7, U8, U13, U15, U16};
            use rustcrypto::$aead::{Aead, Error, Key, KeyInit, Nonce, Payload, $trait};
            use {$eax::Eax as TheirEax, $ocb::Ocb3 as TheirOcb};

            fn nonce<A: $trait>() -> Nonce<A> {
                let mut nonce = Nonce::<A>::default();
                let n_bytes = nonce.len();
                nonce.copy_from_slice(&bytes(n_bytes));
                nonce
            }

            fn same<A: $trait + KeyInit, B: $trait<NonceSize = A::NonceSize> + KeyInit>() {
                let key = bytes(32);
                let (ours, theirs) = (A::new_from_slice(&key), B::new_from_slice(&key));
                let (ours, theirs) = (ours.unwrap(), theirs.unwrap());
                for n_bytes in LENGTHS {
                    let (msg, aad) = (&bytes(n_bytes)[..], &bytes(n_bytes / 2)[..]);
                    let sealed = ours.encrypt(&nonce::<A>(), Payload { msg, aad }).unwrap();
                    let expected = theirs.encrypt(&nonce::<A>(), Payload { msg, aad }).unwrap();
                    assert_eq!(sealed, expected, "{n_bytes} bytes");
                    let opened = ours.decrypt(&nonce::<A>(), Payload { msg: &sealed, aad });
                    assert_eq!(opened.unwrap(), msg);
                }
            }

            #[test]
            fn ocb_and_eax_are_those_of_rustcrypto() {
                same::<Ocb, TheirOcb<rustcrypto::Twofish>>();
                same::<Ocb<U8>, TheirOcb<rustcrypto::Twofish, U8>>();
                same::<Ocb<U15>, TheirOcb<rustcrypto::Twofish, U15>>();
                same::<Eax, TheirEax<rustcrypto::Twofish>>();
            }

            /// Against our own functions.
            fn agrees<A: $trait + KeyInit>(
                key: &[u8],
                is_tag_first: bool,
                seal: impl Fn(&[u8], &[u8], &mut [u8]) -> Vec<u8>,
            ) {
                let (mode, aad) = (A::new_from_slice(key).unwrap(), &bytes(20)[..]);
                for n_bytes in LENGTHS {
                    let (msg, mut text) = (&bytes(n_bytes)[..], bytes(n_bytes));
                    let tag = seal(&nonce::<A>(), aad, &mut text);
                    let parts = if is_tag_first { [tag, text] } else { [text, tag] };
                    let sealed = mode.encrypt(&nonce::<A>(), Payload { msg, aad }).unwrap();
                    assert_eq!(sealed, parts.concat(), "{n_bytes} bytes");
                    opens_nothing_else(&mode, &sealed, msg, aad);
                }
            }

            fn opens_nothing_else<A: $trait>(mode: &A, sealed: &[u8], msg: &[u8], aad: &[u8]) {
                let nonce = nonce::<A>();
                let open = |msg: &[u8], aad: &[u8]| mode.decrypt(&nonce, Payload { msg, aad });
                assert_eq!(open(sealed, aad).unwrap(), msg);
                assert_eq!(open(sealed, &aad[1..]), Err(Error));
                for n_bytes in (0..16).chain([sealed.len() - 1]) {
                    assert_eq!(open(&sealed[..n_bytes], aad), Err(Error), "{n_bytes} bytes");
                }
                for place in [0, sealed.len() / 2, sealed.len() - 1] {
                    let mut changed = sealed.to_vec();
                    changed[place] ^= 0x10;
                    assert_eq!(open(&changed, aad), Err(Error));
                    let opened = mode.decrypt_in_place(&nonce, aad, &mut changed);
                    assert_eq!(opened, Err(Error));
                    let n_zeros = changed.iter().filter(|byte| **byte == 0).count();
                    assert!(n_zeros >= msg.len(), "the plaintext is wiped");
                }
            }

            #[test]
            fn modes_are_those_of_direct_calls() {
                macro_rules! direct {
                    ($mode:ident<$nonce:ty>) => {
                        for key_bytes in [16, 24, 32] {
                            let key = bytes(key_bytes);
                            let ours = manyfish::$mode::new(&manyfish::Twofish::new(&key).unwrap());
                            agrees::<$mode<$nonce>>(&key, false, |nonce, aad, text| {
                                ours.seal(nonce, aad, text).unwrap().to_vec()
                            });
                        }
                    };
                }
                direct!(Ocb<U1>);
                direct!(Ocb<U15>);
                direct!(Eax<U1>);
                direct!(Eax<U16>);
                direct!(Gcm<U1>);
                direct!(Gcm<U16>);
                direct!(Ccm<U7>);
                direct!(Ccm<U13>);
                for key_bytes in [32, 48, 64] {
                    let key = bytes(key_bytes);
                    let ours = manyfish::Siv::from_key(&key).unwrap();
                    agrees::<Siv>(&key, true, |nonce, aad, text| {
                        ours.seal(nonce, &[aad], text).unwrap().to_vec()
                    });
                }
            }

            fn takes_keys<A: KeyInit>(lengths: &[usize]) {
                A::new(&Key::<A>::default());
                for key_bytes in 0..=65 {
                    let made = A::new_from_slice(&bytes(key_bytes));
                    assert_eq!(made.is_ok(), lengths.contains(&key_bytes), "{key_bytes}");
                }
            }

            #[test]
            fn keys_have_the_lengths_of_the_mode() {
                takes_keys::<Ocb>(&[16, 24, 32]);
                takes_keys::<Eax>(&[16, 24, 32]);
                takes_keys::<Gcm>(&[16, 24, 32]);
                takes_keys::<Ccm>(&[16, 24, 32]);
                takes_keys::<Siv>(&[32, 48, 64]);
            }

            /// 13 bytes of the nonce leave 2 for the length.
            #[test]
            fn what_is_too_long_is_an_error() {
                let ccm = <Ccm<U13> as KeyInit>::new_from_slice(&[7; 16]).unwrap();
                let msg = vec![0; 1 << 16];
                assert_eq!(ccm.encrypt(&nonce::<Ccm<U13>>(), &msg[..]), Err(Error));
            }
        }
    };
}

generation!(aead_0_5, aead05, AeadInPlace, ocb01, eax05);
generation!(aead_0_6, aead06, AeadInOut, ocb02, eax06);
