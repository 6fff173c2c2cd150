// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Draws what a byte costs over the length of the message, as SVG: plain text, the same bytes for the same
//! figures, light and dark. Both axes are logarithmic, or the long messages would all lie on one line.

mod elements;

use crate::history;
use crate::machine::Machine;
use crate::messages::Message;
use crate::report::Report;
use crate::rows::{Row, to_float};
use elements::{axes, circle, head, legend, polyline};

/// The field of the curves.
const LEFT: f64 = 64.0;
const TOP: f64 = 68.0;
const RIGHT: f64 = 690.0;
const BOTTOM: f64 = 464.0;
/// The number of colours; then they repeat.
const COLOURS: usize = 8;

type Points = Vec<(usize, f64)>;

/// A curve: its points are pairs of bytes of the message and cycles of a byte.
struct Curve {
    name: String,
    /// Of the style sheet.
    class: String,
    points: Points,
}

/// Where a figure stands.
struct Scale {
    bytes: (f64, f64),
    cycles: (f64, f64),
}

impl Scale {
    fn x(&self, bytes: usize) -> f64 {
        LEFT + part(self.bytes, to_float(bytes)) * (RIGHT - LEFT)
    }

    fn y(&self, cycles: f64) -> f64 {
        BOTTOM - part(self.cycles, cycles) * (BOTTOM - TOP)
    }
}

/// How far a value lies between the ends of a logarithmic scale.
fn part((from, to): (f64, f64), value: f64) -> f64 {
    (value / from).ln() / (to / from).ln()
}

/// 1, 2, 5, 10, 20 and so on, from below the smallest figure to above the largest.
fn ticks(smallest: f64, largest: f64) -> Vec<f64> {
    let all: Vec<f64> =
        (-3..9).flat_map(|power| [1.0, 2.0, 5.0].map(|n| n * 10f64.powi(power))).collect();
    let first = all.iter().rposition(|tick| *tick <= smallest).unwrap_or_default();
    let last = all.iter().position(|tick| *tick >= largest).unwrap_or(all.len() - 1);
    all[first..=last.max(first + 1)].to_vec()
}

/// A curve for each kernel with messages of this key size, in the order of the rows.
fn curves(rows: &[Row], messages: &[Message], key_bits: usize) -> Vec<Curve> {
    let mut drawn = 0;
    let rows = rows.iter().filter(|row| row.key_bits == key_bits);
    let curve = |row: &Row| {
        let of_row = messages.iter().filter(|m| (&m.kernel, m.key_bits) == (&row.kernel, key_bits));
        let points: Points = of_row.map(|m| (m.bytes, m.cycles_per_byte)).collect();
        let kind = if row.constant_time { "safe" } else { "tables" };
        let class = format!("{kind} c{}", drawn % COLOURS);
        drawn += usize::from(!points.is_empty());
        Curve { name: row.kernel.clone(), class, points }
    };
    rows.map(curve).filter(|curve| !curve.points.is_empty()).collect()
}

/// The best options of 1998 by arithmetic, at the same lengths: with tables of 256 KB as some kernels here
/// have them, and without.
fn past(lengths: &[usize], key_bits: usize) -> [Curve; 2] {
    let curve = |name: &str, class: &str, best: fn(usize, u32) -> Option<(&'static str, f64)>| {
        let clocks = |bytes: &usize| {
            let n_blocks = u32::try_from(bytes / 16).ok()?;
            best(key_bits, n_blocks).map(|(_, clocks)| (*bytes, clocks))
        };
        let points = lengths.iter().filter_map(clocks).collect();
        Curve { name: name.to_owned(), class: class.to_owned(), points }
    };
    [
        curve("1998, Table 5.1", "past", history::best_of_5_1),
        curve("1998, with 256 KB", "past large", history::best),
    ]
}

fn slide(lengths: &[usize], key_bits: usize) -> Points {
    let clocks = |bytes: &usize| Some((*bytes, f64::from(history::slide(key_bits, *bytes)?)));
    lengths.iter().filter_map(clocks).collect()
}

/// The picture for the smallest keys, or none where there are no messages.
#[must_use]
pub fn svg(report: &Report) -> Option<String> {
    let key_bits = report.messages.iter().map(|message| message.key_bits).min()?;
    drawing(&report.machine, &report.rows, &report.messages, key_bits)
}

/// The picture, or none where there are no messages of this key size.
fn drawing(
    machine: &Machine,
    rows: &[Row],
    messages: &[Message],
    key_bits: usize,
) -> Option<String> {
    let mut curves = curves(rows, messages, key_bits);
    let mut lengths: Vec<usize> =
        curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    if lengths.len() < 2 {
        return None;
    }
    let is_comparable = machine.counts_cycles();
    let circles = if is_comparable { slide(&lengths, key_bits) } else { Vec::new() };
    if is_comparable {
        curves.extend(past(&lengths, key_bits));
    }
    curves.sort_by(|a, b| last(b).total_cmp(&last(a)));
    let all = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    let (smallest, largest) =
        all.fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
    let ticks = ticks(smallest, largest);
    let scale = Scale {
        bytes: (to_float(lengths[0]), to_float(lengths[lengths.len() - 1])),
        cycles: (ticks[0], ticks[ticks.len() - 1]),
    };
    let heading = format!(
        "Set-up and encryption of independent blocks, {key_bits}-bit key: {} a byte",
        machine.unit
    );
    let note = format!("{}; {}", machine.cpu, machine.commit_and_date(", "));
    let mut text = head(&heading, &note, &curves);
    text += &axes(&scale, &lengths, &ticks, &machine.unit);
    text.extend(curves.iter().map(|curve| polyline(curve, &scale)));
    for (bytes, cycles) in &circles {
        text += &circle(scale.x(*bytes), scale.y(*cycles));
    }
    text += &legend(&curves, !circles.is_empty());
    Some(text + "</svg>\n")
}

/// Cycles of a byte of the longest message.
fn last(curve: &Curve) -> f64 {
    curve.points.last().map_or(0.0, |point| point.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::BothWays;

    fn machine(unit: &str) -> Machine {
        let cpu = "R&D <\"one\">".to_owned();
        Machine {
            cpu,
            commit: Some("c".into()),
            date: "d".into(),
            unit: unit.into(),
            ..Machine::here()
        }
    }

    fn row(kernel: &str, key_bits: usize) -> Row {
        let both = BothWays { encrypt: 1.0, decrypt: 1.0 };
        Row {
            cipher: "twofish",
            kernel: kernel.to_owned(),
            key_bits,
            constant_time: kernel == "safe",
            setup_cycles: 1.0,
            cold_block_cycles: None,
            block_cycles: both,
            cycles_per_byte: [].into(),
            context_bytes: 1,
            code_bytes: None,
            constant_bytes: None,
        }
    }

    fn message(kernel: &str, bytes: usize, cycles_per_byte: f64) -> Message {
        Message { cipher: "twofish", kernel: kernel.into(), key_bits: 128, bytes, cycles_per_byte }
    }

    fn drawn(unit: &str) -> String {
        let rows = [row("safe", 128), row("a<b", 128), row("none", 128), row("safe", 256)];
        let messages = [
            message("safe", 16, 400.0),
            message("a<b", 16, 100.0),
            message("safe", 65536, 4.0),
            message("a<b", 65536, 9.0),
        ];
        drawing(&machine(unit), &rows, &messages, 128).expect("a drawing")
    }

    /// Every element is closed in its turn, and what has a meaning in XML stands nowhere else.
    fn check_xml(text: &str) {
        let (mut open, mut rest) = (Vec::new(), text);
        while let Some(start) = rest.find('<') {
            let words = &rest[..start];
            assert!(!words.contains('>'), "{words}");
            let entities = ["&amp;", "&lt;", "&gt;", "&quot;"];
            let plain = entities.iter().fold(words.to_owned(), |text, name| text.replace(name, ""));
            assert!(!plain.contains('&'), "{words}");
            let end = start + rest[start..].find('>').expect("a tag ends");
            let tag = &rest[start + 1..end];
            assert!(tag.matches('"').count() % 2 == 0 && !tag.contains('<'), "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "in turn");
            } else if !tag.ends_with('/') {
                open.push(tag.split(' ').next().expect("a name"));
            }
            rest = &rest[end + 1..];
        }
        assert!(open.is_empty() && rest == "\n", "{open:?}");
    }

    #[test]
    fn it_is_well_formed_and_names_are_escaped() {
        let text = drawn("core cycles");
        check_xml(&text);
        for axis in [">length of the message in bytes; both", ">core cycles a byte</text>"] {
            assert_eq!(text.matches(axis).count(), 1, "{axis}: {text}");
        }
        assert!(text.contains("R&amp;D &lt;&quot;one&quot;&gt;; commit c, d"), "{text}");
        assert_eq!(text.matches(">a&lt;b<").count(), 2, "a curve and a line of the legend: {text}");
    }

    #[test]
    fn there_is_a_curve_for_each_kernel_that_was_measured() {
        let text = drawn("core cycles");
        assert_eq!(text.matches("<polyline").count(), 4, "two kernels, 1998 twice: {text}");
        // 400 and 4 cycles lie between the ticks 500 and 2; the lengths at both ends.
        let y = |cycles: f64| BOTTOM - part((2.0, 500.0), cycles) * (BOTTOM - TOP);
        let ends = format!("points=\"{LEFT:.1},{:.1} {RIGHT:.1},{:.1}\"", y(400.0), y(4.0));
        assert!(text.contains(&format!("<polyline class=\"safe c0\" {ends}")), "{ends} {text}");
        assert!(text.contains("class=\"tables c1\"") && !text.contains("none</text>"), "{text}");
        assert_eq!(text.matches("<circle").count(), 3, "the slide at both ends, and the legend");
    }

    #[test]
    fn the_legend_is_in_the_order_of_the_ends() {
        let text = drawn("core cycles");
        let at = |name: &str| text.find(&format!(">{name}</text>")).expect("in the legend");
        assert!(at("1998, Table 5.1") < at("a&lt;b") && at("a&lt;b") < at("safe"), "{text}");
    }

    #[test]
    fn clocks_are_not_compared_with_nanoseconds() {
        let text = drawn("nanoseconds");
        check_xml(&text);
        assert!(!text.contains(">1998") && !text.contains("<circle"), "{text}");
        assert!(text.contains("128-bit key: nanoseconds a byte"), "{text}");
    }

    #[test]
    fn nothing_makes_no_drawing() {
        let machine = machine("core cycles");
        assert!(drawing(&machine, &[row("safe", 128)], &[], 128).is_none());
        let other_size = [message("safe", 16, 1.0), message("safe", 32, 1.0)];
        assert!(drawing(&machine, &[row("safe", 192)], &other_size, 192).is_none());
    }

    #[test]
    fn ticks_enclose_the_figures() {
        assert_eq!(ticks(2.5, 140.0), [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
        assert_eq!(ticks(5.0, 5.0), [5.0, 10.0]);
        assert_eq!(ticks(0.9, 1.0), [0.5, 1.0]);
    }
}
