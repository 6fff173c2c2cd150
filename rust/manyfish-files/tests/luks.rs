// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Opens the volumes that cryptsetup wrote (`interop/fixtures`), whole, damaged and hostile.

mod fixtures;

use fixtures::{passphrase, read, unpacked};
use manyfish_files::luks::{Cipher, Luks, New};
use manyfish_files::{Error, LIMITS, Limits, Result, Sink, Source, Volume};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const VERSION_1: &str = "luks1-cbc-essiv";
const VERSION_2: &str = "luks2-xts-plain64";
/// The length of the data, and of either copy of a header of version 2.
const DATA_BYTES: usize = 12288;
const HEADER_BYTES: usize = 16 << 10;
const JSON: usize = 4096;
const CHECKSUM: usize = 0x1c0;

fn image(name: &str) -> Vec<u8> {
    unpacked(&format!("{name}.img"))
}

fn plain() -> Vec<u8> {
    let mut plain = read("long.bin");
    plain.resize(DATA_BYTES, 0);
    plain
}

fn open(image: &[u8]) -> Result<Volume<&[u8]>> {
    Luks::read(&image)?.open(&image, image, &passphrase(), &LIMITS)
}

fn content(volume: &Volume<impl Source>) -> Vec<u8> {
    let mut plain = vec![0; usize::try_from(volume.n_bytes()).unwrap()];
    assert_eq!(volume.read_at(&mut plain, 0).unwrap(), plain.len());
    plain
}

/// The error of an image, as a sentence.
fn problem(image: &[u8]) -> String {
    open(image).unwrap_err().to_string()
}

#[test]
fn each_volume_opens() {
    for name in [VERSION_1, VERSION_2] {
        let image = image(name);
        let volume = open(&image).unwrap();
        assert!(content(&volume) == plain(), "{name}");
        for (start, n_bytes) in [(0, 1), (511, 2), (4095, 4098), (5000, 0), (12287, 9)] {
            let mut part = vec![0; n_bytes];
            let n = volume.read_at(&mut part, start as u64).unwrap();
            let expected = &plain()[start..DATA_BYTES.min(start + n_bytes)];
            assert_eq!(&part[..n], expected, "{name}: {n_bytes} bytes at {start}");
        }
        assert_eq!(volume.read_at(&mut [0; 9], 1 << 60).unwrap(), 0);
    }
}

/// cryptsetup's test judges them, too.
#[test]
fn a_new_volume_opens_by_either_header() {
    for (cipher, name) in [(Cipher::Aes, "aes"), (Cipher::Twofish, "twofish")] {
        let mut new = New::default();
        (new.cipher, new.memory, new.passes) = (cipher, 64, 1);
        let disk = tempfile::tempfile().unwrap();
        let too_short = new.create(&disk, &passphrase());
        assert!(matches!(too_short, Err(Error::Truncated { .. })));
        disk.set_len(New::HEADER_BYTES + DATA_BYTES as u64).unwrap();
        let volume = new.create(&disk, &passphrase()).unwrap();
        assert_eq!(volume.write_at(&plain(), 0).unwrap(), DATA_BYTES);
        for (place, copy) in [(0, ""), (HEADER_BYTES, ", from the second copy of the header")] {
            let luks = Luks::read(&disk).unwrap();
            let lines = luks.describe();
            assert!(lines[0].starts_with(&format!("LUKS version 2{copy}, UUID ")), "{}", lines[0]);
            assert_eq!(lines[1], format!("{name}-xts-plain64, a key of 512 bits"));
            let volume = luks.open(&disk, &disk, &passphrase(), &LIMITS).unwrap();
            assert!(content(&volume) == plain(), "{name}{copy}");
            disk.write_all_at(b"damage", place as u64 + 9).unwrap();
        }
        assert!(matches!(Luks::read(&disk), Err(Error::Damaged(_))));
    }
}

#[test]
fn a_header_may_lie_in_another_file() {
    let image = image(VERSION_2);
    let header = &image[..image.len() - DATA_BYTES];
    let luks = Luks::read(&header).unwrap();
    assert!(matches!(
        luks.open(&header, header, &passphrase(), &LIMITS),
        Ok(volume) if volume.n_bytes() == 0
    ));
    let volume = luks.open(&header, &image[..], &passphrase(), &LIMITS).unwrap();
    assert!(content(&volume) == plain());
}

#[test]
fn descriptions_tell_how_strong_a_passphrase_is_kept() {
    let lines = |name| Luks::read(&image(name)).unwrap().describe();
    let first = lines(VERSION_1);
    assert!(first[0].starts_with("LUKS version 1, UUID "), "{}", first[0]);
    assert_eq!(first[1], "twofish-cbc-essiv:sha256, a key of 128 bits");
    assert_eq!(first[3..], ["key slot 0: PBKDF2 with SHA-256, 1000 iterations"]);
    let second = lines(VERSION_2);
    assert_eq!(second[1], "twofish-xts-plain64, a key of 256 bits");
    assert_eq!(second[2], "data from byte 2097152 on, sectors of 4096 bytes");
    assert_eq!(second[3..], ["key slot 0: Argon2id, 4 passes, 1 lane, 64 KiB of memory"]);
}

#[test]
fn a_wrong_passphrase_opens_nothing() {
    for name in [VERSION_1, VERSION_2] {
        let image = image(name);
        let luks = Luks::read(&image).unwrap();
        let opened = luks.open(&image, &image[..], b"wrong", &LIMITS);
        assert!(matches!(opened, Err(Error::WrongPassphrase)), "{name}");
    }
}

#[test]
fn costs_are_refused_before_any_work() {
    let image = image(VERSION_2);
    let luks = Luks::read(&image).unwrap();
    let asked = luks.asks_for();
    assert_eq!(asked.memory, 64 << 10);
    let short = Limits { work: asked.work / 2, ..asked };
    for limits in [short, Limits { memory: (64 << 10) - 1, ..asked }] {
        let opened = luks.open(&image, &image[..], &passphrase(), &limits);
        assert!(matches!(opened, Err(Error::OverLimits { .. })));
    }
    assert!(luks.open(&image, &image[..], &passphrase(), &asked).is_ok());
}

#[test]
fn the_second_header_serves_where_the_first_is_damaged() {
    for place in [0, 0x1c0, JSON + 9] {
        let mut image = image(VERSION_2);
        image[place] ^= 1;
        assert!(Luks::read(&image).unwrap().describe()[0].contains("second copy"));
        assert!(content(&open(&image).unwrap()) == plain(), "damaged at {place}");
        image[HEADER_BYTES + place] ^= 1;
        let damaged = problem(&image);
        let expected = if place == 0 { "no LUKS header" } else { "checksum is wrong" };
        assert!(damaged.ends_with(expected), "{place}: {damaged}");
    }
}

/// An image with another text in the JSON of its header.
fn rewritten(from: &str, to: &str) -> Vec<u8> {
    let json = json();
    assert!(json.contains(from), "{json} has no {from}");
    with_json(&json.replacen(from, to, 1))
}

fn json() -> String {
    let json = String::from_utf8(image(VERSION_2)[JSON..HEADER_BYTES].to_vec()).unwrap();
    json.trim_end_matches('\0').into()
}

/// An image with this JSON in its header, and a right checksum. There is no second copy.
fn with_json(json: &str) -> Vec<u8> {
    let mut image = image(VERSION_2);
    image[HEADER_BYTES..2 * HEADER_BYTES].fill(0);
    let mut json = json.to_owned().into_bytes();
    json.resize(HEADER_BYTES - JSON, 0);
    image[JSON..HEADER_BYTES].copy_from_slice(&json);
    image[CHECKSUM..CHECKSUM + 64].fill(0);
    let checksum = Sha256::digest(&image[..HEADER_BYTES]);
    image[CHECKSUM..CHECKSUM + 32].copy_from_slice(&checksum);
    image
}

/// A second header that is whole says why it does not open, even if nothing is left of the first one.
#[test]
fn the_second_header_alone_says_what_is_wrong() {
    let mut image = rewritten("twofish-xts-plain64\",\"sector", "aes-cbc-plain64\",\"sector");
    let (first, second) = image[..2 * HEADER_BYTES].split_at_mut(HEADER_BYTES);
    second.copy_from_slice(first);
    second[..6].copy_from_slice(b"SKUL\xba\xbe");
    second[0x100..0x108].copy_from_slice(&(HEADER_BYTES as u64).to_be_bytes());
    second[CHECKSUM..CHECKSUM + 64].fill(0);
    let checksum = Sha256::digest(&*second);
    second[CHECKSUM..CHECKSUM + 32].copy_from_slice(&checksum);
    first.fill(0);
    assert!(problem(&image).contains("encrypted with aes-cbc-plain64"));
}

/// The error names it if no other slot opens, whatever is strange in it.
#[test]
fn a_strange_key_slot_leaves_the_others_usable() {
    const ARGON2: &str = "Argon2 refuses the numbers of a key slot";
    for (place, value, problem) in [
        ("/type", json!("luks3"), "the file uses a key slot of another form"),
        ("/kdf/type", json!("scrypt"), "the file uses a key slot of another form"),
        ("/af/hash", json!("md4"), "the file uses the hash \"md4\""),
        (
            "/area/encryption",
            json!("aes-cbc-plain64"),
            "the file uses the cipher aes-cbc-plain64 for a key slot",
        ),
        ("/key_size", json!(31), "twofish-xts-plain64 with a key of 31 bytes"),
        ("/kdf/time", json!(0), ARGON2),
        ("/area/offset", json!("9999999999"), "the key slot is truncated"),
    ] {
        for strange in ["0", "1"] {
            let mut header: Value = serde_json::from_str(&json()).unwrap();
            header["keyslots"]["1"] = header["keyslots"]["0"].clone();
            header["digests"]["0"]["keyslots"] = json!(["0", "1"]);
            *header["keyslots"][strange].pointer_mut(place).unwrap() = value.clone();
            let image = with_json(&header.to_string());
            assert!(content(&open(&image).unwrap()) == plain(), "{place}");
            let opened = Luks::read(&image).unwrap().open(&image, &image[..], b"wrong", &LIMITS);
            let told = opened.unwrap_err().to_string();
            let expected =
                format!("unless it is that of key slot {strange}, which cannot be tried: ");
            assert!(told.contains(&expected) && told.contains(problem), "{place}: {told}");
        }
    }
}

#[test]
fn each_hostile_header_gets_a_sentence() {
    let name = r#""encryption":"twofish-xts-plain64","sector"#;
    let cases = [
        (name, r#""encryption":"aes-cbc-plain64","sector"#, "aes-cbc-plain64; this"),
        (name, r#""encryption":"twofish-xts-plain65","sector"#, "\"twofish-xts-plain65\""),
        (name, r#""encryption":"twofish-cbc-essiv:md4","sector"#, "the hash \"md4\""),
        (name, r#""encryption":"twofish-cbc-essiv:sha1","sector"#, "twofish-cbc-essiv:sha1"),
        (name, "\"encryption\":\"twofish-\u{202e}\",\"sector", "\"twofish-\\u{202e}\""),
        (r#""key_size":32,"af""#, r#""key_size":31,"af""#, "a key of 31 bytes"),
        (r#""stripes":4000"#, r#""stripes":4000000000"#, "4000000000 stripes"),
        (r#""stripes":4000"#, r#""stripes":0"#, "0 stripes"),
        (r#""offset":"32768""#, r#""offset":"18446744073709551615""#, "key slot is truncated"),
        (r#""offset":"32768""#, r#""offset":"-1""#, "\"-1\" is no number"),
        (r#""memory":64"#, r#""memory":4294967295"#, "over the limit of 1 GiB"),
        (r#""memory":64"#, r#""memory":1"#, "Argon2 refuses"),
        (r#""time":4,"#, r#""time":4294967295,"#, "over the limit of 1 GiB of memory and 60 s"),
        (r#""time":4,"#, r#""time":0,"#, "Argon2 refuses"),
        (r#""cpus":1,"#, r#""cpus":0,"#, "Argon2 refuses"),
        (r#""cpus":1,"#, r#""cpus":4294967295,"#, "Argon2 refuses"),
        (r#""salt":""#, r#""salt":"!"#, "not in base64"),
        (r#""type":"crypt""#, r#""type":"linear""#, "not encrypted"),
        (r#""size":"dynamic""#, r#""size":"18446744073709551615""#, "data is truncated"),
        (r#""offset":"2097152""#, r#""offset":"18446744073709551615""#, "data is truncated"),
        (r#""sector_size":4096"#, r#""sector_size":0"#, "sectors of 0 bytes"),
        (r#""sector_size""#, r#""integrity":{},"sector_size""#, "an integrity mode"),
        (
            r#""segments":{"0":{"#,
            r#""segments":{"1":{"type":"crypt","offset":"0","size":"dynamic"},"0":{"#,
            "a reencryption that is not finished",
        ),
        (r#""segments":["0"]"#, r#""segments":["1"]"#, "no key slot is in use"),
        (r#""iterations":1000"#, r#""iterations":0"#, "no iterations"),
        (r#""iterations":1000"#, r#""iterations":4294967295"#, "over the limit"),
        (r#""digest":""#, r#""digest":"AAAA"#, "wrong passphrase"),
        (r#""kdf":{"type":"argon2id""#, r#""kdf":{"type":"scrypt""#, "a key slot of another form"),
        (
            "config\":{",
            r#"config":{"requirements":{"mandatory":["opal"]},"#,
            "requirement \"opal\"",
        ),
        (
            "config\":{",
            r#"config":{"requirements":{"mandatory":["online-reencrypt-v2"]},"#,
            "reencryption",
        ),
        (r#"{"keyslots""#, r#"{"keyslot""#, "JSON is wrong at byte"),
    ];
    for (from, to, expected) in cases {
        let problem = problem(&rewritten(from, to));
        assert!(problem.contains(expected), "{to}: {problem}");
    }
    assert!(content(&open(&rewritten("config", "other")).unwrap()) == plain(), "the checksum");
}

#[test]
fn sectors_may_be_counted_from_another_number() {
    let moved = rewritten(r#""iv_tweak":"0""#, r#""iv_tweak":"8""#);
    assert_ne!(content(&open(&moved).unwrap()), plain());
}

#[test]
fn no_part_of_an_image_opens() {
    for name in [VERSION_1, VERSION_2] {
        let image = image(name);
        let cuts = (0..JSON).chain((JSON..image.len() - DATA_BYTES).step_by(4099));
        for cut in cuts {
            match Luks::read(&&image[..cut]) {
                Ok(luks) => assert!(
                    luks.open(&&image[..cut], &image[..cut], b"", &Limits::NOTHING).is_err()
                ),
                Err(error) => assert!(
                    matches!(error, Error::NotLuks | Error::Truncated { .. }),
                    "{cut}: {error}"
                ),
            }
        }
    }
}

/// Nothing says what a header of version 1 should be: a change must only lead to a sentence, in little time.
#[test]
fn a_header_of_version_1_with_any_bit_changed_does_no_harm() {
    let mut image = image(VERSION_1);
    let limits = Luks::read(&image).unwrap().asks_for();
    for bit in (0..8 * 208).step_by(3) {
        image[bit / 8] ^= 1 << (bit % 8);
        if let Ok(luks) = Luks::read(&image) {
            let _ = luks.open(&image, &image[..], &passphrase(), &limits);
            assert!(luks.describe().len() <= 3 + 8);
        }
        image[bit / 8] ^= 1 << (bit % 8);
    }
}
