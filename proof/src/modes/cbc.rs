// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! CBC [SP800-38A, 6.2], with the paddings of [RFC5652, 6.3] and [SP800-38A, A], and ECB [SP800-38A, 6.1].

use crate::algebra::Byte;

use super::Setting;
use super::bench::{Bench, CIPHERS, DIRECTIONS, Direction, NONCE, Result, SIZE, Spec};
use super::oracle::Bytes;
use super::pieces::{Piece, Stream, same};

pub fn prove(setting: &Setting) -> Result<()> {
    for block_bytes in [16, 8] {
        let mut bench = setting.bench(block_bytes);
        for direction in DIRECTIONS {
            prove_blocks(setting, &mut bench, direction)?;
            for padding in [Padding::Pkcs7, Padding::Iso] {
                prove_padded(setting, &mut bench, direction, padding)?;
            }
        }
        setting.done(&bench)?;
    }
    Ok(())
}

/// C_j = E(P_j xor C_{j-1}), and back; C_0 is the IV.
pub fn cbc(spec: &mut Spec, direction: Direction, iv: &[Byte], text: &[Byte]) -> Bytes {
    let mut chain = iv.to_vec();
    let mut output = Vec::new();
    for block in text.chunks_exact(iv.len()) {
        let result = match direction {
            Direction::Encrypt => {
                let sum = spec.xor(block, &chain);
                spec.encrypt(&sum)
            }
            Direction::Decrypt => {
                let sum = spec.crypt(Direction::Decrypt, block);
                spec.xor(&sum, &chain)
            }
        };
        chain = if direction == Direction::Encrypt {
            result.clone()
        } else {
            block.to_vec()
        };
        output.extend(result);
    }
    output
}

fn prove_blocks(setting: &Setting, bench: &mut Bench, direction: Direction) -> Result<()> {
    let block_bytes = bench.ciphers[0].borrow().block_bytes;
    let (iv, text) = (bench.symbols(block_bytes), bench.symbols(setting.longest()));
    let wanted = cbc(&mut bench.spec(), direction, &iv, &text);
    let stream = Stream {
        function: &format!("mf_cbc_{}", direction.verb()),
        cipher: Some(CIPHERS[0]),
        context_at: NONCE,
        unit: block_bytes,
        text: &text,
        wanted: &wanted,
    };
    stream.prove(bench, &iv, setting.bytes / block_bytes)?;
    for n in setting.long_lengths() {
        stream.piece(bench, &iv, 0, n / block_bytes)?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Padding {
    Pkcs7,
    Iso,
}

impl Padding {
    /// The padding of a last block of which n bytes are free.
    fn bytes(self, n: usize) -> Bytes {
        let (first, others) = match self {
            Self::Pkcs7 => (n, n),
            Self::Iso => (0x80, 0),
        };
        let mut padding = vec![u32::try_from(others).expect("few"); n];
        padding[0] = u32::try_from(first).expect("few");
        padding
    }

    fn function(self, direction: Direction) -> String {
        let name = match self {
            Self::Pkcs7 => "padded",
            Self::Iso => "iso_padded",
        };
        format!("mf_cbc_{}_{name}", direction.verb())
    }
}

/// Encryption of all lengths, and decryption of what that gives. Wrong padding is not tried: there a branch depends on
/// the text.
fn prove_padded(
    setting: &Setting,
    bench: &mut Bench,
    direction: Direction,
    padding: Padding,
) -> Result<()> {
    let block_bytes = bench.ciphers[0].borrow().block_bytes;
    let (iv, text) = (bench.symbols(block_bytes), bench.symbols(setting.bytes));
    for n in 0..=setting.bytes {
        let padded = [&text[..n], &padding.bytes(block_bytes - n % block_bytes)].concat();
        let ciphertext = cbc(&mut bench.spec(), Direction::Encrypt, &iv, &padded);
        let (input, wanted) = match direction {
            Direction::Encrypt => (&text[..n], &ciphertext),
            Direction::Decrypt => (ciphertext.as_slice(), &padded),
        };
        for in_place in [None, Some(0)] {
            bench.put_space("the size", SIZE, 8);
            let (context_at, out_bytes) = (NONCE, padded.len());
            let piece = Piece {
                context_at,
                context: &iv,
                input,
                out_bytes,
                in_place,
            };
            let (chain, output) = piece.run(bench, |bench, out, from| {
                let n = input.len() as u64;
                let arguments = [CIPHERS[0], NONCE, out, out_bytes as u64, SIZE, from, n];
                bench.must(&padding.function(direction), &arguments)
            })?;
            let size = if direction == Direction::Encrypt {
                padded.len()
            } else {
                n
            };
            same(&output[..size], &wanted[..size], "the output")?;
            same(
                &chain,
                &ciphertext[padded.len() - block_bytes..],
                "the chain",
            )?;
            same(&bench.take("the size"), &super::number(size), "the size")?;
        }
    }
    Ok(())
}

/// Each block by itself.
pub fn prove_ecb(setting: &Setting) -> Result<()> {
    for block_bytes in [16, 8] {
        let mut bench = setting.bench(block_bytes);
        for direction in DIRECTIONS {
            let text = bench.symbols(setting.longest());
            let mut spec = bench.spec();
            let blocks = text.chunks_exact(block_bytes);
            let wanted: Bytes = blocks
                .flat_map(|block| spec.crypt(direction, block))
                .collect();
            for n in setting.lengths() {
                let whole = n - n % block_bytes;
                prove_ecb_of(&mut bench, direction, &text[..whole], &wanted[..whole])?;
            }
        }
        setting.done(&bench)?;
    }
    Ok(())
}

fn prove_ecb_of(
    bench: &mut Bench,
    direction: Direction,
    text: &[Byte],
    wanted: &[Byte],
) -> Result<()> {
    for in_place in [None, Some(0)] {
        let piece = Piece {
            context_at: NONCE,
            context: &[],
            input: text,
            out_bytes: text.len(),
            in_place,
        };
        let (_, output) = piece.run(bench, |bench, out, from| {
            let arguments = [CIPHERS[0], out, from, text.len() as u64];
            bench.must(&format!("mf_ecb_{}", direction.verb()), &arguments)
        })?;
        same(&output, wanted, "the output")?;
    }
    Ok(())
}
