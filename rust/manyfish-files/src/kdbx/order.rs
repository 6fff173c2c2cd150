// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The order of protected texts. One key stream encrypts them in the order of the file; the crate keepass decrypts the
//! texts of an entry before those of its history, wherever they stand.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::{Error, Result};

/// Fails if the crate would decrypt a text with the key stream of another one, and show noise.
pub fn check(xml: &[u8]) -> Result<()> {
    let damaged = |problem: String| Error::DamagedDatabase(problem);
    let xml = str::from_utf8(xml).map_err(|error| damaged(error.to_string()))?;
    let mut reader = Reader::from_str(xml);
    // The entries around a place, and whether their histories had a protected text.
    let mut entries = Vec::new();
    loop {
        match reader.read_event().map_err(|error| damaged(error.to_string()))? {
            Event::Start(tag) if tag.local_name().as_ref() == "Entry" => entries.push(false),
            Event::End(tag) if tag.local_name().as_ref() == "Entry" => drop(entries.pop()),
            Event::Start(tag) | Event::Empty(tag) if is_protected(&tag) => {
                match entries.split_last_mut() {
                    Some((true, _)) => return Err(Error::Order),
                    Some((false, around)) => around.fill(true),
                    None => {}
                }
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Rather yes than no.
fn is_protected(tag: &BytesStart) -> bool {
    tag.attributes().flatten().any(|attribute| {
        let says = |text: &str| attribute.value.eq_ignore_ascii_case(text);
        attribute.key.local_name().as_ref() == "Protected" && !says("false") && !says("0")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protected_text_stands_before_the_history_of_its_entry() {
        const TEXT: &str = r#"<Value Protected="True">AA==</Value>"#;
        const OPEN: &str = r#"<Value Protected="False">AA==</Value>"#;
        let entry = |content: &str| format!("<Entry>{content}</Entry>");
        let history = |text: &str| format!("<History>{}</History>", entry(text));
        for good in [
            entry(&(TEXT.to_owned() + &history(TEXT))),
            entry(&(history(OPEN) + TEXT)),
            entry(&(history(TEXT) + OPEN)),
            entry(&history(TEXT)) + &entry(TEXT),
            format!("<Binary Protected=\"True\"/>{}", entry(TEXT)),
        ] {
            assert!(check(good.as_bytes()).is_ok(), "{good}");
        }
        for bad in [
            entry(&(history(TEXT) + TEXT)),
            entry(&(TEXT.to_owned() + &history(TEXT) + r#"<Value Protected="1"/>"#)),
        ] {
            assert!(matches!(check(bad.as_bytes()), Err(Error::Order)), "{bad}");
        }
    }
}
