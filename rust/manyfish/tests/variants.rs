// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The variants for study: the model's vectors, in the modes too, and what is refused.

mod rsp;

use manyfish::modes::{Cfb, Ctr, Ofb, cbc, cts, ecb};
use manyfish::{BlockCipher, Cmac, Error, Twofish, TwofishVariant, Variation};
use rsp::{Case, cases};

/// The variant of a case, its key filled up with zeros.
fn variant(case: &Case) -> TwofishVariant {
    let family_key = case.bytes("FAMILY_KEY");
    let variation = Variation {
        rounds: case.number("ROUNDS"),
        whitening: case.text("WHITENING") == "1",
        family_key: family_key.as_slice().try_into().ok(),
    };
    let mut key = case.bytes("KEY");
    key.resize(key.len().next_multiple_of(8), 0);
    TwofishVariant::new(&variation, &key).unwrap()
}

#[test]
fn variants_are_those_of_the_model() {
    for case in cases("twofish_variants.rsp") {
        let (pt, ct) = (case.bytes("PT"), case.bytes("CT"));
        let cipher = variant(&case);
        let mut block = pt.clone();
        cipher.encrypt_blocks(&mut block).unwrap();
        assert_eq!(block, ct, "{}", case.text("KEY"));
        cipher.decrypt_blocks(&mut block).unwrap();
        assert_eq!(block, pt);
        cipher.encrypt_blocks_to(&mut block, &pt).unwrap();
        assert_eq!(block, ct);
        cipher.decrypt_blocks_to(&mut block, &ct).unwrap();
        assert_eq!(block, pt);
    }
}

/// A text in the modes that take any cipher.
fn in_modes<C: BlockCipher<Block = [u8; 16]>>(cipher: &C) -> Vec<Vec<u8>> {
    let text: Vec<u8> = (0..=u8::MAX).take(9 * 16).collect();
    let crypted = |crypt: &dyn Fn(&mut [u8]) -> Result<(), Error>| {
        let mut data = text.clone();
        crypt(&mut data).unwrap();
        data
    };
    let iv = [3; 16];
    let mut mac = Cmac::new(cipher);
    mac.update(&text).unwrap();
    vec![
        crypted(&|data| ecb::encrypt(cipher, data)),
        crypted(&|data| cbc::encrypt(cipher, &mut iv.clone(), data)),
        crypted(&|data| cbc::decrypt(cipher, &mut iv.clone(), data)),
        crypted(&|data| cts::encrypt(cipher, cts::Variant::Cs3, &iv, &mut data[..40])),
        crypted(&|data| Ctr::new(cipher, &iv, 128)?.crypt(data)),
        crypted(&|data| Cfb::new(cipher, &iv, 128)?.encrypt(data)),
        crypted(&|data| Ofb::new(cipher, &iv)?.crypt(data)),
        mac.finish().to_vec(),
    ]
}

#[test]
fn without_a_variation_the_modes_are_those_of_twofish() {
    for key in [&[7; 16][..], &[8; 24], &[9; 32]] {
        let variant = TwofishVariant::new(&Variation::default(), key).unwrap();
        assert_eq!(in_modes(&variant), in_modes(&Twofish::new(key).unwrap()));
    }
}

#[test]
fn what_no_variant_has_is_refused() {
    let refusal = |variation: Variation, key: &[u8]| {
        TwofishVariant::new(&variation, key).err().map(|error| error.to_string())
    };
    for rounds in [0, 125, u32::MAX] {
        let found = refusal(Variation { rounds, ..Variation::default() }, &[0; 16]);
        assert_eq!(found.unwrap(), format!("Twofish can have 1 to 124 rounds, not {rounds}"));
    }
    for n_bytes in [0, 8, 17, 511, 520] {
        let expected =
            format!("a key of a variant has 16 to 512 bytes, a multiple of 8, not {n_bytes}");
        assert_eq!(refusal(Variation::default(), &vec![0; n_bytes]).unwrap(), expected);
    }
    let in_family = Variation { family_key: Some(&[1; 32]), ..Variation::default() };
    assert_eq!(
        refusal(in_family, &[0; 40]).unwrap(),
        "with a family key, a key has 16, 24 or 32 bytes, not 40"
    );
    assert_eq!(refusal(in_family, &[0; 32]), None);
    let cipher = TwofishVariant::new(&in_family, &[0; 32]).unwrap();
    let length = Error::Length { block_bytes: 16, found: 17 };
    assert_eq!(cipher.encrypt_blocks(&mut [0; 17]).unwrap_err(), length);
    let shown = format!("{in_family:?} {cipher:?}");
    assert_eq!(
        shown,
        "Variation { rounds: 16, whitening: true, in_family: true } TwofishVariant { .. }"
    );
}
