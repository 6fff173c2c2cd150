// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A reader of the test vectors, whose form vectors/FORMAT.md describes. The self-test uses it on the
// file that it carries; the tests use it on all of them.

use std::collections::BTreeMap;

/// The fields of one case.
pub struct Case<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Case<'a> {
    /// A field as it stands in the file.
    pub fn text(&self, name: &str) -> &'a str {
        self.0.get(name).unwrap_or_else(|| panic!("a test vector lacks {name}: {:?}", self.0))
    }

    /// A field that is a byte string.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let text = self.text(name);
        let digit_pairs = (0..text.len()).step_by(2).map(|start| text.get(start..start + 2));
        let bytes = digit_pairs.map(|pair| u8::from_str_radix(pair.unwrap_or_default(), 16).ok());
        let bytes: Option<Vec<u8>> = bytes.collect();
        bytes.unwrap_or_else(|| panic!("{name} of a test vector is not hexadecimal: {text}"))
    }

    fn parse(paragraph: &'a str) -> Self {
        let lines = paragraph.lines().filter(|line| !line.starts_with('#'));
        let fields = lines.filter_map(|line| line.split_once('='));
        Self(fields.map(|(name, value)| (name.trim(), value.trim())).collect())
    }
}

/// The cases of a file.
pub fn cases(text: &str) -> impl Iterator<Item = Case<'_>> {
    text.split("\n\n").map(Case::parse).filter(|case| !case.0.is_empty())
}
