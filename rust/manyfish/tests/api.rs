// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The edges of the safe API: errors that name what was found, keys that are never shown, use by
//! many threads.

mod common;

use std::process::Command;
use std::{env, thread};

use common::for_each_kernel;
use manyfish::modes::{Cfb, Ctr, Ofb, Xts, cbc, cts, ecb};
use manyfish::{
    Ccm, Cmac, Des, Eax, Error, Gcm, KERNEL_VARIABLE, LEAKS_VARIABLE, Ocb, Siv, Twofish,
    TwofishKeys, kernels, pad_key, selftest,
};
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
        let name = kernel.name.to_owned();
        let refused =
            if kernel.shared_bytes > 0 { Error::NoTables { name } } else { Error::Cpu { name } };
        assert_eq!(Twofish::with_kernel(kernel.name, &[7; 16]).unwrap_err(), refused);
    }
}

#[test]
fn many_keys_and_blocks_are_whole_and_as_many() {
    for key_bytes in (0..=40).filter(|found| ![16, 24, 32].contains(found)) {
        let refused = TwofishKeys::new(&[7; 80], key_bytes).unwrap_err();
        assert_eq!(refused, Error::KeyLength { found: key_bytes });
    }
    let refused = Error::WholeKeys { key_bytes: 24, found: 80 };
    assert_eq!(TwofishKeys::new(&[7; 80], 24).unwrap_err(), refused);

    let keys = TwofishKeys::new(&[7; 80], 16).unwrap();
    for found in [16, 81, 96] {
        let refused = Err(Error::EqualParts { n_keys: 5, found });
        assert_eq!(keys.encrypt_blocks(&mut vec![0; found]), refused);
    }
    assert_eq!(keys.encrypt_blocks(&mut []), Ok(()));
    let mut two = [0; 160];
    keys.encrypt_blocks(&mut two).unwrap();
    let mut one = [0; 32];
    cipher().encrypt_blocks(&mut one).unwrap();
    assert!(two.chunks(32).all(|part| part == one));

    let none = TwofishKeys::new(&[], 16).unwrap();
    assert_eq!(none.decrypt_blocks(&mut []), Ok(()));
    assert_eq!(none.decrypt_blocks(&mut one), Err(Error::EqualParts { n_keys: 0, found: 32 }));
    let needed = Error::Capacity { needed: 160, found: 159 };
    assert_eq!(keys.decrypt_blocks_to(&mut [0; 159], &two), Err(needed));
    let unknown = TwofishKeys::with_kernel("nosuch", &[7; 80], 16).unwrap();
    let refused = Error::UnknownKernel { name: "nosuch".to_owned() };
    assert_eq!(unknown.encrypt_blocks(&mut two), Err(refused));
    assert!(!format!("{keys:?}").contains('7'));
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
        let refused = Error::CounterBits { block_bits: 128, found };
        assert_eq!(Ctr::new(&cipher(), &[0; 16], found).unwrap_err(), refused);
    }
}

#[test]
fn nonces_of_other_modes_are_named() {
    let (gcm, ccm) = (Gcm::new(&cipher()), Ccm::new(&cipher()));
    let refused = Error::NonceLength { mode: "GCM", allowed: "1 byte or more", found: 0 };
    assert_eq!(gcm.seal(b"", b"", &mut [7; 5]).unwrap_err(), refused);
    assert_eq!(gcm.open(b"", b"", &mut [7; 5], &[0; 16]), Err(refused));
    for found in [0, 6, 14] {
        let refused = Error::NonceLength { mode: "CCM", allowed: "7 to 13 bytes", found };
        assert_eq!(ccm.seal(&vec![7; found], b"", &mut [7; 5]).unwrap_err(), refused);
    }
}

#[test]
fn wrong_tag_lengths_are_named() {
    let refused = |mode, allowed: &str, found| {
        let allowed = allowed.to_owned();
        Error::TagLength { mode, allowed, found }
    };
    let cipher = cipher();
    for found in [0, 3, 17] {
        let eax = Eax::with_tag_bytes(&cipher, found).unwrap_err();
        assert_eq!(eax, refused("EAX", "4 to 16", found));
    }
    for found in [0, 1, 9, 16] {
        let eax = Eax::with_tag_bytes(&Des::new(&[7; 8]).unwrap(), found).unwrap_err();
        assert_eq!(eax, refused("EAX", "2 to 8", found));
    }
    for found in [0, 5, 11, 17] {
        let gcm = Gcm::with_tag_bytes(&cipher, found).unwrap_err();
        assert_eq!(gcm, refused("GCM", "4, 8 or 12 to 16", found));
        let ccm = Ccm::with_tag_bytes(&cipher, found).unwrap_err();
        assert_eq!(ccm, refused("CCM", "4, 6, 8, 10, 12, 14 or 16", found));
    }
    for found in [0, 17] {
        let cmac = Cmac::with_tag_bytes(&cipher, found).unwrap_err();
        assert_eq!(cmac, refused("CMAC", "1 to 16", found));
    }
    let mut data = *b"stays";
    let short = Gcm::with_tag_bytes(&cipher, 12).unwrap();
    assert_eq!(short.open(b"n", b"", &mut data, &[0; 16]), Err(refused("GCM", "12", 16)));
    assert_eq!(Cmac::new(&cipher).verify(&[0; 8]), Err(refused("CMAC", "16", 8)));
    assert_eq!(&data, b"stays");
}

#[test]
fn wrong_segments_sectors_and_lengths_are_named() {
    for found in [0, 7, 16, 64, 129] {
        let refused = Error::SegmentBits { block_bits: 128, found };
        assert_eq!(Cfb::new(&cipher(), &[0; 16], found).unwrap_err(), refused);
    }
    let xts = Xts::from_key(&(0..32).collect::<Vec<u8>>()).unwrap();
    let refused = Error::Sectors { sector_bytes: 512, found: 100 };
    assert_eq!(xts.encrypt_sectors(0, 512, &mut [7; 100]), Err(refused));
    for found in [0, 15] {
        let refused = Err(Error::TooShort { needed: 16, found });
        let mut data = vec![7; found];
        assert_eq!(xts.encrypt(&[0; 16], &mut data), refused);
        assert_eq!(cts::decrypt(&cipher(), cts::Variant::Cs2, &[0; 16], &mut data), refused);
    }
}

#[test]
fn xts_with_equal_keys_decrypts_what_exists_and_encrypts_nothing() {
    let (key, tweak) = ([7; 64], [1; 16]);
    let half = Twofish::new(&key[..32]).unwrap();
    let mut unit = [5; 40];
    Xts::new(&half, &half).encrypt(&tweak, &mut unit).unwrap();
    let xts = Xts::from_key(&key).unwrap();
    assert!(xts.has_equal_keys());
    let (refused, before) = (Err(Error::EqualKeys { mode: "XTS" }), unit);
    assert_eq!(xts.encrypt(&tweak, &mut unit), refused);
    assert_eq!(xts.encrypt_to(&tweak, &mut [0; 40], &unit), refused);
    assert_eq!(xts.encrypt_sectors(0, 20, &mut unit), refused);
    assert_eq!(xts.encrypt_sectors_to(0, 20, &mut [0; 40], &unit), refused);
    assert_eq!(unit, before);
    xts.decrypt(&tweak, &mut unit).unwrap();
    assert_eq!(unit, [5; 40]);
}

#[test]
fn keys_for_two_ciphers_are_long_and_differ() {
    for found in [0, 16, 31, 33, 65] {
        let key = vec![7; found];
        let refused = |mode| Error::DoubleKeyLength { mode, found };
        assert_eq!(Xts::from_key(&key).unwrap_err(), refused("XTS"));
        assert_eq!(Siv::from_key_with_kernel("zero", &key).unwrap_err(), refused("SIV"));
    }
    assert_eq!(Siv::from_key(&[7; 32]).unwrap_err(), Error::EqualKeys { mode: "SIV" });
    let key: Vec<u8> = (0..48).collect();
    let refused = Error::UnknownKernel { name: "nosuch".to_owned() };
    assert_eq!(Xts::from_key_with_kernel("nosuch", &key).unwrap_err(), refused);
}

#[test]
fn messages_that_are_too_long_are_refused() {
    let ccm = Ccm::new(&cipher());
    let mut data = vec![7; 1 << 16];
    assert_eq!(ccm.seal(&[0; 13], b"", &mut data).unwrap_err(), Error::TooLong);
    assert_eq!(data, vec![7; 1 << 16]);
    let siv = Siv::from_key(&(0..32).collect::<Vec<u8>>()).unwrap();
    assert_eq!(siv.seal(b"n", &[&b""[..]; 126], &mut []).unwrap_err(), Error::TooLong);
}

/// The library reads the environment once, so a process of its own asks for each.
#[test]
fn the_environment_chooses_and_a_wrong_one_is_named() {
    const EXPECTED: &str = "MANYFISH_TEST_EXPECTED";
    if let Ok(expected) = env::var(EXPECTED) {
        let found = Twofish::new(&[7; 16])
            .map_or_else(|error| error.to_string(), |cipher| cipher.kernel().to_owned());
        assert_eq!(found, expected);
        assert_eq!(Twofish::with_kernel("zero", &[7; 16]).unwrap().kernel(), "zero");
        let default = kernels().find(|kernel| kernel.is_default).map(|kernel| kernel.name);
        assert_eq!(default, (found == "full").then_some("full"));
        return;
    }
    for (kernel, leaks, expected) in [
        ("full", "any", "full"),
        (
            "full",
            "",
            "the environment variable MANYFISH_KERNEL is wrong: the kernel \"full\" is not \
             constant-time: name another, or allow leaks by MANYFISH_LEAKS=any",
        ),
        (
            "",
            "none",
            "the environment variable MANYFISH_LEAKS takes the value any alone, not \"none\": write \
             that, or unset it",
        ),
        (
            "nosuch",
            "any",
            "the environment variable MANYFISH_KERNEL is wrong: no kernel is called \"nosuch\" here",
        ),
    ] {
        let mut again = Command::new(env::current_exe().unwrap());
        again.args(["--exact", "the_environment_chooses_and_a_wrong_one_is_named"]);
        again.env(EXPECTED, expected).env(KERNEL_VARIABLE, kernel).env(LEAKS_VARIABLE, leaks);
        let output = again.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }
}

#[test]
fn wrong_padding_releases_nothing() {
    let mut data = vec![0; 32];
    assert_eq!(cbc::decrypt_padded(&cipher(), &mut [0; 16], &mut data), Err(Error::Padding));
    assert!(data.is_empty());
    data = vec![0; 32];
    assert_eq!(cbc::decrypt_iso_padded(&cipher(), &mut [0; 16], &mut data), Err(Error::Padding));
    assert!(data.is_empty());
    assert_eq!(
        cbc::decrypt_padded(&cipher(), &mut [0; 16], &mut data),
        Err(Error::Length { block_bytes: 16, found: 0 }),
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
        let siv = Siv::new(&cipher, &cipher);
        assert_eq!(format!("{siv:?}"), shown.replace("Twofish", "Siv"));
        let xts = Xts::new(&cipher, &cipher);
        assert_eq!(format!("{xts:?}"), shown.replace("Twofish", "Xts"));
        assert_eq!(format!("{:?}", Ctr::new(&cipher, &[0; 16], 128).unwrap()), "Ctr { .. }");
        assert_eq!(format!("{:?}", Cfb::new(&cipher, &[0; 16], 8).unwrap()), "Cfb { .. }");
    });
}

/// That the wiping happens is tested where it does, in manyfish-sys.
#[test]
fn keys_are_wiped_and_may_cross_threads() {
    fn holds<T: ZeroizeOnDrop + Send + Sync + 'static>() {}
    holds::<Twofish>();
    holds::<Ocb>();
    holds::<Ctr>();
    holds::<Cfb>();
    holds::<Ofb>();
    holds::<Xts>();
    holds::<Cmac>();
    holds::<Eax>();
    holds::<Gcm>();
    holds::<Ccm>();
    holds::<Siv>();
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
