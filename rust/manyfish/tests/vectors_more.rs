// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The files of vectors/ for CFB, OFB, ciphertext stealing, XTS, CMAC, EAX, GCM, CCM and SIV, through
//! every kernel, in place and apart, both directions.

mod both_ways;
mod common;
mod rsp;

use both_ways::{Crypt, check, check_cfb, check_ofb, check_stealing};
use common::for_each_kernel;
use manyfish::modes::Xts;
use manyfish::{Ccm, Cmac, Eax, Error, Gcm, KernelInfo, Siv, TAG_BYTES, Tag, Twofish};
use rsp::{Case, cases};

fn cipher(kernel: &KernelInfo, case: &Case) -> Twofish {
    Twofish::with_kernel(kernel.name, &case.bytes("KEY")).expect("a vector's key is valid")
}

fn second_cipher(kernel: &KernelInfo, case: &Case) -> Twofish {
    Twofish::with_kernel(kernel.name, &case.bytes("KEY_2")).expect("a vector's key is valid")
}

type Seal<'a> = &'a dyn Fn(&mut [u8], Option<&[u8]>) -> Result<Tag, Error>;

#[test]
fn cfb() {
    let cases = cases("twofish_cfb.rsp");
    for_each_kernel(|kernel| cases.iter().for_each(|case| check_cfb(case, &cipher(kernel, case))));
}

#[test]
fn ofb() {
    let cases = cases("twofish_ofb.rsp");
    for_each_kernel(|kernel| cases.iter().for_each(|case| check_ofb(case, &cipher(kernel, case))));
}

#[test]
fn ciphertext_stealing() {
    let cases = cases("twofish_cbc_cts.rsp");
    for_each_kernel(|kernel| {
        for case in &cases {
            check_stealing(case, &cipher(kernel, case));
        }
    });
}

/// The tweak of a case is that of its first sector; numbers of more than 64 bits go unit by unit.
#[test]
fn xts() {
    let cases = cases("twofish_xts.rsp");
    let (mut units, mut sectors) = (0, 0);
    for_each_kernel(|kernel| {
        for case in &cases {
            let xts = Xts::new(&cipher(kernel, case), &second_cipher(kernel, case));
            let n_bytes = usize::try_from(case.number("SECTOR_BYTES")).unwrap();
            let tweak = case.block("TWEAK");
            let first = u128::from_le_bytes(tweak);
            if n_bytes == case.bytes("PT").len() {
                units += 1;
                check(
                    case,
                    &|data, input| match input {
                        None => xts.encrypt(&tweak, data),
                        Some(input) => xts.encrypt_to(&tweak, data, input),
                    },
                    &|data, input| match input {
                        None => xts.decrypt(&tweak, data),
                        Some(input) => xts.decrypt_to(&tweak, data, input),
                    },
                );
            }
            let Ok(first) = u64::try_from(first) else { continue };
            sectors += 1;
            check(
                case,
                &|data, input| match input {
                    None => xts.encrypt_sectors(first, n_bytes, data),
                    Some(input) => xts.encrypt_sectors_to(first, n_bytes, data, input),
                },
                &|data, input| match input {
                    None => xts.decrypt_sectors(first, n_bytes, data),
                    Some(input) => xts.decrypt_sectors_to(first, n_bytes, data, input),
                },
            );
        }
    });
    assert!(units > 0 && sectors > 0, "{units} units, {sectors} cases with sectors");
}

#[test]
fn cmac() {
    let cases = cases("twofish_cmac.rsp");
    for_each_kernel(|kernel| {
        for case in &cases {
            let (message, tag) = (case.bytes("MSG"), case.bytes("TAG"));
            let mut cmac = Cmac::with_tag_bytes(&cipher(kernel, case), tag.len()).unwrap();
            cmac.update(&message).unwrap();
            assert_eq!(*cmac.finish(), *tag);
            cmac.update(&message).unwrap();
            cmac.verify(&tag).unwrap();
        }
    });
}

/// Seals and opens the message of a case; the parts that differ between modes are given.
fn check_aead(case: &Case, seal: Seal, open: Crypt) {
    let seal_and_compare: Crypt =
        &|data, input| seal(data, input).map(|tag| assert_eq!(*tag, *case.bytes("TAG")));
    check(case, seal_and_compare, open);
}

macro_rules! aead_test {
    ($test:ident, $mode:ident, $file:literal, $nonce:literal) => {
        #[test]
        fn $test() {
            let cases = cases($file);
            for_each_kernel(|kernel| {
                for case in &cases {
                    let (nonce, aad) = (case.bytes($nonce), case.bytes("AAD"));
                    let tag = case.bytes("TAG");
                    let mode = $mode::with_tag_bytes(&cipher(kernel, case), tag.len()).unwrap();
                    check_aead(
                        case,
                        &|data, input| match input {
                            None => mode.seal(&nonce, &aad, data),
                            Some(input) => mode.seal_to(&nonce, &aad, data, input),
                        },
                        &|data, input| match input {
                            None => mode.open(&nonce, &aad, data, &tag),
                            Some(input) => mode.open_to(&nonce, &aad, data, input, &tag),
                        },
                    );
                }
            });
        }
    };
}

aead_test!(eax, Eax, "twofish_eax.rsp", "NONCE");
aead_test!(gcm, Gcm, "twofish_gcm.rsp", "IV");
aead_test!(ccm, Ccm, "twofish_ccm.rsp", "NONCE");

/// A nonce is the last string of associated data.
#[test]
fn siv() {
    let cases = cases("twofish_siv.rsp");
    for_each_kernel(|kernel| {
        for case in &cases {
            let siv = Siv::new(&cipher(kernel, case), &second_cipher(kernel, case));
            let strings: Vec<_> =
                (1..=case.number("N_AAD")).map(|i| case.bytes(&format!("AAD_{i}"))).collect();
            let mut aad: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
            let nonce = match aad.last() {
                Some(last) if !last.is_empty() => aad.pop().unwrap_or_default(),
                _ => &[],
            };
            let tag: [u8; TAG_BYTES] = case.block("TAG");
            let compare = |made: [u8; TAG_BYTES]| assert_eq!(made, tag);
            check(
                case,
                &|data, input| match input {
                    None => siv.seal(nonce, &aad, data).map(compare),
                    Some(input) => siv.seal_to(nonce, &aad, data, input).map(compare),
                },
                &|data, input| match input {
                    None => siv.open(nonce, &aad, data, &tag),
                    Some(input) => siv.open_to(nonce, &aad, data, input, &tag),
                },
            );
        }
    });
}
