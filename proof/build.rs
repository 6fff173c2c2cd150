// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A hash of this program's own code: a proof that is kept counts for the program that made it.

use std::path::Path;

use sha2::{Digest, Sha256};

fn main() {
    println!("cargo:rerun-if-changed=src");
    let mut hash = Sha256::new();
    add(Path::new("src"), &mut hash);
    let hash = hash.finalize();
    let digits: String = hash
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("cargo:rustc-env=PROVER={digits}");
}

fn add(folder: &Path, hash: &mut Sha256) {
    let entries = std::fs::read_dir(folder).expect("the folder src");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add(&path, hash);
        } else {
            hash.update(path.to_string_lossy().as_bytes());
            hash.update(std::fs::read(&path).expect("a file of src"));
        }
    }
}
