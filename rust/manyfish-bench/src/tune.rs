// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Measures the costs that `--expect` uses, shows its choices, and checks them.

use manyfish::{Costs, Expectation, KernelInfo, Leaks, Tables, Twofish};

use crate::Error;
use crate::choices::{self, Point, TOLERANCE, Way, Work};
use crate::costs::{self, Cost, PASSES};
use crate::machine::Machine;
use crate::rows::key;
use crate::speed::KEY_BITS;
use crate::table::Table;

/// Called before each step with the number of all steps, and the next one's name.
pub type Progress<'a> = &'a mut dyn FnMut(usize, &str);

/// Builds the tables of 256 KB, and those of 256 MB if `huge`, so that kernels which need them take part.
pub fn build_tables(huge: bool) -> Result<(), manyfish::Error> {
    let mut all = Tables::ALL.into_iter().filter(|tables| huge || *tables == Tables::Big);
    all.try_for_each(|tables| tables.build(0, |_, _| true))
}

/// Measures every kernel that runs here; a table with its head.
pub fn measure(progress: Progress) -> Result<String, Error> {
    let kernels: Vec<KernelInfo> = manyfish::kernels().filter(|kernel| kernel.runnable).collect();
    let all = kernels.iter().flat_map(|kernel| KEY_BITS.map(|key_bits| (kernel, key_bits)));
    let pairs: Vec<(&KernelInfo, usize)> =
        all.filter(|(kernel, bits)| takes(kernel, *bits)).collect();
    let mut measure = |(kernel, key_bits): (&KernelInfo, usize)| {
        progress(pairs.len() * PASSES, &format!("{}, {key_bits} bits", kernel.name));
        costs::measure(kernel, key_bits)
    };
    let mut rows = pairs.iter().copied().map(&mut measure).collect::<Result<Vec<Cost>, _>>()?;
    for _ in 1..PASSES {
        for (row, pair) in rows.iter_mut().zip(pairs.iter().copied()) {
            row.merge(&measure(pair)?);
        }
    }
    Ok(head(&Machine::here()) + &costs::table(&rows))
}

/// Not every kernel has every key size.
fn takes(kernel: &KernelInfo, key_bits: usize) -> bool {
    Twofish::with_kernel(kernel.name, &key(key_bits)).is_ok()
}

/// The lines above a table, by which a reader knows where it is from.
fn head(machine: &Machine) -> String {
    let lines = [
        ("cpu", machine.cpu.as_str()),
        ("version", manyfish::version()),
        ("architecture", &machine.architecture),
        ("compiler", &machine.compiler),
        ("flags", &machine.flags),
        ("commit", machine.commit.as_deref().unwrap_or_default()),
        ("date", &machine.date),
        ("unit", &machine.unit),
        ("method", &machine.method),
    ];
    let known = lines.iter().filter(|(_, value)| !value.is_empty());
    known.map(|(name, value)| format!("# {name}: {value}\n")).collect::<Vec<_>>().concat()
}

/// Which kernel is chosen for messages of growing length.
pub fn choices_table(costs: &Costs) -> Result<String, Error> {
    let head = ["bytes", "constant time", "serial", "text leaks", "serial", "all leaks", "serial"];
    let mut table = Table::new("><<<<<<", &head);
    let allowed = Expectation::default().costs(costs);
    for n_bytes in choices::lengths() {
        let mut cells = vec![n_bytes.to_string()];
        for work in Work::plain(256) {
            let choice = work.expectation(n_bytes, &allowed).choose(32)?;
            cells.push(Way::chosen(&choice).to_string());
        }
        table.row(cells);
    }
    Ok(format!(
        "The kernels that cost least, with 256-bit keys; ct: by the constant-time set-up\n\n\
         {table}"
    ))
}

/// How good the choices are.
#[derive(Debug)]
pub struct Checked {
    /// For each kind of work, where most is lost.
    pub worst: Table,
    /// A line for each choice that costs more than the best kernel by over the tolerance.
    pub missed: Vec<String>,
}

/// Measures all kernels for messages of growing length, and compares each choice with the best.
pub fn check(allowed: &Expectation, progress: Progress) -> Result<Checked, Error> {
    let work: Vec<Work> = KEY_BITS.into_iter().flat_map(Work::all).collect();
    let n_steps = work.len() * choices::lengths().count();
    let head = ["key", "leaks", "blocks", "shared tables", "worst", "at bytes"];
    let mut checked = Checked { worst: Table::new("<<<<>>", &head), missed: Vec::new() };
    for work in work {
        let mut points = Vec::new();
        for n_bytes in choices::lengths() {
            progress(n_steps, "");
            points.push(choices::measure(work, n_bytes, &work.expectation(n_bytes, allowed))?);
        }
        checked.worst.row(worst(work, &points));
        checked.missed.extend(points.iter().filter(|p| is_missed(p)).map(|p| miss(work, p)));
    }
    Ok(checked)
}

fn is_missed(point: &Point) -> bool {
    point.ratio > TOLERANCE
}

fn describe(work: Work) -> [String; 4] {
    let leaks = match work.leaks {
        Leaks::None => "none",
        Leaks::Text => "text",
        Leaks::Any => "any",
    };
    let blocks = if work.serial { "serial" } else { "parallel" };
    let shared = if work.shared { "yes" } else { "no" };
    [work.key_bits.to_string(), leaks.to_owned(), blocks.to_owned(), shared.to_owned()]
}

/// The point where most is lost.
fn worst(work: Work, points: &[Point]) -> Vec<String> {
    let worst = points.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio)).expect("some points");
    let mut cells = describe(work).to_vec();
    cells.extend([format!("{:.3}", worst.ratio), worst.n_bytes.to_string()]);
    cells
}

fn miss(work: Work, point: &Point) -> String {
    let [key_bits, leaks, blocks, shared] = describe(work);
    let Point { n_bytes, chosen, best, ratio } = point;
    format!(
        "{key_bits}-bit key, leaks {leaks}, {blocks}, shared tables: {shared}, {n_bytes} bytes: \
         {chosen} takes {ratio:.2} times what {best} takes\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(ratio: f64) -> Point {
        let way = |kernel| Way { kernel, ct: false };
        Point { n_bytes: 64, chosen: way("zero"), best: way("full"), ratio }
    }

    #[test]
    fn a_choice_over_the_tolerance_is_missed_and_named() {
        let work = Work { key_bits: 192, leaks: Leaks::Any, serial: true, shared: false };
        assert_eq!([1.0, 1.14, 1.16].map(|ratio| is_missed(&point(ratio))), [false, false, true]);
        assert_eq!(
            miss(work, &point(1.16)),
            "192-bit key, leaks any, serial, shared tables: no, 64 bytes: zero takes 1.16 times what full takes\n"
        );
        let cells = worst(work, &[point(1.1), point(1.16), point(1.0)]);
        assert_eq!(cells, ["192", "any", "serial", "no", "1.160", "64"]);
    }

    /// `zero` costs least with short keys, `full` with long ones.
    #[test]
    fn the_table_is_of_256_bit_keys() {
        const CALLS: &str = "10,20,30,40,50,70,80,90,160,170,320,330,640,1280";
        let row = |kernel: &str, bits: usize, set_up: u32| {
            let ct = if kernel == "bitslice" { "" } else { "99999" };
            format!("{kernel},{bits},{set_up},{ct},{CALLS}\n")
        };
        let rows = [("bitslice", [9000; 3]), ("full", [900, 900, 100]), ("zero", [100, 900, 900])];
        let rows = rows.map(|(kernel, set_ups)| {
            KEY_BITS.iter().zip(set_ups).map(|(bits, set_up)| row(kernel, *bits, set_up)).collect()
        });
        let text = costs::table(&[]) + &rows.map(|rows: Vec<String>| rows.concat()).concat();
        let table = choices_table(&text.parse().expect(&text)).unwrap();
        assert!(table.contains("bitslice") && table.contains("full"), "{table}");
        assert!(!table.contains("zero"), "{table}");
    }
}
