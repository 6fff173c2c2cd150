// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish raw` at work: the test vectors, messages longer than a piece, key files, pipes and
//! terminals. Its errors are in tests/cases.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use tempfile::{NamedTempFile, TempDir};

const KEY: &str = "000102030405060708090a0b0c0d0e0f";
const IV: &str = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
/// As in stream.rs: the input is worked on in pieces of this size.
const PIECE_BYTES: usize = 1 << 20;

fn raw(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manyfish"));
    command.arg("raw").args(arguments);
    command
}

/// Runs a command with bytes on its standard input.
fn run(command: &mut Command, input: &[u8]) -> Output {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the command starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    thread::scope(|scope| {
        // A command that fails early does not read everything; that is for the caller to see.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the command ends")
    })
}

/// What the command prints when it succeeds.
fn crypt(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let output = run(&mut raw(arguments), input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The fields of a test vector file, a case at a time; see vectors/FORMAT.md.
fn cases(name: &str) -> Vec<impl Fn(&str) -> String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name);
    let text = fs::read_to_string(path).expect(name);
    let paragraphs = text.split("\n\n").filter(|paragraph| paragraph.contains("KEY ="));
    let cases: Vec<_> = paragraphs
        .map(|paragraph| {
            let paragraph = paragraph.to_owned();
            move |field: &str| {
                let mut lines = paragraph.lines().filter_map(|line| line.split_once('='));
                let found = lines.find(|(name, _)| name.trim() == field);
                found.map(|(_, value)| value.trim().to_owned()).expect("the field is there")
            }
        })
        .collect();
    assert!(!cases.is_empty(), "{name} has no cases");
    cases
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).expect("ASCII"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("digits")).collect()
}

/// Runs a case in both directions.
fn check(options: &[&str], plain: &[u8], encrypted: &[u8]) {
    assert_eq!(crypt(&[&["encrypt"], options].concat(), plain), encrypted, "{options:?}");
    assert_eq!(crypt(&[&["decrypt"], options].concat(), encrypted), plain, "{options:?}");
}

/// One case in so many: each costs two processes, and the library runs them all.
const STRIDE: usize = 7;

#[test]
fn ecb_vectors() {
    for case in cases("twofish_ecb_tbl.rsp").iter().step_by(STRIDE) {
        let options = ["--cipher", "twofish", "--mode", "ecb", "--key", &case("KEY")];
        check(&options, &bytes(&case("PT")), &bytes(&case("CT")));
    }
}

#[test]
fn cbc_vectors() {
    for case in cases("twofish_cbc.rsp").iter().step_by(STRIDE) {
        let (key, iv) = (case("KEY"), case("IV"));
        let mut options = vec!["--mode", "cbc", "--key", &key, "--iv", &iv];
        if case("PADDING") == "pkcs7" {
            options.push("--pad");
        }
        check(&options, &bytes(&case("PT")), &bytes(&case("CT")));
    }
}

#[test]
fn ctr_vectors() {
    for case in cases("twofish_ctr.rsp").iter().step_by(STRIDE) {
        let (key, iv, bits) = (case("KEY"), case("IV"), case("COUNTER_BITS"));
        let options = ["--mode", "ctr", "--key", &key, "--iv", &iv, "--counter-bits", &bits];
        check(&options, &bytes(&case("PT")), &bytes(&case("CT")));
    }
}

#[test]
fn ocb_vectors_have_their_tag_at_the_end() {
    for case in cases("twofish_ocb.rsp").iter().step_by(STRIDE) {
        let (key, nonce, aad) = (case("KEY"), case("NONCE"), case("AAD"));
        let options = ["--mode", "ocb", "--key", &key, "--iv", &nonce, "--aad", &aad];
        check(&options, &bytes(&case("PT")), &bytes(&(case("CT") + &case("TAG"))));
    }
}

#[test]
fn every_kernel_gives_the_same() {
    let data = vec![7; 1000];
    let options = ["encrypt", "--mode", "ctr", "--key", KEY, "--iv", IV];
    let expected = crypt(&options, &data);
    for kernel in manyfish::kernels().filter(|kernel| kernel.runnable) {
        let with_kernel = [&options[..], &["--kernel", kernel.name]].concat();
        assert_eq!(crypt(&with_kernel, &data), expected, "{}", kernel.name);
    }
}

#[test]
fn pieces_make_the_whole() {
    let mode = |mode: &'static str| ["--mode", mode, "--key", KEY, "--iv", IV];
    for n_bytes in [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 2 * PIECE_BYTES] {
        let data: Vec<u8> = (0..=250).cycle().take(n_bytes).collect();
        let options = [&mode("cbc")[..], &["--pad"]].concat();
        for options in [&mode("ctr")[..], &options] {
            let encrypted = crypt(&[&["encrypt"], options].concat(), &data);
            assert!(crypt(&[&["decrypt"], options].concat(), &encrypted) == data, "{n_bytes}");
        }
        let padded_bytes = n_bytes - n_bytes % 16 + 16;
        assert_eq!(crypt(&[&["encrypt"], &options[..]].concat(), &data).len(), padded_bytes);
    }
}

#[test]
fn a_key_file_holds_digits_or_bytes() {
    let expected = crypt(&["encrypt", "--mode", "ecb", "--key", KEY], &[7; 16]);
    let contents = [bytes(KEY), KEY.into(), format!("{KEY}\n").into(), format!("{KEY}\r\n").into()];
    for content in contents {
        let mut file = NamedTempFile::new().expect("a temporary file");
        file.write_all(&content).expect("it can be written");
        let path = file.path().to_str().expect("ASCII");
        let found = crypt(&["encrypt", "--mode", "ecb", "--key-file", path], &[7; 16]);
        assert_eq!(found, expected, "{content:?}");
    }
}

#[test]
fn a_failed_run_leaves_no_file() {
    let folder = TempDir::new().expect("a temporary folder");
    let out = folder.path().join("out");
    let options = ["--mode", "ocb", "--key", KEY, "--iv", "00", "-o", out.to_str().expect("ASCII")];
    let refused = run(&mut raw(&[&["decrypt"], &options[..]].concat()), &[7; 100]);
    assert_eq!((refused.status.code(), refused.stdout), (Some(1), vec![]));
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);

    crypt(&[&["encrypt"], &options[..]].concat(), b"message");
    assert_eq!(fs::read(&out).expect("it is there").len(), b"message".len() + 16);
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let mut command = raw(&["encrypt", "--mode", "ctr", "--key", KEY, "--iv", IV, "/dev/zero"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the command starts");
    let mut first = [0; 10];
    let mut stdout = child.stdout.take().expect("it is piped");
    stdout.read_exact(&mut first).expect("an endless stream");
    drop(stdout);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!((output.status.code(), output.stderr), (Some(1), vec![]));
}

#[test]
fn binary_goes_to_no_terminal_unless_asked_to() {
    let in_terminal = |more: &str| {
        let program = env!("CARGO_BIN_EXE_manyfish");
        let line = format!("{program} raw encrypt --mode ctr --key {KEY} --iv {IV} {more}");
        Command::new("script").args(["-qec", &line, "/dev/null"]).stdin(Stdio::null()).output()
    };
    let Ok(refused) = in_terminal("Cargo.toml") else {
        println!("skipped: the program \"script\", which makes a terminal, is not installed");
        return;
    };
    let text = String::from_utf8_lossy(&refused.stdout).replace('\r', "");
    let expected = "manyfish: error: binary output would garble the terminal\n\
                    manyfish: hint: write to a file with -o OUT; -o - insists on binary\n";
    assert_eq!((refused.status.code(), text.as_ref()), (Some(1), expected));
    let forced = in_terminal("-o - Cargo.toml").expect("it ran before");
    assert!(forced.status.success());
}
