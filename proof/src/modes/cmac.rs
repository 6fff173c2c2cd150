// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CMAC [SP800-38B].

use crate::algebra::Byte;

use super::Setting;
use super::bench::{Bench, CIPHERS, CONTEXT, IN, MF_ERROR_TAG, MF_OK, Result, Spec, TAG};
use super::oracle::Bytes;
use super::pieces::{same, walk};

/// sizeof(mf_cmac)
pub const CONTEXT_BYTES: usize = 112;

pub fn prove(setting: &Setting) -> Result<()> {
    for block_bytes in [16, 8] {
        let mut bench = setting.bench(block_bytes);
        bench.choose_verdicts()?;
        let text = bench.symbols(setting.longest());
        let tags: Vec<(usize, Bytes)> = setting
            .lengths()
            .map(|n| (n, cmac(&mut bench.spec(), &text[..n])))
            .collect();
        bench.put_space("the context", CONTEXT, CONTEXT_BYTES);
        bench.must("mf_cmac_init", &[CONTEXT, CIPHERS[0]])?;
        let context = bench.take("the context");
        prove_whole(&mut bench, &context, &text, &tags)?;
        prove_pieces(setting, &mut bench, &context, &text, &tags)?;
        setting.done(&bench)?;
    }
    Ok(())
}

/// The tag of all bits. [SP800-38B, 6.2]
pub fn cmac(spec: &mut Spec, message: &[Byte]) -> Bytes {
    let last = last_block(spec, message);
    spec.encrypt(&last)
}

/// The block whose encryption is the tag.
pub fn last_block(spec: &mut Spec, message: &[Byte]) -> Bytes {
    let n = spec.ciphers[0].borrow().block_bytes;
    let l = spec.encrypt(&vec![0; n]);
    let k1 = spec.double(&l);
    let k2 = spec.double(&k1);
    let whole = message.len().saturating_sub(1) / n * n;
    let mut chain = vec![0; n];
    for block in message[..whole].chunks_exact(n) {
        let sum = spec.xor(&chain, block);
        chain = spec.encrypt(&sum);
    }
    let mut last = message[whole..].to_vec();
    let key = if last.len() == n { k1 } else { k2 };
    if last.len() < n {
        last.push(0x80);
        last.resize(n, 0);
    }
    let sum = spec.xor(&chain, &last);
    spec.xor(&sum, &key)
}

/// In one call. A message in pieces is not touched.
fn prove_whole(
    bench: &mut Bench,
    context: &[Byte],
    text: &[Byte],
    tags: &[(usize, Bytes)],
) -> Result<()> {
    let given = bench.symbols(16);
    bench.put("the context", CONTEXT, context.to_vec(), false);
    for (n, tag) in tags {
        bench.put("the input", IN, text[..*n].to_vec(), false);
        for tag_bytes in lengths_of_tag(tag.len(), *n) {
            let arguments = [CONTEXT, IN, *n as u64, TAG, tag_bytes as u64];
            prove_tag(
                bench,
                ["mf_cmac_compute", "mf_cmac_verify"],
                &arguments,
                &tag[..tag_bytes],
                &given,
            )?;
        }
    }
    Ok(())
}

/// All of them for messages of one length.
fn lengths_of_tag(whole: usize, n: usize) -> Vec<usize> {
    if n == 20 {
        (1..=whole).collect()
    } else {
        vec![whole]
    }
}

/// The tag is written, and compared with a given one; its verdict decides the status.
fn prove_tag(
    bench: &mut Bench,
    functions: [&str; 2],
    arguments: &[u64],
    tag: &[Byte],
    given: &[Byte],
) -> Result<()> {
    bench.put_space("the tag", TAG, tag.len());
    bench.must(functions[0], arguments)?;
    same(&bench.take("the tag"), tag, "the tag")?;
    let given = &given[..tag.len()];
    bench.put("the tag", TAG, given.to_vec(), false);
    for (verdict, status) in [(true, MF_OK), (false, MF_ERROR_TAG)] {
        bench.comparison.borrow_mut().verdict = verdict;
        bench.expect(status, functions[1], arguments)?;
        let [computed, other] = bench.compared()?;
        same(&computed, tag, "the tag that is compared")?;
        same(&other, given, "the given tag")?;
    }
    Ok(())
}

fn prove_pieces(
    setting: &Setting,
    bench: &mut Bench,
    context: &[Byte],
    text: &[Byte],
    tags: &[(usize, Bytes)],
) -> Result<()> {
    let block_bytes = bench.ciphers[0].borrow().block_bytes;
    let contexts = walk(context, setting.in_pieces(block_bytes), |context, p, m| {
        bench.put("the context", CONTEXT, context.to_vec(), true);
        bench.put("the input", IN, text[p..p + m].to_vec(), false);
        bench.must("mf_cmac_update", &[CONTEXT, IN, m as u64])?;
        Ok(vec![bench.take("the context")])
    })?;
    let given = bench.symbols(16);
    for (context, (n, tag)) in contexts.iter().zip(tags) {
        // Each of the three calls of prove_tag begins with the context after n bytes.
        for function in ["mf_cmac_finish", "mf_cmac_finish_verify"] {
            prove_end(bench, context, function, tag, &given)
                .map_err(|error| format!("after {n} bytes: {error}"))?;
        }
    }
    Ok(())
}

/// The end of a message, after which the next one begins: an empty one has the right tag, too.
fn prove_end(
    bench: &mut Bench,
    context: &[Byte],
    function: &str,
    tag: &[Byte],
    given: &[Byte],
) -> Result<()> {
    let empty = cmac(&mut bench.spec(), &[]);
    let n = tag.len() as u64;
    for (verdict, status) in [(true, MF_OK), (false, MF_ERROR_TAG)] {
        bench.comparison.borrow_mut().verdict = verdict;
        bench.put("the context", CONTEXT, context.to_vec(), true);
        if function == "mf_cmac_finish" {
            bench.put_space("the tag", TAG, tag.len());
            bench.must(function, &[CONTEXT, TAG, n])?;
            same(&bench.take("the tag"), tag, "the tag")?;
        } else {
            bench.put("the tag", TAG, given[..tag.len()].to_vec(), false);
            bench.expect(status, function, &[CONTEXT, TAG, n])?;
            let [computed, other] = bench.compared()?;
            same(&computed, tag, "the tag that is compared")?;
            same(&other, &given[..tag.len()], "the given tag")?;
        }
        bench.put_space("the tag", TAG, tag.len());
        bench.must("mf_cmac_finish", &[CONTEXT, TAG, n])?;
        same(
            &bench.take("the tag"),
            &empty,
            "the tag of the next message",
        )?;
    }
    Ok(())
}
