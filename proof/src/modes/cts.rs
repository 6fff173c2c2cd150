// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CBC with ciphertext stealing, in three variants [Dworkin10].

use crate::algebra::Byte;

use super::Setting;
use super::bench::{Bench, CIPHERS, DIRECTIONS, Direction, NONCE, Result, Spec};
use super::cbc::cbc;
use super::oracle::Bytes;
use super::pieces::{Piece, same};

pub fn prove(setting: &Setting) -> Result<()> {
    for block_bytes in [16, 8] {
        let mut bench = setting.bench(block_bytes);
        let (iv, text) = (bench.symbols(block_bytes), bench.symbols(setting.longest()));
        for direction in DIRECTIONS {
            for n in setting.lengths().filter(|&n| n >= block_bytes) {
                for variant in 1..=3 {
                    prove_message(&mut bench, direction, variant, &iv, &text[..n])
                        .map_err(|error| format!("CS{variant}, {n} bytes: {error}"))?;
                }
            }
        }
        setting.done(&bench)?;
    }
    Ok(())
}

fn prove_message(
    bench: &mut Bench,
    direction: Direction,
    variant: u64,
    iv: &[Byte],
    text: &[Byte],
) -> Result<()> {
    let wanted = match direction {
        Direction::Encrypt => encrypt(&mut bench.spec(), variant, iv, text),
        Direction::Decrypt => decrypt(&mut bench.spec(), variant, iv, text),
    };
    for in_place in [None, Some(0)] {
        let (context_at, out_bytes) = (NONCE, text.len());
        let piece = Piece {
            context_at,
            context: iv,
            input: text,
            out_bytes,
            in_place,
        };
        let (after, output) = piece.run(bench, |bench, out, from| {
            let arguments = [CIPHERS[0], variant, NONCE, out, from, text.len() as u64];
            bench.must(&format!("mf_cts_{}", direction.verb()), &arguments)
        })?;
        same(&output, &wanted, "the output")?;
        same(&after, iv, "the IV")?;
    }
    Ok(())
}

/// The bytes d of the last block, and whether the last two ciphertext blocks are swapped.
fn last(variant: u64, block_bytes: usize, n: usize) -> (usize, bool) {
    let d = (n - 1) % block_bytes + 1;
    let swapped = match variant {
        1 => false,
        2 => d < block_bytes,
        _ => true,
    };
    (d, swapped && n > block_bytes)
}

/// CBC of the text with zeros at its end, of which the last ciphertext block but one is cut to d bytes.
fn encrypt(spec: &mut Spec, variant: u64, iv: &[Byte], text: &[Byte]) -> Bytes {
    let n = iv.len();
    let (d, swapped) = last(variant, n, text.len());
    let mut padded = text.to_vec();
    padded.resize(text.len().next_multiple_of(n), 0);
    let ciphertext = cbc(spec, Direction::Encrypt, iv, &padded);
    if text.len() == n {
        return ciphertext;
    }
    let (before, both) = ciphertext.split_at(ciphertext.len() - 2 * n);
    let (cut, whole) = (&both[..d], &both[n..]);
    let end = if swapped { [whole, cut] } else { [cut, whole] };
    [before, &end.concat()].concat()
}

/// The last block, decrypted, has the bytes that were cut off.
fn decrypt(spec: &mut Spec, variant: u64, iv: &[Byte], text: &[Byte]) -> Bytes {
    let n = iv.len();
    let (d, swapped) = last(variant, n, text.len());
    if text.len() == n {
        return cbc(spec, Direction::Decrypt, iv, text);
    }
    let (before, both) = text.split_at(text.len() - n - d);
    let (cut, whole) = if swapped {
        (&both[n..], &both[..n])
    } else {
        both.split_at(d)
    };
    let z = spec.crypt(Direction::Decrypt, whole);
    let uncut = [before, cut, &z[d..]].concat();
    let mut plaintext = cbc(spec, Direction::Decrypt, iv, &uncut);
    plaintext.extend(spec.xor(&z, cut));
    plaintext
}
