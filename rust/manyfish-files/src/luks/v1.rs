// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Headers of version 1 \[LUKS1, 5.1\]: fixed fields, big-endian.

use super::{Data, Digest, Luks, Slot, WHAT, checked_key_bytes, damaged};
use crate::kdf::Kdf;
use crate::sectors::{Spec, UNIT};
use crate::source::read;
use crate::{Hash, Result, Source};

const HEADER_BYTES: usize = 592;
const SLOTS: u32 = 8;
/// The field `active` of a slot in use.
const ACTIVE: u32 = 0x00ac_71f3;
const DIGEST_BYTES: usize = 20;

pub fn read_header(header: &impl Source) -> Result<Luks> {
    let mut octets = [0; HEADER_BYTES];
    read(header, &mut octets, 0, WHAT)?;
    let mut fields = Fields(&octets[8..]);
    let (cipher, mode) = (fields.text(32)?, fields.text(32)?);
    let spec = Spec::parse(&cipher, &mode)?;
    let hash = Hash::named(&fields.text(32)?)?;
    let offset = u64::from(fields.number()) * UNIT as u64;
    let key_bytes = checked_key_bytes(&spec, fields.number() as usize)?;
    let value = fields.octets(DIGEST_BYTES).to_vec();
    let salt = fields.octets(32).to_vec();
    let digest = Digest { hash, iterations: fields.number(), salt, value };
    let uuid = fields.text(40)?;
    let mut slots = Vec::new();
    for number in 0..SLOTS {
        slots.extend(slot(&mut fields, number, &spec, key_bytes, &digest)?);
    }
    let data = Data { offset, n_bytes: None, sector_bytes: UNIT, first_number: 0 };
    Ok(Luks { version: 1, from_backup: false, uuid, spec, key_bytes, slots, skipped: vec![], data })
}

fn slot(
    fields: &mut Fields,
    number: u32,
    spec: &Spec,
    key_bytes: usize,
    digest: &Digest,
) -> Result<Option<Slot>> {
    let is_active = fields.number() == ACTIVE;
    let iterations = fields.number();
    let kdf = Kdf::Pbkdf2 { hash: digest.hash, iterations, salt: fields.octets(32).to_vec() };
    let offset = u64::from(fields.number()) * UNIT as u64;
    let stripes = fields.number() as usize;
    let slot = Slot {
        number,
        volume_key_bytes: key_bytes,
        kdf,
        spec: spec.clone(),
        key_bytes,
        offset,
        stripes,
        mixed_by: digest.hash,
        digest: digest.clone(),
    };
    if is_active { slot.check().map(Some) } else { Ok(None) }
}

/// The rest of the header.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn octets(&mut self, n_bytes: usize) -> &'a [u8] {
        let (field, rest) = self.0.split_at(n_bytes);
        self.0 = rest;
        field
    }

    fn number(&mut self) -> u32 {
        u32::from_be_bytes(self.octets(4).try_into().expect("4 octets"))
    }

    /// A string up to its first zero.
    fn text(&mut self, n_bytes: usize) -> Result<String> {
        let field = self.octets(n_bytes);
        let text = field.split(|&octet| octet == 0).next().unwrap_or_default();
        let text =
            str::from_utf8(text).ok().filter(|text| text.chars().all(|c| c.is_ascii_graphic()));
        text.map(str::to_owned).ok_or_else(|| damaged("a name in it is no text"))
    }
}
