// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! DES and Triple-DES: what is refused, and what must hold for all keys and messages.

use std::env;
use std::process::Command;
use std::thread;

use manyfish::des::{self, BLOCK_BYTES, KERNEL_VARIABLE, KeyFlaws, WEAK_KEYS};
use manyfish::modes::{Cfb, Ctr, Ofb, cbc, cts, ecb};
use manyfish::{BlockCipher, Cmac, Des, Error};
use proptest::prelude::*;

fn bytes(n_bytes: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), n_bytes)
}

fn keys() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![Just(8), Just(16), Just(24)].prop_flat_map(|n_bytes| bytes(n_bytes..=n_bytes))
}

/// Some fill the lanes of the widest kernel.
fn blocks() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => 0_usize..40, 1 => 500_usize..1100]
        .prop_flat_map(|n_blocks| bytes(8 * n_blocks..=8 * n_blocks))
}

fn runnable() -> impl Iterator<Item = &'static str> {
    des::kernels().filter(|kernel| kernel.runnable).map(|kernel| kernel.name)
}

fn cipher() -> Des {
    Des::new(&[7; 24]).unwrap()
}

proptest! {
    #[test]
    fn kernels_agree(key in keys(), data in blocks()) {
        let sp2k = Des::with_kernel("sp2k", &key).unwrap();
        let mut expected = data.clone();
        sp2k.encrypt_blocks(&mut expected).unwrap();
        for kernel in runnable() {
            let cipher = Des::with_kernel(kernel, &key).unwrap();
            let mut found = data.clone();
            cipher.encrypt_blocks(&mut found).unwrap();
            assert_eq!(found, expected, "{kernel}");
            cipher.decrypt_blocks(&mut found).unwrap();
            assert_eq!(found, data, "{kernel}");
        }
    }

    /// Encryption under the complement of the key is that of the complement. [FIPS46-3]
    #[test]
    fn complements_are_kept(key in keys(), data in blocks()) {
        let not = |bytes: &[u8]| bytes.iter().map(|byte| !byte).collect::<Vec<u8>>();
        let mut expected = data.clone();
        Des::new(&key).unwrap().encrypt_blocks(&mut expected).unwrap();
        let mut found = not(&data);
        Des::new(&not(&key)).unwrap().encrypt_blocks(&mut found).unwrap();
        prop_assert_eq!(not(&found), expected);
    }

    #[test]
    fn triple_des_is_three_times_des(key in bytes(24..=24), data in blocks()) {
        let [first, second, third] = [0, 8, 16].map(|i| Des::new(&key[i..i + 8]).unwrap());
        for (key, third) in [(&key[..], &third), (&key[..16], &first)] {
            let mut expected = data.clone();
            first.encrypt_blocks(&mut expected).unwrap();
            second.decrypt_blocks(&mut expected).unwrap();
            third.encrypt_blocks(&mut expected).unwrap();
            let mut found = data.clone();
            Des::new(key).unwrap().encrypt_blocks(&mut found).unwrap();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn parity_bits_do_not_matter(key in keys(), flips in bytes(24..=24), data in blocks()) {
        let mut other = key.clone();
        other.iter_mut().zip(flips).for_each(|(byte, flip)| *byte ^= flip & 1);
        let (mut a, mut b) = (data.clone(), data);
        Des::new(&key).unwrap().encrypt_blocks(&mut a).unwrap();
        Des::new(&other).unwrap().encrypt_blocks(&mut b).unwrap();
        prop_assert_eq!(a, b);
        des::set_parity(&mut other);
        prop_assert!(other.iter().all(|byte| byte.count_ones() % 2 == 1));
        prop_assert!(!des::key_flaws(&other).unwrap().parity);
        prop_assert!(other.iter().zip(&key).all(|(a, b)| a ^ b < 2));
    }

    #[test]
    fn streams_in_pieces_are_the_whole(key in keys(), data in bytes(0..2000), iv: [u8; 8], cut: usize) {
        let cipher = Des::new(&key).unwrap();
        let cut = cut % (data.len() + 1);
        let mut whole = data.clone();
        Ctr::new(&cipher, &iv, 64).unwrap().crypt(&mut whole).unwrap();
        let mut stream = Ctr::new(&cipher, &iv, 64).unwrap();
        let (first, second) = whole.split_at_mut(cut);
        stream.crypt(first).unwrap();
        stream.crypt(second).unwrap();
        prop_assert_eq!(&whole, &data);
        for bits in [1, 8, 64] {
            let mut whole = data.clone();
            Cfb::new(&cipher, &iv, bits).unwrap().encrypt(&mut whole).unwrap();
            let mut message = Cfb::new(&cipher, &iv, bits).unwrap();
            let (first, second) = whole.split_at_mut(cut);
            message.decrypt(first).unwrap();
            message.decrypt(second).unwrap();
            prop_assert_eq!(&whole, &data);
        }
    }
}

#[test]
fn wrong_keys_are_named() {
    for found in [0, 7, 9, 15, 17, 23, 25, 32] {
        let (key, refused) = (vec![7; found], Error::DesKeyLength { found });
        assert_eq!(Des::new(&key).unwrap_err(), refused);
        assert_eq!(Des::with_kernel("sp2k", &key).unwrap_err(), refused);
        assert_eq!(cipher().set_key(&key), Err(refused.clone()));
        assert_eq!(des::key_flaws(&key), Err(refused.clone()));
        assert_eq!(des::check_key(&key, WEAK_KEYS), Err(refused));
    }
    let unknown = Error::UnknownKernel { name: "nosuch".to_owned() };
    assert_eq!(Des::with_kernel("nosuch", &[7; 8]).unwrap_err(), unknown);
    assert_eq!(des::selftest("nosuch"), Err(unknown));
}

#[test]
fn wrong_lengths_name_the_block() {
    let cipher = cipher();
    let refused = Err(Error::Length { block_bytes: 8, found: 9 });
    let mut data = [7; 9];
    assert_eq!(cipher.encrypt_blocks(&mut data), refused);
    assert_eq!(cipher.decrypt_blocks_to(&mut [0; 16], &data), refused);
    assert_eq!(ecb::encrypt(&cipher, &mut data), refused);
    assert_eq!(cbc::decrypt(&cipher, &mut [0; 8], &mut data), refused);
    let short = Err(Error::TooShort { needed: 8, found: 7 });
    assert_eq!(cts::encrypt(&cipher, cts::Variant::Cs3, &[0; 8], &mut data[..7]), short);
    let bits = Error::CounterBits { block_bits: 64, found: 128 };
    assert_eq!(Ctr::new(&cipher, &[0; 8], 128).unwrap_err(), bits);
    let bits = Error::SegmentBits { block_bits: 64, found: 128 };
    assert_eq!(Cfb::new(&cipher, &[0; 8], 128).unwrap_err(), bits);
    let tag = Error::TagLength { mode: "CMAC", allowed: "1 to 8".to_owned(), found: 9 };
    assert_eq!(Cmac::with_tag_bytes(&cipher, 9).unwrap_err(), tag);
    assert_eq!(Cmac::new(&cipher).finish().len(), 8);
    assert_eq!(data, [7; 9]);
}

#[test]
fn refused_keys_say_why() {
    let refused = |key: &[u8], flaws| des::check_key(key, flaws).unwrap_err().to_string();
    assert_eq!(refused(&[0xFE; 8], WEAK_KEYS), "the key is refused: weak");
    let degenerate = "the key is refused: weak, equal parts, which make it DES";
    assert_eq!(refused(&[1; 24], WEAK_KEYS), degenerate);
    let parity = KeyFlaws { parity: true, ..KeyFlaws::default() };
    assert_eq!(refused(&[0; 8], parity), "the key is refused: wrong parity");
    assert_eq!(des::check_key(&[1; 24], parity), Ok(()));
    assert_eq!(des::check_key(&[0; 24], KeyFlaws::default()), Ok(()));
    let two_keys = KeyFlaws { two_keys: true, ..KeyFlaws::default() };
    let key = [&[1; 8][..], &[2; 8], &[1; 8]].concat();
    assert_eq!(refused(&key, two_keys), "the key is refused: equal first and third part");
    assert_eq!(KeyFlaws::default().to_string(), "none");
}

#[test]
fn keys_do_not_show() {
    let kernel = cipher().kernel();
    assert_eq!(format!("{:?}", cipher()), format!("Des {{ kernel: \"{kernel}\", .. }}"));
    let cmac = format!("{:?}", Cmac::new(&cipher()));
    assert_eq!(cmac, format!("Cmac {{ kernel: \"{kernel}\", .. }}"));
}

/// The large expanded keys lie apart from their owners, and modes share them.
#[test]
fn modes_keep_the_key() {
    for kernel in runnable() {
        let mut cipher = Des::with_kernel(kernel, &[7; 24]).unwrap();
        let mut stream = Ofb::new(&cipher, &[9; BLOCK_BYTES]).unwrap();
        let mut expected = [0; 100];
        Ofb::new(&cipher, &[9; 8]).unwrap().crypt(&mut expected).unwrap();
        cipher.set_key(&[8; 24]).unwrap();
        drop(cipher);
        let found = thread::spawn(move || {
            let mut data = [0; 100];
            stream.crypt(&mut data).unwrap();
            data
        });
        assert_eq!(found.join().unwrap(), expected, "{kernel}");
    }
    assert_eq!(Des::BLOCK_BYTES, BLOCK_BYTES);
}

/// The library reads the variable once, so a process of its own asks.
#[test]
fn a_wrong_environment_is_named() {
    const ASKED: &str = "MANYFISH_TEST_ASKED";
    if env::var_os(ASKED).is_some() {
        let cause = Box::new(Error::Leaks { name: "sp2k".to_owned() });
        let refused = Error::KernelVariable { variable: KERNEL_VARIABLE, cause };
        assert_eq!(Des::new(&[7; 8]).unwrap_err(), refused);
        assert_eq!(Des::with_kernel("sp2k", &[7; 8]).unwrap().kernel(), "sp2k");
        assert!(des::kernels().all(|kernel| !kernel.is_default));
        return;
    }
    let mut again = Command::new(env::current_exe().unwrap());
    again.args(["--exact", "a_wrong_environment_is_named"]);
    let output = again.env(ASKED, "").env(KERNEL_VARIABLE, "sp2k").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
