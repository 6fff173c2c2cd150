// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Names and short texts in errors.

/// A short text, of which without the feature `std` the first 32 bytes are kept: it derefs to `str` either way.
#[cfg(feature = "std")]
pub type Name = String;
#[cfg(not(feature = "std"))]
pub use inline::Name;

use core::fmt::{Display, Write};

/// A number or a name as a text.
pub(crate) fn text(value: impl Display) -> Name {
    let mut name = Name::default();
    write!(name, "{value}").expect("texts take what fits");
    name
}

#[cfg(not(feature = "std"))]
mod inline {
    use core::fmt;
    use core::ops::Deref;

    const CAPACITY: usize = 32;

    /// A short text; of a longer one the first 32 bytes. With the feature `std` it is a `String`.
    #[derive(Clone, Default, PartialEq, Eq)]
    pub struct Name {
        bytes: [u8; CAPACITY],
        n_bytes: usize,
    }

    impl Deref for Name {
        type Target = str;

        fn deref(&self) -> &str {
            str::from_utf8(&self.bytes[..self.n_bytes]).unwrap_or_default()
        }
    }

    impl fmt::Write for Name {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for letter in text.chars() {
                let room = &mut self.bytes[self.n_bytes..];
                if letter.len_utf8() > room.len() {
                    break;
                }
                self.n_bytes += letter.encode_utf8(room).len();
            }
            Ok(())
        }
    }

    impl fmt::Display for Name {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (**self).fmt(f)
        }
    }

    impl fmt::Debug for Name {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (**self).fmt(f)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn texts_are_kept_as_far_as_there_is_room() {
        assert_eq!(&*text(format_args!("1 to {}", 16)), "1 to 16");
        let long = text("a kernel that nobody has, so long");
        assert!("a kernel that nobody has, so long".starts_with(&*long) && long.len() >= 32);
        let letters = text("é".repeat(15) + "aéé");
        assert!(letters.len() == 31 || cfg!(feature = "std"), "cut between letters");
    }
}
