// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Replays the corpus of the fuzzer (`rust/fuzz/corpus`) and the messages of `tests/messages` through
//! the bodies of the fuzz targets, on the stable compiler.

use std::fs;
use std::path::{Path, PathBuf};

use manyfish_openpgp::fuzz::{inspect_octets, open_octets};

/// All files below a folder, which must be there.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
}

fn replay(folder: &str, least: usize, body: fn(&[u8])) {
    let files = files(folder);
    assert!(files.len() >= least, "{folder} has {} files", files.len());
    for file in files {
        println!("{}", file.display());
        body(&fs::read(file).unwrap());
    }
}

#[test]
fn the_corpus_of_inspect() {
    replay("../fuzz/corpus/inspect", 10, inspect_octets);
    replay("tests/messages", 60, inspect_octets);
}

#[test]
fn the_corpus_of_open() {
    replay("../fuzz/corpus/open", 10, open_octets);
    replay("tests/messages", 60, open_octets);
}
