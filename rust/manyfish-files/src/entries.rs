// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The entries of safes and databases, in the one form in which they are shown and exported.

use std::borrow::Cow;
use std::fmt;

use zeroize::Zeroizing;

/// The texts that every entry has, though they may be empty, in this order.
pub const USUAL: [&str; 6] = ["group", "title", "user", "password", "url", "notes"];

/// The name under which exports have the octets.
pub const OTHER: &str = "other";

/// The content of a file. Entries are made one at a time: a million together would take a gigabyte.
pub trait Entries {
    /// Calls `f` with each entry, in their order.
    fn visit(&self, f: &mut dyn FnMut(&Entry));
}

/// Octets under their names.
pub type Octets = Vec<(Cow<'static, str>, Zeroizing<Vec<u8>>)>;

/// An entry: a password, and what belongs to it.
#[derive(Clone)]
pub struct Entry {
    /// Texts under their names, the usual ones first. No name comes twice, nor is one [`OTHER`].
    pub texts: Vec<(Cow<'static, str>, Zeroizing<String>)>,
    /// Octets that are no text, under their names, none of which comes twice.
    pub octets: Octets,
}

impl Entry {
    /// The text of this name; "" if there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.texts.iter().find(|(found, _)| found == name).map_or("", |(_, text)| text)
    }

    /// Its title behind its group, as a path.
    #[must_use]
    pub fn path(&self) -> String {
        let (group, title) = (self.text("group"), self.text("title"));
        if group.is_empty() { title.into() } else { format!("{group}/{title}") }
    }
}

/// Shows no secret.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").finish_non_exhaustive()
    }
}
