// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Hashes of this program's own code: a proof that is kept counts for the code that made it.

use std::path::Path;

use sha2::{Digest, Sha256};

/// Code that no proof runs, and code that those of kernels do not run.
const TESTS: [&str; 3] = ["src/mutants.rs", "src/trust", "src/trust.rs"];
const MODES: [&str; 2] = ["src/modes", "src/modes.rs"];

fn main() {
    println!("cargo:rerun-if-changed=src");
    give("PROVER_OF_KERNELS", &[&TESTS[..], &MODES].concat());
    give("PROVER_OF_MODES", &TESTS);
    give("TESTER", &[]);
}

/// The hash of all but some, as a variable.
fn give(variable: &str, left_out: &[&str]) {
    let mut hash = Sha256::new();
    add(Path::new("src"), left_out, &mut hash);
    let hash = hash.finalize();
    let digits: String = hash
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("cargo:rustc-env={variable}={digits}");
}

fn add(folder: &Path, left_out: &[&str], hash: &mut Sha256) {
    let entries = std::fs::read_dir(folder).expect("the folder src");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| !left_out.iter().any(|left| path == Path::new(left)))
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add(&path, left_out, hash);
        } else {
            hash.update(path.to_string_lossy().as_bytes());
            hash.update(std::fs::read(&path).expect("a file of src"));
        }
    }
}
