// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Opens the containers that tcplay wrote (`interop/fixtures`), and hostile ones.

mod fixtures;

use std::io::{Read, Seek, Write};

use manyfish::Twofish;
use manyfish::modes::Xts;
use manyfish_files::veracrypt::{self, Choices, Found, Program};
use manyfish_files::{Error, Result, Source, Volume};
use sha2::{Digest, Sha256, Sha512};

/// Their ciphers, and the SHA-256 of their plain data by veracrypt-core 0.2.4.
const CONTAINERS: [(&str, &str, &str); 5] = [
    (
        "twofish-key-file",
        "Twofish",
        "8ae79e1d41a6e0f0649bf108c1fc497a3d06d0b065ee792da3aabd5f6786be20",
    ),
    (
        "aes-twofish",
        "AES-Twofish",
        "62f112d7ecf80bff2a4bd75cee5667d069db678005d8c7ecd8a5d66ed776b62e",
    ),
    (
        "aes-twofish-serpent",
        "AES-Twofish-Serpent",
        "9d6fd11b2e23c34d71b9deacca85fc6a7b64ab3d4074bab89e4a0780f7b09be5",
    ),
    (
        "twofish-serpent",
        "Twofish-Serpent",
        "9e0220ee1fa7cc51db33fa9e44ef6167fc520ba52bf15759c72e41f67857db67",
    ),
    (
        "hidden-serpent-twofish-aes",
        "Serpent-Twofish-AES",
        "df587f2fc40af93f08dcba42df7538034acff4426f3a7ec8007ca2f6d5324958",
    ),
];

fn container(name: &str) -> Vec<u8> {
    fixtures::unpacked(&format!("truecrypt-{name}.tc"))
}

fn passphrase(name: &str) -> Vec<u8> {
    let key_file = fixtures::read("short.bin");
    let key_files: &[&[u8]] = if name.ends_with("key-file") { &[&key_file] } else { &[] };
    veracrypt::mixed(&fixtures::passphrase(), key_files).to_vec()
}

/// With a PIM, so that a failure is quick.
fn choices(backup: bool) -> Choices {
    let mut choices = Choices::default();
    (choices.pim, choices.backup) = (Some(1), backup);
    choices
}

fn open<'a>(image: &'a [u8], passphrase: &[u8]) -> Result<(Found, Volume<&'a [u8]>)> {
    veracrypt::open(image, passphrase, choices(false))
}

fn content(volume: &Volume<impl Source>) -> Vec<u8> {
    let mut plain = vec![0; usize::try_from(volume.n_bytes()).unwrap()];
    volume.read_at(&mut plain, 0).unwrap();
    plain
}

#[test]
fn each_container_opens_by_either_header() {
    for (name, ciphers, digest) in CONTAINERS {
        let image = container(name);
        for backup in [false, true] {
            let (found, volume) =
                veracrypt::open(&image[..], &passphrase(name), choices(backup)).unwrap();
            assert_eq!(found.ciphers, ciphers);
            assert_eq!(found.program, Program::TrueCrypt);
            assert_eq!(found.hidden, name.starts_with("hidden"));
            let plain = content(&volume);
            assert_eq!(base16ct::lower::encode_string(&Sha256::digest(plain)), digest, "{name}");
        }
    }
}

/// The content, read and written again, gives the file that was there.
#[test]
fn each_container_takes_its_own_data() {
    for (name, ..) in CONTAINERS {
        check_writing(&container(name), &passphrase(name));
    }
}

fn check_writing(image: &[u8], passphrase: &[u8]) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(image).unwrap();
    let (_, volume) = veracrypt::open(&file, passphrase, choices(false)).unwrap();
    let mut plain = content(&volume);
    assert_eq!(volume.write_at(&vec![0; plain.len()], 0).unwrap(), plain.len());
    assert!(content(&volume).iter().all(|octet| *octet == 0));
    volume.write_at(&plain, 0).unwrap();
    plain.clear();
    file.rewind().unwrap();
    file.read_to_end(&mut plain).unwrap();
    assert!(plain == image);
}

#[test]
fn the_modes_of_truecrypt_4_open() {
    let image = fixtures::unpacked("truecrypt43-lrw-hidden-cbc.tc");
    let outer = b"fourteen jolly badgers hum".to_vec();
    for (mode, hidden, passphrase) in [("LRW", false, outer), ("CBC", true, fixtures::passphrase())]
    {
        let (found, volume) = open(&image, &passphrase).unwrap();
        assert_eq!((found.mode, found.hidden, found.ciphers), (mode, hidden, "Twofish"));
        assert_eq!(found.program, Program::TrueCrypt);
        let plain = content(&volume);
        let n_bytes = if hidden { 10_240 } else { image.len() - 512 };
        assert_eq!(plain.len(), n_bytes, "{mode}");
        assert!(plain.starts_with(&fixtures::read("long.bin")), "{mode}");
        check_writing(&image, &passphrase);
    }
}

#[test]
fn a_wrong_passphrase_and_a_damaged_header_give_the_same_error() {
    let name = "aes-twofish";
    let mut image = container(name);
    let is_refused = |image: &[u8], words: &[u8]| {
        matches!(open(image, words), Err(Error::WrongPassphraseOrFormat))
    };
    assert!(is_refused(&image, b"wrong"));
    image[300] ^= 1;
    assert!(is_refused(&image, &passphrase(name)));
}

const SALT: [u8; 64] = [5; 64];
const N_BYTES: usize = 512 << 10;
const START: usize = 128 << 10;

fn xts(keys: &[u8]) -> Xts {
    let key = |at: usize| Twofish::new(&keys[at..at + 32]).unwrap();
    Xts::new(&key(0), &key(32))
}

/// A volume of VeraCrypt under a PIM of 1, as the programs write it: with these fields, and zeros as its data.
fn sealed(version: u16, start: u64, n_bytes: u64) -> Vec<u8> {
    let mut header = [0; 448];
    header[..4].copy_from_slice(b"VERA");
    header[4..6].copy_from_slice(&version.to_be_bytes());
    header[44..52].copy_from_slice(&start.to_be_bytes());
    header[52..60].copy_from_slice(&n_bytes.to_be_bytes());
    header[192..].iter_mut().zip(0..=255).for_each(|(octet, i)| *octet = i);
    let keys = crc32fast::hash(&header[192..]);
    header[8..12].copy_from_slice(&keys.to_be_bytes());
    let fields = crc32fast::hash(&header[..188]);
    header[188..192].copy_from_slice(&fields.to_be_bytes());
    let master = xts(&header[192..]);

    let mut key = [0; 64];
    pbkdf2::pbkdf2_hmac::<Sha512>(b"passphrase", &SALT, 16_000, &mut key);
    xts(&key).encrypt(&[0; 16], &mut header).unwrap();
    let mut image = vec![0; N_BYTES];
    image[..64].copy_from_slice(&SALT);
    image[64..512].copy_from_slice(&header);
    let number = (START / 512) as u64;
    master.encrypt_sectors(number, 512, &mut image[START..]).unwrap();
    image
}

#[test]
fn a_volume_of_veracrypt_opens() {
    let image = sealed(5, START as u64, (N_BYTES - START) as u64);
    let (found, volume) = open(&image, b"passphrase").unwrap();
    assert_eq!((found.program, found.ciphers), (Program::VeraCrypt, "Twofish"));
    assert_eq!(found.kdf.to_string(), "PBKDF2 with SHA-512, 16000 iterations");
    assert!(content(&volume).iter().all(|&octet| octet == 0));
}

#[test]
fn headers_that_lie_get_a_sentence() {
    let cases = [
        (5, 1, 512, "no whole sectors"),
        (5, 512, 1, "no whole sectors"),
        (5, START as u64, N_BYTES as u64, "the data is truncated"),
        (5, u64::MAX - 511, 1024, "the data is truncated"),
    ];
    for (version, start, n_bytes, expected) in cases {
        let problem = open(&sealed(version, start, n_bytes), b"passphrase").unwrap_err();
        assert!(problem.to_string().contains(expected), "{problem}");
    }
}
