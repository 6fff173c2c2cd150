// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! ASCII armor [RFC9580, 6]: written without a checksum, which the standard forbids for messages like
//! ours [RFC9580, 6.1], but with one in the older form: without it GnuPG 2.2 takes the last line for data.
//! The checksum of others is read over, since the tags protect everything.

mod crc24;
mod reader;
mod writer;

pub use reader::Dearmored;
pub use writer::ArmorWriter;

const BEGIN: &str = "-----BEGIN PGP MESSAGE-----";
const END: &str = "-----END PGP MESSAGE-----";
/// Of base64: fills the last group of four characters up.
const PAD: u8 = b'=';

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::crc24::{CRC24_START, crc24};
    use super::reader::SEARCHED_LINES;
    use super::*;
    use crate::error::{Error, Result};

    fn armored(data: &[u8]) -> String {
        armored_with(data, false)
    }

    fn armored_with(data: &[u8], checksum: bool) -> String {
        let mut writer = ArmorWriter::new(Vec::new(), checksum).unwrap();
        writer.write_all(data).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    fn read(text: &str) -> Result<Vec<u8>> {
        let mut octets = Vec::new();
        Dearmored::new(text.as_bytes())?.read_to_end(&mut octets)?;
        Ok(octets)
    }

    #[test]
    fn every_length_comes_back() {
        for length in 0..200 {
            let data: Vec<u8> = (0..length).map(|i| 255 - i).collect();
            assert_eq!(read(&armored(&data)).unwrap(), data);
            assert_eq!(read(&armored_with(&data, true)).unwrap(), data);
        }
    }

    /// The known answer of this checksum in every catalogue of them: "123456789" gives 21cf02.
    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(crc24(CRC24_START, b"123456789"), 0x0021_cf02);
        let halves = crc24(crc24(CRC24_START, b"1234"), b"56789");
        assert_eq!(halves, 0x0021_cf02);
        assert!(armored_with(b"123456789", true).ends_with(&format!("\n=Ic8C\n{END}\n")));
    }

    #[test]
    fn the_known_answers_of_rfc_4648() {
        let body = |data| armored(data).lines().nth(2).unwrap().to_owned();
        assert_eq!(body(b"f"), "Zg==");
        assert_eq!(body(b"fo"), "Zm8=");
        assert_eq!(body(b"foobar"), "Zm9vYmFy");
    }

    #[test]
    fn reads_what_others_write() {
        let lines = ["", "-----BEGIN PGP MESSAGE-----", "Comment: x", "", "Zm", "9vYg==", "=aBcD"];
        let text = [&lines[..], &[END, "", ""]].concat().join("\r\n");
        assert_eq!(read(&text).unwrap(), b"foob");
        assert_eq!(read(&format!("\u{feff}{}", armored(b"foob"))).unwrap(), b"foob");
    }

    #[test]
    fn there_is_one_encoding_of_everything() {
        let text = armored(b"foob");
        for (from, to, why) in [
            ("Yg==", "Yh==", "bits beyond the data"),
            ("Yg==", "Yg=", "half a group"),
            ("Yg==", "Yg==Zm9v", "data after padding"),
            ("Yg==", "Y===", "one character"),
            ("Yg==", "====", "nothing but padding"),
            ("Yg==", "Yg-=", "a character outside the alphabet"),
            ("Yg==", "Yg==\n=aBcD\nZm9v", "data after the checksum"),
        ] {
            let error = read(&text.replace(from, to)).unwrap_err();
            assert!(matches!(error, Error::Armor { line: 3.., .. }), "{why}: {error}");
        }
    }

    #[test]
    fn truncation_and_appended_text_are_told_apart() {
        let text = armored(&[7; 100]);
        for end in 1..text.len() - 1 {
            assert!(matches!(read(&text[..end]), Err(Error::Truncated(_))), "cut at {end}");
        }
        assert!(matches!(read(&(text + "more\n")), Err(Error::TrailingData)));
    }

    /// A line without a colon is no header, unless it is cut there.
    #[test]
    fn the_empty_line_before_the_data_must_be_there() {
        let text = armored(b"foob").replacen("\n\n", "\nComment: x\n", 1);
        assert!(matches!(read(&text), Err(Error::ArmorHeader { line: 3 })));
        let cut = format!("{BEGIN}\nComm");
        assert!(matches!(read(&cut), Err(Error::Truncated("the armor's headers"))));
    }

    #[test]
    fn a_beginning_after_other_text_is_found_unless_it_is_far_away() {
        let text = armored(b"foob");
        let quoted = format!("> {}", text.replace('\n', "\n> "));
        assert!(matches!(read(&quoted), Err(Error::TextBeforeArmor { line: 1 })));
        let after = |lines| "Hello\n".repeat(lines) + &text;
        let near = read(&after(SEARCHED_LINES - 1));
        assert!(matches!(near, Err(Error::TextBeforeArmor { line: 1000 })), "{near:?}");
        assert!(matches!(read(&after(SEARCHED_LINES)), Err(Error::NotOpenPgp(_))));
        assert!(matches!(read(&format!("{BEGIN} x\n")), Err(Error::NotOpenPgp(_))));
    }

    #[test]
    fn other_inputs_are_named() {
        assert!(matches!(Dearmored::new(&b""[..]), Err(Error::Empty)));
        assert!(matches!(Dearmored::new(&b"\xff\xfe-\0"[..]), Err(Error::Utf16)));
        assert!(matches!(read("age-encryption.org/v1\n"), Err(Error::NotOpenPgp(_))));
        assert!(matches!(read(&"x".repeat(9000)), Err(Error::NotOpenPgp(_))));
        let key = read("-----BEGIN PGP PUBLIC KEY BLOCK-----\n").unwrap_err();
        assert!(key.to_string().contains("\"PGP PUBLIC KEY BLOCK\""));
    }

    #[test]
    fn what_is_named_of_other_inputs_cannot_steer_a_terminal() {
        let kind = read("-----BEGIN PGP \x1b]0;X\x07\u{202e}-----\n").unwrap_err();
        let line = read("a\x1b[2J\u{200b}\n").unwrap_err();
        for error in [kind, line] {
            let text = error.to_string();
            assert!(text.contains("\\u{1b}") && text.contains("\\u{20"), "{text}");
            assert!(!text.contains(['\x1b', '\x07', '\u{202e}', '\u{200b}']), "{text}");
        }
    }
}
