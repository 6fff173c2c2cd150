// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Hashes of the code that makes proofs: one that is kept counts for that code.

use std::path::Path;

use sha2::{Digest, Sha256};

/// Code that no proof runs, and code that those of kernels do not run.
const TESTS: [&str; 3] = ["src/mutants.rs", "src/trust", "src/trust.rs"];
const MODES: [&str; 2] = ["src/modes", "src/modes.rs"];
/// The programs that run single instructions.
const RUNNERS: [&str; 3] = ["cpu.c", "cpu-aarch64.c", "engine.mjs"];
/// The crates that read machine code.
const READERS: [&str; 3] = ["iced-x86", "object", "wasmparser"];
const LOCK: &str = "../rust/beside/Cargo.lock";

fn main() {
    for path in [&RUNNERS[..], &["src", LOCK]].concat() {
        println!("cargo:rerun-if-changed={path}");
    }
    give("PROVER_OF_KERNELS", &[&TESTS[..], &MODES].concat(), &[]);
    give("PROVER_OF_MODES", &TESTS, &[]);
    give("TESTER", &[], &RUNNERS);
}

/// The hash of src except for what is left out, of the crates, and of more files, as a variable.
fn give(variable: &str, left_out: &[&str], more: &[&str]) {
    let mut hash = Sha256::new();
    add(Path::new("src"), left_out, &mut hash);
    add_crates(&mut hash);
    for path in more {
        hash.update(std::fs::read(path).expect("a program that runs instructions"));
    }
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
            add_code(&path, hash);
        }
    }
}

/// Adds a file of src without its comments, which change no proof.
fn add_code(path: &Path, hash: &mut Sha256) {
    let text = std::fs::read_to_string(path).expect("a file of src");
    for line in text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        hash.update(line);
        hash.update("\n");
    }
}

/// Adds the versions and hashes that the lock file has for them.
fn add_crates(hash: &mut Sha256) {
    let lock = std::fs::read_to_string(LOCK).expect("the lock file");
    for name in READERS {
        let start = format!("\nname = \"{name}\"\n");
        let package = lock
            .split("[[package]]")
            .find(|text| text.starts_with(&start));
        let package = package.expect("a crate of the lock file");
        let without_its_own = package.split("dependencies = [").next();
        hash.update(without_its_own.expect("the first part"));
    }
}
