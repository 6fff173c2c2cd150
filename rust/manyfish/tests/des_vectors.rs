// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The files of vectors/ for DES and Triple-DES, through every kernel, in place and apart, both directions.

mod both_ways;
mod rsp;

use both_ways::{Crypt, check, check_cfb, check_ofb, check_stealing};
use manyfish::des::{KeyFlaws, kernels, key_flaws};
use manyfish::modes::{Ctr, cbc, ecb};
use manyfish::{Cmac, Des, Eax, Error, Tag};
use rsp::{Case, cases};

/// Calls `test` with each case of a file under each kernel that runs here, and names the others.
fn for_each_case(file: &str, mut test: impl FnMut(&Case, Des)) {
    let cases = cases(file);
    for kernel in kernels() {
        if !kernel.runnable {
            println!("skipped: kernel {}: this CPU lacks {}", kernel.name, kernel.cpu_features);
            continue;
        }
        println!("kernel {}", kernel.name);
        for case in &cases {
            let cipher = Des::with_kernel(kernel.name, &case.bytes("KEY"));
            test(case, cipher.expect("a vector's key is valid"));
        }
    }
}

#[test]
fn blocks() {
    for file in ["des_ecb.rsp", "des_weak_keys.rsp", "tdes_ecb.rsp"] {
        for_each_case(file, |case, cipher| {
            check(
                case,
                &|data, input| match input {
                    None => cipher.encrypt_blocks(data),
                    Some(input) => cipher.encrypt_blocks_to(data, input),
                },
                &|data, input| match input {
                    None => ecb::decrypt(&cipher, data),
                    Some(input) => ecb::decrypt_to(&cipher, data, input),
                },
            );
        });
    }
}

#[test]
fn eax() {
    for_each_case("des_eax.rsp", |case, cipher| {
        let (nonce, aad, tag) = (case.bytes("NONCE"), case.bytes("AAD"), case.bytes("TAG"));
        let eax = Eax::with_tag_bytes(&cipher, tag.len()).unwrap();
        let compare = |made: Tag| assert_eq!(*made, *tag);
        check(
            case,
            &|data, input| match input {
                None => eax.seal(&nonce, &aad, data).map(compare),
                Some(input) => eax.seal_to(&nonce, &aad, data, input).map(compare),
            },
            &|data, input| match input {
                None => eax.open(&nonce, &aad, data, &tag),
                Some(input) => eax.open_to(&nonce, &aad, data, input, &tag),
            },
        );
    });
}

#[test]
fn weak_keys_are_known() {
    for case in cases("des_weak_keys.rsp") {
        let (flaws, key) = (KeyFlaws::default(), case.bytes("KEY"));
        let expected = match case.text("SET") {
            "weak" => KeyFlaws { weak: true, ..flaws },
            "semi-weak" => KeyFlaws { semi_weak: true, ..flaws },
            "possibly-weak" => KeyFlaws { possibly_weak: true, ..flaws },
            other => panic!("unknown set {other}"),
        };
        assert_eq!(KeyFlaws { parity: false, ..key_flaws(&key).unwrap() }, expected);
    }
    for case in cases("tdes_cbc.rsp") {
        let key = case.bytes("KEY");
        let flaws = key_flaws(&key).unwrap();
        let degenerate = key[..8] == key[8..16] || key[8..16] == key[16..];
        assert_eq!((flaws.degenerate, flaws.two_keys), (degenerate, key[..8] == key[16..]));
    }
}

#[test]
fn cbc_with_and_without_padding() {
    for file in ["des_cbc.rsp", "tdes_cbc.rsp"] {
        for_each_case(file, |case, cipher| {
            let iv = case.block("IV");
            if case.text("PADDING") == "none" {
                check(
                    case,
                    &|data, input| match input {
                        None => cbc::encrypt(&cipher, &mut iv.clone(), data),
                        Some(input) => cbc::encrypt_to(&cipher, &mut iv.clone(), data, input),
                    },
                    &|data, input| match input {
                        None => cbc::decrypt(&cipher, &mut iv.clone(), data),
                        Some(input) => cbc::decrypt_to(&cipher, &mut iv.clone(), data, input),
                    },
                );
                return;
            }
            let mut data = case.bytes("PT");
            cbc::encrypt_padded(&cipher, &mut iv.clone(), &mut data).unwrap();
            assert_eq!(data, case.bytes("CT"));
            cbc::decrypt_padded(&cipher, &mut iv.clone(), &mut data).unwrap();
            assert_eq!(data, case.bytes("PT"));
        });
    }
}

#[test]
fn ciphertext_stealing() {
    for_each_case("des_cbc_cts.rsp", |case, cipher| check_stealing(case, &cipher));
}

#[test]
fn cfb() {
    for file in ["des_cfb.rsp", "tdes_cfb64.rsp"] {
        for_each_case(file, |case, cipher| check_cfb(case, &cipher));
    }
}

#[test]
fn ofb() {
    for file in ["des_ofb.rsp", "tdes_ofb.rsp"] {
        for_each_case(file, |case, cipher| check_ofb(case, &cipher));
    }
}

#[test]
fn ctr() {
    for_each_case("des_ctr.rsp", |case, cipher| {
        let (iv, bits) = (case.block("IV"), case.number("COUNTER_BITS"));
        let crypt: Crypt = &|data, input| {
            let mut stream = Ctr::new(&cipher, &iv, bits)?;
            match input {
                None => stream.crypt(data),
                Some(input) => stream.crypt_to(data, input),
            }
        };
        check(case, crypt, crypt);
    });
}

#[test]
fn cmac() {
    for_each_case("des_cmac.rsp", |case, cipher| {
        let (message, tag) = (case.bytes("MSG"), case.bytes("TAG"));
        let mut cmac = Cmac::with_tag_bytes(&cipher, tag.len()).unwrap();
        cmac.update(&message).unwrap();
        assert_eq!(*cmac.finish(), *tag);
        cmac.update(&message).unwrap();
        cmac.verify(&tag).unwrap();
        cmac.update(&message).unwrap();
        cmac.update(b"more").unwrap();
        assert_eq!(cmac.verify(&tag), Err(Error::Tag));
    });
}
