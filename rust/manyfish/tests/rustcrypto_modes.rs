// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The modes of RustCrypto, of both generations, over our ciphers give what our modes give.

#![cfg(all(feature = "cipher-0-4", feature = "cipher-0-5"))]

use manyfish::{BlockCipher, Cmac, Des, Twofish, modes, rustcrypto};

/// Lengths around those of blocks, of 64 and of 512 blocks.
const LENGTHS: [usize; 16] =
    [0, 1, 7, 8, 15, 16, 17, 333, 1023, 1024, 1025, 2047, 2048, 4095, 4097, 5000];

/// Some bytes, none like its neighbour.
fn bytes(n_bytes: usize) -> Vec<u8> {
    (1..=251).cycle().take(n_bytes).collect()
}

/// Cuts data in pieces whose lengths have nothing to do with blocks.
fn in_pieces(data: &mut [u8], mut work: impl FnMut(&mut [u8])) {
    let (mut rest, mut n_bytes) = (data, 1);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_mut(n_bytes.min(rest.len()));
        work(piece);
        (rest, n_bytes) = (after, 1 + n_bytes * 7 % 1999);
    }
}

/// Both make the same of data of all lengths.
fn same(mut one: impl FnMut(&mut [u8]), mut other: impl FnMut(&mut [u8])) {
    for n_bytes in LENGTHS {
        let (mut data, mut expected) = (bytes(n_bytes), bytes(n_bytes));
        one(&mut data);
        other(&mut expected);
        assert!(data == expected, "{n_bytes} bytes");
    }
}

/// An initial block; as a counter it runs over its last 16 bits, but not over its last 32.
fn iv<C: BlockCipher>(_: &C) -> C::Block {
    let mut iv = C::Block::default();
    let n_bytes = iv.as_ref().len();
    iv.as_mut().copy_from_slice(&bytes(n_bytes));
    iv.as_mut()[n_bytes - 2..].fill(0xFF);
    iv
}

/// Tests of one cipher in the modes of one generation.
macro_rules! modes {
    (
        $name:ident: $traits:ty, $direct:ty, $key_bytes:expr, $counter:ident;
        $cipher:ident, $ctr:ident, $cbc:ident, $cfb:ident, $ofb:ident, $cmac:ident;
        $encrypt:ident: $encrypt_blocks:ident $encrypt_padded:ident,
        $decrypt:ident: $decrypt_blocks:ident $decrypt_padded:ident
    ) => {
        mod $name {
            use super::*;
            use cipher::{
                Block, BlockSizeUser, KeyInit, KeyIvInit, StreamCipher, StreamCipherCoreWrapper,
                $decrypt, $encrypt,
            };
            use rustcrypto::$cipher as cipher;
            use {
                $cbc::{self as cbc, cipher::block_padding::Pkcs7},
                $cfb as cfb,
                $cmac::{self as cmac, Mac},
                $ctr as ctr, $ofb as ofb,
            };

            fn key() -> Vec<u8> {
                bytes($key_bytes)
            }

            fn direct() -> $direct {
                <$direct>::new(&key()).unwrap()
            }

            fn block_bytes() -> usize {
                <$traits>::block_size()
            }

            fn bits() -> u32 {
                8 * u32::try_from(block_bytes()).unwrap()
            }

            fn started<M: KeyIvInit>() -> M {
                M::new_from_slices(&key(), iv(&direct()).as_ref()).unwrap()
            }

            fn same_stream<S: StreamCipher>(
                start: impl Fn() -> S,
                mut ours: impl FnMut(&mut [u8]),
            ) {
                same(|data| start().apply_keystream(data), &mut ours);
                let pieces = |data: &mut [u8]| {
                    let mut stream = start();
                    in_pieces(data, |piece| stream.apply_keystream(piece));
                };
                same(pieces, ours);
            }

            #[test]
            fn ctr() {
                let (cipher, iv) = (direct(), iv(&direct()));
                let ours = |data: &mut [u8], bits| {
                    modes::Ctr::new(&cipher, &iv, bits).unwrap().crypt(data).unwrap();
                };
                // The wrapper itself takes no keys but those of KeySize bytes.
                let core = || started::<ctr::CtrCore<$traits, ctr::flavors::$counter>>();
                let start = || StreamCipherCoreWrapper::from_core(core());
                same_stream(start, |data| ours(data, bits()));
                let core = || started::<ctr::CtrCore<$traits, ctr::flavors::Ctr32BE>>();
                let start = || StreamCipherCoreWrapper::from_core(core());
                same_stream(start, |data| ours(data, 32));
            }

            #[test]
            fn ofb() {
                let (cipher, iv) = (direct(), iv(&direct()));
                let core = || started::<ofb::OfbCore<$traits>>();
                same_stream(
                    || StreamCipherCoreWrapper::from_core(core()),
                    |data| {
                        modes::Ofb::new(&cipher, &iv).unwrap().crypt(data).unwrap();
                    },
                );
            }

            #[test]
            fn cfb() {
                let (cipher, iv) = (direct(), iv(&direct()));
                let ours = || modes::Cfb::new(&cipher, &iv, bits()).unwrap();
                let encrypt = |data: &mut [u8]| {
                    let mut theirs = started::<cfb::BufEncryptor<$traits>>();
                    in_pieces(data, |piece| theirs.encrypt(piece));
                };
                same(encrypt, |data| ours().encrypt(data).unwrap());
                let decrypt = |data: &mut [u8]| {
                    let mut theirs = started::<cfb::BufDecryptor<$traits>>();
                    in_pieces(data, |piece| theirs.decrypt(piece));
                };
                same(decrypt, |data| ours().decrypt(data).unwrap());
            }

            fn whole_blocks(data: &mut [u8]) -> &mut [u8] {
                let n_bytes = data.len() / block_bytes() * block_bytes();
                &mut data[..n_bytes]
            }

            /// The whole blocks of data as their type has them.
            fn as_blocks(data: &mut [u8], work: impl Fn(&mut [Block<$traits>])) {
                let chunks = whole_blocks(data).chunks_exact_mut(block_bytes());
                let mut blocks = vec![Block::<$traits>::default(); chunks.len()];
                blocks.iter_mut().zip(chunks).for_each(|(to, from)| to.copy_from_slice(from));
                work(&mut blocks);
                let chunks = data.chunks_exact_mut(block_bytes());
                blocks.iter().zip(chunks).for_each(|(from, to)| to.copy_from_slice(from));
            }

            #[test]
            fn blocks_that_do_not_wait_for_each_other() {
                let (cipher, iv) = (direct(), iv(&direct()));
                same(
                    |data| {
                        as_blocks(data, |b| started::<cbc::Decryptor<$traits>>().$decrypt_blocks(b))
                    },
                    |data| {
                        modes::cbc::decrypt(&cipher, &mut iv.clone(), whole_blocks(data)).unwrap()
                    },
                );
                same(
                    |data| {
                        as_blocks(data, |b| started::<cfb::Decryptor<$traits>>().$decrypt_blocks(b))
                    },
                    |data| {
                        let mut ours = modes::Cfb::new(&cipher, &iv, bits()).unwrap();
                        ours.decrypt(whole_blocks(data)).unwrap();
                    },
                );
            }

            #[test]
            fn cbc() {
                let (cipher, iv) = (direct(), iv(&direct()));
                same(
                    |data| {
                        as_blocks(data, |b| started::<cbc::Encryptor<$traits>>().$encrypt_blocks(b))
                    },
                    |data| {
                        modes::cbc::encrypt(&cipher, &mut iv.clone(), whole_blocks(data)).unwrap()
                    },
                );
                for n_bytes in LENGTHS {
                    let (mut data, mut expected) = (bytes(n_bytes), bytes(n_bytes));
                    modes::cbc::encrypt_padded(&cipher, &mut iv.clone(), &mut expected).unwrap();
                    data.resize(expected.len(), 0);
                    let theirs = started::<cbc::Encryptor<$traits>>();
                    theirs.$encrypt_padded::<Pkcs7>(&mut data, n_bytes).unwrap();
                    assert!(data == expected, "{n_bytes} bytes");
                    let theirs = started::<cbc::Decryptor<$traits>>();
                    let back = theirs.$decrypt_padded::<Pkcs7>(&mut data).unwrap();
                    assert!(back == bytes(n_bytes), "{n_bytes} bytes");
                }
            }

            #[test]
            fn cmac() {
                for n_bytes in LENGTHS {
                    let mut data = bytes(n_bytes);
                    let theirs = <cmac::Cmac<$traits> as KeyInit>::new_from_slice(&key());
                    let (mut theirs, mut ours) = (theirs.unwrap(), Cmac::new(&direct()));
                    in_pieces(&mut data, |piece| theirs.update(piece));
                    ours.update(&data).unwrap();
                    assert_eq!(theirs.finalize().into_bytes()[..], *ours.finish());
                }
            }
        }
    };
}

/// The modes of both generations.
macro_rules! generations {
    ($($old:ident $new:ident: $traits:ty, $direct:ty, $key_bytes:expr, $counter:ident;)*) => {$(
        modes!(
            $old: $traits, $direct, $key_bytes, $counter;
            cipher04, ctr09, cbc01, cfb08, ofb06, cmac07;
            BlockEncryptMut: encrypt_blocks_mut encrypt_padded_mut,
            BlockDecryptMut: decrypt_blocks_mut decrypt_padded_mut
        );
        modes!(
            $new: $traits, $direct, $key_bytes, $counter;
            cipher05, ctr010, cbc02, cfb09, ofb07, cmac08;
            BlockModeEncrypt: encrypt_blocks encrypt_padded,
            BlockModeDecrypt: decrypt_blocks decrypt_padded
        );
    )*};
}

generations! {
    twofish_128_old twofish_128: rustcrypto::Twofish, Twofish, 16, Ctr128BE;
    twofish_192_old twofish_192: Twofish, Twofish, 24, Ctr128BE;
    twofish_256_old twofish_256: rustcrypto::Twofish, Twofish, 32, Ctr128BE;
    des_old des: rustcrypto::Des, Des, 8, Ctr64BE;
    tdes_ede_2_old tdes_ede_2: rustcrypto::TdesEde2, Des, 16, Ctr64BE;
    tdes_ede_3_old tdes_ede_3: rustcrypto::TdesEde3, Des, 24, Ctr64BE;
}

macro_rules! xts {
    ($name:ident, $cipher:ident, $xts:ident) => {
        #[test]
        fn $name() {
            use rustcrypto::$cipher::KeyInit;
            for key_bytes in [16, 24, 32] {
                let key = bytes(2 * key_bytes);
                let expand = |key| rustcrypto::Twofish::new_from_slice(key).unwrap();
                let theirs =
                    $xts::Xts128::new(expand(&key[..key_bytes]), expand(&key[key_bytes..]));
                let ours = modes::Xts::from_key(&key).unwrap();
                let tweak: [u8; 16] = bytes(16).try_into().unwrap();
                for n_bytes in [16, 17, 31, 32, 512, 1000, 1024, 1040, 4096] {
                    let (mut data, mut expected) = (bytes(n_bytes), bytes(n_bytes));
                    theirs.encrypt_sector(&mut data, tweak.into());
                    ours.encrypt(&tweak, &mut expected).unwrap();
                    assert!(data == expected, "{n_bytes} bytes");
                    theirs.decrypt_sector(&mut data, tweak.into());
                    assert!(data == bytes(n_bytes), "{n_bytes} bytes");
                }
            }
        }
    };
}

xts!(xts_old, cipher04, xts05);
xts!(xts, cipher05, xts06);
