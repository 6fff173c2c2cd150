// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish tables` from end to end: what it saves, which commands use it, and that a file with a wrong byte
//! changes no result.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A user's cache directory.
struct Cache(TempDir);

impl Cache {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn with_tables() -> Self {
        let cache = Self::new();
        let saved = cache.run(&["tables", "build"]);
        assert_eq!(text(&saved.stdout), format!("saved {}\n", cache.file().display()));
        cache
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(&[], arguments)
    }

    fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_manyfish"));
        command.args(arguments).env("XDG_CACHE_HOME", self.0.path());
        command.env("LOCALAPPDATA", self.0.path()); // of Windows
        command.envs(variables.iter().copied());
        command.output().expect("the command starts")
    }

    /// The output of a command that succeeds without a warning.
    fn prints(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
        text(&output.stdout)
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("manyfish").join("tables-big.bin")
    }

    fn replace(&self, bytes: &[u8]) {
        fs::remove_file(self.file()).expect("removed");
        fs::write(self.file(), bytes).expect("written");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const KERNELS: [&str; 6] = ["kernels", "--expect", "16", "--key-bits", "128", "--leaks"];

/// The kernel that --expect takes: that which costs least of those that run here and are allowed.
fn chosen(cache: &Cache, leaks: &str) -> String {
    let table = text(&cache.run(&[&KERNELS[..], &[leaks]].concat()).stdout);
    let words = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let kernels: Vec<_> = words.filter(|row| row.get(1..3) == Some(&["yes", "yes"])).collect();
    let cheapest = kernels.iter().min_by_key(|row| row[3].parse::<u32>().expect("a cost"));
    let cheapest = cheapest.expect("a kernel");
    assert!(cheapest.get(4).is_some_and(|word| word.starts_with("yes")), "{table}");
    cheapest[0].to_owned()
}

/// A message of two blocks, encrypted with more options.
fn encrypted(cache: &Cache, options: &[&str]) -> Output {
    encrypted_with(cache, &[], options)
}

fn encrypted_with(cache: &Cache, variables: &[(&str, &str)], options: &[&str]) -> Output {
    let place = tempfile::tempdir().expect("a folder");
    let [key, message] = ["key", "message"].map(|name| place.path().join(name));
    fs::write(&key, [0x3a; 16]).expect("written");
    fs::write(&message, [0x5c; 32]).expect("written");
    let [key, message] = [&key, &message].map(|path| path.to_str().expect("text"));
    let all = [&["raw", "encrypt", "--mode", "ecb", "--key-file", key], options, &[message]];
    cache.run_with(variables, &all.concat())
}

#[test]
fn saved_tables_are_listed_checked_used_and_removed() {
    let empty = Cache::new();
    let cache = Cache::with_tables();
    let names = fs::read_dir(cache.file().parent().expect("a folder")).expect("a folder");
    assert_eq!(names.count(), 1, "no temporary file is left");
    let path = cache.file().display().to_string();
    let list = cache.prints(&["tables", "list"]);
    assert!(list.contains(&format!("256K  full-big, partial-big  yes, {path}\n")), "{list}");
    assert_eq!(cache.prints(&["tables", "check"]), format!("{path}: each byte is right\n"));

    for kernel in ["full-big", "partial-big"] {
        let is_listed = |cache: &Cache, state: &str| {
            let table = cache.prints(&["kernels"]);
            let mut lines = table.lines().filter(|line| line.starts_with(kernel));
            assert!(lines.next().expect("a line").contains(state), "{table}");
        };
        is_listed(&empty, "used by name only until \"manyfish tables build\" saves its tables");
        is_listed(&cache, "256 KiB                            yes  ");
        let output = encrypted(&cache, &["--kernel", kernel]);
        assert_eq!(output.stdout, encrypted(&empty, &[]).stdout, "{kernel}");
        assert_eq!(text(&output.stderr), "", "{kernel}");
    }
    let by_default = [("MANYFISH_KERNEL", "full-big"), ("MANYFISH_LEAKS", "any")];
    let output = encrypted_with(&cache, &by_default, &[]);
    assert_eq!(output.stdout, encrypted(&empty, &[]).stdout);
    let refused = text(&encrypted_with(&empty, &by_default, &[]).stderr);
    assert!(refused.contains("\"manyfish tables build big\" saves them"), "{refused}");
    // One block under a key of 128 bits costs least with partial-big, or where vectors set up partial with that.
    assert!(["partial", "partial-big"].contains(&chosen(&cache, "any").as_str()));
    assert_ne!(chosen(&empty, "any"), "partial-big");
    assert_ne!(chosen(&cache, "text"), "partial-big");

    assert_eq!(cache.prints(&["tables", "remove"]), format!("removed {path}\n"));
    assert!(!cache.file().exists());
}

/// A wrong byte would give wrong ciphertext.
#[test]
fn a_damaged_file_is_told_and_not_used() {
    let cache = Cache::with_tables();
    let good = fs::read(cache.file()).expect("read");
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    let last = good.len() - 1;
    let expected = encrypted(&Cache::new(), &[]).stdout;
    let damaged = [
        (flipped(last), "some of its bytes are wrong"),
        (flipped(4096), "some of its bytes are wrong"),
        (flipped(0), "its head is of other tables"),
        (flipped(16), "its head is of other tables"),
        (flipped(4095), "its head is of other tables"),
        (good[..last].to_vec(), "it has 266239 bytes instead of 266240"),
        ([&good[..], &[0]].concat(), "it has 266241 bytes instead of 266240"),
        (Vec::new(), "it has 0 bytes instead of 266240"),
    ];
    for (bytes, why) in damaged {
        cache.replace(&bytes);
        let check = cache.run(&["tables", "check", "big"]);
        assert_eq!(check.status.code(), Some(1), "{why}");
        assert!(text(&check.stderr).contains(&format!("tables-big.bin: {why}")), "{why}");
        for options in [&["--kernel", "full-big"][..], &["--expect", "16", "--leaks", "any"]] {
            let output = encrypted(&cache, options);
            assert_eq!(output.stdout, expected, "{why}");
            assert!(text(&output.stderr).contains("warning: ignoring "), "{why}");
        }
        assert_eq!(text(&encrypted(&cache, &["--expect", "16"]).stderr), "", "{why}");
        assert_ne!(chosen(&cache, "any"), "partial-big", "{why}");
    }
    cache.prints(&["tables", "build", "big"]);
    assert_eq!(fs::read(cache.file()).expect("read"), good, "replaced");
}

#[cfg(unix)]
#[test]
fn a_file_that_others_may_write_is_not_used() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    let cache = Cache::with_tables();
    fs::set_permissions(cache.file(), Permissions::from_mode(0o666)).expect("set");
    let check = text(&cache.run(&["tables", "check"]).stderr);
    assert!(check.contains("it belongs to another user, or others may write it"), "{check}");
    let list = cache.prints(&["tables", "list"]);
    assert!(list.contains("damaged, "), "{list}");
}

/// The limit of the shell stands for a disk without space.
#[cfg(unix)]
#[test]
fn a_file_that_does_not_fit_leaves_nothing() {
    let place = tempfile::tempdir().expect("a folder");
    let command = env!("CARGO_BIN_EXE_manyfish");
    let script =
        format!("ulimit -f 200; exec {command} tables build --dir {}", place.path().display());
    let output = Command::new("sh").args(["-c", &script]).output().expect("the shell starts");
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("tables-big.bin: file too large"), "{told}");
    assert!(told.contains("name another place with --dir, or raise the limit"), "{told}");
    assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 0);
}
