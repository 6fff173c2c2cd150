// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Bytes written as pairs of hexadecimal digits.

use zeroize::Zeroizing;

/// Why a text is no pairs of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its place, counted from 1. It is not shown: the text may be a key.
    #[error("character {0} is no such digit")]
    Digit(usize),
    #[error("half a pair is left over")]
    Odd,
}

/// The bytes, which may be a key.
pub fn decode(text: &[u8]) -> Result<Zeroizing<Vec<u8>>, Fault> {
    if let Some(place) = text.iter().position(|byte| digit(*byte).is_none()) {
        return Err(Fault::Digit(place + 1));
    }
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len() / 2));
    for pair in text.chunks(2) {
        let [high, low] = *pair else { return Err(Fault::Odd) };
        let digits = digit(high).zip(digit(low));
        bytes.extend(digits.map(|(high, low)| high << 4 | low));
    }
    Ok(bytes)
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
    use super::{Fault, decode, encode};

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
    fn all_else_is_refused_with_its_place() {
        let faults = [("0x", 2), ("g0", 1), (" 00", 1), ("00\n", 3), ("+1", 1), ("12é4", 3)];
        for (text, place) in faults {
            assert_eq!(decode(text.as_bytes()).unwrap_err(), Fault::Digit(place), "{text:?}");
        }
        assert_eq!(decode(b"012").unwrap_err(), Fault::Odd);
    }
}
