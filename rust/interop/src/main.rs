// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Encrypts standard input to standard output with Sequoia, in forms that manyfish does not write
//! itself. Options: --password P (repeatable), --cipher NAME, --mode NAME, --argon2, --armor, --pad,
//! --compress. Passwords stand on the command line, since they are no secrets here.
//!
//! With --keys it reads a message instead, and prints a line of two keys for the first password: what the S2K
//! specifier makes of it, and the session key.

use std::io;

use sequoia_openpgp::crypto::{Password, S2K, SessionKey};
use sequoia_openpgp::packet::{SKESK, skesk::SKESK6};
use sequoia_openpgp::parse::Parse;
use sequoia_openpgp::serialize::Serialize;
use sequoia_openpgp::serialize::stream::{
    Armorer, Compressor, Encryptor, LiteralWriter, Message, padding::Padder,
};
use sequoia_openpgp::types::{AEADAlgorithm, SymmetricAlgorithm};
use sequoia_openpgp::{Packet, PacketPile, fmt::hex};

type Result<T> = sequoia_openpgp::Result<T>;

struct Options {
    passwords: Vec<Password>,
    cipher: SymmetricAlgorithm,
    /// Without one it is CFB with the older form of the packets.
    mode: Option<AEADAlgorithm>,
    argon2: bool,
    armor: bool,
    pad: bool,
    compress: bool,
    keys: bool,
}

fn main() -> Result<()> {
    let options = parse(std::env::args().skip(1));
    if options.keys {
        return print_keys(&options.passwords[0]);
    }
    let mut stdout = io::stdout();
    let mut message = Message::new(&mut stdout);
    if options.armor {
        message = Armorer::new(message).build()?;
    }
    message = encryptor(message, &options)?;
    if options.pad {
        message = Padder::new(message).build()?;
    }
    if options.compress {
        message = Compressor::new(message).build()?;
    }
    let mut literal = LiteralWriter::new(message).build()?;
    io::copy(&mut io::stdin(), &mut literal)?;
    literal.finalize()
}

fn print_keys(password: &Password) -> Result<()> {
    let message = PacketPile::from_reader(io::stdin())?;
    for packet in message.descendants() {
        let Packet::SKESK(SKESK::V6(skesk)) = packet else { continue };
        let stretched = skesk.s2k().derive_key(password, skesk.symmetric_algo().key_size()?)?;
        let session_key = skesk.decrypt(password)?;
        println!("{} {}", hex::encode(&stretched), hex::encode(&session_key));
    }
    Ok(())
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Options {
    let mut options = Options {
        passwords: Vec::new(),
        cipher: SymmetricAlgorithm::Twofish,
        mode: Some(AEADAlgorithm::OCB),
        argon2: false,
        armor: false,
        pad: false,
        compress: false,
        keys: false,
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().expect("the option takes a value");
        match argument.as_str() {
            "--password" => options.passwords.push(value().into()),
            "--cipher" => options.cipher = cipher(&value()),
            "--mode" => options.mode = mode(&value()),
            "--argon2" => options.argon2 = true,
            "--armor" => options.armor = true,
            "--pad" => options.pad = true,
            "--compress" => options.compress = true,
            "--keys" => options.keys = true,
            other => panic!("unknown option {other}"),
        }
    }
    options
}

fn cipher(name: &str) -> SymmetricAlgorithm {
    match name {
        "twofish" => SymmetricAlgorithm::Twofish,
        "aes256" => SymmetricAlgorithm::AES256,
        other => panic!("unknown cipher {other}"),
    }
}

fn mode(name: &str) -> Option<AEADAlgorithm> {
    match name {
        "ocb" => Some(AEADAlgorithm::OCB),
        "eax" => Some(AEADAlgorithm::EAX),
        "cfb" => None,
        other => panic!("unknown mode {other}"),
    }
}

/// Sequoia's own passphrase packets have an iterated hash; those with Argon2 are made by hand.
fn encryptor<'a>(mut message: Message<'a>, options: &Options) -> Result<Message<'a>> {
    let Options { passwords, cipher, mode, .. } = options;
    let encryptor = if options.argon2 {
        let key = SessionKey::new(cipher.key_size()?)?;
        let mode = mode.expect("Argon2 needs an authenticated mode");
        for password in passwords {
            let s2k = S2K::Argon2 { salt: [7; 16], t: 1, p: 1, m: 10 };
            let skesk = SKESK6::with_password(*cipher, *cipher, mode, s2k, &key, password)?;
            Packet::SKESK(skesk.into()).serialize(&mut message)?;
        }
        Encryptor::with_session_key(message, *cipher, key)?
    } else {
        Encryptor::with_passwords(message, passwords.clone()).symmetric_algo(*cipher)
    };
    match mode {
        Some(mode) => encryptor.aead_algo(*mode).build(),
        None => encryptor.build(),
    }
}
