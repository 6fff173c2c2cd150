// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Volumes of VeraCrypt and TrueCrypt.

use std::fs::File;

use manyfish_files::veracrypt::{self, Choices};
use manyfish_files::{Source, Volume};
use manyfish_openpgp::algorithm::PacketType;
use manyfish_openpgp::inspect::{Content, Packet, Report, Skesk, inspect};

use super::{UnlockArgs, explain, owned};
use crate::Error;
use crate::error::note;
use crate::input::{Input, Reader};
use crate::passphrase::{Passphrase, from_key_file_beginning};

/// Enough for the first packets of a message.
const BEGINNING_BYTES: usize = 64 << 10;

/// Whether a file has the size of a volume, and is no text nor message by its first bytes.
pub fn may_be(input: &Input) -> bool {
    let Reader::File(file) = &input.reader else { return false };
    let Some(n_bytes) = file.n_bytes().ok().filter(|n| veracrypt::may_be(*n)) else { return false };
    let mut beginning =
        vec![0; usize::try_from(n_bytes).unwrap_or(usize::MAX).min(BEGINNING_BYTES)];
    file.read_exact_at(&mut beginning, 0).is_ok()
        && str::from_utf8(&beginning[..512]).is_err()
        && !inspect(&beginning[..]).is_ok_and(|report| is_message(&report))
}

/// Every second noise begins with the head of some packet, and one of a thousand with a session key: what follows
/// must make sense, too.
fn is_message(report: &Report) -> bool {
    let makes_sense = |packet: &Packet| match &packet.content {
        Content::Malformed(_) | Content::Skesk(Skesk::Other(_)) | Content::Encrypted(Some(_)) => {
            false
        }
        Content::Pkesk(version) => matches!(version, 3 | 6),
        Content::Other => packet.packet == PacketType::MARKER && packet.body_bytes == 3,
        _ => true,
    };
    report.armored || report.packets.len() > 1 && report.packets.iter().all(makes_sense)
}

pub fn open(args: &UnlockArgs, input: &Input) -> Result<(Volume<File>, Passphrase), Error> {
    let read = |path| from_key_file_beginning(path, veracrypt::KEY_FILE_BYTES);
    let files = args.key_file.iter().map(|path| read(path));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    let passphrase = args.passphrase.get_or_empty(!files.is_empty())?;
    let files: Vec<_> = files.iter().map(|file| &file[..]).collect();
    let mixed = veracrypt::mixed(&passphrase, &files);
    note("trying what VeraCrypt and TrueCrypt may have written, which takes up to a minute");
    let mut choices = Choices::default();
    (choices.pim, choices.backup) = (args.pim, args.backup_header);
    let (found, volume) =
        veracrypt::open(owned(input)?, &mixed, choices).map_err(|error| explain(error, input))?;
    let hidden = if found.hidden { "a hidden volume" } else { "a volume" };
    let veracrypt::Found { program, ciphers, mode, kdf, .. } = found;
    note(format_args!("{hidden} of {program}, {ciphers} in {mode}, {kdf}"));
    Ok((volume, passphrase))
}
