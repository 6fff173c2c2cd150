// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! KeePass databases by keepass-rs: Twofish in CBC mode, by `twofish` 0.8.

use std::io::{Read, Write};

use keepass::config::{CompressionConfig, DatabaseConfig, KdfConfig, OuterCipherConfig};
use keepass::db::{GroupRef, Value};
use keepass::{Database, DatabaseKey};

use crate::Result;

/// Far too few for a passphrase in earnest; a test is to take no time.
const AES_KDF_ROUNDS: u64 = 1000;

/// An entry: the groups that it is in and its title, joined by `/`; user; password; names and contents of its
/// attachments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub path: String,
    pub user: String,
    pub password: String,
    pub attachments: Vec<(String, Vec<u8>)>,
}

/// Opens a database, which must be under Twofish.
pub fn open(source: &mut dyn Read, passphrase: &str) -> Result<Vec<Entry>> {
    let database = Database::open(source, DatabaseKey::new().with_password(passphrase))?;
    let cipher = &database.config.outer_cipher_config;
    if *cipher != OuterCipherConfig::Twofish {
        return Err(format!("the database is under {cipher:?}, expected Twofish").into());
    }
    let mut entries = Vec::new();
    collect(&database.root(), "", &mut entries);
    Ok(entries)
}

fn collect(group: &GroupRef<'_>, path: &str, entries: &mut Vec<Entry>) {
    for entry in group.entries() {
        let text = |field: &str| entry.get(field).unwrap_or_default().to_owned();
        let attachments = entry.attachments_named();
        entries.push(Entry {
            path: format!("{path}{}", text("Title")),
            user: text("UserName"),
            password: text("Password"),
            attachments: attachments
                .map(|(name, a)| (name.to_owned(), a.data.get().clone()))
                .collect(),
        });
    }
    for inner in group.groups() {
        collect(&inner, &format!("{path}{}/", inner.name), entries);
    }
}

/// Writes a database under Twofish in the form of KDBX 4. All entries lie in its root group.
pub fn write(
    destination: &mut dyn Write,
    passphrase: &str,
    entries: &[Entry],
    compress: bool,
) -> Result<()> {
    let mut config = DatabaseConfig::default();
    config.outer_cipher_config = OuterCipherConfig::Twofish;
    config.kdf_config = KdfConfig::Aes { rounds: AES_KDF_ROUNDS };
    if !compress {
        config.compression_config = CompressionConfig::None;
    }
    let mut database = Database::with_config(config);
    for entry in entries {
        let mut root = database.root_mut();
        let mut added = root.add_entry();
        added.set_unprotected("Title", entry.path.as_str());
        added.set_unprotected("UserName", entry.user.as_str());
        added.set_protected("Password", entry.password.as_str());
        for (name, data) in &entry.attachments {
            added.add_attachment(name.as_str(), Value::unprotected(data.clone()));
        }
    }
    database.save(destination, DatabaseKey::new().with_password(passphrase))?;
    Ok(())
}
