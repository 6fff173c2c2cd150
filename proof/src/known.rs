// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Proofs that were made before. A line of the file says which statement was proved of which code, by a hash of the code
//! and of this program: where neither has changed, the proof would take the same steps again.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};
use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest, Sha256};

const HEAD: &str = "library,statement,code,prover,seconds\n";

/// The hash of the code that makes a statement.
fn prover(statement: &str) -> &'static str {
    if statement.starts_with("instructions: ") {
        env!("TESTER")
    } else if statement.starts_with("modes/") {
        env!("PROVER_OF_MODES")
    } else {
        env!("PROVER_OF_KERNELS")
    }
}

/// The file of known proofs, and what a library is called in it.
pub struct Known {
    path: PathBuf,
    library: String,
    /// Library, statement, code and prover.
    rows: FxHashSet<String>,
    members: Members,
}

impl Known {
    pub fn open(path: &Path, library: &str, archive: &Path) -> Result<Self, String> {
        let of_file = |error: std::io::Error| format!("{}: {error}", path.display());
        if !path.exists() {
            std::fs::write(path, HEAD).map_err(of_file)?;
        }
        let text = std::fs::read_to_string(path).map_err(of_file)?;
        let key = |line: &str| line.splitn(5, ',').take(4).collect::<Vec<_>>().join(",");
        Ok(Self {
            path: path.into(),
            library: library.into(),
            rows: text.lines().map(key).collect(),
            members: Members::read(archive)?,
        })
    }

    /// The statement about the code of these symbols and all that it calls, as the file has it; no symbols: of the library.
    pub fn key(&self, statement: &str, symbols: &[String]) -> String {
        let code = self.members.hash(symbols);
        format!("{},{statement},{code},{}", self.library, prover(statement))
    }

    /// The symbols of the library for which this holds.
    pub fn symbols(&self, holds: impl Fn(&str) -> bool) -> Vec<String> {
        let all = self.members.defining.keys();
        all.filter(|name| holds(name)).cloned().collect()
    }

    pub fn has(&self, key: &str) -> bool {
        self.rows.contains(key)
    }

    pub fn add(&self, key: &str, seconds: u64) -> Result<(), String> {
        let line = format!("{key},{seconds}\n");
        OpenOptions::new()
            .append(true)
            .open(&self.path)
            .and_then(|mut file| file.write_all(line.as_bytes()))
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// The object files of an archive; of another file, that alone.
struct Members {
    all: Vec<Member>,
    /// Which one defines a symbol.
    defining: FxHashMap<String, usize>,
}

struct Member {
    hash: [u8; 32],
    wants: Vec<String>,
}

impl Members {
    fn read(path: &Path) -> Result<Self, String> {
        let data = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut members = Self {
            all: Vec::new(),
            defining: FxHashMap::default(),
        };
        let Ok(archive) = ArchiveFile::parse(&*data) else {
            members.all.push(Member::new(&data, Vec::new()));
            return Ok(members);
        };
        for member in archive.members() {
            let bytes = member.and_then(|member| member.data(&*data));
            members.add(bytes.map_err(|error| error.to_string())?)?;
        }
        Ok(members)
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        let file = object::File::parse(bytes).map_err(|error| error.to_string())?;
        let mut wants = Vec::new();
        for symbol in file.symbols().filter(ObjectSymbol::is_global) {
            let name = symbol.name().map_err(|error| error.to_string())?.to_owned();
            if symbol.is_undefined() {
                wants.push(name);
            } else {
                self.defining.insert(name, self.all.len());
            }
        }
        self.all.push(Member::new(bytes, wants));
        Ok(())
    }

    /// Of the members that define these symbols, and of all that they refer to; of all members, if there are no symbols or
    /// one is not defined.
    fn hash(&self, symbols: &[String]) -> String {
        let defining = |symbol| self.defining.get(symbol).copied();
        let found: Option<Vec<usize>> = symbols.iter().map(defining).collect();
        let mut used = found.unwrap_or_default();
        if used.is_empty() {
            used = (0..self.all.len()).collect();
        }
        let mut next = 0;
        while let Some(&member) = used.get(next) {
            next += 1;
            let wanted = self.all[member].wants.iter();
            for &other in wanted.filter_map(|name| self.defining.get(name)) {
                if !used.contains(&other) {
                    used.push(other);
                }
            }
        }
        used.sort_unstable();
        used.dedup();
        let mut hash = Sha256::new();
        used.iter().for_each(|&i| hash.update(self.all[i].hash));
        let hash = hash.finalize();
        hash.iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

impl Member {
    fn new(bytes: &[u8], wants: Vec<String>) -> Self {
        let hash = Sha256::digest(bytes).into();
        Self { hash, wants }
    }
}
