// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish open` with volumes: the output file of an interrupted run is continued.

#![cfg(unix)]

#[path = "../../manyfish-files/tests/fixtures/mod.rs"]
mod fixtures;

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// More than a continued run writes again.
const DATA_BYTES: u64 = 80 << 20;
const DATA_OFFSET: u64 = 2 << 20;

/// A folder with a volume, whose data beyond the first kilobytes are noise.
fn place() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut volume = File::create(folder.path().join("volume")).unwrap();
    volume.write_all(&fixtures::unpacked("luks1-cbc-essiv.img")).unwrap();
    volume.set_len(DATA_OFFSET + DATA_BYTES).unwrap();
    folder
}

fn open(folder: &TempDir, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manyfish"));
    command.current_dir(folder).arg("open").arg("--passphrase-file");
    command.arg(fixtures::path("passphrase")).args(options).arg("volume");
    command.stdin(Stdio::null()).output().unwrap()
}

fn check(folder: &TempDir, options: &[&str]) {
    let output = open(folder, options);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_interrupted_run_is_continued_and_a_strange_file_is_not() {
    let folder = place();
    check(&folder, &["-o", "plain"]);
    let plain = fs::read(folder.path().join("plain")).unwrap();
    assert_eq!(plain.len() as u64, DATA_BYTES);
    assert!(plain.starts_with(&fixtures::read("long.bin")));

    let old = folder.path().join("old");
    check(&folder, &["--resume", "-o", "old"]);
    assert!(fs::read(&old).unwrap() == plain, "from nothing");
    assert_eq!(fs::metadata(&old).unwrap().permissions().mode() & 0o777, 0o600);
    let file = File::options().write(true).open(&old).unwrap();
    file.set_len(70 << 20).unwrap();
    file.write_all_at(&[0; 99], 69 << 20).unwrap(); // a crash may leave this
    check(&folder, &["--resume", "-o", "old"]);
    assert!(fs::read(&old).unwrap() == plain, "from the middle");

    file.set_len(5000).unwrap();
    file.write_all_at(&[0; 99], 4000).unwrap();
    let strange = fs::read(&old).unwrap();
    let output = open(&folder, &["--resume", "-o", "old"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not hold the beginning"));
    assert!(fs::read(&old).unwrap() == strange, "nothing is lost");
}
