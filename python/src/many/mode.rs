// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A mode in one direction, over messages apart from their results.

use manyfish::many::{self, Aead, Message};
use manyfish::{Ccm, Cmac, Eax, Error, Gcm, Ocb, Siv, TAG_BYTES};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::key::{Cipher, Key, refusal, with};

/// A message, and the most bytes that its result has.
pub struct Job<'a> {
    pub nonce: &'a [u8],
    pub aad: Option<&'a [u8]>,
    pub text: &'a [u8],
    /// For CMAC; elsewhere the tag is a part of the text.
    pub tag: &'a [u8],
    pub out_bytes: usize,
}

type Results = Vec<Result<usize, Error>>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bare {
    Cbc { padded: bool },
    Cfb,
    Ofb,
    Ctr { counter_bits: u32 },
}

/// With its title, and the lengths that nonces have.
enum Authenticated {
    Ocb(Ocb),
    Eax(Eax),
    Gcm(Gcm),
    Ccm(Ccm),
    Siv(Siv),
}

enum What {
    Bare(Bare, Key),
    Authenticated(Authenticated),
    Cmac(Cmac),
}

/// A mode with its key.
pub struct Mode {
    what: What,
    decrypt: bool,
    tag_bytes: usize,
}

/// The result of `many` for messages of a cipher, by the mode and its direction.
macro_rules! lengths {
    ($key:expr, $messages:expr, $function:ident $(, $argument:expr)*) => {
        with!($key, cipher => lengths(many::$function(cipher, $($argument,)* $messages)))
    };
}

fn lengths<'a>(results: impl Iterator<Item = Result<&'a mut [u8], Error>>) -> Results {
    results.map(|result| result.map(|text| text.len())).collect()
}

impl Mode {
    pub fn new(
        mode: &str,
        decrypt: bool,
        key: &Key,
        second: Option<&Key>,
        option: usize,
    ) -> PyResult<Self> {
        let bare = |mode| Ok(Self { what: What::Bare(mode, key.clone()), decrypt, tag_bytes: 0 });
        match mode {
            "CBC" => bare(Bare::Cbc { padded: option != 0 }),
            "CFB" => bare(Bare::Cfb),
            "OFB" => bare(Bare::Ofb),
            "CTR" => {
                let counter_bits = u32::try_from(option).unwrap_or(0);
                with!(key, cipher => many::ctr_crypt(cipher, counter_bits, []).map(drop))
                    .map_err(refusal)?;
                bare(Bare::Ctr { counter_bits })
            }
            "CMAC" => {
                let cmac = with!(key, cipher => Cmac::with_tag_bytes(cipher, option));
                let what = What::Cmac(cmac.map_err(refusal)?);
                Ok(Self { what, decrypt, tag_bytes: option })
            }
            _ => {
                let what = What::Authenticated(authenticated(mode, key, second, option)?);
                Ok(Self { what, decrypt, tag_bytes: option })
            }
        }
    }

    /// The most bytes that the result of a text of `n_bytes` has.
    pub fn out_bytes(&self, n_bytes: usize) -> usize {
        match &self.what {
            What::Bare(Bare::Cbc { padded: true }, key) if !self.decrypt => {
                n_bytes - n_bytes % key.block_size() + key.block_size()
            }
            What::Bare(..) => n_bytes,
            What::Authenticated(_) if self.decrypt => n_bytes.saturating_sub(self.tag_bytes),
            What::Authenticated(_) => n_bytes + self.tag_bytes,
            What::Cmac(_) if self.decrypt => 0,
            What::Cmac(_) => self.tag_bytes,
        }
    }

    /// The lengths of nonces.
    pub fn nonces(&self) -> &'static str {
        match &self.what {
            What::Authenticated(Authenticated::Ocb(_)) => "1 to 15 bytes",
            What::Authenticated(Authenticated::Ccm(_)) => "7 to 13 bytes",
            What::Authenticated(_) => "1 byte or more",
            What::Bare(..) | What::Cmac(_) => "a block",
        }
    }

    /// The lengths of the results, which stand in `out`, each at the start of its `out_bytes`.
    pub fn run(&self, jobs: &[Job], out: &mut [u8]) -> Results {
        let places = places(jobs, out);
        match &self.what {
            What::Bare(bare, key) => self.run_bare(*bare, key, jobs, places),
            What::Authenticated(Authenticated::Ocb(mode)) => self.run_aead(mode, jobs, places),
            What::Authenticated(Authenticated::Eax(mode)) => self.run_aead(mode, jobs, places),
            What::Authenticated(Authenticated::Gcm(mode)) => self.run_aead(mode, jobs, places),
            What::Authenticated(Authenticated::Ccm(mode)) => self.run_aead(mode, jobs, places),
            What::Authenticated(Authenticated::Siv(mode)) => self.run_aead(mode, jobs, places),
            What::Cmac(cmac) if self.decrypt => {
                let messages = jobs.iter().map(|job| Message::read(job.text).tag(job.tag));
                many::cmac_verify(cmac, messages).map(|result| result.map(|()| 0)).collect()
            }
            What::Cmac(cmac) => {
                let tags = many::cmac(cmac, jobs.iter().map(|job| Message::read(job.text)));
                let write = |(place, tag): (&mut [u8], Result<manyfish::Tag, Error>)| {
                    place.copy_from_slice(&tag?);
                    Ok(place.len())
                };
                places.into_iter().zip(tags).map(write).collect()
            }
        }
    }

    fn run_bare(&self, bare: Bare, key: &Key, jobs: &[Job], places: Vec<&mut [u8]>) -> Results {
        let messages = jobs.iter().zip(places).map(|(job, place)| {
            Message::copying(job.nonce, place, job.text).expect("the place has room")
        });
        match (bare, self.decrypt) {
            (Bare::Cbc { padded: false }, false) => lengths!(key, messages, cbc_encrypt),
            (Bare::Cbc { padded: false }, true) => lengths!(key, messages, cbc_decrypt),
            (Bare::Cbc { padded: true }, false) => lengths!(key, messages, cbc_encrypt_padded),
            (Bare::Cbc { padded: true }, true) => lengths!(key, messages, cbc_decrypt_padded),
            (Bare::Cfb, false) => lengths!(key, messages, cfb_encrypt),
            (Bare::Cfb, true) => lengths!(key, messages, cfb_decrypt),
            (Bare::Ofb, _) => lengths!(key, messages, ofb_crypt),
            (Bare::Ctr { counter_bits }, _) => with!(key, cipher => {
                lengths(many::ctr_crypt(cipher, counter_bits, messages).expect("checked with the key"))
            }),
        }
    }

    fn run_aead(&self, mode: &impl Aead, jobs: &[Job], places: Vec<&mut [u8]>) -> Results {
        if self.decrypt { self.open(mode, jobs, places) } else { self.seal(mode, jobs, places) }
    }

    /// SIV has its tag in front.
    fn tag_first(&self) -> bool {
        matches!(self.what, What::Authenticated(Authenticated::Siv(_)))
    }

    /// A place for a ciphertext, and one for its tag.
    fn split<'a>(&self, place: &'a mut [u8]) -> (&'a mut [u8], &'a mut [u8]) {
        if self.tag_first() {
            let (tag, out) = place.split_at_mut(self.tag_bytes);
            return (out, tag);
        }
        place.split_at_mut(place.len() - self.tag_bytes)
    }

    fn seal(&self, mode: &impl Aead, jobs: &[Job], places: Vec<&mut [u8]>) -> Results {
        let parts = places.into_iter().map(|place| self.split(place));
        let (outs, tags): (Vec<_>, Vec<_>) = parts.unzip();
        let messages = jobs.iter().zip(outs).map(|(job, out)| job.message(out, job.text));
        let mut results = Vec::with_capacity(jobs.len());
        for (sealed, place) in many::seal(mode, messages).zip(tags) {
            results.push(sealed.map(|(text, tag)| {
                place.copy_from_slice(&tag);
                text.len() + place.len()
            }));
        }
        results
    }

    /// A text that is shorter than a tag is a tag of another length.
    fn open(&self, mode: &impl Aead, jobs: &[Job], places: Vec<&mut [u8]>) -> Results {
        let messages = jobs.iter().zip(places).map(|(job, out)| {
            let (text, tag) = if self.tag_first() {
                let (tag, text) = job.text.split_at(job.text.len() - out.len());
                (text, tag)
            } else {
                job.text.split_at(out.len())
            };
            job.message(out, text).tag(tag)
        });
        lengths(many::open(mode, messages))
    }
}

impl<'a> Job<'a> {
    fn message(&self, out: &'a mut [u8], text: &'a [u8]) -> Message<'a> {
        let message = Message::copying(self.nonce, out, text).expect("the place has room");
        match self.aad {
            Some(aad) => message.aad(aad),
            None => message,
        }
    }
}

/// A place for each result.
fn places<'a>(jobs: &[Job], mut out: &'a mut [u8]) -> Vec<&'a mut [u8]> {
    let mut next = |job: &Job| {
        let (now, later) = std::mem::take(&mut out).split_at_mut(job.out_bytes);
        out = later;
        now
    };
    jobs.iter().map(&mut next).collect()
}

fn authenticated(
    mode: &str,
    key: &Key,
    second: Option<&Key>,
    tag_bytes: usize,
) -> PyResult<Authenticated> {
    let found = match (mode, &key.key) {
        ("EAX", _) => {
            with!(key, cipher => Eax::with_tag_bytes(cipher, tag_bytes)).map(Authenticated::Eax)
        }
        ("OCB", Cipher::Twofish(cipher)) => Ok(Authenticated::Ocb(Ocb::new(cipher))),
        ("GCM", Cipher::Twofish(cipher)) => {
            Gcm::with_tag_bytes(cipher, tag_bytes).map(Authenticated::Gcm)
        }
        ("CCM", Cipher::Twofish(cipher)) => {
            Ccm::with_tag_bytes(cipher, tag_bytes).map(Authenticated::Ccm)
        }
        ("SIV", Cipher::Twofish(s2v)) => match second.map(|key| &key.key) {
            Some(Cipher::Twofish(ctr)) => Ok(Authenticated::Siv(Siv::new(s2v, ctr))),
            _ => return Err(PyValueError::new_err("SIV has two keys of Twofish")),
        },
        _ => {
            return Err(PyValueError::new_err(format!(
                "there is no mode {mode:?} for this cipher"
            )));
        }
    };
    if matches!(mode, "OCB" | "SIV") && tag_bytes != TAG_BYTES {
        return Err(PyValueError::new_err(format!("{mode} has tags of 16 bytes, not {tag_bytes}")));
    }
    found.map_err(refusal)
}
