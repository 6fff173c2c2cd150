// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish raw` at work: the test vectors, messages longer than a piece, key files, pipes and
//! terminals. Its errors are in tests/cases.

#[path = "../../manyfish/tests/rsp/mod.rs"]
mod rsp;

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use std::thread;

use manyfish::{CompiledTwofish, KernelInfo};
use rsp::{Case, cases};
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

/// The output of a command that succeeds.
fn crypt(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let output = run(&mut raw(arguments), input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Runs a case in both directions.
fn check(options: &[&str], plain: &[u8], encrypted: &[u8]) {
    assert_eq!(crypt(&[&["encrypt"], options].concat(), plain), encrypted, "{options:?}");
    assert_eq!(crypt(&[&["decrypt"], options].concat(), encrypted), plain, "{options:?}");
}

/// Runs one case in seven: each costs two processes, and the library runs them all.
const STRIDE: usize = 7;

#[test]
fn ecb_vectors() {
    for case in cases("twofish_ecb_tbl.rsp").iter().step_by(STRIDE) {
        let options = ["--cipher", "twofish", "--mode", "ecb", "--key", case.text("KEY")];
        check(&options, &case.bytes("PT"), &case.bytes("CT"));
    }
}

#[test]
fn cbc_vectors() {
    for case in cases("twofish_cbc.rsp").iter().step_by(STRIDE) {
        let (key, iv) = (case.text("KEY"), case.text("IV"));
        let mut options = vec!["--mode", "cbc", "--key", &key, "--iv", &iv];
        if case.text("PADDING") == "pkcs7" {
            options.push("--pad");
        }
        check(&options, &case.bytes("PT"), &case.bytes("CT"));
    }
}

/// The data of PHP's mcrypt is that of other modes, under a key with zeros behind, padded with zeros.
#[test]
fn data_of_php_mcrypt() {
    let folder = TempDir::new().unwrap();
    let key_file = folder.path().join("key");
    fs::write(&key_file, "a text as the key\n").unwrap();
    let key_file = key_file.to_str().unwrap();
    let key = "61207465787420617320746865206b657900000000000000";
    for (theirs, ours, pads) in [
        ("ecb", "ecb", true),
        ("cbc", "cbc", true),
        ("cfb", "cfb8", false),
        ("ncfb", "cfb", false),
        ("nofb", "ofb", false),
    ] {
        let iv: &[&str] = if ours == "ecb" { &[] } else { &["--iv", IV] };
        let options =
            [&["--like", "php-mcrypt", "--mode", theirs, "--key-file", key_file], iv].concat();
        for n_bytes in [0, 1, 16, 17, PIECE_BYTES, PIECE_BYTES + 5] {
            let text = vec![0x61; n_bytes];
            let mut padded = text.clone();
            if pads {
                padded.resize(n_bytes.next_multiple_of(16), 0);
            }
            let by_hand = [&["encrypt", "--mode", ours, "--key", key], iv].concat();
            check(&options, &text, &crypt(&by_hand, &padded));
        }
    }
}

/// PHP's mcrypt has Triple-DES with three keys alone.
#[test]
fn a_text_makes_three_keys_of_php_mcrypt() {
    let key_file = NamedTempFile::new().unwrap();
    let text = "two keys of des";
    fs::write(key_file.path(), text).unwrap();
    let des = ["--cipher", "3des", "--mode", "ecb"];
    let like = ["--like", "php-mcrypt", "--key-file", key_file.path().to_str().unwrap()];
    let key = format!("{:0<48}", base16ct::lower::encode_string(text.as_bytes()));
    let by_hand = crypt(&[&["encrypt", "--key", &key], &des[..]].concat(), &[0x61; 16]);
    check(&[des, like].concat(), &[0x61; 16], &by_hand);
}

#[test]
fn the_output_replaces_no_key_and_no_associated_data() {
    let folder = TempDir::new().unwrap();
    let [key, data] = ["key", "data"].map(|name| folder.path().join(name).display().to_string());
    fs::write(&key, KEY).unwrap();
    fs::write(&data, "data").unwrap();
    for output in [&key, &data] {
        let files = ["--key-file", &key, "--aad-file", &data, "--force", "-o", output];
        let mut command = raw(&[&["encrypt", "--mode", "eax", "--iv", IV], &files[..]].concat());
        let said = String::from_utf8(run(&mut command, b"message").stderr).unwrap();
        assert!(said.contains("is both input and output"), "{said}");
    }
    assert_eq!(fs::read(&key).unwrap(), KEY.as_bytes());
}

/// CBC of text that is padded by hand.
#[test]
fn padding_of_cards() {
    let options = ["--mode", "cbc", "--key", KEY, "--iv", IV];
    for n_bytes in [0, 1, 15, 16, 17] {
        let text = vec![0x80; n_bytes];
        let mut padded = [&text[..], &[0x80]].concat();
        padded.resize(n_bytes - n_bytes % 16 + 16, 0);
        let encrypted = crypt(&[&["encrypt"], &options[..]].concat(), &padded);
        check(&[&options[..], &["--pad=iso"]].concat(), &text, &encrypted);
    }
}

#[test]
fn ctr_vectors() {
    for case in cases("twofish_ctr.rsp").iter().step_by(STRIDE) {
        let (key, iv, bits) = (case.text("KEY"), case.text("IV"), case.text("COUNTER_BITS"));
        let options = ["--mode", "ctr", "--key", key, "--iv", iv, "--counter-bits", bits];
        check(&options, &case.bytes("PT"), &case.bytes("CT"));
    }
}

#[test]
fn ocb_vectors_have_their_tag_at_the_end() {
    for case in cases("twofish_ocb.rsp").iter().step_by(STRIDE) {
        let (key, nonce, aad) = (case.text("KEY"), case.text("NONCE"), case.text("AAD"));
        let options = ["--mode", "ocb", "--key", key, "--iv", nonce, "--aad", aad];
        check(&options, &case.bytes("PT"), &[case.bytes("CT"), case.bytes("TAG")].concat());
    }
}

#[test]
fn cfb_and_ofb_vectors() {
    for case in cases("twofish_cfb.rsp").iter().step_by(STRIDE) {
        let mode = match case.text("SEGMENT_BITS") {
            "1" => "cfb1",
            "8" => "cfb8",
            _ => "cfb",
        };
        let options = ["--mode", mode, "--key", case.text("KEY"), "--iv", case.text("IV")];
        check(&options, &case.bytes("PT"), &case.bytes("CT"));
    }
    for case in cases("twofish_ofb.rsp").iter().step_by(STRIDE) {
        let options = ["--mode", "ofb", "--key", case.text("KEY"), "--iv", case.text("IV")];
        check(&options, &case.bytes("PT"), &case.bytes("CT"));
    }
}

#[test]
fn cts_vectors() {
    for case in cases("twofish_cbc_cts.rsp").iter().step_by(STRIDE) {
        let (key, iv, form) = (case.text("KEY"), case.text("IV"), case.text("VARIANT"));
        let options = ["--mode", "cts", "--cts", form, "--key", key, "--iv", iv];
        check(&options, &case.bytes("PT"), &case.bytes("CT"));
    }
}

/// A unit by its tweak; sectors by their number where the tweak is a small one.
#[test]
fn xts_vectors() {
    let (mut units, mut sectors) = (0, 0);
    for case in cases("twofish_xts.rsp").iter().step_by(3) {
        let (key, tweak, size) = (
            case.text("KEY").to_owned() + case.text("KEY_2"),
            case.text("TWEAK"),
            case.text("SECTOR_BYTES"),
        );
        let (pt, ct) = (case.bytes("PT"), case.bytes("CT"));
        if pt.len().to_string() == size {
            check(&["--mode", "xts", "--key", &key, "--iv", tweak], &pt, &ct);
            units += 1;
        }
        let number = u128::from_le_bytes(case.block("TWEAK"));
        let n_sectors = pt.len() / size.parse::<usize>().expect("a number");
        // The library counts on beyond 64 bits, the command refuses that.
        if u64::try_from(number + n_sectors as u128 - 1).is_ok() {
            let first = number.to_string();
            let numbered = ["--sector-bytes", size, "--first-sector", &first];
            check(&[&["--mode", "xts", "--key", &key], &numbered[..]].concat(), &pt, &ct);
            sectors += 1;
        }
    }
    assert!(units > 0 && sectors > 0, "{units} units, {sectors} times sectors");
}

#[test]
fn aead_vectors() {
    for (mode, nonce) in [("eax", "NONCE"), ("gcm", "IV"), ("ccm", "NONCE")] {
        for case in cases(&format!("twofish_{mode}.rsp")).iter().step_by(STRIDE) {
            let (key, nonce, aad, tag) =
                (case.text("KEY"), case.text(nonce), case.text("AAD"), case.text("TAG"));
            let tag_bytes = (tag.len() / 2).to_string();
            let options = ["--mode", mode, "--key", key, "--nonce", nonce, "--aad", aad];
            let options = [&options[..], &["--tag-bytes", &tag_bytes]].concat();
            check(&options, &case.bytes("PT"), &[case.bytes("CT"), case.bytes("TAG")].concat());
        }
    }
}

#[test]
fn siv_vectors_have_their_tag_in_front() {
    for case in cases("twofish_siv.rsp").iter().step_by(STRIDE) {
        let key = case.text("KEY").to_owned() + case.text("KEY_2");
        let n_aad: usize = case.text("N_AAD").parse().expect("a number");
        let strings: Vec<_> = (1..=n_aad).map(|n| case.text(&format!("AAD_{n}"))).collect();
        let aad = strings.iter().flat_map(|string| ["--aad", string]);
        let options: Vec<_> = ["--mode", "siv", "--key", &key].into_iter().chain(aad).collect();
        check(&options, &case.bytes("PT"), &[case.bytes("TAG"), case.bytes("CT")].concat());
    }
}

#[test]
fn a_nonce_of_siv_is_the_last_string() {
    let key = KEY.to_owned() + IV;
    let options = ["encrypt", "--mode", "siv", "--key", &key, "--aad", "aa"];
    let as_nonce = crypt(&[&options[..], &["--nonce", "bb"]].concat(), b"message");
    let as_string = crypt(&[&options[..], &["--aad", "bb"]].concat(), b"message");
    assert_eq!(as_nonce, as_string);
}

#[test]
fn cmac_vectors() {
    for case in cases("twofish_cmac.rsp").iter().step_by(STRIDE) {
        let (key, tag, message) = (case.text("KEY"), case.text("TAG"), case.bytes("MSG"));
        let options = ["mac", "--mode", "cmac", "--key", key];
        let tag_bytes = (tag.len() / 2).to_string();
        let printed = crypt(&[&options[..], &["--tag-bytes", &tag_bytes]].concat(), &message);
        assert_eq!(String::from_utf8_lossy(&printed), tag.to_lowercase() + "\n");
        assert_eq!(crypt(&[&options[..], &["--check", tag]].concat(), &message), b"");
        let other = [&message[..], b"."].concat();
        let refused = run(&mut raw(&[&options[..], &["--check", tag]].concat()), &other);
        // A tag of a byte or two fits by chance, but the vectors never change.
        assert_eq!((refused.status.code(), refused.stdout), (Some(1), vec![]), "{tag}");
    }
}

#[test]
fn associated_data_comes_from_a_file_too() {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(b"public").expect("it can be written");
    let path = file.path().to_str().expect("ASCII");
    let options = ["encrypt", "--mode", "gcm", "--key", KEY, "--nonce", IV];
    let from_file = crypt(&[&options[..], &["--aad-file", path]].concat(), b"message");
    let from_digits = crypt(&[&options[..], &["--aad", "7075626c6963"]].concat(), b"message");
    assert_eq!(from_file, from_digits);
}

/// Nothing of a message whose tag is wrong is written, whatever the mode.
#[test]
fn a_wrong_tag_writes_nothing() {
    let two_keys = KEY.to_owned() + IV;
    for (mode, key) in [("ocb", KEY), ("eax", KEY), ("gcm", KEY), ("ccm", KEY), ("siv", &two_keys)]
    {
        let options = ["--mode", mode, "--key", key, "--nonce", "000102030405060708090a0b"];
        let sealed = crypt(&[&["encrypt"], &options[..]].concat(), &[7; 100]);
        assert_eq!(sealed.len(), 116, "{mode}");
        for place in [0, 50, 115] {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            let refused = run(&mut raw(&[&["decrypt"], &options[..]].concat()), &changed);
            let text = String::from_utf8_lossy(&refused.stderr);
            assert!(text.starts_with("manyfish: error: wrong tag"), "{mode}: {text}");
            assert_eq!((refused.status.code(), refused.stdout), (Some(1), vec![]), "{mode}");
        }
    }
}

#[test]
fn every_kernel_gives_the_same() {
    let data = vec![7; 1000];
    let options = ["encrypt", "--mode", "ctr", "--key", KEY, "--iv", IV];
    let expected = crypt(&options, &data);
    let by_name = |kernel: &KernelInfo| kernel.runnable || kernel.name.ends_with("-big");
    let mut kernels: Vec<_> =
        manyfish::kernels().filter(by_name).map(|kernel| kernel.name).collect();
    if CompiledTwofish::new(&[0; 16]).is_ok() {
        kernels.push("compiled");
    }
    for kernel in kernels {
        let with_kernel = [&options[..], &["--kernel", kernel]].concat();
        assert_eq!(crypt(&with_kernel, &data), expected, "{kernel}");
    }
}

#[test]
fn pieces_make_the_whole() {
    let mode = |mode: &'static str| ["--mode", mode, "--key", KEY, "--iv", IV];
    for n_bytes in [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 2 * PIECE_BYTES] {
        let data: Vec<u8> = (0..=250).cycle().take(n_bytes).collect();
        let options = [&mode("cbc")[..], &["--pad"]].concat();
        for options in [&mode("ctr")[..], &mode("cfb"), &mode("ofb"), &options] {
            let encrypted = crypt(&[&["encrypt"], options].concat(), &data);
            assert!(crypt(&[&["decrypt"], options].concat(), &encrypted) == data, "{n_bytes}");
        }
        let padded_bytes = n_bytes - n_bytes % 16 + 16;
        assert_eq!(crypt(&[&["encrypt"], &options[..]].concat(), &data).len(), padded_bytes);
    }
}

/// Sectors are numbered through all pieces, also those that are longer than a piece or do not fill one.
#[test]
fn sectors_count_through_pieces() {
    let key = KEY.to_owned() + IV;
    for (sector_bytes, n_sectors) in [(4096, 600), (1000, 2200), (3 << 19, 3)] {
        let data: Vec<u8> = (0..=250).cycle().take(sector_bytes * n_sectors).collect();
        let size = sector_bytes.to_string();
        let options = ["--mode", "xts", "--key", &key, "--sector-bytes", &size, "--first-sector"];
        let all = crypt(&[&["encrypt"], &options[..], &["7"]].concat(), &data);
        let last = (n_sectors + 6).to_string();
        let start = data.len() - sector_bytes;
        let alone = crypt(&[&["encrypt"], &options[..], &[&last]].concat(), &data[start..]);
        assert!(all[start..] == alone, "{sector_bytes}");
        assert!(crypt(&[&["decrypt"], &options[..], &["7"]].concat(), &all) == data);
    }
}

#[test]
fn a_key_file_holds_digits_or_bytes() {
    let expected = crypt(&["encrypt", "--mode", "ecb", "--key", KEY], &[7; 16]);
    let contents: [Vec<u8>; 4] =
        [(0..16).collect(), KEY.into(), format!("{KEY}\n").into(), format!("{KEY}\r\n").into()];
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
    let in_terminal = |command: &str, more: &str| {
        let program = env!("CARGO_BIN_EXE_manyfish");
        let line = format!("{program} raw {command} --mode ctr --key {KEY} --iv {IV} {more}");
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).env("NO_COLOR", "1");
        script.stdin(Stdio::null()).output()
    };
    let Ok(refused) = in_terminal("encrypt", "Cargo.toml") else {
        println!("skipped: the program \"script\", which makes a terminal, is not installed");
        return;
    };
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).replace('\r', "");
    let expected = "manyfish: error: binary output would garble the terminal\n\
                    manyfish: hint: write to a file with -o OUT; -o - writes binary anyway\n";
    assert_eq!((refused.status.code(), text(&refused).as_str()), (Some(1), expected));
    // Under this key the text was not encrypted, so what comes out is none.
    let garbled = in_terminal("decrypt", "Cargo.toml").expect("it ran before");
    let expected = "manyfish: warning: others can see --key in the list of processes; use --key-file\n\
         manyfish: error: the plaintext is not text and would garble the terminal\n\
         manyfish: hint: write to a file with -o OUT; -o - shows it anyway\n";
    assert_eq!((garbled.status.code(), text(&garbled).as_str()), (Some(1), expected));
    for command in ["encrypt", "decrypt"] {
        let forced = in_terminal(command, "-o - Cargo.toml").expect("it ran before");
        assert!(forced.status.success());
    }
}

#[test]
fn xts_with_equal_halves_decrypts_and_warns() {
    let key = KEY.repeat(2);
    let options = ["--mode", "xts", "--key", &key, "--iv", IV, "Cargo.toml"];
    let output = raw(&["decrypt"]).args(options).stdin(Stdio::null()).output().unwrap();
    let warning = "manyfish: warning: the two halves of this key are equal, so XTS protected \
                   this data badly\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), warning);
    assert!(output.status.success() && !output.stdout.is_empty());
}

/// Files with cases of both ciphers tell them apart by the length of the key.
fn check_des(case: &Case, mode: &str, options: &[&str]) {
    let key = case.text("KEY");
    let cipher = if key.len() == 16 { "des" } else { "3des" };
    let common = ["--cipher", cipher, "--key", key, "--mode", mode];
    check(&[&common, options].concat(), &case.bytes("PT"), &case.bytes("CT"));
}

#[test]
fn des_vectors_of_blocks_and_chains() {
    for case in cases("tdes_ecb.rsp").iter().step_by(5 * STRIDE) {
        check_des(case, "ecb", &[]);
    }
    for case in cases("des_cbc.rsp").iter().step_by(STRIDE) {
        let pad = if case.text("PADDING") == "pkcs7" { &["--pad"][..] } else { &[] };
        check_des(case, "cbc", &[&["--iv", case.text("IV")], pad].concat());
    }
    for case in cases("des_cbc_cts.rsp").iter().step_by(STRIDE) {
        check_des(case, "cts", &["--iv", case.text("IV"), "--cts", case.text("VARIANT")]);
    }
}

#[test]
fn des_vectors_of_streams() {
    for case in cases("des_ctr.rsp").iter().step_by(5 * STRIDE) {
        check_des(
            case,
            "ctr",
            &["--iv", case.text("IV"), "--counter-bits", case.text("COUNTER_BITS")],
        );
    }
    for case in cases("des_cfb.rsp").iter().step_by(STRIDE) {
        let mode = match case.text("SEGMENT_BITS") {
            "1" => "cfb1",
            "8" => "cfb8",
            _ => "cfb",
        };
        check_des(case, mode, &["--iv", case.text("IV")]);
    }
    for case in cases("tdes_ofb.rsp").iter().step_by(10 * STRIDE) {
        check_des(case, "ofb", &["--iv", case.text("IV")]);
    }
}
