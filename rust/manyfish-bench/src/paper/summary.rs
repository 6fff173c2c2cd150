// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The tables in short: sentences whose figures are theirs. Documents that name a figure of these take
//! it from here.

use super::{Here, has_past};
use crate::history;
use crate::messages::Message;
use crate::rows::{COLD_KEYS, Row};

/// All that was measured can say; of the smallest keys where it does not name others.
pub fn sentences(here: &Here) -> Vec<String> {
    let sizes = here.key_sizes();
    let Some(bits) = sizes.first() else { return Vec::new() };
    let all = [
        compiled(here, &sizes),
        large_tables(here, *bits),
        huge_tables(here, *bits),
        messages(here, *bits),
    ];
    all.into_iter().flatten().collect()
}

/// The gain of compiled keying over full keying, and from how many blocks on it pays.
fn compiled(here: &Here, sizes: &[usize]) -> Option<String> {
    let pairs: Vec<(&Row, &Row)> = sizes
        .iter()
        .filter_map(|bits| here.row("full", *bits).zip(here.row("compiled", *bits)))
        .collect();
    let saved =
        |(full, compiled): &(&Row, &Row)| full.block_cycles.encrypt - compiled.block_cycles.encrypt;
    let (full, compiled) = pairs.first()?;
    let block = full.block_cycles.encrypt;
    let least = pairs.iter().map(saved).fold(f64::INFINITY, f64::min);
    let most = pairs.iter().map(saved).fold(0.0, f64::max);
    if least <= 0.0 {
        return Some(
            "Compiled keying never pays here: a block takes no less than with full keying.".into(),
        );
    }
    let blocks = pairs.iter().map(|pair| (pair.1.setup_cycles - pair.0.setup_cycles) / saved(pair));
    let (from, to) = blocks.fold((f64::INFINITY, 0.0f64), |(a, b), n| (a.min(n), b.max(n)));
    let pays = if to < 1.0 {
        "it always pays".to_owned()
    } else {
        let blocks = between(two_digits(from.max(1.0)), two_digits(to));
        format!("it pays from {blocks} such blocks under a key on")
    };
    Some(format!(
        "Compiled keying saves {} of the {block:.0} {} that full keying takes for a block that waits for the \
         one before ({} %). Its set-up takes {} more with a {}-bit key, so {pays}.",
        span(least, most, 0),
        here.unit(),
        span(100.0 * least / block, 100.0 * most / block, 0),
        thousands(compiled.setup_cycles - full.setup_cycles),
        full.key_bits,
    ))
}

/// The share of a set-up that the tables of 256 KB save, then and now.
fn large_tables(here: &Here, bits: usize) -> Option<String> {
    let saved = |plain: &str| {
        let big = format!("{plain}-big");
        let now = (here.row(plain, bits)?.setup_cycles, here.row(&big, bits)?.setup_cycles);
        let then =
            |kernel: &str| history::of_kernel(kernel, bits).map(|(setup, _)| f64::from(setup));
        let (then_plain, then_big) = (then(plain)?, then(&big)?);
        let percent = |(without, with): (f64, f64)| 100.0 * (1.0 - with / without);
        let (now, then) = (percent(now), percent((then_plain, then_big)));
        Some(format!("{now:.0} % of the set-up of {plain} keying ({then:.0} % in 1998)"))
    };
    let said: Vec<String> = ["full", "partial"].into_iter().filter_map(saved).collect();
    let all = said.join(", and ");
    (!said.is_empty()).then(|| format!("The tables of 256 KB save {all}, with {bits}-bit keys."))
}

/// A set-up and one block with tables of 256 MB: from the cache, and from memory.
fn huge_tables(here: &Here, bits: usize) -> Option<String> {
    let row = here.row("full-huge", bits)?;
    let (setup, block) = (thousands(row.setup_cycles), thousands(row.block_cycles.encrypt));
    let unit = here.unit();
    let warm = format!(
        "With the tables of 256 MB a set-up takes {setup} {unit} and a block {block} while their rows are in \
         the cache"
    );
    let Some(cold) = row.cold_block_cycles else {
        return Some(format!("{warm}; for other keys they come from memory."));
    };
    let beside = here.row("full-big", bits).and_then(|row| row.cold_block_cycles);
    let beside = beside.map(|cycles| format!(" ({} with those of 256 KB)", thousands(cycles)));
    Some(format!(
        "{warm}. For the next of {} keys both together take {}{}.",
        thousands_of(COLD_KEYS),
        thousands(cold),
        beside.unwrap_or_default()
    ))
}

/// Where one message is best with a constant-time kernel, and how far from 1998.
fn messages(here: &Here, bits: usize) -> Option<String> {
    let of_size: Vec<&Message> =
        here.messages.iter().filter(|message| message.key_bits == bits).collect();
    let best: Vec<&Message> = of_size
        .chunk_by(|a, b| a.bytes == b.bytes)
        .filter_map(|of| {
            of.iter().copied().min_by(|a, b| a.cycles_per_byte.total_cmp(&b.cycles_per_byte))
        })
        .collect();
    let safe =
        |message: &&&Message| here.row(&message.kernel, bits).is_some_and(|row| row.constant_time);
    let tail = best.iter().rev().take_while(safe).last()?;
    let longest = best.last()?;
    let past = history::best(bits, u32::try_from(longest.bytes / 16).ok()?)?.1;
    let options = of_size.iter().filter(|m| m.bytes == longest.bytes && has_past(&m.kernel));
    let option = options.map(|m| m.cycles_per_byte).fold(f64::INFINITY, f64::min);
    let now = if here.in_cycles {
        format!(
            "; for {} bytes, 1998 took {:.0} times as long, and {:.1} times as long as the same options \
             here",
            thousands_of(longest.bytes),
            past / longest.cycles_per_byte,
            past / option
        )
    } else {
        String::new()
    };
    Some(format!(
        "A constant-time kernel is best for one message of independent blocks from {} bytes on, with {bits}-bit \
         keys{now}.",
        thousands_of(tail.bytes)
    ))
}

fn span(low: f64, high: f64, digits: usize) -> String {
    let (low, high) = (format!("{low:.digits$}"), format!("{high:.digits$}"));
    if low == high { low } else { format!("{low} to {high}") }
}

/// The first two digits of a count.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // blocks, below 2^52
fn two_digits(count: f64) -> usize {
    let unit = 10f64.powf((count.log10().floor() - 1.0).max(0.0));
    ((count / unit).round() * unit) as usize
}

fn between(low: usize, high: usize) -> String {
    let (low, high) = (thousands_of(low), thousands_of(high));
    if low == high { low } else { format!("{low} to {high}") }
}

fn thousands(figure: f64) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // cycles, below 2^52
    thousands_of(figure.round() as usize)
}

fn thousands_of(count: usize) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    groups.join(",")
}
