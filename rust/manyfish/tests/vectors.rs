// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Every file of vectors/ through every kernel, in place and apart, both directions.

mod common;
mod rsp;

use common::for_each_kernel;
use manyfish::modes::{Ctr, cbc, ecb};
use manyfish::{KernelInfo, Ocb, Twofish, TwofishKeys};
use rsp::{Case, cases};

fn cipher(kernel: &KernelInfo, case: &Case) -> Twofish {
    Twofish::with_kernel(kernel.name, &case.bytes("KEY")).expect("a vector's key is valid")
}

/// Runs both forms of an operation, and compares what they make.
fn check(
    name: &str,
    input: &[u8],
    expected: &[u8],
    in_place: impl FnOnce(&mut [u8]),
    apart: impl FnOnce(&mut [u8], &[u8]),
) {
    let mut data = input.to_vec();
    in_place(&mut data);
    assert_eq!(data, expected, "{name}, in place");
    let mut out = vec![0xA5; input.len()];
    apart(&mut out, input);
    assert_eq!(out, expected, "{name}, apart");
}

#[test]
fn single_blocks() {
    let files = ["ecb_tbl", "ecb_vk", "ecb_vt", "ecb_ival"];
    for file in files.map(|file| format!("twofish_{file}.rsp")) {
        let cases = cases(&file);
        for_each_kernel(|kernel| {
            for case in &cases {
                single_block(&file, &cipher(kernel, case), case);
            }
        });
    }
}

fn single_block(file: &str, cipher: &Twofish, case: &Case) {
    let (pt, ct) = (case.bytes("PT"), case.bytes("CT"));
    check(
        file,
        &pt,
        &ct,
        |data| cipher.encrypt_blocks(data).unwrap(),
        |out, input| cipher.encrypt_blocks_to(out, input).unwrap(),
    );
    check(
        file,
        &ct,
        &pt,
        |data| ecb::decrypt(cipher, data).unwrap(),
        |out, input| ecb::decrypt_to(cipher, out, input).unwrap(),
    );
}

/// All vectors for keys of a length in one call.
#[test]
fn a_block_under_each_of_many_keys() {
    let files = ["ecb_tbl", "ecb_vk", "ecb_vt", "ecb_ival"];
    let all: Vec<Case> =
        files.iter().flat_map(|file| cases(&format!("twofish_{file}.rsp"))).collect();
    for key_bytes in [16, 24, 32] {
        let some: Vec<&Case> =
            all.iter().filter(|case| case.bytes("KEY").len() == key_bytes).collect();
        let joined = |field| some.iter().flat_map(|case| case.bytes(field)).collect::<Vec<u8>>();
        let (key, pt, ct) = (joined("KEY"), joined("PT"), joined("CT"));
        for_each_kernel(|kernel| {
            let keys = TwofishKeys::with_kernel(kernel.name, &key, key_bytes).unwrap();
            assert_eq!(keys.count(), some.len());
            check(
                kernel.name,
                &pt,
                &ct,
                |data| keys.encrypt_blocks(data).unwrap(),
                |out, input| keys.encrypt_blocks_to(out, input).unwrap(),
            );
            check(
                kernel.name,
                &ct,
                &pt,
                |data| keys.decrypt_blocks(data).unwrap(),
                |out, input| keys.decrypt_blocks_to(out, input).unwrap(),
            );
        });
    }
}

#[test]
fn many_blocks_at_a_time() {
    let cases = cases("twofish_ecb_tbl.rsp");
    for_each_kernel(|kernel| {
        for case in &cases {
            let cipher = cipher(kernel, case);
            let n_blocks = 2 * kernel.lanes + 1;
            let (pt, ct) = (case.bytes("PT").repeat(n_blocks), case.bytes("CT").repeat(n_blocks));
            check(
                kernel.name,
                &pt,
                &ct,
                |data| ecb::encrypt(&cipher, data).unwrap(),
                |out, input| ecb::encrypt_to(&cipher, out, input).unwrap(),
            );
            check(
                kernel.name,
                &ct,
                &pt,
                |data| cipher.decrypt_blocks(data).unwrap(),
                |out, input| cipher.decrypt_blocks_to(out, input).unwrap(),
            );
        }
    });
}

#[cfg(feature = "std")]
#[test]
fn short_keys() {
    let cases = cases("twofish_ecb_short_keys.rsp");
    for_each_kernel(|kernel| {
        for case in &cases {
            let key = manyfish::pad_key(&case.bytes("KEY")).unwrap();
            let cipher = Twofish::with_kernel(kernel.name, &key).unwrap();
            single_block("short keys", &cipher, case);
        }
    });
}

#[test]
fn cbc_without_padding() {
    let cases = cases("twofish_cbc.rsp");
    for_each_kernel(|kernel| {
        for case in cases.iter().filter(|case| case.text("PADDING") == "none") {
            let (cipher, iv) = (cipher(kernel, case), case.block("IV"));
            let (pt, ct) = (case.bytes("PT"), case.bytes("CT"));
            check(
                "cbc",
                &pt,
                &ct,
                |data| cbc::encrypt(&cipher, &mut iv.clone(), data).unwrap(),
                |out, input| cbc::encrypt_to(&cipher, &mut iv.clone(), out, input).unwrap(),
            );
            check(
                "cbc",
                &ct,
                &pt,
                |data| cbc::decrypt(&cipher, &mut iv.clone(), data).unwrap(),
                |out, input| cbc::decrypt_to(&cipher, &mut iv.clone(), out, input).unwrap(),
            );
        }
    });
}

#[cfg(feature = "std")]
#[test]
fn cbc_with_padding() {
    let cases = cases("twofish_cbc.rsp");
    for_each_kernel(|kernel| {
        for case in cases.iter().filter(|case| case.text("PADDING") == "pkcs7") {
            let cipher = cipher(kernel, case);
            let mut data = case.bytes("PT");
            cbc::encrypt_padded(&cipher, &mut case.block("IV"), &mut data).unwrap();
            assert_eq!(data, case.bytes("CT"));
            cbc::decrypt_padded(&cipher, &mut case.block("IV"), &mut data).unwrap();
            assert_eq!(data, case.bytes("PT"));
        }
    });
}

#[test]
fn ctr() {
    let cases = cases("twofish_ctr.rsp");
    for_each_kernel(|kernel| {
        for case in &cases {
            let cipher = cipher(kernel, case);
            let stream =
                || Ctr::new(&cipher, &case.block("IV"), case.number("COUNTER_BITS")).unwrap();
            for (input, expected) in [("PT", "CT"), ("CT", "PT")] {
                check(
                    "ctr",
                    &case.bytes(input),
                    &case.bytes(expected),
                    |data| stream().crypt(data).unwrap(),
                    |out, input| stream().crypt_to(out, input).unwrap(),
                );
            }
        }
    });
}

#[test]
fn ocb() {
    let cases = cases("twofish_ocb.rsp");
    for_each_kernel(|kernel| {
        for case in &cases {
            let ocb = Ocb::new(&cipher(kernel, case));
            let (nonce, aad, tag) = (case.bytes("NONCE"), case.bytes("AAD"), case.block("TAG"));
            let (pt, ct) = (case.bytes("PT"), case.bytes("CT"));
            check(
                "ocb",
                &pt,
                &ct,
                |data| assert_eq!(ocb.seal(&nonce, &aad, data), Ok(tag)),
                |out, input| assert_eq!(ocb.seal_to(&nonce, &aad, out, input), Ok(tag)),
            );
            check(
                "ocb",
                &ct,
                &pt,
                |data| ocb.open(&nonce, &aad, data, &tag).unwrap(),
                |out, input| ocb.open_to(&nonce, &aad, out, input, &tag).unwrap(),
            );
        }
    });
}

/// The inner 10,000 steps of the Monte Carlo test, for each outer step that the file keeps.
#[test]
fn monte_carlo() {
    let cases = cases("twofish_mct.rsp");
    for_each_kernel(|kernel| {
        for case in &cases {
            let cipher = cipher(kernel, case);
            let (set, start, expected) = (case.text("SET"), case.block("PT"), case.block("CT"));
            let (found, expected) = match set {
                "ecb_e" => (ecb_chain(start, |block| ecb::encrypt(&cipher, block)), expected),
                "ecb_d" => (ecb_chain(expected, |block| ecb::decrypt(&cipher, block)), start),
                "cbc_e" => (cbc_encrypt_chain(&cipher, case.block("IV"), start), expected),
                "cbc_d" => (cbc_decrypt_chain(&cipher, case.block("IV"), expected), start),
                other => panic!("unknown set {other}"),
            };
            assert_eq!(found, expected, "{set}, {} bits", case.text("KEY_BITS"));
        }
    });
}

const INNER_STEPS: usize = 10_000;

fn ecb_chain(
    mut block: [u8; 16],
    crypt: impl Fn(&mut [u8]) -> Result<(), manyfish::Error>,
) -> [u8; 16] {
    (0..INNER_STEPS).for_each(|_| crypt(&mut block).unwrap());
    block
}

fn cbc_encrypt_chain(cipher: &Twofish, mut iv: [u8; 16], mut pt: [u8; 16]) -> [u8; 16] {
    let mut last = iv;
    for _ in 0..INNER_STEPS {
        let mut ct = pt;
        cbc::encrypt(cipher, &mut iv, &mut ct).unwrap();
        pt = std::mem::replace(&mut last, ct);
    }
    last
}

fn cbc_decrypt_chain(cipher: &Twofish, mut iv: [u8; 16], mut block: [u8; 16]) -> [u8; 16] {
    for _ in 0..INNER_STEPS {
        cbc::decrypt(cipher, &mut iv, &mut block).unwrap();
    }
    block
}

/// tests/variants.rs runs every case; the kernels compute those that are Twofish itself.
#[test]
fn variants_that_are_the_cipher() {
    let is_the_cipher = |case: &Case| {
        case.number("ROUNDS") == 16
            && case.text("WHITENING") == "1"
            && case.text("FAMILY_KEY").is_empty()
            && case.bytes("KEY").len() <= 32
    };
    let ours: Vec<_> = cases("twofish_variants.rsp").into_iter().filter(is_the_cipher).collect();
    assert!(!ours.is_empty());
    for_each_kernel(|kernel| {
        for case in &ours {
            single_block("variants", &cipher(kernel, case), case);
        }
    });
}
