// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Set-up and encryption of one message, for messages of growing length: the kernel that precomputes
//! less wins the short ones.

use std::fmt::Write;
use std::iter;

use manyfish::{Error, KernelInfo, Twofish};
use serde::Serialize;

use crate::history;
use crate::report::{distinct, three_decimals, three_digits};
use crate::rows::{BUDGET, Cipher, Compiled, key, to_float};
use crate::stopwatch::race;
use crate::table::Table;

/// Shortest and longest message; the lengths between double.
const LENGTHS: (usize, usize) = (16, 64 << 10);

/// One message by one kernel; the names are those of the JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    pub cipher: &'static str,
    pub kernel: String,
    pub key_bits: usize,
    pub bytes: usize,
    #[serde(serialize_with = "three_decimals")]
    pub cycles_per_byte: f64,
}

/// One length with the kernel that does it best; the names are those of the JSON.
#[derive(Debug, Serialize)]
pub struct Point {
    pub cipher: &'static str,
    pub key_bits: usize,
    pub bytes: usize,
    pub kernel: String,
    #[serde(serialize_with = "three_decimals")]
    pub cycles_per_byte: f64,
    /// The authors' slide.
    pub slide_1998: Option<u32>,
    /// The best of the authors' tables, by arithmetic.
    pub table_1998: Option<Past>,
}

#[derive(Debug, Serialize)]
pub struct Past {
    pub option: &'static str,
    #[serde(serialize_with = "three_decimals")]
    pub cycles_per_byte: f64,
}

/// A cipher with its name.
type Named = (&'static str, Box<dyn Cipher>);

/// Measures every kernel and compiled keying at every length, those of one length in turn.
pub fn measure(
    kernels: &[KernelInfo],
    compiled: &[&'static Compiled],
    key_bits: usize,
) -> Result<Vec<Message>, Error> {
    let mut ciphers: Vec<Named> = Vec::new();
    for kernel in kernels.iter().filter(|kernel| key_bits / 8 <= kernel.max_key_bytes) {
        let cipher = Twofish::with_kernel(kernel.name, &key(key_bits))?;
        ciphers.push((kernel.name, Box::new(cipher)));
    }
    for compiled in compiled.iter().filter(|compiled| compiled.takes(key_bits)) {
        ciphers.push((compiled.name, Box::new(compiled.cipher(key_bits)?)));
    }
    let lengths = iter::successors(Some(LENGTHS.0), |n_bytes| Some(2 * n_bytes));
    let lengths = lengths.take_while(|n_bytes| *n_bytes <= LENGTHS.1);
    Ok(lengths.flat_map(|n_bytes| messages(&mut ciphers, key_bits, n_bytes)).collect())
}

/// Set-up and encryption of one message by each; every time another key.
fn messages(ciphers: &mut [Named], key_bits: usize, n_bytes: usize) -> Vec<Message> {
    let mut key = key(key_bits);
    let mut message = vec![0; n_bytes];
    let figures = race(BUDGET, ciphers, |(_, cipher)| {
        key[0] = key[0].wrapping_add(1);
        cipher.set_key(&key).expect("the length is right");
        cipher.encrypt(&mut message).expect("whole blocks");
    });
    let named = ciphers.iter().map(|(name, _)| *name).zip(figures);
    let message = |(name, cycles): (&str, f64)| Message {
        cipher: "twofish",
        kernel: name.to_owned(),
        key_bits,
        bytes: n_bytes,
        cycles_per_byte: cycles / to_float(n_bytes),
    };
    named.map(|(name, figure)| message((name, figure.minimum))).collect()
}

/// The best of those measured, for each length and key size.
pub fn best(messages: &[Message]) -> Vec<Point> {
    let same = |a: &Message, b: &Message| (a.key_bits, a.bytes) == (b.key_bits, b.bytes);
    messages.chunk_by(same).filter_map(point).collect()
}

fn point(messages: &[Message]) -> Option<Point> {
    let best = messages.iter().min_by(|a, b| a.cycles_per_byte.total_cmp(&b.cycles_per_byte))?;
    let (key_bits, n_bytes) = (best.key_bits, best.bytes);
    let past = u32::try_from(n_bytes / 16).ok().and_then(|n| history::best(key_bits, n));
    Some(Point {
        cipher: "twofish",
        key_bits,
        bytes: n_bytes,
        kernel: best.kernel.clone(),
        cycles_per_byte: best.cycles_per_byte,
        slide_1998: history::slide(key_bits, n_bytes),
        table_1998: past.map(|(option, cycles_per_byte)| Past { option, cycles_per_byte }),
    })
}

/// Set-up and encryption of one message by the best kernel, one line for each length.
pub fn table(curve: &[Point]) -> String {
    let key_sizes = distinct(curve.iter().map(|point| point.key_bits));
    let with_slide = key_sizes.contains(&128);
    let mut head = vec!["bytes".to_owned()];
    for bits in &key_sizes {
        head.extend([format!("{bits} bits"), "1998".to_owned()]);
    }
    if with_slide {
        head.push("slide".to_owned());
    }
    let mut table = Table::new("><><><>>", &head);
    let width = curve.iter().map(|point| point.kernel.len()).max().unwrap_or_default();
    for n_bytes in distinct(curve.iter().map(|point| point.bytes)) {
        let points: Vec<&Point> = curve.iter().filter(|point| point.bytes == n_bytes).collect();
        table.row(curve_row(n_bytes, &points, width));
    }
    let mut text = format!(
        "Set-up and encryption of one message of independent blocks, a byte, by the best kernel\n\n{table}\n"
    );
    let _ = writeln!(text, "1998: {}.", history::BEST_SOURCE);
    if with_slide {
        let _ = writeln!(
            text,
            "Slide, for 128 bits:\n{};\n{}.",
            history::CURVE_SOURCE,
            history::CURVE_NOTE
        );
    }
    text
}

/// `width` is that of the longest name of a kernel.
fn curve_row(n_bytes: usize, points: &[&Point], width: usize) -> Vec<String> {
    let mut cells = vec![n_bytes.to_string()];
    for point in points {
        cells.push(format!("{:<width$} {:>4}", point.kernel, three_digits(point.cycles_per_byte)));
        let past = point.table_1998.as_ref();
        cells.push(past.map(|past| three_digits(past.cycles_per_byte)).unwrap_or_default());
    }
    cells.extend(points.iter().find_map(|point| point.slide_1998).map(|clocks| clocks.to_string()));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_names_the_best_of_those_measured() {
        let zero = Twofish::with_kernel("zero", &key(128)).unwrap();
        let measured = messages(&mut [("zero", Box::new(zero))], 128, 64);
        assert!(measured[0].cycles_per_byte > 0.0);
        let worse =
            |n: &Message| Message { kernel: "worse".into(), cycles_per_byte: 1e9, ..n.clone() };
        let points = best(&[worse(&measured[0]), measured[0].clone()]);
        assert_eq!((points.len(), &*points[0].kernel, points[0].slide_1998), (1, "zero", Some(73)));
        assert_eq!(points[0].table_1998.as_ref().unwrap().option, "Part. 256 KB");
    }

    #[test]
    fn the_curve_fits_the_screen() {
        let point = |key_bits, cycles_per_byte| Point {
            cipher: "twofish",
            key_bits,
            bytes: 65536,
            kernel: "avx2-gfni".to_owned(),
            cycles_per_byte,
            slide_1998: (key_bits == 128).then_some(140),
            table_1998: Some(Past { option: "Zero", cycles_per_byte: 131.9 }),
        };
        let table = table(&[point(128, 247.2), point(192, 24.72), point(256, 2.472)]);
        let lines: Vec<&str> = table.lines().skip(2).take(2).collect();
        assert!(lines.iter().all(|line| line.len() <= 80), "{table}");
        let expected = "65536 avx2-gfni 247 132 avx2-gfni 24.7 132 avx2-gfni 2.47 132 140";
        assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }
}
