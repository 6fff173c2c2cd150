// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Bytes written as pairs of hexadecimal digits.

use zeroize::Zeroizing;

/// The bytes, which may be a key; None if there is anything but pairs of digits.
pub fn decode(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len() / 2));
    for pair in text.chunks(2) {
        let [high, low] = *pair else { return None };
        bytes.push(digit(high)? << 4 | digit(low)?);
    }
    Some(bytes)
}

/// The bytes as pairs of digits.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(letter).collect()
}

fn letter(value: u8) -> char {
    char::from_digit(value.into(), 16).expect("four bits")
}

fn digit(letter: u8) -> Option<u8> {
    let value = char::from(letter).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn pairs_of_digits_become_bytes() {
        assert_eq!(decode(b"00fFa7").unwrap().as_slice(), [0x00, 0xff, 0xa7]);
        assert_eq!(decode(b"").unwrap().as_slice(), [0_u8; 0]);
    }

    #[test]
    fn bytes_become_pairs_of_digits() {
        assert_eq!(encode(&[0x00, 0xff, 0xa7]), "00ffa7");
    }

    #[test]
    fn all_else_is_refused() {
        for text in ["0", "0x", "g0", " 00", "00\n", "+1"] {
            assert!(decode(text.as_bytes()).is_none(), "{text:?}");
        }
    }
}
