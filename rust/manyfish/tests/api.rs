// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The edges of the safe API: errors that name what was found, keys that are never shown, use by
//! many threads.

mod common;

use std::thread;

use common::for_each_kernel;
use manyfish::modes::{Ctr, cbc, ecb};
use manyfish::{Error, Ocb, Twofish, kernels, pad_key, selftest};
use zeroize::ZeroizeOnDrop;

fn cipher() -> Twofish {
    Twofish::new(&[7; 16]).unwrap()
}

#[test]
fn wrong_key_lengths_are_named() {
    for found in (0..=100).filter(|found| ![16, 24, 32].contains(found)) {
        let key = vec![7; found];
        let refused = Error::KeyLength { found };
        assert_eq!(Twofish::new(&key).unwrap_err(), refused);
        assert_eq!(cipher().set_key(&key).unwrap_err(), refused);
        for_each_kernel(|kernel| {
            assert_eq!(Twofish::with_kernel(kernel.name, &key).unwrap_err(), refused);
        });
    }
}

#[test]
fn short_keys_are_padded_to_the_next_length() {
    for (found, padded) in [(0, 16), (16, 16), (17, 24), (24, 24), (25, 32), (32, 32)] {
        let key = pad_key(&vec![7; found]).unwrap();
        assert_eq!((key.len(), &key[..found]), (padded, vec![7; found].as_slice()));
        assert!(key[found..].iter().all(|byte| *byte == 0));
    }
    assert_eq!(pad_key(&[7; 33]), Err(Error::KeyTooLong { found: 33 }));
}

#[test]
fn unknown_kernels_are_named() {
    for name in ["", "nosuch", "full\0", "Full"] {
        let refused = Error::UnknownKernel { name: name.to_owned() };
        assert_eq!(Twofish::with_kernel(name, &[7; 16]).unwrap_err(), refused);
        assert_eq!(selftest(name), Err(refused));
    }
}

#[test]
fn kernels_that_cannot_run_here_are_refused() {
    let mut lacking = kernels().filter(|kernel| !kernel.runnable).peekable();
    if lacking.peek().is_none() {
        println!("skipped: this machine runs every kernel of this build");
    }
    for kernel in lacking {
        let refused = Error::Cpu { name: kernel.name.to_owned() };
        assert_eq!(Twofish::with_kernel(kernel.name, &[7; 16]).unwrap_err(), refused);
    }
}

#[test]
fn one_kernel_is_the_default() {
    let defaults: Vec<_> = kernels().filter(|kernel| kernel.is_default).collect();
    assert_eq!(defaults.len(), 1);
    assert_eq!(cipher().kernel(), defaults[0].name);
    for_each_kernel(|kernel| {
        assert_eq!(Twofish::with_kernel(kernel.name, &[7; 16]).unwrap().kernel(), kernel.name);
        assert_eq!(selftest(kernel.name), Ok(()));
    });
}

#[test]
fn a_small_output_is_refused_untouched() {
    let (mut out, input) = ([0xA5; 31], [0; 32]);
    let refused = Err(Error::Capacity { needed: 32, found: 31 });
    assert_eq!(cipher().encrypt_blocks_to(&mut out, &input), refused);
    assert_eq!(ecb::decrypt_to(&cipher(), &mut out, &input), refused);
    assert_eq!(cbc::encrypt_to(&cipher(), &mut [0; 16], &mut out, &input), refused);
    assert_eq!(out, [0xA5; 31]);
}

#[test]
fn a_large_output_keeps_its_rest() {
    let mut out = [0xA5; 40];
    cipher().encrypt_blocks_to(&mut out, &[0; 32]).unwrap();
    assert_eq!(out[32..], [0xA5; 8]);
}

#[test]
fn wrong_nonce_lengths_are_named() {
    let ocb = Ocb::new(&cipher());
    for found in [0, 16, 17, 100] {
        let mut data = *b"stays";
        let refused = Error::NonceLength { mode: "OCB", allowed: "1 to 15 bytes", found };
        assert_eq!(ocb.seal(&vec![7; found], b"", &mut data).unwrap_err(), refused);
        assert_eq!(ocb.open(&vec![7; found], b"", &mut data, &[0; 16]).unwrap_err(), refused);
        assert_eq!(&data, b"stays");
    }
}

#[test]
fn wrong_counters_are_named() {
    for found in [0, 1, 31, 64, 127, 129] {
        let refused = Error::CounterBits { found };
        assert_eq!(Ctr::new(&cipher(), &[0; 16], found).unwrap_err(), refused);
    }
}

#[test]
fn wrong_padding_releases_nothing() {
    let mut data = vec![0; 32];
    assert_eq!(cbc::decrypt_padded(&cipher(), &mut [0; 16], &mut data), Err(Error::Padding));
    assert!(data.is_empty());
    assert_eq!(
        cbc::decrypt_padded(&cipher(), &mut [0; 16], &mut data),
        Err(Error::Length { found: 0 }),
        "padding leaves at least a block"
    );
}

#[test]
fn nothing_shows_a_key() {
    let key = *b"a very secret ke";
    for_each_kernel(|kernel| {
        let cipher = Twofish::with_kernel(kernel.name, &key).unwrap();
        let shown = format!("Twofish {{ kernel: \"{}\", .. }}", kernel.name);
        assert_eq!(format!("{cipher:?}"), shown);
        assert_eq!(format!("{:?}", Ocb::new(&cipher)), shown.replace("Twofish", "Ocb"));
        assert_eq!(format!("{:?}", Ctr::new(&cipher, &[0; 16], 128).unwrap()), "Ctr { .. }");
    });
}

/// That the wiping happens is tested where it does, in manyfish-sys.
#[test]
fn keys_are_wiped_and_may_cross_threads() {
    fn holds<T: ZeroizeOnDrop + Send + Sync + 'static>() {}
    holds::<Twofish>();
    holds::<Ocb>();
    holds::<Ctr>();
}

#[test]
fn many_threads_seal_with_one_key() {
    let ocb = Ocb::new(&cipher());
    let seal = |nonce: u8| {
        let mut data = vec![nonce; 10_000];
        let tag = ocb.seal(&[nonce], b"", &mut data).unwrap();
        (data, tag)
    };
    let alone: Vec<_> = (0..8).map(seal).collect();
    let together: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|nonce| scope.spawn(move || seal(nonce))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(alone == together);
}

#[test]
fn modes_outlive_the_key_they_were_made_from() {
    let (ocb, mut ctr) = {
        let cipher = cipher();
        (Ocb::new(&cipher), Ctr::new(&cipher, &[0; 16], 128).unwrap())
    };
    let mut data = [0; 16];
    ctr.crypt(&mut data).unwrap();
    let mut expected = [0; 16];
    cipher().encrypt_blocks(&mut expected).unwrap();
    assert_eq!(data, expected, "the first counter block, encrypted");
    let tag = ocb.seal(b"n", b"", &mut data).unwrap();
    Ocb::new(&cipher()).open(b"n", b"", &mut data, &tag).unwrap();
}

#[test]
fn the_version_is_that_of_the_project() {
    let version = include_str!("../../../VERSION").trim();
    assert_eq!(manyfish::version(), version);
    assert_eq!(env!("CARGO_PKG_VERSION"), version);
}
