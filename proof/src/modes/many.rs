// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The functions for many messages: in arrays of messages of many lengths, each becomes what the definition says of it
//! alone, also beside messages with a wrong tag or an error.

use crate::algebra::{Byte, UNKNOWN};

use super::aead::{Aead, Message};
use super::bench::{
    Bench, CIPHERS, CONTEXT, Compared, DIRECTIONS, Direction, MF_ERROR_TAG, MF_OK, Result, Spec,
    words,
};
use super::oracle::Bytes;
use super::pieces::same;
use super::{Setting, cbc, ccm, cfb, cmac, ctr, eax, gcm, number, ocb, siv};

const MESSAGES: u64 = 0x7F00_7000_0008;
/// Of the buffers of message i, as badly aligned as is allowed.
const NONCES: u64 = 0x7F10_0001_0001;
const INPUTS: u64 = 0x7F10_0002_0107;
const OUTPUTS: u64 = 0x7F10_0006_0003;
const AADS: u64 = 0x7F10_000A_0005;
const TAGS: u64 = 0x7F10_000E_0003;
const ROOM: u64 = 0x10_0000;

/// Of mf_message.
const FIELDS: usize = 9;
const OUT_BYTES: usize = 72;
const STATUS: usize = 80;
const WORK: std::ops::Range<usize> = 84..164;
const MESSAGE_BYTES: usize = 168;
const NONCE_BYTES_FIELD: usize = 1;
const TAG_BYTES_FIELD: usize = 8;

const MF_ERROR_NONCE_LENGTH: u64 = 10;
const MF_ERROR_TAG_LENGTH: u64 = 16;

/// The last byte of a first counter block, where it is a constant: with a carry after the second block, and without.
const LAST_BYTES: [u8; 2] = [eax::CARRYING, 0];
const OCB_NONCES: [usize; 15] = [12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15];
/// Others than of 12 bytes are hashed.
const GCM_NONCES: [usize; 3] = [12, 12, 8];
const EAX_NONCES: [usize; 3] = [16, 0, 17];
const CCM_NONCES: [usize; 7] = [7, 8, 9, 10, 11, 12, 13];
/// No bytes: no nonce.
const SIV_NONCES: [usize; 3] = [12, 0, 16];

/// Bytes of associated data and of text.
type Lengths = (usize, usize);
type Define<'m> = Box<dyn Fn(&mut Spec, &Message) -> (Bytes, Bytes) + 'm>;

/// A function for many messages.
struct Many<'m> {
    function: String,
    /// Before the array.
    arguments: Vec<u64>,
    /// A message takes one of them, by the length of its text.
    nonce_lengths: Vec<usize>,
    /// The same; empty where there are no tags.
    tag_lengths: Vec<usize>,
    has_output: bool,
    compares: bool,
    /// The output of a message, and its whole tag.
    define: Define<'m>,
}

/// How a message ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Right,
    /// Its tag is wrong.
    Refused,
    /// Its nonce or its tag has a wrong length.
    Spoiled,
}

/// A message of an array.
struct Member {
    message: Message,
    output: Bytes,
    tag: Bytes,
    fate: Fate,
    in_place: bool,
}

// --- modes ---------------------------------------------------------------------------------------------------------

pub fn prove_cbc(setting: &Setting) -> Result<()> {
    prove_chained(setting, "cbc", true, cbc::cbc)
}

pub fn prove_cfb(setting: &Setting) -> Result<()> {
    prove_chained(setting, "cfb", false, |spec, direction, iv, text| {
        cfb::cfb(spec, direction, 8 * iv.len(), iv, text)
    })
}

fn prove_chained(
    setting: &Setting,
    name: &str,
    whole_blocks: bool,
    define: fn(&mut Spec, Direction, &[Byte], &[Byte]) -> Bytes,
) -> Result<()> {
    for block_bytes in setting.blocks() {
        let mut bench = bench(setting, block_bytes)?;
        let unit = if whole_blocks { block_bytes } else { 1 };
        for direction in DIRECTIONS {
            let many = plain(
                format!("mf_{name}_{}_many", direction.verb()),
                block_bytes,
                |spec, m| define(spec, direction, &m.nonce, &m.text),
            );
            many.prove(setting, &mut bench, unit, setting.longest(), |_, _| ())?;
        }
        setting.done(&bench)?;
    }
    Ok(())
}

pub fn prove_ofb(setting: &Setting) -> Result<()> {
    for block_bytes in setting.blocks() {
        let mut bench = bench(setting, block_bytes)?;
        let many = plain("mf_ofb_crypt_many".into(), block_bytes, |spec, m| {
            cfb::ofb(spec, &m.nonce, &m.text)
        });
        many.prove(setting, &mut bench, 1, setting.longest(), |_, _| ())?;
        setting.done(&bench)?;
    }
    Ok(())
}

pub fn prove_ctr(setting: &Setting) -> Result<()> {
    for block_bytes in setting.blocks() {
        for counter_bytes in [block_bytes, 4] {
            let mut bench = bench(setting, block_bytes)?;
            let mut many = plain("mf_ctr_crypt_many".into(), block_bytes, |spec, m| {
                ctr::ctr(spec, &m.nonce, counter_bytes, &m.text)
            });
            many.arguments.push(8 * counter_bytes as u64);
            let longest = setting.longest_of(block_bytes);
            many.prove(setting, &mut bench, 1, longest, |bench, message| {
                *message.nonce.last_mut().expect("a byte") = bench.last.into();
            })?;
            setting.done(&bench)?;
        }
    }
    Ok(())
}

fn plain<'m>(
    function: String,
    block_bytes: usize,
    define: impl Fn(&mut Spec, &Message) -> Bytes + 'm,
) -> Many<'m> {
    Many {
        function,
        arguments: vec![CIPHERS[0]],
        nonce_lengths: vec![block_bytes],
        tag_lengths: Vec::new(),
        has_output: true,
        compares: false,
        define: Box::new(move |spec, message| (define(spec, message), Bytes::new())),
    }
}

pub fn prove_cmac(setting: &Setting) -> Result<()> {
    for block_bytes in setting.blocks() {
        let mut bench = bench(setting, block_bytes)?;
        bench.put_space("the context", CONTEXT, cmac::CONTEXT_BYTES);
        bench.must("mf_cmac_init", &[CONTEXT, CIPHERS[0]])?;
        seal(&mut bench);
        for (verb, compares) in [("compute", false), ("verify", true)] {
            let many = Many {
                function: format!("mf_cmac_{verb}_many"),
                arguments: vec![CONTEXT],
                nonce_lengths: vec![0],
                tag_lengths: (1..=block_bytes).rev().collect(),
                has_output: false,
                compares,
                define: Box::new(|spec, m| (Bytes::new(), cmac::cmac(spec, &m.text))),
            };
            many.prove(setting, &mut bench, 1, setting.longest(), |_, _| ())?;
        }
        setting.done(&bench)?;
    }
    Ok(())
}

pub fn prove_ocb(setting: &Setting) -> Result<()> {
    let mut bench = bench(setting, 16)?;
    prove_aead(
        setting,
        &mut bench,
        &ocb::OCB,
        &OCB_NONCES,
        |bench, message| {
            ocb::set_bottom(bench, &mut message.nonce, message.text.len() as Byte % 64);
        },
    )
}

pub fn prove_gcm(setting: &Setting) -> Result<()> {
    let mut bench = bench(setting, 16)?;
    bench.choose_hash()?;
    prove_aead(setting, &mut bench, &gcm::GCM, &GCM_NONCES, |_, _| ())
}

pub fn prove_eax(setting: &Setting) -> Result<()> {
    for block_bytes in setting.blocks() {
        let mut bench = bench(setting, block_bytes)?;
        let mode = match block_bytes {
            16 => eax::eax_of(&eax::LONG_TAGS),
            _ => eax::eax_of(&eax::SHORT_TAGS),
        };
        prove_aead(setting, &mut bench, &mode, &EAX_NONCES, |_, _| ())?;
    }
    Ok(())
}

fn prove_aead(
    setting: &Setting,
    bench: &mut Bench,
    mode: &Aead,
    nonce_lengths: &[usize],
    choose: fn(&mut Bench, &mut Message),
) -> Result<()> {
    let block_bytes = bench.ciphers[0].borrow().block_bytes;
    mode.init(bench)?;
    seal(bench);
    for direction in DIRECTIONS {
        let many = Many {
            function: mode.function(direction, "_many"),
            arguments: vec![CONTEXT],
            nonce_lengths: nonce_lengths.to_vec(),
            tag_lengths: mode.tag_lengths.to_vec(),
            has_output: true,
            compares: direction == Direction::Decrypt,
            define: Box::new(move |spec, m| {
                (mode.define)(spec, direction, [&m.nonce, &m.aad, &m.text])
            }),
        };
        many.prove(setting, bench, 1, setting.longest_of(block_bytes), choose)?;
    }
    setting.done(bench)
}

pub fn prove_ccm(setting: &Setting) -> Result<()> {
    let mut bench = bench(setting, 16)?;
    for direction in DIRECTIONS {
        let many = Many {
            function: format!("mf_ccm_{}_many", direction.verb()),
            arguments: vec![CIPHERS[0]],
            nonce_lengths: CCM_NONCES.to_vec(),
            tag_lengths: ccm::CCM.tag_lengths.to_vec(),
            has_output: true,
            compares: direction == Direction::Decrypt,
            define: Box::new(move |spec, m| {
                ccm::ccm(
                    spec,
                    direction,
                    [&m.nonce, &m.aad, &m.text],
                    m.given_tag.len(),
                )
            }),
        };
        many.prove(setting, &mut bench, 1, setting.longest(), |_, _| ())?;
    }
    setting.done(&bench)
}

pub fn prove_siv(setting: &Setting) -> Result<()> {
    let mut bench = bench(setting, 16)?;
    bench.put_space("the context", CONTEXT, siv::SIV.context_bytes);
    bench.must("mf_siv_init", &[CONTEXT, CIPHERS[0], CIPHERS[1]])?;
    seal(&mut bench);
    for direction in DIRECTIONS {
        let many = Many {
            function: format!("mf_siv_{}_many", direction.verb()),
            arguments: vec![CONTEXT],
            nonce_lengths: SIV_NONCES.to_vec(),
            tag_lengths: siv::SIV.tag_lengths.to_vec(),
            has_output: true,
            compares: direction == Direction::Decrypt,
            define: Box::new(move |spec, m| {
                let mut strings = vec![m.aad.clone()];
                strings.extend((!m.nonce.is_empty()).then(|| m.nonce.clone()));
                siv::siv(spec, direction, &strings, &m.text, &m.given_tag)
            }),
        };
        many.prove(
            setting,
            &mut bench,
            1,
            setting.longest(),
            |bench, message| {
                message.given_tag[15] = bench.last.into();
            },
        )?;
    }
    setting.done(&bench)
}

/// From here on nothing may write to the context.
fn seal(bench: &mut Bench) {
    let context = bench.take("the context");
    bench.put("the context", CONTEXT, context, false);
}

fn bench<'a>(setting: &Setting<'a>, block_bytes: usize) -> Result<Bench<'a>> {
    let mut bench = setting.bench(block_bytes);
    bench.choose_verdicts()?;
    Ok(bench.for_many())
}

// --- arrays --------------------------------------------------------------------------------------------------------

/// Lengths of messages: each alone, with associated data and without; no message; and more messages than there are lanes,
/// of all lengths, and with one that is much longer than the others and comes last.
fn arrays(setting: &Setting, block_bytes: usize, unit: usize, longest: usize) -> Vec<Vec<Lengths>> {
    let lanes = if block_bytes == 16 { 64 } else { 512 };
    let some = lanes + 6;
    let whole = |n: usize| ((7 * n + 3) % 40, n - n % unit);
    let mixed = (0..some).map(|i| whole(i % (setting.bytes + 1))).collect();
    let long = longest.min(272);
    let last = (1..some)
        .map(|i| whole(i % 20))
        .chain([whole(long)])
        .collect();
    let alone = setting.lengths().filter(|&n| n <= longest);
    let alone = alone.step_by(if setting.is_little() { 7 } else { 1 });
    let both = |n| [vec![whole(n)], vec![(0, whole(n).1)]];
    let mut arrays: Vec<Vec<Lengths>> = alone.flat_map(both).collect();
    arrays.extend([Vec::new(), mixed, last]);
    arrays
}

impl Many<'_> {
    /// All arrays; `choose` may make constants of what is no secret.
    fn prove(
        &self,
        setting: &Setting,
        bench: &mut Bench,
        unit: usize,
        longest: usize,
        choose: impl Fn(&mut Bench, &mut Message),
    ) -> Result<()> {
        let block_bytes = bench.ciphers[0].borrow().block_bytes;
        for lengths in arrays(setting, block_bytes, unit, longest) {
            let mut members = self.members(bench, &lengths, &choose);
            for turn in 0..if self.compares { 4 } else { 2 } {
                self.choose_fates(&mut members, turn);
                self.prove_array(bench, &members).map_err(|error| {
                    format!(
                        "{}: {} messages, {turn}: {error}",
                        self.function,
                        members.len()
                    )
                })?;
            }
        }
        Ok(())
    }

    fn members(
        &self,
        bench: &mut Bench,
        lengths: &[Lengths],
        choose: impl Fn(&mut Bench, &mut Message),
    ) -> Vec<Member> {
        let member = |&(q, n): &Lengths| {
            let tag_bytes = pick(&self.tag_lengths, n).unwrap_or(0);
            let mut message = Message {
                nonce: bench.symbols(pick(&self.nonce_lengths, n).expect("one")),
                aad: bench.symbols(q),
                text: bench.symbols(n),
                given_tag: bench.symbols(tag_bytes),
            };
            bench.last = LAST_BYTES[n % 2];
            choose(bench, &mut message);
            let (output, mut tag) = (self.define)(&mut bench.spec(), &message);
            tag.truncate(tag_bytes);
            Member {
                message,
                output,
                tag,
                fate: Fate::Right,
                in_place: false,
            }
        };
        lengths.iter().map(member).collect()
    }

    /// In every other turn other ones are in place, and after two turns others have wrong tags.
    fn choose_fates(&self, members: &mut [Member], turn: usize) {
        let n = members.len();
        for (i, member) in members.iter_mut().enumerate() {
            member.in_place = self.has_output && (i + turn) % 2 == 1;
            member.fate = match (i + turn / 2 * 2) % 5 {
                2 if self.compares => Fate::Refused,
                3 if n > 3 && i < 9 => Fate::Spoiled,
                _ => Fate::Right,
            };
        }
    }

    fn prove_array(&self, bench: &mut Bench, members: &[Member]) -> Result<()> {
        bench.pointed_at.clear();
        bench.comparison.borrow_mut().refused.clear();
        let fields: Vec<_> = (0..)
            .zip(members)
            .map(|(i, m)| self.put(bench, i, m))
            .collect();
        let mut array = Bytes::new();
        for fields in &fields {
            array.extend(fields);
            array.resize(array.len().next_multiple_of(MESSAGE_BYTES), UNKNOWN);
        }
        bench.put("the messages", MESSAGES, array, true);
        let mut arguments = self.arguments.clone();
        arguments.extend([MESSAGES, members.len() as u64]);
        let statuses: Vec<u64> = members.iter().map(|m| self.status(m.fate)).collect();
        let first = statuses.iter().find(|&&status| status != MF_OK);
        bench.expect(*first.unwrap_or(&MF_OK), &self.function, &arguments)?;

        let array = bench.take("the messages");
        let compared = std::mem::take(&mut bench.comparison.borrow_mut().compared);
        for (i, member) in members.iter().enumerate() {
            let after = &array[i * MESSAGE_BYTES..][..MESSAGE_BYTES];
            check_array(after, &fields[i], statuses[i])
                .and_then(|()| self.check(bench, i as u64, member, &compared))
                .map_err(|error| format!("message {i}: {error}"))?;
        }
        let n_compared = members
            .iter()
            .filter(|m| self.compares && m.fate != Fate::Spoiled);
        match (compared.len(), n_compared.count()) {
            (found, wanted) if found == wanted => Ok(()),
            (found, wanted) => Err(format!("{found} tags were compared, not {wanted}")),
        }
    }

    fn has_tags(&self) -> bool {
        !self.tag_lengths.is_empty()
    }

    fn status(&self, fate: Fate) -> u64 {
        match fate {
            Fate::Right => MF_OK,
            Fate::Refused => MF_ERROR_TAG,
            Fate::Spoiled if self.has_tags() => MF_ERROR_TAG_LENGTH,
            Fate::Spoiled => MF_ERROR_NONCE_LENGTH,
        }
    }

    /// Puts the buffers of message i into memory, and gives its public fields.
    fn put(&self, bench: &mut Bench, i: u64, member: &Member) -> Bytes {
        let message = &member.message;
        let mut put = |name: &str, start: u64, bytes: Bytes, may_write| {
            let start = start + i * ROOM;
            bench.pointed_at.insert(start);
            bench.put(&format!("{name} {i}"), start, bytes, may_write);
            start
        };
        let nonce = put("nonce", NONCES, message.nonce.clone(), false);
        let aad = put("associated data", AADS, message.aad.clone(), false);
        let input = put("input", INPUTS, message.text.clone(), member.in_place);
        let out = if member.in_place {
            input
        } else {
            put("output", OUTPUTS, vec![UNKNOWN; member.output.len()], true)
        };
        let given = if self.compares {
            message.given_tag.clone()
        } else {
            vec![UNKNOWN; message.given_tag.len()]
        };
        let tag = put("tag", TAGS, given, !self.compares);
        if member.fate == Fate::Refused {
            bench.comparison.borrow_mut().refused.push(tag);
        }
        let sizes = [&message.nonce, &message.aad, &message.text].map(|bytes| bytes.len() as u64);
        let [n_nonce, n_aad, n_text] = sizes;
        let n_tag = message.given_tag.len() as u64;
        let mut fields: [u64; FIELDS] =
            [nonce, n_nonce, aad, n_aad, out, input, n_text, tag, n_tag];
        if member.fate == Fate::Spoiled {
            let field = if n_tag > 0 {
                TAG_BYTES_FIELD
            } else {
                NONCE_BYTES_FIELD
            };
            fields[field] = 0;
        }
        words(&fields)
    }

    /// Compares the buffers of message i with the definition.
    fn check(
        &self,
        bench: &mut Bench,
        i: u64,
        member: &Member,
        compared: &[Compared],
    ) -> Result<()> {
        let message = &member.message;
        let before = if member.in_place {
            message.text.clone()
        } else {
            vec![UNKNOWN; member.output.len()]
        };
        let output = match member.fate {
            Fate::Right => member.output.clone(),
            Fate::Refused => vec![0; member.output.len()],
            Fate::Spoiled => before,
        };
        let name = if member.in_place { "input" } else { "output" };
        same(&bench.take(&format!("{name} {i}")), &output, "the output")?;
        if !self.has_tags() {
            return Ok(());
        }
        let found = bench.take(&format!("tag {i}"));
        if !self.compares {
            let untouched = vec![UNKNOWN; member.tag.len()];
            let wanted = if member.fate == Fate::Spoiled {
                &untouched
            } else {
                &member.tag
            };
            return same(&found, wanted, "the tag");
        }
        let of_this = compared
            .iter()
            .find(|each| each.places[1] == TAGS + i * ROOM);
        match of_this {
            _ if member.fate == Fate::Spoiled => Ok(()),
            Some(each) => {
                same(&each.strings[0], &member.tag, "the tag that is compared")?;
                same(&each.strings[1], &found, "the given tag")
            }
            None => Err("its tag was not compared".into()),
        }
    }
}

fn pick(lengths: &[usize], n: usize) -> Option<usize> {
    lengths.get(n.checked_rem(lengths.len())?).copied()
}

/// A message after the call: its fields as before, its status, and nothing in the rest but what was there.
fn check_array(after: &[Byte], fields: &[Byte], status: u64) -> Result<()> {
    same(&after[..OUT_BYTES], fields, "the message")?;
    same(
        &after[STATUS..STATUS + 4],
        &number(status as usize)[..4],
        "the status",
    )?;
    same(&after[OUT_BYTES..STATUS], &[0; 8], "the size")?;
    same(&after[WORK], &[0; 80], "the work")?;
    same(&after[WORK.end..], &[UNKNOWN; 4], "the end of the message")
}
