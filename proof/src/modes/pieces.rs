// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Messages in pieces. The context after p bytes is kept as one for all ways in which they may have come: a byte that is
//! not the same in all of them becomes unknown. From there each next piece must give the right output. So by induction
//! the proof holds for any number of pieces, also of no bytes.

use crate::algebra::{Byte, UNKNOWN};

use super::bench::{Bench, IN, OUT, Result};
use super::oracle::Bytes;

/// The context after each number of units from 0 to n. `step` takes a context after p units, p, and the units of a piece,
/// and gives the contexts after that.
pub fn walk(
    first: &[Byte],
    n: usize,
    mut step: impl FnMut(&[Byte], usize, usize) -> Result<Vec<Bytes>>,
) -> Result<Vec<Bytes>> {
    let mut contexts: Vec<Option<Bytes>> = vec![None; n + 1];
    for (m, context) in contexts.iter_mut().enumerate() {
        let next = step(first, 0, m).map_err(|error| place(0, m, &error))?;
        join(context, &next);
    }
    for p in 0..=n {
        let mut m = 0;
        while m <= n - p {
            let context = contexts[p].clone().expect("joined before");
            let next = step(&context, p, m).map_err(|error| place(p, m, &error))?;
            let is_new = join(&mut contexts[p + m], &next);
            // A piece of nothing may have changed the context of all others.
            if m > 0 || !is_new {
                m += 1;
            }
        }
    }
    Ok(contexts
        .into_iter()
        .map(|each| each.expect("joined"))
        .collect())
}

fn place(p: usize, m: usize, error: &str) -> String {
    format!("after {p}, {m} more: {error}")
}

/// Keeps what all contexts have in common; whether that is less than before.
fn join(kept: &mut Option<Bytes>, others: &[Bytes]) -> bool {
    let mut is_less = false;
    for other in others {
        let kept = kept.get_or_insert_with(|| other.clone());
        for (kept, other) in kept.iter_mut().zip(other) {
            if kept != other && *kept != UNKNOWN {
                *kept = UNKNOWN;
                is_less = true;
            }
        }
    }
    is_less
}

/// A call that takes a context, and makes an output of an input.
pub struct Piece<'p> {
    pub context_at: u64,
    pub context: &'p [Byte],
    pub input: &'p [Byte],
    pub out_bytes: usize,
    /// The output begins where the input does, or this many bytes before.
    pub in_place: Option<usize>,
}

impl Piece<'_> {
    /// The context after the call, and the output. The call gets the addresses of output and input.
    pub fn run(
        &self,
        bench: &mut Bench,
        call: impl FnOnce(&mut Bench, u64, u64) -> Result<()>,
    ) -> Result<(Bytes, Bytes)> {
        bench.put("the context", self.context_at, self.context.to_vec(), true);
        let (name, out) = match self.in_place {
            None => {
                bench.put("the input", IN, self.input.to_vec(), false);
                bench.put_space("the output", OUT, self.out_bytes);
                ("the output", OUT)
            }
            Some(before) => {
                let mut bytes = vec![UNKNOWN; before];
                bytes.extend(self.input);
                bytes.resize(bytes.len().max(self.out_bytes), UNKNOWN);
                bench.put("the input", IN - before as u64, bytes, true);
                bench.put("the output", OUT, Vec::new(), false);
                ("the input", IN - before as u64)
            }
        };
        call(bench, out, IN)?;
        let output = bench.take(name)[..self.out_bytes].to_vec();
        Ok((bench.take("the context"), output))
    }
}

pub fn same(found: &[Byte], wanted: &[Byte], title: &str) -> Result<()> {
    match (0..found.len().max(wanted.len())).find(|&i| found.get(i) != wanted.get(i)) {
        None => Ok(()),
        Some(at) => Err(format!(
            "byte {at} of {title} is not that of the definition"
        )),
    }
}

/// A mode that is one function of a context, an output and an input, in any pieces of whole units.
pub struct Stream<'s> {
    pub function: &'s str,
    /// The first argument, if it is not the context.
    pub cipher: Option<u64>,
    pub context_at: u64,
    pub unit: usize,
    /// Input and output of a message at least as long as all that are tried.
    pub text: &'s [Byte],
    pub wanted: &'s [Byte],
}

impl Stream<'_> {
    /// All ways to cut messages of up to n units into pieces.
    pub fn prove(&self, bench: &mut Bench, first: &[Byte], n: usize) -> Result<Vec<Bytes>> {
        let contexts = walk(first, n, |context, p, m| self.piece(bench, context, p, m));
        contexts.map_err(|error| format!("{}: {error}", self.function))
    }

    /// A piece of m units after p of them; also in place.
    pub fn piece(
        &self,
        bench: &mut Bench,
        context: &[Byte],
        p: usize,
        m: usize,
    ) -> Result<Vec<Bytes>> {
        let range = p * self.unit..(p + m) * self.unit;
        let mut next = Vec::new();
        for in_place in [None, Some(0)] {
            let piece = Piece {
                context_at: self.context_at,
                context,
                input: &self.text[range.clone()],
                out_bytes: range.len(),
                in_place,
            };
            let (context, output) = piece.run(bench, |bench, out, from| {
                let arguments = [self.context_at, out, from, range.len() as u64];
                let all: Vec<u64> = self.cipher.into_iter().chain(arguments).collect();
                bench.must(self.function, &all)
            })?;
            same(&output, &self.wanted[range.clone()], "the output")?;
            next.push(context);
        }
        Ok(next)
    }
}
