// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish open` and `manyfish move`: the output file of an interrupted run is continued; disks, messages and keys come
//! out as they went in.

#![cfg(unix)]

#[path = "../../manyfish-files/tests/fixtures/mod.rs"]
mod fixtures;

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::process::{Command, Output, Stdio};

use manyfish_files::luks::Luks;
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

fn manyfish(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manyfish"));
    command.current_dir(folder).args(arguments).arg("--passphrase-file");
    command.arg(fixtures::path("passphrase")).stdin(Stdio::null()).output().unwrap()
}

fn open(folder: &TempDir, options: &[&str]) -> Output {
    manyfish(folder, &[&["open", "volume"], options].concat())
}

fn check(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_interrupted_run_is_continued_and_a_strange_file_is_not() {
    let folder = place();
    check(&open(&folder, &["-o", "plain"]));
    let plain = fs::read(folder.path().join("plain")).unwrap();
    assert_eq!(plain.len() as u64, DATA_BYTES);
    assert!(plain.starts_with(&fixtures::read("long.bin")));

    let old = folder.path().join("old");
    check(&open(&folder, &["--resume", "-o", "old"]));
    assert!(fs::read(&old).unwrap() == plain, "from nothing");
    assert_eq!(fs::metadata(&old).unwrap().permissions().mode() & 0o777, 0o600);
    let file = File::options().write(true).open(&old).unwrap();
    file.set_len(70 << 20).unwrap();
    file.write_all_at(&[0; 99], 69 << 20).unwrap(); // a crash may leave this
    check(&open(&folder, &["--resume", "-o", "old"]));
    assert!(fs::read(&old).unwrap() == plain, "from the middle");

    file.set_len(5000).unwrap();
    file.write_all_at(&[0; 99], 4000).unwrap();
    let strange = fs::read(&old).unwrap();
    let output = open(&folder, &["--resume", "-o", "old"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not hold the beginning"));
    assert!(fs::read(&old).unwrap() == strange, "nothing is lost");
    let refused = |why| {
        let output = open(&folder, &["--resume", "-o", "old"]);
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{output:?}");
    };
    fs::set_permissions(&old, Permissions::from_mode(0o644)).unwrap();
    refused("others may read or change old");
    fs::set_permissions(&old, Permissions::from_mode(0o600)).unwrap();
    file.lock().unwrap();
    refused("is in use");
}

#[test]
fn a_volume_moves_to_one_of_luks_2() {
    let folder = place();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let old = read("volume");
    check(&manyfish(&folder, &["move", "volume", "--cipher", "twofish", "-o", "new"]));
    assert!(read("volume") == old);
    let new = File::open(folder.path().join("new")).unwrap();
    let lines = Luks::read(&new).unwrap().describe();
    assert_eq!(lines[1], "twofish-xts-plain64, a key of 512 bits");
    check(&open(&folder, &["-o", "plain"]));
    check(&manyfish(&folder, &["open", "new", "-o", "moved"]));
    assert!(read("moved") == read("plain"));
}

#[test]
fn no_key_file_nor_header_is_replaced() {
    let folder = place();
    let (key, header) = (folder.path().join("key"), folder.path().join("header"));
    fs::write(&key, "a key").unwrap();
    fs::copy(folder.path().join("volume"), &header).unwrap();
    for output in ["key", "header"] {
        let files = ["--key-file", "key", "--header", "header", "-o", output];
        for command in [&["move", "--force"][..], &["open", "--force"], &["open", "--resume"]] {
            let refused = manyfish(&folder, &[command, &["volume"], &files].concat());
            let said = String::from_utf8(refused.stderr).unwrap();
            assert!(said.contains(&format!("{output} is both input and output")), "{said}");
        }
    }
    assert_eq!(fs::read(key).unwrap(), b"a key");
}

/// Before anything is mounted or asked.
#[cfg(target_os = "linux")]
#[test]
fn only_an_empty_folder_takes_a_mount() {
    let folder = place();
    let output = manyfish(&folder, &["mount", "volume", "."]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("manyfish: error: . is not empty, expected an empty folder\n"),
        "{said}"
    );
}

/// A session key packet of version 6 begins each new message.
#[test]
fn old_messages_move_to_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["mcrypt-cbc-long.nc", "gnupg-zlib-long.pgp", "rnp-eax-long.pgp"] {
        fs::copy(fixtures::path(name), folder.path().join("old")).unwrap();
        check(&manyfish(&folder, &["move", "old", "--force", "-o", "new"]));
        let new = fs::read(folder.path().join("new")).unwrap();
        assert!(matches!(new[..], [0xc3, _, 6, ..]), "{name}");
        let output = manyfish(&folder, &["decrypt", "new", "-o", "-"]);
        check(&output);
        assert!(output.stdout == fixtures::read("long.bin"), "{name}");
        assert_eq!(fs::read(folder.path().join("old")).unwrap(), fixtures::read(name));
    }
}

#[test]
fn passwords_move_to_keepass() {
    let folder = tempfile::tempdir().unwrap();
    let safe = fixtures::path("safe-pwsafe.psafe3");
    check(&manyfish(&folder, &["move", safe.to_str().unwrap(), "-o", "new"]));
    let lists = [safe.to_str().unwrap(), "new"].map(|name| manyfish(&folder, &["open", name]));
    let [old, new] = lists.map(|list| {
        let mut lines: Vec<_> =
            str::from_utf8(&list.stdout).unwrap().lines().map(str::to_owned).collect();
        lines.sort();
        lines
    });
    assert_eq!((old.len(), &old), (2, &new));
}

#[test]
fn a_keystore_gives_the_key_that_it_was_made_of() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manyfish"));
    command.args(["open", "--show", "key", "--passphrase-file"]).arg(fixtures::path("passphrase"));
    let output = command.arg(fixtures::path("keystore.ubr")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let pem = String::from_utf8(fixtures::read("keystore.pem")).unwrap();
    assert_eq!(text, format!("key: private key, EC\n{pem}"));
}
