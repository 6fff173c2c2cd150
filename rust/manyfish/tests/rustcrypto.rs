// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The traits of RustCrypto, by generation: the same tests for both.

#![cfg(any(feature = "cipher-0-4", feature = "cipher-0-5"))]

use std::env;
use std::process::Command;

use manyfish::rustcrypto;

/// Some bytes, none like its neighbour.
fn bytes(n_bytes: usize) -> Vec<u8> {
    (1..=251).cycle().take(n_bytes).collect()
}

const ASKED: &str = "MANYFISH_TEST_ASKED";

/// Whether a test passes in a process whose environment names a kernel that leaks, and what it says.
fn run_again(test: &str, leaks: &str) -> (bool, String) {
    let mut again = Command::new(env::current_exe().unwrap());
    again.args(["--exact", test]).env(ASKED, "").env(manyfish::des::KERNEL_VARIABLE, "sp4k");
    let output = again.env(manyfish::LEAKS_VARIABLE, leaks).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("running 1 test"), "{said}");
    (output.status.success(), said)
}

macro_rules! generation {
    ($generation:ident, $cipher:ident, $encrypt:ident, $decrypt:ident) => {
        mod $generation {
            use super::*;
            use rustcrypto::$cipher::{Block, Key, KeyInit, $decrypt, $encrypt};

            /// Blocks by themselves and together, in place and into another buffer, there and back.
            fn agrees_with<C: $encrypt + $decrypt + KeyInit>(key: &[u8], ecb: impl Fn(&mut [u8])) {
                let cipher = C::new_from_slice(key).unwrap();
                let n = C::block_size();
                for n_blocks in [0, 1, 2, 7, 63, 64, 65, 300, 511, 512, 513, 1100] {
                    let plain = bytes(n_blocks * n);
                    let mut expected = plain.clone();
                    ecb(&mut expected);
                    let mut input = vec![Block::<C>::default(); n_blocks];
                    input
                        .iter_mut()
                        .zip(plain.chunks(n))
                        .for_each(|(to, from)| to.copy_from_slice(from));

                    let mut together = input.clone();
                    cipher.encrypt_blocks(&mut together);
                    assert_eq!(together.concat(), expected);
                    let mut apart = vec![Block::<C>::default(); n_blocks];
                    cipher.decrypt_blocks_b2b(&together, &mut apart).unwrap();
                    assert_eq!(apart, input);
                    cipher.encrypt_blocks_b2b(&input, &mut apart).unwrap();
                    assert_eq!(apart, together);
                    for (block, expected) in apart.iter_mut().zip(&input) {
                        cipher.decrypt_block(block);
                        assert_eq!(block, expected);
                    }
                }
            }

            fn twofish_agrees<C: $encrypt + $decrypt + KeyInit>() {
                for key_bytes in [16, 24, 32] {
                    let key = &bytes(32)[..key_bytes];
                    let direct = manyfish::Twofish::new(key).unwrap();
                    agrees_with::<C>(key, |data| direct.encrypt_blocks(data).unwrap());
                }
            }

            fn des_agrees<C: $encrypt + $decrypt + KeyInit>(key_bytes: usize) {
                let key = &bytes(24)[..key_bytes];
                let direct = manyfish::Des::new(key).unwrap();
                agrees_with::<C>(key, |data| direct.encrypt_blocks(data).unwrap());
            }

            #[test]
            fn blocks_are_those_of_direct_calls() {
                twofish_agrees::<manyfish::Twofish>();
                twofish_agrees::<rustcrypto::Twofish>();
                for key_bytes in [8, 16, 24] {
                    des_agrees::<manyfish::Des>(key_bytes);
                }
                des_agrees::<rustcrypto::Des>(8);
                des_agrees::<rustcrypto::TdesEde2>(16);
                des_agrees::<rustcrypto::TdesEde3>(24);
            }

            fn takes_keys<C: KeyInit>(lengths: &[usize]) {
                C::new(&Key::<C>::default());
                for key_bytes in 0..=65 {
                    let made = C::new_from_slice(&bytes(key_bytes));
                    assert_eq!(made.is_ok(), lengths.contains(&key_bytes), "{key_bytes}");
                }
            }

            #[test]
            fn keys_have_the_lengths_of_the_cipher() {
                takes_keys::<manyfish::Twofish>(&[16, 24, 32]);
                takes_keys::<rustcrypto::Twofish>(&[16, 24, 32]);
                takes_keys::<manyfish::Des>(&[8, 16, 24]);
                takes_keys::<rustcrypto::Des>(&[8]);
                takes_keys::<rustcrypto::TdesEde2>(&[16]);
                takes_keys::<rustcrypto::TdesEde3>(&[24]);
                let refused = rustcrypto::Twofish::new_from_slice(&[0; 17]).unwrap_err();
                assert_eq!(refused.to_string(), "Invalid Length");
            }

            /// The library reads its environment once, so a process of its own asks for each.
            #[test]
            fn the_environment_must_allow_leaks() {
                if env::var_os(ASKED).is_some() {
                    rustcrypto::TdesEde3::new_from_slice(&[0; 24]).unwrap();
                    return;
                }
                let name = concat!(stringify!($generation), "::the_environment_must_allow_leaks");
                assert!(run_again(name, "any").0);
                let (passed, said) = run_again(name, "");
                assert!(!passed && said.contains("allow leaks by MANYFISH_LEAKS=any"), "{said}");
            }
        }
    };
}

#[cfg(feature = "cipher-0-4")]
generation!(cipher_0_4, cipher04, BlockEncrypt, BlockDecrypt);
#[cfg(feature = "cipher-0-5")]
generation!(cipher_0_5, cipher05, BlockCipherEncrypt, BlockCipherDecrypt);
