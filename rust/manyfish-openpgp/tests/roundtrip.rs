// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Properties of whole messages, for any file, chunk size and form: what is encrypted comes back, and
//! what was changed or cut does not.

use std::io::Write;

use manyfish_openpgp::algorithm::Hash;
use manyfish_openpgp::{ChunkSize, Decryption, Encryption, Error, Format, Result, S2k, Settings};
use proptest::prelude::*;
use proptest::sample::Index;

const PASSPHRASE: &[u8] = b"passphrase";

/// Without the cost of Argon2.
fn settings(chunk_octet: u8, armor: bool) -> Settings {
    let mut settings = Settings::new().unwrap();
    settings.s2k = S2k::Salted { hash: Hash::SHA256, salt: [1; 8] };
    settings.chunk = ChunkSize::from_octet(chunk_octet).unwrap();
    settings.armor = armor;
    settings
}

/// The same in the older form.
fn older(armor: bool) -> Settings {
    let mut settings = settings(0, armor);
    settings.format = Format::Rfc4880;
    settings
}

fn decrypt_twice(message: &[u8], output: &mut impl Write) -> Result<u64> {
    let decryption = Decryption::seekable(std::io::Cursor::new(message))?;
    let key = decryption.session_key(PASSPHRASE)?;
    decryption.run(key, output).map(|opened| opened.bytes)
}

fn encrypt(file: &[u8], known: bool, settings: Settings) -> Vec<u8> {
    let bytes = known.then_some(file.len() as u64);
    Encryption::new(PASSPHRASE, settings).unwrap().run(file, bytes, Vec::new()).unwrap()
}

fn decrypt(message: &[u8], output: &mut impl Write) -> Result<u64> {
    manyfish_openpgp::decrypt(PASSPHRASE, message, output).map(|opened| opened.bytes)
}

/// A file of up to three chunks and a bit, its length near a border in half of the cases.
fn file_and_chunk(octets: std::ops::Range<u8>) -> impl Strategy<Value = (Vec<u8>, u8)> {
    octets.prop_flat_map(|octet| {
        let chunk = 64usize << octet;
        let near =
            (0..4usize, 0..40usize).prop_map(move |(n, i)| (n * chunk + i).saturating_sub(20));
        let size = prop_oneof![near, 0..3 * chunk + 100];
        (size.prop_flat_map(|size| prop::collection::vec(any::<u8>(), size)), Just(octet))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_file_comes_back((file, octet) in file_and_chunk(0..9), known: bool, armor: bool) {
        let mut output = Vec::new();
        let message = encrypt(&file, known, settings(octet, armor));
        prop_assert_eq!(decrypt(&message, &mut output).unwrap(), file.len() as u64);
        prop_assert!(output == file);
    }

    /// The size is what docs/file-format.md says.
    #[test]
    fn the_size_formula_holds((file, octet) in file_and_chunk(0..9)) {
        let length_octets = |n: usize| match n { 0..=191 => 1, 192..=8383 => 2, _ => 5 };
        let literal = 1 + length_octets(file.len() + 6) + 6 + file.len();
        let body = 36 + literal + 16 * (literal.div_ceil(64 << octet) + 1);
        let skesk = 5 + 10 + 15 + 32 + 16;
        let expected = 1 + length_octets(skesk) + skesk + 1 + length_octets(body) + body;
        prop_assert_eq!(encrypt(&file, true, settings(octet, false)).len(), expected);
    }

    #[test]
    fn a_changed_octet_is_an_error(
        (file, octet) in file_and_chunk(0..4), known: bool, armor: bool, at: Index, mask in 1..=255u8,
    ) {
        let mut message = encrypt(&file, known, settings(octet, armor));
        let at = at.index(message.len());
        message[at] ^= mask;
        let mut output = Vec::new();
        let result = decrypt(&message, &mut output);
        // Armor may change where it means nothing: line ends, the case of a header line.
        prop_assert!(result.is_err() || (armor && output == file));
        prop_assert!(file.starts_with(&output));
    }

    #[test]
    fn a_cut_is_truncation((file, octet) in file_and_chunk(0..4), known: bool, at: Index) {
        let message = encrypt(&file, known, settings(octet, false));
        let end = 1 + at.index(message.len() - 1);
        let mut output = Vec::new();
        let result = decrypt(&message[..end], &mut output);
        prop_assert!(matches!(result, Err(Error::Truncated(_))), "{:?}", result);
        prop_assert!(file.starts_with(&output));
    }

    /// Spooled and read twice give the same.
    #[test]
    fn every_file_comes_back_from_the_older_form(
        file in prop::collection::vec(any::<u8>(), 0..5000), known: bool, armor: bool,
    ) {
        let message = encrypt(&file, known, older(armor));
        let (mut spooled, mut twice) = (Vec::new(), Vec::new());
        prop_assert_eq!(decrypt(&message, &mut spooled).unwrap(), file.len() as u64);
        prop_assert_eq!(decrypt_twice(&message, &mut twice).unwrap(), file.len() as u64);
        prop_assert!(spooled == file && twice == file);
    }

    /// And nothing at all comes out of it.
    #[test]
    fn a_changed_octet_of_the_older_form_is_an_error(
        file in prop::collection::vec(any::<u8>(), 0..500), known: bool, at: Index, mask in 1..=255u8,
    ) {
        let mut message = encrypt(&file, known, older(false));
        let at = at.index(message.len());
        message[at] ^= mask;
        let mut output = Vec::new();
        prop_assert!(decrypt(&message, &mut output).is_err());
        prop_assert!(decrypt_twice(&message, &mut output).is_err());
        prop_assert!(output.is_empty());
    }

    #[test]
    fn a_cut_of_the_older_form_is_truncation(
        file in prop::collection::vec(any::<u8>(), 0..500), known: bool, at: Index,
    ) {
        let message = encrypt(&file, known, older(false));
        let end = 1 + at.index(message.len() - 1);
        let mut output = Vec::new();
        let result = decrypt(&message[..end], &mut output);
        prop_assert!(matches!(result, Err(Error::Truncated(_))), "{:?}", result);
        prop_assert!(output.is_empty());
    }

    #[test]
    fn any_octets_are_read_without_a_panic(octets in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut output = Vec::new();
        prop_assert!(decrypt(&octets, &mut output).is_err());
        prop_assert!(output.is_empty());
    }
}
