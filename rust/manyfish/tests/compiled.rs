// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Compiled keying: its results beside those of a kernel, in the modes too, and what it says when it refuses.

use manyfish::modes::{Cfb, Ctr, Ofb, Xts, cbc, cts, ecb};
use manyfish::{
    Ccm, Cmac, CompiledTwofish, Eax, Error, Expectation, Gcm, Leaks, Ocb, SetUp, Siv, Twofish,
};

#[test]
fn compiled_keying_is_twofish() {
    let text: Vec<u8> = (0..=u8::MAX).take(7 * 16).collect();
    let mut compiled = CompiledTwofish::or_full(&[0; 16]).unwrap();
    for key in [&[7; 16][..], &[8; 24], &[9; 32]] {
        let kernel = Twofish::new(key).unwrap();
        compiled.set_key(key).unwrap();
        for n_bytes in (0..=text.len()).step_by(16) {
            let mut expected = text[..n_bytes].to_vec();
            kernel.encrypt_blocks(&mut expected).unwrap();
            let mut found = vec![0; n_bytes];
            compiled.encrypt_blocks_to(&mut found, &text[..n_bytes]).unwrap();
            assert_eq!(found, expected);
            compiled.decrypt_blocks(&mut found).unwrap();
            assert_eq!(found, text[..n_bytes]);
            compiled.encrypt_blocks(&mut found).unwrap();
            let mut back = vec![0; n_bytes + 1];
            compiled.decrypt_blocks_to(&mut back, &found).unwrap();
            assert_eq!(back[..n_bytes], text[..n_bytes]);
        }
    }
}

#[test]
fn compiled_keying_names_what_is_wrong() {
    let refused = Error::KeyLength { found: 17 };
    assert_eq!(CompiledTwofish::or_full(&[0; 17]).unwrap_err(), refused);
    let mut compiled = CompiledTwofish::or_full(&[1; 16]).unwrap();
    let mut before = [0; 16];
    compiled.encrypt_blocks(&mut before).unwrap();
    assert_eq!(compiled.set_key(&[0; 17]).unwrap_err(), refused);
    let mut after = [0; 16];
    compiled.encrypt_blocks(&mut after).unwrap();
    assert_eq!(after, before, "the old key stays");
    assert_eq!(
        compiled.encrypt_blocks(&mut [0; 17]).unwrap_err(),
        Error::Length { block_bytes: 16, found: 17 }
    );
    let too_small = Error::Capacity { needed: 32, found: 16 };
    assert_eq!(compiled.decrypt_blocks_to(&mut [0; 16], &[0; 32]).unwrap_err(), too_small);
}

/// A text in some modes, those that hold a key and those that borrow one.
fn in_modes(cipher: &Twofish) -> Vec<Vec<u8>> {
    let text: Vec<u8> = (0..=u8::MAX).take(9 * 16).collect();
    let iv = [3; 16];
    let crypted = |crypt: &dyn Fn(&mut [u8]) -> Result<(), Error>| {
        let mut data = text.clone();
        crypt(&mut data).unwrap();
        data
    };
    let tagged = |seal: &dyn Fn(&mut [u8]) -> Vec<u8>| {
        let mut data = text.clone();
        let tag = seal(&mut data);
        [data, tag].concat()
    };
    let mut mac = Cmac::new(cipher);
    mac.update(&text).unwrap();
    vec![
        crypted(&|data| ecb::encrypt(cipher, data)),
        crypted(&|data| ecb::decrypt(cipher, data)),
        crypted(&|data| cbc::encrypt(cipher, &mut iv.clone(), data)),
        crypted(&|data| cbc::decrypt(cipher, &mut iv.clone(), data)),
        crypted(&|data| cts::encrypt(cipher, cts::Variant::Cs3, &iv, &mut data[..40])),
        crypted(&|data| Ctr::new(cipher, &iv, 128)?.crypt(data)),
        crypted(&|data| Cfb::new(cipher, &iv, 128)?.encrypt(data)),
        crypted(&|data| Ofb::new(cipher, &iv)?.crypt(data)),
        crypted(&|data| Xts::new(cipher, cipher).encrypt(&iv, data)),
        tagged(&|data| Ocb::new(cipher).seal(b"nonce", b"public", data).unwrap().to_vec()),
        tagged(&|data| Eax::new(cipher).seal(b"nonce", b"public", data).unwrap().to_vec()),
        tagged(&|data| Gcm::new(cipher).seal(b"nonce", b"public", data).unwrap().to_vec()),
        tagged(&|data| Ccm::new(cipher).seal(b"nonces!", b"public", data).unwrap().to_vec()),
        tagged(&|data| Siv::new(cipher, cipher).seal(b"n", &[b"public"], data).unwrap().to_vec()),
        mac.finish().to_vec(),
    ]
}

#[test]
fn compiled_keying_serves_the_modes() {
    for key in [&[7; 16][..], &[8; 24], &[9; 32]] {
        let compiled = CompiledTwofish::or_full(key).unwrap();
        let kernel = Twofish::with_kernel("zero", key).unwrap();
        assert_eq!(in_modes(compiled.as_cipher()), in_modes(&kernel));
    }
}

#[test]
fn modes_keep_the_compiled_key_that_they_were_given() {
    let block = |stream: &mut Ctr| {
        let mut data = [0; 16];
        stream.crypt(&mut data).unwrap();
        data
    };
    let mut expected = Ctr::new(&Twofish::new(&[7; 16]).unwrap(), &[0; 16], 128).unwrap();
    let mut compiled = CompiledTwofish::or_full(&[7; 16]).unwrap();
    let mut stream = Ctr::new(compiled.as_cipher(), &[0; 16], 128).unwrap();
    assert_eq!(block(&mut stream), block(&mut expected));
    compiled.set_key(&[8; 32]).unwrap();
    assert_eq!(block(&mut stream), block(&mut expected));
    drop(compiled);
    assert_eq!(block(&mut stream), block(&mut expected));
}

/// With code or the reason why there is none, and never anything of the key in what is printed.
#[test]
fn compiled_keying_has_code_or_says_why_not() {
    let or_full = CompiledTwofish::or_full(&[5; 16]).unwrap();
    match CompiledTwofish::new(&[5; 16]) {
        Ok(compiled) => assert!(compiled.is_code() && or_full.is_code()),
        Err(Error::Executable | Error::UnknownKernel { .. }) => assert!(!or_full.is_code()),
        Err(other) => panic!("{other}"),
    }
    let kernel = if or_full.is_code() { "compiled" } else { "full" };
    assert_eq!(or_full.as_cipher().kernel(), kernel);
    let shown = format!("{or_full:?}");
    assert_eq!(shown, format!("CompiledTwofish {{ is_code: {}, .. }}", or_full.is_code()));
    assert!(or_full.memory_bytes() > 4096);
}

/// Through two views, or with the reason why not; later keys too.
#[test]
fn two_views_are_twofish() {
    let key = [7; 32];
    let Ok(mut compiled) = CompiledTwofish::with_set_up(SetUp::TwoViews, &[0; 16]) else {
        let fallen_back = CompiledTwofish::or_full_with_set_up(SetUp::TwoViews, &key).unwrap();
        assert!(!fallen_back.is_code());
        return;
    };
    compiled.set_key(&key).unwrap();
    assert!(compiled.is_code());
    assert_eq!(in_modes(compiled.as_cipher()), in_modes(&Twofish::new(&key).unwrap()));
}

/// Only long work block by block, where it may leak.
#[test]
fn compiled_keying_is_chosen_where_it_costs_less() {
    let has_code = CompiledTwofish::new(&[5; 16]).is_ok();
    let kernel = |expected: Expectation| {
        let cipher = CompiledTwofish::or_kernel_for_expected(&expected, &[5; 16]).unwrap();
        assert_eq!(in_modes(&cipher), in_modes(&Twofish::new(&[5; 16]).unwrap()));
        cipher.kernel()
    };
    let long = Expectation::bytes(1 << 24).serial();
    for leaks in [Leaks::Text, Leaks::Any] {
        let expected = long.clone().leaks(leaks);
        let name = kernel(expected.clone());
        assert_eq!(name == "compiled", has_code, "{name}");
        let cost = CompiledTwofish::cost_of(&expected, 16).ok().flatten();
        assert_eq!(
            cost.is_some_and(|cost| Some(cost) < expected.choose(16).unwrap().cost),
            has_code
        );
        for other in [expected.clone().blocks_per_call(0), expected.total_blocks(10)] {
            assert_ne!(kernel(other), "compiled");
        }
    }
    assert_ne!(kernel(long.clone()), "compiled");
    assert!(CompiledTwofish::cost_of(&long, 16).is_err(), "it leaks");
    let refused = CompiledTwofish::or_kernel_for_expected(&long, &[5; 17]).unwrap_err();
    assert_eq!(refused, Error::KeyLength { found: 17 });
}
