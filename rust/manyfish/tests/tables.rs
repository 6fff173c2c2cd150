// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The tables that all keys share. In a process of its own, where nobody else builds them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{fs, thread};

use manyfish::{CompiledTwofish, Error, SetUp, Tables, Twofish, kernels, selftest};

const PATH: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/big.tables");

/// Everything in one order: the tables are one a process, and stay.
#[test]
fn tables_are_built_kept_and_used() {
    nothing_is_built_unasked();
    building_can_be_cancelled();
    a_panic_comes_through();
    a_wrong_file_is_refused();
    many_threads_can_ask();
    a_file_can_be_written();
    kernels_with_tables_are_twofish();
    compiled_keying_with_tables_is_twofish();
    a_kernel_for_short_keys_keeps_its_key();
    keys_can_be_set_in_constant_time();
}

fn kernels_of(tables: Tables) -> Vec<&'static str> {
    let of = kernels().filter(|kernel| kernel.shared_bytes == tables.bytes());
    of.map(|kernel| kernel.name).collect()
}

fn nothing_is_built_unasked() {
    for tables in Tables::ALL {
        assert!(!tables.is_ready());
        assert_eq!(tables.save(PATH), Err(Error::TablesFile));
        let names = kernels_of(tables);
        assert!(!names.is_empty());
        for name in names {
            let refused = Error::NoTables { name: name.to_owned() };
            assert_eq!(Twofish::with_kernel(name, &[7; 16]).unwrap_err(), refused);
            assert_eq!(selftest(name), Err(refused));
            assert_eq!(Tables::of_kernel(name), Some(tables));
        }
    }
    for (set_up, name) in [(SetUp::Big, "compiled-big"), (SetUp::Huge, "compiled-huge")] {
        let refused = Error::NoTables { name: name.to_owned() };
        assert_eq!(CompiledTwofish::with_set_up(set_up, &[7; 16]).unwrap_err(), refused);
        assert_eq!(CompiledTwofish::or_full_with_set_up(set_up, &[7; 16]).unwrap_err(), refused);
    }
    assert_eq!(Tables::of_kernel("full"), None);
    assert_eq!(Tables::of_kernel("nosuch"), None);
}

fn building_can_be_cancelled() {
    for tables in Tables::ALL {
        let mut told = Vec::new();
        let cancel = |done, all| {
            told.push((done, all));
            told.len() < 2
        };
        assert_eq!(tables.build(2, cancel), Err(Error::Cancelled));
        assert_eq!(told.len(), 2);
        assert!(told[0].0 < told[1].0 && told[1].0 < tables.bytes() && told[1].1 == tables.bytes());
        assert!(!tables.is_ready());
    }
}

/// From the caller's function through the library, which goes on working.
fn a_panic_comes_through() {
    let words = |work: &mut dyn FnMut()| {
        let panic = catch_unwind(AssertUnwindSafe(work)).expect_err("a panic");
        panic.downcast_ref::<&str>().expect("a constant text").to_owned()
    };
    for _ in 0..2 {
        let told = words(&mut || drop(Tables::Big.build(1, |_, _| panic!("on purpose"))));
        assert_eq!(told, "on purpose");
        let asks: [fn() -> Result<(), Error>; 3] = [
            || Tables::Huge.build(1, |_, _| true),
            || Tables::Huge.open(PATH, 1, |_, _| true),
            || Tables::Huge.save(PATH),
        ];
        for ask in asks {
            let told = words(&mut || drop(Tables::Big.build(1, |_, _| ask().is_ok())));
            assert!(told.contains("must not build, open or save tables"), "{told}");
        }
        let mut was_ready = true;
        let cancel = |_, _| {
            was_ready = Tables::Big.is_ready();
            false
        };
        assert_eq!(Tables::Big.build(1, cancel), Err(Error::Cancelled));
        assert!(!was_ready && !Tables::Big.is_ready());
    }
}

fn a_wrong_file_is_refused() {
    fs::write(PATH, vec![0; Tables::Big.bytes() + 4096]).unwrap();
    for path in [PATH, "", "no such file", "zero\0byte"] {
        assert_eq!(Tables::Big.open(path, 1, |_, _| true), Err(Error::TablesFile));
    }
    assert!(!Tables::Big.is_ready());
}

fn many_threads_can_ask() {
    for tables in Tables::ALL {
        let ask = || tables.build(0, |_, _| true).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(ask);
            }
        });
        assert!(tables.is_ready());
        let mut ready = kernels().filter(|kernel| kernel.shared_bytes == tables.bytes());
        assert!(ready.all(|kernel| kernel.runnable));
    }
}

fn a_file_can_be_written() {
    Tables::Big.save(PATH).unwrap();
    let bytes = usize::try_from(fs::metadata(PATH).unwrap().len());
    assert_eq!(bytes, Ok(Tables::Big.bytes() + 4096));
    fs::remove_file(PATH).unwrap();
}

fn kernels_with_tables_are_twofish() {
    for kernel in kernels().filter(|kernel| kernel.shared_bytes > 0) {
        assert_eq!(selftest(kernel.name), Ok(()));
        for key_bytes in [16, 24, 32].into_iter().filter(|bytes| *bytes <= kernel.max_key_bytes) {
            let key = [0xA7; 32];
            let (mut found, mut expected) = ([9; 80], [9; 80]);
            let with = |name| Twofish::with_kernel(name, &key[..key_bytes]).unwrap();
            with(kernel.name).encrypt_blocks(&mut found).unwrap();
            with("zero").encrypt_blocks(&mut expected).unwrap();
            assert_eq!(found, expected, "{} with {key_bytes} bytes", kernel.name);
        }
    }
}

fn compiled_keying_with_tables_is_twofish() {
    for set_up in [SetUp::Full, SetUp::ConstantTime, SetUp::Big] {
        for key in [&[7; 16][..], &[8; 24], &[9; 32]] {
            let compiled = CompiledTwofish::or_full_with_set_up(set_up, key).unwrap();
            assert_eq!(blocks(compiled.as_cipher()), blocks(&Twofish::new(key).unwrap()));
        }
    }
    let mut huge = CompiledTwofish::or_full_with_set_up(SetUp::Huge, &[7; 16]).unwrap();
    assert_eq!(blocks(huge.as_cipher()), blocks(&Twofish::new(&[7; 16]).unwrap()));
    let refused = Error::LongKey { name: "compiled-huge".to_owned(), found: 24 };
    assert_eq!(huge.set_key(&[7; 24]), Err(refused.clone()));
    assert_eq!(blocks(huge.as_cipher()), blocks(&Twofish::new(&[7; 16]).unwrap()));
    let long = CompiledTwofish::or_full_with_set_up(SetUp::Huge, &[7; 24]);
    assert_eq!(long.unwrap_err(), refused);
}

fn blocks(cipher: &Twofish) -> [u8; 80] {
    let mut blocks = [9; 80];
    cipher.encrypt_blocks(&mut blocks).unwrap();
    blocks
}

fn a_kernel_for_short_keys_keeps_its_key() {
    let encrypted = |cipher: &Twofish| {
        let mut block = [1; 16];
        cipher.encrypt_blocks(&mut block).unwrap();
        block
    };
    let refused = |found| Error::LongKey { name: "full-huge".to_owned(), found };
    assert_eq!(Twofish::with_kernel("full-huge", &[7; 24]).unwrap_err(), refused(24));
    let mut cipher = Twofish::with_kernel("full-huge", &[7; 16]).unwrap();
    let before = encrypted(&cipher);
    assert_eq!(cipher.set_key(&[7; 32]), Err(refused(32)));
    assert_eq!(cipher.set_key(&[7; 17]), Err(Error::KeyLength { found: 17 }));
    assert_eq!(encrypted(&cipher), before);
    cipher.set_key(&[8; 16]).unwrap();
    assert_eq!(encrypted(&cipher), encrypted(&Twofish::with_kernel("zero", &[8; 16]).unwrap()));
}

/// By every kernel but those with tables, which say so.
fn keys_can_be_set_in_constant_time() {
    let encrypted = |cipher: Twofish| {
        let mut block = [1; 16];
        cipher.encrypt_blocks(&mut block).unwrap();
        block
    };
    for kernel in kernels().filter(|kernel| kernel.runnable) {
        let name = kernel.name.to_owned();
        match Twofish::with_constant_time_set_up(kernel.name, &[7; 16]) {
            Err(error) => {
                assert!(kernel.shared_bytes > 0 && error == Error::NoConstantTimeSetUp { name });
            }
            Ok(mut cipher) => {
                let expected = |key| encrypted(Twofish::with_kernel(kernel.name, key).unwrap());
                assert_eq!(kernel.shared_bytes, 0);
                assert_eq!(encrypted(cipher.clone()), expected(&[7; 16]));
                cipher.set_key(&[8; 32]).unwrap();
                assert_eq!(encrypted(cipher), expected(&[8; 32]));
            }
        }
    }
}
