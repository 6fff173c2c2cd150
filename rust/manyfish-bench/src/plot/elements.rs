// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The elements of the picture.

use std::fmt::Write;

use super::{BOTTOM, Curve, LEFT, RIGHT, Scale, TOP};
use crate::report::three_digits;

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 520.0;
/// The legend.
const SAMPLE: f64 = 34.0;
const LINE: f64 = 20.0;
const STYLE: &str = include_str!("style.css");

/// The beginning, with all of it in words for those who do not see it.
pub fn head(heading: &str, note: &str, curves: &[Curve]) -> String {
    let ends = curves.iter().filter_map(|curve| {
        let (first, last) = (curve.points.first()?, curve.points.last()?);
        let [from, to] = [first, last].map(|end| three_digits(end.1));
        Some(format!("{} {from} at {} bytes, {to} at {}", curve.name, first.0, last.0))
    });
    let words = format!("{note}. {}.", ends.collect::<Vec<_>>().join("; "));
    let [heading, note, words] = [heading, note, &words].map(escape);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{heading}</title>\n<desc id=\"desc\">{words}</desc>\n\
         <style>\n{STYLE}</style>\n\
         <rect class=\"background\" width=\"100%\" height=\"100%\" rx=\"6\"/>\n\
         <text class=\"heading\" x=\"16\" y=\"28\">{heading}</text>\n\
         <text class=\"note\" x=\"16\" y=\"47\">{note}</text>\n"
    )
}

pub fn axes(scale: &Scale, lengths: &[usize], ticks: &[f64], unit: &str) -> String {
    let mut text = String::new();
    let mut line = |path: String| {
        let _ = writeln!(text, "<path class=\"grid\" d=\"{path}\"/>");
    };
    for tick in ticks {
        line(format!("M{LEFT} {:.1}H{RIGHT}", scale.y(*tick)));
    }
    for bytes in lengths {
        line(format!("M{:.1} {TOP}V{BOTTOM}", scale.x(*bytes)));
    }
    for tick in ticks {
        text += &label(LEFT - 8.0, scale.y(*tick) + 4.0, "end", &tick.to_string());
    }
    for bytes in lengths.iter().step_by(2) {
        text += &label(scale.x(*bytes), BOTTOM + 18.0, "middle", &size(*bytes));
    }
    let below = "length of the message in bytes; both axes are logarithmic";
    text += &label(f64::midpoint(LEFT, RIGHT), BOTTOM + 40.0, "middle", below);
    text += &upright(16.0, f64::midpoint(TOP, BOTTOM), &format!("{unit} a byte"));
    text
}

/// A curve, with its name where the pointer rests.
pub fn polyline(curve: &Curve, scale: &Scale) -> String {
    let at =
        |(bytes, cycles): &(usize, f64)| format!("{:.1},{:.1}", scale.x(*bytes), scale.y(*cycles));
    let points = curve.points.iter().map(at).collect::<Vec<_>>().join(" ");
    let (class, name) = (&curve.class, escape(&curve.name));
    format!("<polyline class=\"{class}\" points=\"{points}\"><title>{name}</title></polyline>\n")
}

fn size(bytes: usize) -> String {
    if bytes < 1024 { bytes.to_string() } else { format!("{} Ki", bytes / 1024) }
}

fn label(x: f64, y: f64, anchor: &str, words: &str) -> String {
    let words = escape(words);
    format!(
        "<text class=\"note\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>\n"
    )
}

/// Read from below, around its middle.
fn upright(x: f64, y: f64, words: &str) -> String {
    let words = escape(words);
    format!(
        "<text class=\"note\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" \
         text-anchor=\"middle\">{words}</text>\n"
    )
}

pub fn circle(x: f64, y: f64) -> String {
    format!("<circle class=\"slide\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>\n")
}

/// In the order in which the curves end.
pub fn legend(curves: &[Curve], has_circles: bool) -> String {
    let x = RIGHT + 16.0;
    let (mut text, mut y) = (String::new(), TOP + 8.0);
    for Curve { name, class, .. } in curves {
        let end = x + SAMPLE;
        let _ = writeln!(text, "<path class=\"{class}\" d=\"M{x} {y}H{end}\"/>");
        text += &words(end + 8.0, y + 4.0, name);
        y += LINE;
    }
    if has_circles {
        text += &circle(x + SAMPLE / 2.0, y);
        text += &words(x + SAMPLE + 8.0, y + 4.0, "1998, slide");
        y += LINE;
    }
    y += LINE / 2.0;
    for kind in ["solid: constant time", "dashed: tables, which leak"] {
        text += &label(x, y, "start", kind);
        y += LINE - 4.0;
    }
    text
}

fn words(x: f64, y: f64, words: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\">{}</text>\n", escape(words))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
