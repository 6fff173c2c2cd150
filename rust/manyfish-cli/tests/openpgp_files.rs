// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The command's files: they appear whole or not at all, keep their modes and links, and
//! are never touched by a run that fails. Pipes, signals and the memory ceiling too.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A folder with a passphrase, a file, and the message made of it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(place.path("phrase"), "correct horse\n").unwrap();
        fs::write(place.path("plain"), pattern(300_000)).unwrap();
        succeed(place.command("encrypt").args(["--chunk", "64K", "-o", "message", "plain"]));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_manyfish"));
        command.current_dir(&self.folder).args([name, "--passphrase-file", "phrase"]);
        command
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The temporary file that a command has left.
    fn unfinished(&self) -> Option<String> {
        self.names().into_iter().find(|name| name.starts_with(".manyfish-"))
    }

    /// Whether a command has its temporary file open, with a name or without.
    fn has_begun(&self, child: &Child) -> bool {
        let files = fs::read_dir(format!("/proc/{}/fd", child.id())).into_iter().flatten();
        let mut targets = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
        let here = fs::canonicalize(&self.folder).unwrap();
        let is_unnamed = |path: PathBuf| {
            path.starts_with(&here) && path.to_string_lossy().ends_with(" (deleted)")
        };
        self.unfinished().is_some() || targets.any(is_unnamed)
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o777
    }
}

fn pattern(bytes: usize) -> Vec<u8> {
    (0..=250).cycle().take(bytes).collect()
}

fn succeed(command: &mut Command) -> Output {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Standard error of a command that must end with status 1.
fn fail(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_file_comes_back_through_files_and_pipes() {
    let place = Place::new();
    succeed(place.command("decrypt").args(["-o", "back", "message"]));
    assert!(place.read("back") == place.read("plain"));
    let piped = succeed(place.command("decrypt").arg("message"));
    assert!(piped.stdout == place.read("plain"));
    let named = succeed(place.command("decrypt").args(["-o", "/dev/stdout", "message"]));
    assert!(named.stdout == place.read("plain"));
}

/// The first line is enough: nobody waits for the end.
#[test]
fn standard_input_gives_the_passphrase() {
    let place = Place::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_manyfish"));
    command.current_dir(&place.folder).args(["decrypt", "--passphrase-file", "-", "message"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"correct horse\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stdout == place.read("plain"));
    drop(stdin);
}

#[test]
fn a_failed_run_leaves_nothing_behind() {
    let place = Place::new();
    let before = place.names();
    let mut altered = place.read("message");
    let last_chunk = altered.len() - 1000;
    altered[last_chunk] ^= 1;
    for message in [&altered[..], &altered[..last_chunk]] {
        fs::write(place.path("message"), message).unwrap();
        fail(place.command("decrypt").args(["-o", "back", "message"]));
        assert_eq!(place.names(), before);
    }
}

#[test]
fn a_pipe_gets_whole_chunks_up_to_the_error() {
    let place = Place::new();
    let mut altered = place.read("message");
    let last_chunk = altered.len() - 1000;
    altered[last_chunk] ^= 1;
    fs::write(place.path("message"), altered).unwrap();
    let output = place.command("decrypt").arg("message").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.len() >= 4 * 65536 - 12, "{} octets", output.stdout.len());
    assert!(place.read("plain").starts_with(&output.stdout));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("chunk 4 of the message was altered"), "{error}");
    assert!(error.contains("authentic, but incomplete"), "{error}");
}

/// The older form: no octet before the last one is verified, to a pipe or a file, from either.
#[test]
fn the_older_form_is_verified_before_it_is_written() {
    let place = Place::new();
    succeed(place.command("encrypt").args(["--format", "rfc4880", "-o", "older", "plain"]));
    succeed(place.command("decrypt").args(["-o", "back", "older"]));
    assert!(place.read("back") == place.read("plain"));
    let piped =
        place.command("decrypt").stdin(fs::File::open(place.path("older")).unwrap()).output();
    assert!(piped.unwrap().stdout == place.read("plain"));

    let before = place.names();
    let mut altered = place.read("older");
    let at = altered.len() - 1000;
    altered[at] ^= 1;
    for message in [&altered[..], &altered[..at]] {
        fs::write(place.path("older"), message).unwrap();
        fail(place.command("decrypt").args(["-o", "other", "older"]));
        let file = place.command("decrypt").arg("older").output().unwrap();
        let input = fs::File::open(place.path("older")).unwrap();
        let pipe = place.command("decrypt").stdin(input).output().unwrap();
        for output in [file, pipe] {
            assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        }
        assert_eq!(place.names(), before);
    }
}

/// The options that the error names are those that open it.
#[test]
fn what_the_error_allows_opens() {
    let place = Place::new();
    let limits = ["--max-memory", "32M", "--max-work", "0"];
    let refused = place.command("decrypt").args(limits).arg("message").output().unwrap();
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.contains("asks for 64 MiB of memory and 0.2 s of work"), "{error}");
    let hint = error.trim_end().split_once("decrypt with ").unwrap().1;
    assert_eq!(hint, "--max-memory 64M --max-work 1s");
    succeed(place.command("decrypt").args(hint.split(' ')).args(["-o", "back", "message"]));
    assert!(place.read("back") == place.read("plain"));
}

/// The warning is said before anything is written.
#[test]
fn what_nothing_protects_opens_by_an_option_with_a_warning() {
    let place = Place::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../interop/fixtures");
    fs::copy(fixtures.join("passphrase"), place.path("phrase")).unwrap();
    let message = fixtures.join("gnupg-legacy-no-mdc-ripemd160-short.pgp");
    let decrypt = || {
        let mut command = place.command("decrypt");
        command.arg(&message);
        command
    };
    let refused = decrypt().output().unwrap();
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    let opened = decrypt().arg("--insecure-legacy").output().unwrap();
    assert!(opened.stdout == fs::read(fixtures.join("short.bin")).unwrap());
    let said = String::from_utf8(opened.stderr).unwrap();
    assert_eq!(said.matches("manyfish: warning: ").count(), 2, "{said}");
    assert!(said.contains("may be altered or made up"), "{said}");
}

/// No error may call such data authentic, or the message intact.
#[test]
fn nobody_vouches_for_a_message_that_nothing_protects() {
    let place = Place::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../interop/fixtures");
    fs::copy(fixtures.join("passphrase"), place.path("phrase")).unwrap();
    let whole = fs::read(fixtures.join("gnupg-legacy-no-mdc-ripemd160-short.pgp")).unwrap();
    for message in [whole[..whole.len() - 1].to_vec(), [&whole[..], &whole].concat()] {
        fs::write(place.path("message"), message).unwrap();
        let output = place.command("decrypt").args(["--insecure-legacy", "message"]).output();
        let output = output.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(!said.contains("authentic") && !said.contains("intact"), "{said}");
    }
}

/// The whole file precedes the other data, so the command must not say that something is missing.
#[test]
fn a_pipe_gets_all_of_a_message_before_other_data() {
    let place = Place::new();
    fs::write(place.path("twice"), place.read("message").repeat(2)).unwrap();
    let output = place.command("decrypt").arg("twice").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout == place.read("plain"));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "manyfish: error: there is other data after the end of the message\n\
         manyfish: hint: the message itself is intact; something was appended to it\n"
    );
}

#[test]
fn an_existing_file_stays_without_force() {
    let place = Place::new();
    fs::write(place.path("back"), "precious").unwrap();
    let error = fail(place.command("decrypt").args(["-o", "back", "message"]));
    assert!(error.contains("exists already"), "{error}");
    assert_eq!(place.read("back"), b"precious");

    succeed(place.command("decrypt").args(["--force", "-o", "back", "message"]));
    assert!(place.read("back") == place.read("plain"));
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    let place = Place::new();
    fs::write(place.path("back"), "old").unwrap();
    // The last is more than the usual umask leaves.
    for mode in [0o600, 0o640, 0o666] {
        fs::set_permissions(place.path("back"), Permissions::from_mode(mode)).unwrap();
        succeed(place.command("decrypt").args(["--force", "-o", "back", "message"]));
        assert_eq!(place.mode("back"), mode, "{mode:o}");
    }
}

#[test]
fn a_replaced_file_keeps_its_owner() {
    const OTHER: u32 = 4321;
    let place = Place::new();
    fs::write(place.path("back"), "old").unwrap();
    if chown(place.path("back"), Some(OTHER), Some(OTHER)).is_err() {
        println!("skipped: only root may give a file to somebody else");
        return;
    }
    succeed(place.command("decrypt").args(["--force", "-o", "back", "message"]));
    let found = fs::metadata(place.path("back")).unwrap();
    assert_eq!((found.uid(), found.gid(), found.len()), (OTHER, OTHER, 300_000));
}

/// The access list of a file, and the one that a folder gives to new files.
#[cfg(target_os = "linux")]
const LISTS: [&str; 2] = ["system.posix_acl_access", "system.posix_acl_default"];

/// An access list in the form of Linux: its owner and user 4321 may read and write, its group and others nothing.
#[cfg(target_os = "linux")]
fn list() -> Vec<u8> {
    const NOBODY: u32 = u32::MAX;
    let entries = [(1, 6, NOBODY), (2, 6, 4321), (4, 0, NOBODY), (16, 6, NOBODY), (32, 0, NOBODY)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        list.extend([tag, 0, rights, 0]);
        list.extend(id.to_le_bytes());
    }
    list
}

/// The group has no rights, though the mode says so. A list of the folder gives nobody rights to a replaced file.
#[cfg(target_os = "linux")]
#[test]
fn a_replaced_file_keeps_its_access_list() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let place = Place::new();
    let back = place.path("back");
    let replaced = || {
        succeed(place.command("decrypt").args(["--force", "-o", "back", "message"]));
        let mut found = [0; 99];
        (getxattr(&back, LISTS[0], &mut found).map(|n| found[..n].to_vec()), place.mode("back"))
    };
    fs::write(&back, "old").unwrap();
    fs::set_permissions(&back, Permissions::from_mode(0o640)).unwrap();
    if setxattr(place.folder.path(), LISTS[1], &list(), XattrFlags::empty()).is_err() {
        println!("skipped: this file system has no access lists");
        return;
    }
    let (found, mode) = replaced();
    assert!(found.is_err(), "{found:?}");
    assert_eq!(mode, 0o640, "{mode:o}");
    setxattr(&back, LISTS[0], &list(), XattrFlags::empty()).unwrap();
    assert_eq!(replaced(), (Ok(list()), 0o660));
}

#[test]
fn a_folder_that_may_not_be_written_is_noticed_before_the_passphrase() {
    let place = Place::new();
    let folder = place.path("locked");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("any"), "").is_ok() {
        println!("skipped: root may write to every folder");
        return;
    }
    fs::remove_file(place.path("phrase")).unwrap();
    let error = fail(place.command("decrypt").args(["-o", "locked/back", "message"]));
    let expected = "manyfish: error: cannot write to the folder locked: permission denied\n";
    assert_eq!(error, expected);
}

/// Such a file says that it has a page of 4096 bytes, or none, but reading gives another number.
#[test]
fn files_that_the_system_makes_up_have_no_known_length() {
    let place = Place::new();
    for (i, path) in
        ["/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"].iter().enumerate()
    {
        let Ok(content) = fs::read(path) else {
            println!("skipped: {path} is not here");
            continue;
        };
        let message = format!("message-{i}");
        succeed(place.command("encrypt").args(["-o", &message, path]));
        assert!(succeed(place.command("decrypt").arg(&message)).stdout == content, "{path}");
    }
}

/// The command writes to files that the shell has opened for it, and neither refuses nor replaces them.
#[test]
fn names_of_descriptors_are_streams() {
    let place = Place::new();
    for (output, n) in [("/dev/stdout", 1), ("/dev/fd/1", 1), ("/dev/fd/3", 3)] {
        let line = format!(
            "exec {n}>back; echo first >&{n}; \"$0\" decrypt --passphrase-file phrase -o $1 message"
        );
        let mut shell = Command::new("sh");
        let program = env!("CARGO_BIN_EXE_manyfish");
        succeed(shell.current_dir(&place.folder).args(["-c", &line, program, output]));
        let expected = [b"first\n", &place.read("plain")[..]].concat();
        assert!(place.read("back") == expected, "{output}");
    }
}

/// Not even one that appears while the command works.
#[test]
fn a_file_that_appears_meanwhile_stays() {
    let place = Place::new();
    let mut child = start(place.command("decrypt").args(["-o", "back"]).stdin(Stdio::piped()));
    let mut input = half_of_the_message(&place, &mut child);
    fs::write(place.path("back"), "precious").unwrap();
    input.write_all(&place.read("message")[HALF_BYTES..]).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("exists already"));
    assert_eq!(place.read("back"), b"precious");
    assert!(place.unfinished().is_none());
}

/// With all signals as at a terminal: the tests may have been started with some ignored, as a shell
/// does in the background of a script, and then no signal would end the command.
#[test]
fn signals_leave_nothing_behind() {
    for signal in ["INT", "TERM", "HUP", "QUIT", "XCPU"] {
        let place = Place::new();
        let mut env = Command::new("env");
        env.current_dir(&place.folder).args(["--default-signal", env!("CARGO_BIN_EXE_manyfish")]);
        env.args(["decrypt", "--passphrase-file", "phrase", "-o", "back"]);
        let mut child = start(env.stdin(Stdio::piped()));
        let _input = half_of_the_message(&place, &mut child);
        kill(&child, signal);
        let status = child.wait().unwrap();
        assert_eq!(status.code(), None, "SIG{signal} ends it as a signal does");
        // There may be a core dump, which is not ours.
        assert!(place.unfinished().is_none() && !place.path("back").exists(), "SIG{signal}");
    }
}

/// A killed process cannot clean up: only a file without a name disappears by itself.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_nothing_behind() {
    let place = Place::new();
    fs::write(place.path("old"), "old").unwrap();
    let before = place.names();
    for output in [&["-o", "back"][..], &["--force", "-o", "old"]] {
        let mut child = start(place.command("decrypt").args(output).stdin(Stdio::piped()));
        let _input = half_of_the_message(&place, &mut child);
        if place.unfinished().is_some() {
            println!("skipped: files without a name: this file system has none");
            return;
        }
        kill(&child, "KILL");
        child.wait().unwrap();
        assert_eq!(place.names(), before, "{output:?}");
    }
    assert_eq!(place.read("old"), b"old");
}

/// As nohup starts a command, and a shell those in the background of a script.
#[test]
fn ignored_signals_stay_ignored() {
    if !Path::new("/proc/self/status").exists() {
        println!("skipped: no /proc here, ignored signals are not known");
        return;
    }
    let place = Place::new();
    let line = "trap '' HUP INT; exec \"$0\" decrypt --passphrase-file phrase -o back";
    let mut shell = Command::new("sh");
    shell.current_dir(&place.folder).args(["-c", line, env!("CARGO_BIN_EXE_manyfish")]);
    let mut child = start(shell.stdin(Stdio::piped()));
    let mut input = half_of_the_message(&place, &mut child);
    kill(&child, "HUP");
    kill(&child, "INT");
    input.write_all(&place.read("message")[HALF_BYTES..]).unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    assert!(place.read("back") == place.read("plain"));
}

#[test]
fn a_file_beyond_the_limit_of_the_shell_is_an_error() {
    let place = Place::new();
    let before = place.names();
    let line = "ulimit -f 100; exec \"$0\" decrypt --passphrase-file phrase -o back message";
    let mut shell = Command::new("sh");
    shell.current_dir(&place.folder).args(["-c", line, env!("CARGO_BIN_EXE_manyfish")]);
    assert_eq!(
        fail(&mut shell),
        "manyfish: error: cannot write back: file too large\n\
         manyfish: hint: name another place with -o OUT, or raise the limit (ulimit -f)\n"
    );
    assert_eq!(place.names(), before);
}

#[test]
fn plaintext_is_for_its_owner_and_ciphertext_follows_the_umask() {
    let place = Place::new();
    succeed(place.command("decrypt").args(["-o", "back", "message"]));
    assert_eq!(place.mode("back"), 0o600);
    fs::write(place.path("other"), "").unwrap();
    assert_eq!(place.mode("message"), place.mode("other"));
}

#[test]
fn a_link_stays_and_its_target_is_replaced() {
    let place = Place::new();
    fs::create_dir(place.path("elsewhere")).unwrap();
    fs::write(place.path("elsewhere/target"), "old").unwrap();
    symlink("elsewhere/target", place.path("link")).unwrap();
    fail(place.command("decrypt").args(["-o", "link", "message"]));
    assert_eq!(place.read("elsewhere/target"), b"old");
    succeed(place.command("decrypt").args(["--force", "-o", "link", "message"]));
    assert!(place.path("link").is_symlink());
    assert!(place.read("elsewhere/target") == place.read("plain"));
}

#[test]
fn input_and_output_must_differ_by_any_name() {
    let place = Place::new();
    symlink("plain", place.path("link")).unwrap();
    fs::hard_link(place.path("plain"), place.path("hard")).unwrap();
    for output in ["plain", "./plain", "link", "hard"] {
        let error = fail(place.command("encrypt").args(["--force", "-o", output, "plain"]));
        assert!(error.contains("both input and output"), "{error}");
    }
    assert!(place.read("plain") == pattern(300_000));
    for output in ["phrase", "./phrase"] {
        for command in ["encrypt", "decrypt", "open", "move"] {
            let error = fail(place.command(command).args(["--force", "-o", output, "message"]));
            assert!(error.contains("both input and output"), "{command}: {error}");
        }
    }
    assert_eq!(place.read("phrase"), b"correct horse\n");
}

#[test]
fn a_closed_pipe_is_a_quiet_failure() {
    let place = Place::new();
    fs::write(place.path("plain"), pattern(5_000_000)).unwrap();
    let mut child = start(place.command("encrypt").arg("plain").stdin(Stdio::null()));
    child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(1), Vec::new()));
}

/// A pseudo-terminal would be needed to see the prompt; without any terminal there is an error.
#[test]
fn without_a_terminal_the_way_out_is_named() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_manyfish");
    let mut command = Command::new("setsid");
    command.current_dir(&place.folder).args(["--wait", program, "encrypt", "plain"]);
    assert_eq!(
        fail(&mut command),
        "manyfish: error: there is no terminal to ask for the passphrase\n\
         manyfish: hint: use --passphrase-file FILE\n"
    );
}

/// 300 MiB through both directions, with the largest chunks: below 64 MiB beside Argon2's 64 MiB.
#[test]
fn memory_stays_bounded() {
    const LIMIT_KIB: u64 = 128 << 10;
    let place = Place::new();
    let mut writer = start(place.command("encrypt").args(["--chunk", "4M"]).stdin(Stdio::piped()));
    let mut reader = place.command("decrypt");
    let mut reader = start(reader.stdin(writer.stdout.take().unwrap()));
    let mut input = writer.stdin.take().unwrap();
    thread::spawn(move || {
        let piece = pattern(1 << 20);
        (0..300).for_each(|_| input.write_all(&piece).unwrap());
    });
    let mut output = reader.stdout.take().unwrap();
    let (expected, mut piece) = (pattern(1 << 20), vec![0; 1 << 20]);
    let mut peaks = [None; 2];
    for i in 0..300 {
        output.read_exact(&mut piece).unwrap();
        assert!(piece == expected);
        if i == 200 {
            peaks = [peak_kib(&writer), peak_kib(&reader)];
        }
    }
    assert_eq!(output.read(&mut [0]).unwrap(), 0);
    assert!(writer.wait().unwrap().success() && reader.wait().unwrap().success());
    println!("peaks of memory: {peaks:?} KiB");
    for peak in peaks.into_iter().flatten() {
        assert!(peak < LIMIT_KIB, "{peak} KiB at the peak, the limit is {LIMIT_KIB}");
    }
}

/// The most memory that the process has had, where the system tells.
fn peak_kib(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok();
    if status.is_none() {
        println!("skipped: no /proc here, the peak of memory is not known");
    }
    let status = status?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Of the message in `Place`: some chunks, but not all.
const HALF_BYTES: usize = 200_000;

/// Feeds a decryption to `-o back` until its temporary file is there.
fn half_of_the_message(place: &Place, child: &mut Child) -> ChildStdin {
    let mut input = child.stdin.take().unwrap();
    input.write_all(&place.read("message")[..HALF_BYTES]).unwrap();
    wait_for(|| place.has_begun(child));
    input
}

fn kill(child: &Child, signal: &str) {
    succeed(Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]));
}

fn wait_for(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(120), "it never happened");
        thread::sleep(Duration::from_millis(5));
    }
}
