// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The bodies of the fuzz targets of `rust/fuzz`, which take any octets. Nothing may panic, nor take more memory or time
//! than the limits allow.

use std::time::Duration;

use crate::entries::Entry;
use crate::luks::Luks;
use crate::{Error, Hash, Limits, Result, Volume, kdbx, mcrypt, psafe3, uber};

/// A target: its name, as in `rust/fuzz/Cargo.toml`, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All of this crate.
pub const TARGETS: [Target; 3] = [("luks1", luks1), ("luks2", luks2), ("files", files)];
/// Enough for a thousand iterations of PBKDF2, so that the fuzzer is fast.
const LIMITS: Limits = Limits { memory: 1 << 20, work: Duration::from_millis(2) };
const DATA_BYTES: usize = 4096;

/// Calls the target of this name.
pub fn run(target: &str, octets: &[u8]) {
    let (_, body) = TARGETS.iter().find(|(name, _)| *name == target).expect("a name of TARGETS");
    body(octets);
}

/// As the fields of a header of version 1, and the key slots and data behind.
fn luks1(octets: &[u8]) {
    open(&[b"LUKS\xba\xbe\0\x01", octets, &[0; DATA_BYTES]].concat());
}

/// As the JSON of a header of version 2 with a right checksum.
fn luks2(octets: &[u8]) {
    open(&[second_header(octets), vec![0; DATA_BYTES]].concat());
}

/// As files of the other formats, and as their contents, which nobody reaches without the passphrase.
fn files(octets: &[u8]) {
    let passphrase = b"passphrase";
    let key = kdbx::Key { passphrase: passphrase.to_vec().into(), key_file: None };
    let _ = psafe3::Sealed::read(octets.to_vec()).map(|sealed| sealed.open(passphrase, &LIMITS));
    let _ =
        kdbx::Sealed::read(octets).map(|sealed| (sealed.describe(), sealed.open(&key, &LIMITS)));
    let _ = mcrypt::Sealed::read(octets).map(|sealed| sealed.open(passphrase));
    let _ = uber::Sealed::read(octets).map(|sealed| sealed.open("passphrase", &LIMITS));
    for entry in psafe3::Safe::of(octets).entries() {
        let _ = Entry::from(&entry);
    }
    for entry in uber::parse(octets).unwrap_or_default() {
        if let uber::Content::Sealed(sealed) = entry.content {
            let _ = sealed.open("passphrase", &LIMITS);
        }
    }
}

fn second_header(json: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 16 << 10];
    header[..8].copy_from_slice(b"LUKS\xba\xbe\0\x02");
    header[8..16].copy_from_slice(&(16_u64 << 10).to_be_bytes());
    header[0x48..0x4e].copy_from_slice(b"sha256");
    header[4096..].iter_mut().zip(json).for_each(|(to, from)| *to = *from);
    let checksum = Hash::Sha256.of(&[&header]);
    header[0x1c0..0x1e0].copy_from_slice(&checksum);
    header
}

fn open(image: &[u8]) {
    if let Ok(volume) = try_open(image) {
        let mut data = vec![0; DATA_BYTES];
        let n = volume.read_at(&mut data, 0).expect("its length was checked");
        assert!(n as u64 <= volume.n_bytes());
    }
}

fn try_open(image: &[u8]) -> Result<Volume<&[u8]>> {
    let luks = Luks::read(&image)?;
    assert!(
        luks.describe().iter().all(|line| line.chars().all(|c| c == ' ' || c.is_ascii_graphic()))
    );
    match luks.open(&image, image, b"passphrase", &LIMITS) {
        // No passphrase fits a header that the fuzzer made: what is behind must still be safe.
        Err(Error::WrongPassphrase | Error::SlotSkipped(..)) => luks.volume_of_any_key(image),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = r#"{"keyslots":{"0":{"type":"luks2","key_size":16,
        "af":{"type":"luks1","stripes":4,"hash":"sha256"},
        "area":{"offset":"4096","encryption":"twofish-ecb","key_size":16},
        "kdf":{"type":"pbkdf2","hash":"sha256","iterations":10,"salt":"AAAA"}}},
        "segments":{"0":{"type":"crypt","offset":"16384","size":"dynamic",
        "encryption":"twofish-cbc-plain"}},
        "digests":{"0":{"type":"pbkdf2","keyslots":["0"],"segments":["0"],"hash":"sha256",
        "iterations":10,"salt":"AAAA","digest":"AAAA"}}}"#;

    /// Otherwise the fuzzer would stop at the checksum.
    #[test]
    fn what_is_wrapped_is_opened() {
        let image = [second_header(JSON.as_bytes()), vec![0; DATA_BYTES]].concat();
        assert_eq!(try_open(&image).unwrap().n_bytes(), DATA_BYTES as u64);
        for (name, _) in TARGETS {
            run(name, JSON.as_bytes());
        }
    }
}
