// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Numbers of bytes on the command line.

/// "64", "16K", "1M", "2G": the letters stand for 2^10, 2^20 and 2^30.
pub fn parse(text: &str) -> Option<u64> {
    let (digits, shift) = match text.as_bytes().last()? {
        b'k' | b'K' => (&text[..text.len() - 1], 10),
        b'm' | b'M' => (&text[..text.len() - 1], 20),
        b'g' | b'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// As [`parse`] takes it, in the largest unit that is exact.
pub fn words(bytes: u64) -> String {
    let units = [("G", 30), ("M", 20), ("K", 10)];
    let unit = units.into_iter().find(|(_, shift)| bytes.trailing_zeros() >= *shift);
    unit.map_or_else(|| bytes.to_string(), |(letter, shift)| format!("{}{letter}", bytes >> shift))
}

#[cfg(test)]
mod tests {
    use super::{parse, words};

    #[test]
    fn words_are_what_parse_takes() {
        for (bytes, text) in [(1000, "1000"), (3 << 10, "3K"), (512 << 20, "512M"), (2 << 30, "2G")]
        {
            assert_eq!(words(bytes), text);
            assert_eq!(parse(text), Some(bytes));
        }
    }

    #[test]
    fn sizes_take_units() {
        let good = [("0", 0), ("64", 64), ("16k", 16 << 10), ("4M", 4 << 20), ("3G", 3 << 30)];
        for (text, bytes) in good {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
        for text in ["", "K", "1T", "-64", "1.5M", "16 K", "99999999999999999999", "17179869184G"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
