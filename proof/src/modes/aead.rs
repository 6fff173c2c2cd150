// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Authenticated encryption: what is the same in OCB, GCM and EAX. Their functions differ in a few arguments.

use crate::algebra::Byte;

use super::Setting;
use super::bench::{
    AAD, Bench, CIPHERS, CONTEXT, DIRECTIONS, Direction, MF_ERROR_TAG, MF_OK, NONCE, Result, SIZE,
    Spec, TAG,
};
use super::oracle::Bytes;
use super::pieces::{Piece, same, walk};

/// Nonce, associated data, text.
pub type Define = fn(&mut Spec, Direction, [&[Byte]; 3]) -> (Bytes, Bytes);

pub struct Aead {
    pub name: &'static str,
    pub context_bytes: usize,
    /// OCB: only whole blocks go out before the end, the functions take and give sizes, and the tag has 16 bytes.
    pub is_ocb: bool,
    /// Associated data may come after text.
    pub aad_any_time: bool,
    pub tag_lengths: &'static [usize],
    /// The output and the whole tag; decryption gives the right tag of its input.
    pub define: Define,
}

/// A message of all lengths up to those of its parts, and what it becomes in a direction.
pub struct Message {
    pub nonce: Bytes,
    pub aad: Bytes,
    pub text: Bytes,
    /// For decryption.
    pub given_tag: Bytes,
}

/// Bytes of associated data before text in pieces.
const Q: usize = 20;

/// A call's arguments, and its right results.
pub struct Case<'c> {
    pub direction: Direction,
    pub context: &'c [Byte],
    pub text: &'c [Byte],
    pub output: &'c [Byte],
    pub tag: &'c [Byte],
    /// For decryption; at least as long.
    pub given_tag: &'c [Byte],
    /// How many bytes waited.
    pub held: usize,
}

impl Aead {
    pub fn function(&self, direction: Direction, rest: &str) -> String {
        format!("mf_{}_{}{rest}", self.name, direction.verb())
    }

    /// The context with a key.
    pub fn init(&self, bench: &mut Bench) -> Result<Bytes> {
        bench.put_space("the context", CONTEXT, self.context_bytes);
        bench.must(&format!("mf_{}_init", self.name), &[CONTEXT, CIPHERS[0]])?;
        Ok(bench.take("the context"))
    }

    fn start(&self, bench: &mut Bench, context: &[Byte], nonce: &[Byte]) -> Result<Bytes> {
        bench.put("the context", CONTEXT, context.to_vec(), true);
        bench.put("the nonce", NONCE, nonce.to_vec(), false);
        let function = format!("mf_{}_start", self.name);
        bench.must(&function, &[CONTEXT, NONCE, nonce.len() as u64])?;
        bench.put("the nonce", NONCE, Vec::new(), false);
        Ok(bench.take("the context"))
    }

    pub fn aad(&self, bench: &mut Bench, context: &[Byte], aad: &[Byte]) -> Result<Bytes> {
        bench.put("the context", CONTEXT, context.to_vec(), true);
        bench.put("the associated data", AAD, aad.to_vec(), false);
        let function = format!("mf_{}_aad", self.name);
        bench.must(&function, &[CONTEXT, AAD, aad.len() as u64])?;
        Ok(bench.take("the context"))
    }

    // --- whole messages --------------------------------------------------------------------------------------------

    /// In one call, with q bytes of associated data and n of text.
    pub fn prove_whole(
        &self,
        bench: &mut Bench,
        context: &[Byte],
        message: &Message,
        (q, n): (usize, usize),
    ) -> Result<()> {
        let (aad, text) = (&message.aad[..q], &message.text[..n]);
        for direction in DIRECTIONS {
            let (output, tag) = message.result(self, bench, direction, q, n);
            bench.put("the nonce", NONCE, message.nonce.clone(), false);
            bench.put("the associated data", AAD, aad.to_vec(), false);
            for &tag_bytes in self.tag_lengths_for(n) {
                let case = Case {
                    direction,
                    context,
                    text,
                    output: &output,
                    tag: &tag[..tag_bytes],
                    given_tag: &message.given_tag,
                    held: 0,
                };
                let call = |bench: &mut Bench, status, out, from| {
                    let mut arguments =
                        vec![CONTEXT, NONCE, message.nonce.len() as u64, AAD, q as u64];
                    arguments.extend([out, from, n as u64, TAG]);
                    arguments.extend((!self.is_ocb).then_some(tag_bytes as u64));
                    bench.expect(status, &self.function(direction, ""), &arguments)
                };
                self.prove_end(bench, &case, call).map_err(|error| {
                    format!("{direction:?} {q} and {n} bytes in one call: {error}")
                })?;
            }
        }
        Ok(())
    }

    /// All of them for messages of one length.
    pub fn tag_lengths_for(&self, n: usize) -> &[usize] {
        if n == 20 {
            self.tag_lengths
        } else {
            &self.tag_lengths[self.tag_lengths.len() - 1..]
        }
    }

    /// A call that ends a message: the output and the tag are right, or after a wrong tag the output is wiped.
    pub fn prove_end(
        &self,
        bench: &mut Bench,
        case: &Case,
        call: impl Fn(&mut Bench, u64, u64, u64) -> Result<()>,
    ) -> Result<()> {
        let encrypts = case.direction == Direction::Encrypt;
        let verdicts: &[bool] = if encrypts { &[true] } else { &[true, false] };
        for &verdict in verdicts {
            bench.comparison.borrow_mut().verdict = verdict;
            for in_place in [None, Some(case.held)] {
                let given = &case.given_tag[..case.tag.len()];
                if encrypts {
                    bench.put_space("the tag", TAG, given.len());
                } else {
                    bench.put("the tag", TAG, given.to_vec(), false);
                }
                let piece = Piece {
                    context_at: CONTEXT,
                    context: case.context,
                    input: case.text,
                    out_bytes: case.output.len(),
                    in_place,
                };
                let status = if verdict { MF_OK } else { MF_ERROR_TAG };
                let (_, output) =
                    piece.run(bench, |bench, out, from| call(bench, status, out, from))?;
                let wiped = vec![0; output.len()];
                let wanted = if verdict { case.output } else { &wiped };
                same(&output, wanted, "the output")?;
                check_tag(bench, case.direction, case.tag, given)?;
            }
        }
        Ok(())
    }

    // --- messages in pieces ----------------------------------------------------------------------------------------

    /// Up to n bytes of associated data in any pieces, with no text or little; and up to n bytes of text in any pieces
    /// after some associated data.
    pub fn prove_pieces(
        &self,
        n: usize,
        bench: &mut Bench,
        context: &[Byte],
        message: &Message,
    ) -> Result<()> {
        let started = self.start(bench, context, &message.nonce)?;
        let with_aad = walk(&started, n, |context, p, m| {
            Ok(vec![self.aad(bench, context, &message.aad[p..p + m])?])
        })
        .map_err(|error| format!("associated data {error}"))?;
        for direction in DIRECTIONS {
            for (q, context) in with_aad.iter().enumerate() {
                for m in [0, 17] {
                    let result = message.result(self, bench, direction, q, m);
                    self.prove_finish(bench, direction, context, message, &result, 0)
                        .map_err(|error| format!("{q} bytes of associated data: {error}"))?;
                }
            }
            self.prove_text(n, bench, direction, &with_aad[Q], message)
                .map_err(|error| format!("{direction:?} {error}"))?;
        }
        Ok(())
    }

    /// After Q bytes of associated data.
    fn prove_text(
        &self,
        n: usize,
        bench: &mut Bench,
        direction: Direction,
        context: &[Byte],
        message: &Message,
    ) -> Result<()> {
        let results: Vec<(Bytes, Bytes)> = (0..=n)
            .map(|n| message.result(self, bench, direction, Q, n))
            .collect();
        // Whole blocks of the output do not depend on what follows.
        let output = &results[n].0;
        let contexts = walk(context, n, |context, p, m| {
            self.update(bench, direction, context, message, output, (p, m))
        })?;
        for (p, context) in contexts.iter().enumerate() {
            for result in &results[p..] {
                let m = result.0.len() - p;
                self.prove_finish(bench, direction, context, message, result, p)
                    .map_err(|error| format!("after {p} bytes, at the end {m}: {error}"))?;
            }
            if self.aad_any_time && p % 3 == 0 {
                let late = self.aad(bench, context, &message.aad[Q..Q + p])?;
                let end = n.min(p + 3);
                let result = message.result(self, bench, direction, Q + p, end);
                self.prove_finish(bench, direction, &late, message, &result, p)
                    .map_err(|error| format!("after {p} bytes and late data: {error}"))?;
            }
        }
        Ok(())
    }

    /// How many bytes of text are out after n bytes, before the end.
    fn out(&self, n: usize) -> usize {
        if self.is_ocb { n - n % 16 } else { n }
    }

    pub fn update(
        &self,
        bench: &mut Bench,
        direction: Direction,
        context: &[Byte],
        message: &Message,
        output: &[Byte],
        (p, m): (usize, usize),
    ) -> Result<Vec<Bytes>> {
        let wanted = &output[self.out(p)..self.out(p + m)];
        let mut next = Vec::new();
        for in_place in [None, Some(p - self.out(p))] {
            let piece = Piece {
                context_at: CONTEXT,
                context,
                input: &message.text[p..p + m],
                out_bytes: wanted.len(),
                in_place,
            };
            let (after, found) = piece.run(bench, |bench, out, from| {
                let arguments = self.text_arguments(bench, out, from, wanted.len(), m);
                bench.must(&self.function(direction, "_update"), &arguments)?;
                self.check_size(bench, wanted.len())
            })?;
            same(&found, wanted, "the output")?;
            next.push(after);
        }
        Ok(next)
    }

    /// Of update, and the first ones of finish.
    fn text_arguments(
        &self,
        bench: &mut Bench,
        out: u64,
        from: u64,
        capacity: usize,
        m: usize,
    ) -> Vec<u64> {
        if !self.is_ocb {
            return vec![CONTEXT, out, from, m as u64];
        }
        bench.put_space("the size", SIZE, 8);
        vec![CONTEXT, out, capacity as u64, SIZE, from, m as u64]
    }

    fn check_size(&self, bench: &mut Bench, n: usize) -> Result<()> {
        if self.is_ocb {
            same(&bench.take("the size"), &super::number(n), "the size")?;
        }
        Ok(())
    }

    /// The last bytes of a message with this result, after p bytes of text.
    fn prove_finish(
        &self,
        bench: &mut Bench,
        direction: Direction,
        context: &[Byte],
        message: &Message,
        (output, tag): &(Bytes, Bytes),
        p: usize,
    ) -> Result<()> {
        let whole = *self.tag_lengths.last().expect("one");
        let case = Case {
            direction,
            context,
            text: &message.text[p..output.len()],
            output: &output[self.out(p)..],
            tag: &tag[..whole],
            given_tag: &message.given_tag,
            held: p - self.out(p),
        };
        let call = |bench: &mut Bench, status, out, from| {
            let n_out = case.output.len();
            let mut arguments = self.text_arguments(bench, out, from, n_out, case.text.len());
            arguments.push(TAG);
            arguments.extend((!self.is_ocb).then_some(whole as u64));
            bench.expect(status, &self.function(direction, "_finish"), &arguments)?;
            self.check_size(bench, if status == MF_OK { n_out } else { 0 })
        };
        self.prove_end(bench, &case, call)
    }

    /// OCB's last piece without the tag, and then the tag.
    pub fn prove_last(
        &self,
        setting: &Setting,
        bench: &mut Bench,
        context: &[Byte],
        message: &Message,
    ) -> Result<()> {
        for direction in DIRECTIONS {
            for n in 0..=setting.bytes {
                let started = self.start(bench, context, &message.nonce)?;
                let parts = [&message.nonce, [].as_slice(), &message.text[..n]];
                let (output, tag) = (self.define)(&mut bench.spec(), direction, parts);
                let piece = Piece {
                    context_at: CONTEXT,
                    context: &started,
                    input: &message.text[..n],
                    out_bytes: n,
                    in_place: None,
                };
                let (after, found) = piece.run(bench, |bench, out, from| {
                    let arguments = self.text_arguments(bench, out, from, n, n);
                    bench.must(&self.function(direction, "_last"), &arguments)
                })?;
                same(&found, &output, "the output")?;
                let case = Case {
                    direction,
                    context: &after,
                    text: &[],
                    output: &[],
                    tag: &tag,
                    given_tag: &message.given_tag,
                    held: 0,
                };
                let call = |bench: &mut Bench, status, out, from| {
                    let mut arguments = self.text_arguments(bench, out, from, 0, 0);
                    arguments.push(TAG);
                    bench.expect(status, &self.function(direction, "_finish"), &arguments)
                };
                self.prove_end(bench, &case, call)?;
            }
        }
        Ok(())
    }
}

/// The tag that was written, or compared.
fn check_tag(bench: &mut Bench, direction: Direction, tag: &[Byte], given: &[Byte]) -> Result<()> {
    if direction == Direction::Encrypt {
        return same(&bench.take("the tag"), tag, "the tag");
    }
    let [computed, other] = bench.compared()?;
    same(&computed, tag, "the tag that is compared")?;
    same(&other, given, "the given tag")
}

impl Message {
    pub fn new(bench: &mut Bench, nonce_bytes: usize, n: usize) -> Self {
        let mut symbols = |n| bench.symbols(n);
        Self {
            nonce: symbols(nonce_bytes),
            aad: symbols(n),
            text: symbols(n),
            given_tag: symbols(16),
        }
    }

    /// The output and the tag of q bytes of associated data and n of text.
    fn result(
        &self,
        mode: &Aead,
        bench: &mut Bench,
        direction: Direction,
        q: usize,
        n: usize,
    ) -> (Bytes, Bytes) {
        let parts = [&self.nonce, &self.aad[..q], &self.text[..n]];
        (mode.define)(&mut bench.spec(), direction, parts)
    }
}
