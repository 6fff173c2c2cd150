// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Bytes written as pairs of hexadecimal digits.

use zeroize::Zeroizing;

/// Why a text does not consist of pairs of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its place, counted from 1. It is not shown: the text may be a key.
    #[error("character {0} is not a hexadecimal digit")]
    Digit(usize),
    #[error("the number of digits is odd")]
    Odd,
}

/// The bytes, which may be a key: no branch and no address depends on a digit. `None` for anything but pairs of digits.
pub fn decode(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0; text.len() / 2]);
    manyfish::lock(&bytes);
    base16ct::mixed::decode(text, &mut bytes).ok()?;
    Some(bytes)
}

/// Why `decode` refuses a text, which is no key then.
pub fn fault(text: &[u8]) -> Fault {
    let place = text.iter().position(|byte| !byte.is_ascii_hexdigit());
    place.map_or(Fault::Odd, |place| Fault::Digit(place + 1))
}

/// The bytes as pairs of digits.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(letter).collect()
}

fn letter(value: u8) -> char {
    char::from_digit(value.into(), 16).expect("four bits")
}

#[cfg(test)]
mod tests {
    use super::{Fault, decode, encode, fault};

    #[test]
    fn pairs_of_digits_become_bytes() {
        assert_eq!(decode(b"00fFa7").unwrap().as_slice(), [0x00, 0xff, 0xa7]);
        assert_eq!(decode(b"").unwrap().as_slice(), [0_u8; 0]);
    }

    /// Each byte in each place: 22 of 256 are digits, and give what they say.
    #[test]
    fn no_other_byte_is_a_digit() {
        for byte in 0..=u8::MAX {
            let value = char::from(byte).to_digit(16).map(|value| u8::try_from(value).unwrap());
            let decoded = |pair: &[u8]| decode(pair).map(|bytes| bytes[0]);
            assert_eq!(decoded(&[b'0', byte]), value);
            assert_eq!(decoded(&[byte, b'0']), value.map(|value| value << 4));
        }
    }

    #[test]
    fn bytes_become_pairs_of_digits() {
        assert_eq!(encode(&[0x00, 0xff, 0xa7]), "00ffa7");
    }

    #[test]
    fn all_else_is_refused_with_its_place() {
        let faults = [("0x", 2), ("g0", 1), (" 00", 1), ("00\n", 3), ("+1", 1), ("12é4", 3)];
        for (text, place) in faults {
            assert_eq!(decode(text.as_bytes()), None, "{text:?}");
            assert_eq!(fault(text.as_bytes()), Fault::Digit(place), "{text:?}");
        }
        assert_eq!((decode(b"012"), fault(b"012")), (None, Fault::Odd));
    }
}
