// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A reader of the test vectors, whose form vectors/README.md describes; for the other crates too.
#![allow(dead_code)] // each test binary uses some of it

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The fields of one case.
pub struct Case(BTreeMap<String, String>);

impl Case {
    /// A field as it stands in the file.
    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).unwrap_or_else(|| panic!("a test vector lacks {name}: {:?}", self.0))
    }

    /// A field that is a number.
    pub fn number(&self, name: &str) -> u32 {
        self.text(name).parse().expect(name)
    }

    /// A field that is a byte string.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let digits = self.text(name).as_bytes().chunks(2);
        let pairs = digits.map(|pair| str::from_utf8(pair).expect(name));
        pairs.map(|pair| u8::from_str_radix(pair, 16).expect(name)).collect()
    }

    /// A field that is one block.
    pub fn block<const N: usize>(&self, name: &str) -> [u8; N] {
        self.bytes(name).try_into().expect(name)
    }

    fn parse(paragraph: &str) -> Self {
        let lines = paragraph.lines().filter(|line| !line.starts_with('#'));
        let fields = lines.filter_map(|line| line.split_once('='));
        Self(fields.map(|(name, value)| (name.trim().into(), value.trim().into())).collect())
    }
}

/// The cases of a file, named from vectors/ on.
pub fn cases(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Vec<_> =
        text.split("\n\n").map(Case::parse).filter(|case| !case.0.is_empty()).collect();
    assert!(!cases.is_empty(), "{name} has no cases");
    cases
}

/// The messages that a reader of OpenPGP must accept or reject.
pub fn messages() -> Vec<Case> {
    ["openpgp/messages.rsp", "openpgp/sequoia.rsp"].into_iter().flat_map(cases).collect()
}
