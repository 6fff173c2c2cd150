// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The cases of a mode, in place and apart, in both directions, for any cipher.

#![allow(dead_code)] // each test binary uses some of it

use manyfish::modes::{Cfb, Ofb, cts};
use manyfish::{BlockCipher, Error};

use crate::rsp::Case;

/// An operation on the data, or from a second buffer into the data.
pub type Crypt<'a> = &'a dyn Fn(&mut [u8], Option<&[u8]>) -> Result<(), Error>;

/// Runs an operation on PT and its inverse on CT, each in place (no second buffer) and apart.
pub fn check(case: &Case, encrypt: Crypt, decrypt: Crypt) {
    let (pt, ct) = (case.bytes("PT"), case.bytes("CT"));
    for (crypt, input, expected) in [(encrypt, &pt, &ct), (decrypt, &ct, &pt)] {
        let mut data = input.clone();
        crypt(&mut data, None).unwrap();
        assert_eq!(&data, expected, "in place");
        let mut out = vec![0xA5; input.len()];
        crypt(&mut out, Some(input)).unwrap();
        assert_eq!(&out, expected, "apart");
    }
}

/// The initial block of a case.
pub fn iv<C: BlockCipher>(case: &Case) -> C::Block {
    let mut iv = C::Block::default();
    iv.as_mut().copy_from_slice(&case.bytes("IV"));
    iv
}

pub fn check_cfb<C: BlockCipher>(case: &Case, cipher: &C) {
    let start = || Cfb::new(cipher, &iv::<C>(case), case.number("SEGMENT_BITS")).unwrap();
    check(
        case,
        &|data, input| match input {
            None => start().encrypt(data),
            Some(input) => start().encrypt_to(data, input),
        },
        &|data, input| match input {
            None => start().decrypt(data),
            Some(input) => start().decrypt_to(data, input),
        },
    );
}

pub fn check_ofb<C: BlockCipher>(case: &Case, cipher: &C) {
    let crypt: Crypt = &|data, input| {
        let mut stream = Ofb::new(cipher, &iv::<C>(case))?;
        match input {
            None => stream.crypt(data),
            Some(input) => stream.crypt_to(data, input),
        }
    };
    check(case, crypt, crypt);
}

pub fn check_stealing<C: BlockCipher>(case: &Case, cipher: &C) {
    let iv = iv::<C>(case);
    let variant = match case.text("VARIANT") {
        "cs1" => cts::Variant::Cs1,
        "cs2" => cts::Variant::Cs2,
        "cs3" => cts::Variant::Cs3,
        other => panic!("unknown variant {other}"),
    };
    check(
        case,
        &|data, input| match input {
            None => cts::encrypt(cipher, variant, &iv, data),
            Some(input) => cts::encrypt_to(cipher, variant, &iv, data, input),
        },
        &|data, input| match input {
            None => cts::decrypt(cipher, variant, &iv, data),
            Some(input) => cts::decrypt_to(cipher, variant, &iv, data, input),
        },
    );
}
