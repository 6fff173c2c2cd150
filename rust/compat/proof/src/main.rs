// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The proof as a command; the library beside it has the work.

use std::fs::{self, File};
use std::io::{BufReader, Read, Write, stdin, stdout};
use std::process::ExitCode;

use manyfish_compat_proof::databases::{self, Entry};
use manyfish_compat_proof::{Result, implementations, messages, times};

const USAGE: &str = "\
usage: proof which                             where the two Twofish come from
       proof open-kdbx FILE PASSPHRASE         print the entries of a KeePass database under Twofish
       proof write-kdbx FILE PASSPHRASE        write one; standard input is its attachment
       proof open-pgp FILE PASSPHRASE          print what an OpenPGP message holds
       proof write-pgp FILE PASSPHRASE         write standard input as a message under Twofish
       proof time OCTETS RUNS [JOB...]         time Twofish in these programs";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("proof: error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["which"] => println!("{}", implementations().join("\n")),
        ["open-kdbx", file, passphrase] => open_kdbx(file, passphrase)?,
        ["write-kdbx", file, passphrase] => write_kdbx(file, passphrase)?,
        ["open-pgp", file, passphrase] => {
            let text = messages::open(BufReader::new(File::open(file)?), passphrase)?;
            stdout().write_all(&text)?;
        }
        ["write-pgp", file, passphrase] => fs::write(file, messages::write(input()?, passphrase)?)?,
        ["time", n_octets, runs, ref jobs @ ..] => {
            times::print(n_octets.parse()?, runs.parse()?, jobs)?;
        }
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

/// A line for each entry: path, user, password, and the sizes of its attachments, between tabs.
fn open_kdbx(file: &str, passphrase: &str) -> Result<()> {
    for entry in databases::open(&mut File::open(file)?, passphrase)? {
        print!("{}\t{}\t{}", entry.path, entry.user, entry.password);
        for (name, data) in &entry.attachments {
            print!("\t{name}: {} octets", data.len());
        }
        println!();
    }
    Ok(())
}

fn write_kdbx(file: &str, passphrase: &str) -> Result<()> {
    let entry = Entry {
        path: "from keepass-rs".into(),
        user: "eve".into(),
        password: "fourth secret".into(),
        attachments: vec![("octets.bin".into(), input()?)],
    };
    databases::write(&mut File::create(file)?, passphrase, &[entry], true)
}

fn input() -> Result<Vec<u8>> {
    let mut octets = Vec::new();
    stdin().read_to_end(&mut octets)?;
    Ok(octets)
}
