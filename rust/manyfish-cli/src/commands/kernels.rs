// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish kernels`: every kernel of this build; which one is used and why.

use std::env;
use std::io::{self, Write};

use clap::Args;
use manyfish::{CompiledTwofish, Expectation, KernelInfo, LEAKS_VARIABLE, SetUp, Tables};
use manyfish_bench::table::Table;
use serde::Serialize;

use crate::Error;
use crate::commands::expect::ExpectArgs;
use crate::commands::family::Family;
use crate::saved;

#[derive(Args)]
pub struct KernelsArgs {
    /// Block cipher; des covers DES and Triple-DES
    #[arg(long, value_enum, default_value_t = Family::Twofish)]
    cipher: Family,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    expect: ExpectArgs,
    /// Assume that each block waits for the one before, as in CBC encryption, for --expect
    #[arg(long, requires = "expect")]
    serial: bool,
    /// Key size in bits, for --expect [default: 256]
    #[arg(long, value_name = "BITS", value_parser = KEY_BITS, requires = "expect")]
    key_bits: Option<String>,
}

/// The key sizes of Twofish, as options; the last is the default.
const KEY_BITS: [&str; 3] = ["128", "192", "256"];

/// Compiled keying, by the name that stands for it where a kernel can be named.
pub const COMPILED: &str = "compiled";

/// One kernel as it is printed. The library lists only kernels of this build.
#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools)] // the columns of the table
struct Row {
    cipher: &'static str,
    kernel: &'static str,
    summary: &'static str,
    built: bool,
    cpu_features: &'static str,
    runnable: bool,
    constant_time: bool,
    context_bytes: usize,
    max_key_bytes: usize,
    shared_bytes: usize,
    lanes: usize,
    default: bool,
    why: String,
    #[serde(flatten)]
    expected: Option<Expected>,
}

/// How a kernel meets the expectation.
#[derive(Clone, Serialize)]
struct Expected {
    allowed: bool,
    /// None if it is unknown or the kernel is not allowed.
    cost: Option<u64>,
    cost_unit: &'static str,
    chosen: bool,
    /// The choice uses the set-up in which no address depends on the key, though the kernel has another.
    ct_set_up: bool,
}

pub fn run(args: &KernelsArgs) -> Result<(), Error> {
    if args.cipher == Family::Des && args.expect.n_bytes().is_some() {
        return Err(Error::usage("--expect is for --cipher twofish only"));
    }
    if args.cipher == Family::Twofish {
        saved::open(Tables::Big); // its kernels run here then
    }
    let kernels = args.cipher.kernels();
    let named = Named::of(args.cipher);
    let mut rows: Vec<Row> = kernels.iter().map(|kernel| row(kernel, &kernels, &named)).collect();
    if args.cipher == Family::Twofish {
        rows.push(compiled_row());
    }
    if let Some(expected) = args.expect.expectation() {
        expect(&mut rows, args, expected);
    }
    let text = match (args.json, rows.iter().any(|row| row.expected.is_some())) {
        (true, _) => json(&rows),
        (false, false) => table(&rows),
        (false, true) => expected_table(&rows, args),
    };
    io::stdout().write_all(text.as_bytes()).map_err(Error::output)
}

impl KernelsArgs {
    fn key_bits(&self) -> &str {
        self.key_bits.as_deref().unwrap_or(KEY_BITS[2])
    }

    fn key_bytes(&self) -> usize {
        self.key_bits().parse::<usize>().expect("one of the values allowed") / 8
    }
}

/// Adds to each kernel its cost, and marks the one that `--expect` chooses. Some kernel always meets the
/// limits of memory and leaks.
fn expect(rows: &mut [Row], args: &KernelsArgs, expected: (Expectation, &'static str)) {
    let (expectation, cost_unit) = expected;
    // Kernels whose tables are not ready are never chosen, but users may want to see their costs.
    let expectation = expectation.max_shared_bytes(usize::MAX);
    let expectation = if args.serial { expectation.serial() } else { expectation };
    let key_bytes = args.key_bytes();
    for row in rows.iter_mut() {
        let cost = match row.kernel {
            COMPILED => CompiledTwofish::cost_of(&expectation, key_bytes),
            kernel => expectation.cost_of(kernel, key_bytes),
        };
        row.expected = Some(Expected {
            allowed: cost.is_ok() && key_bytes <= row.max_key_bytes,
            cost: cost.ok().flatten(),
            cost_unit,
            chosen: false,
            ct_set_up: false,
        });
    }
    mark_chosen(rows, &expectation, key_bytes);
}

/// Marks the kernel that is chosen, or compiled keying if that runs here and costs less.
fn mark_chosen(rows: &mut [Row], expectation: &Expectation, key_bytes: usize) {
    let runs = rows.iter().any(|row| row.kernel == COMPILED && row.runnable);
    let compiled = CompiledTwofish::choose(expectation, key_bytes).ok().flatten();
    let compiled =
        compiled.filter(|_| runs).map(|set_up| (COMPILED, set_up == SetUp::ConstantTime));
    let kernel = expectation.choose(key_bytes).ok().map(|choice| (choice.kernel, choice.ct_set_up));
    let Some((name, ct_set_up)) = compiled.or(kernel) else { return };
    let chosen = rows.iter_mut().find(|row| row.kernel == name);
    if let Some(expected) = chosen.and_then(|row| row.expected.as_mut()) {
        expected.chosen = true;
        expected.ct_set_up = ct_set_up;
    }
}

/// The kernel and the leaks named in the environment.
struct Named {
    cipher: Family,
    kernel: Option<String>,
    leaks: Option<String>,
}

impl Named {
    fn of(cipher: Family) -> Self {
        let value = |name| {
            let value = env::var_os(name).filter(|value| !value.is_empty());
            value.map(|value| value.to_string_lossy().into_owned())
        };
        Self { cipher, kernel: value(cipher.kernel_variable()), leaks: value(LEAKS_VARIABLE) }
    }
}

fn row(kernel: &KernelInfo, all: &[KernelInfo], named: &Named) -> Row {
    Row {
        cipher: named.cipher.name(),
        kernel: kernel.name,
        summary: kernel.summary,
        built: true,
        cpu_features: kernel.cpu_features,
        runnable: kernel.runnable,
        constant_time: kernel.constant_time,
        context_bytes: kernel.expanded_key_bytes,
        max_key_bytes: kernel.max_key_bytes,
        shared_bytes: kernel.shared_bytes,
        lanes: kernel.lanes,
        default: kernel.is_default,
        why: why(kernel, all, named),
        expected: None,
    }
}

/// Compiled keying is no kernel of the library, which calls no system: `raw` has it by name.
fn compiled_row() -> Row {
    let made = CompiledTwofish::new(&[0; 16]);
    Row {
        cipher: Family::Twofish.name(),
        kernel: COMPILED,
        summary: "as full, with the subkeys as constants in machine code that is made for the key",
        built: !matches!(made, Err(manyfish::Error::UnknownKernel { .. })),
        cpu_features: "",
        runnable: made.is_ok(),
        constant_time: false,
        context_bytes: made.as_ref().map_or(0, CompiledTwofish::memory_bytes),
        max_key_bytes: 32,
        shared_bytes: 0,
        lanes: 1,
        default: false,
        why: made.map_or_else(
            |refused| refused.to_string(),
            |_| "used by name, and by --expect".to_owned(),
        ),
        expected: None,
    }
}

/// Why a kernel is the default, or is not. The list is in order of preference.
fn why(kernel: &KernelInfo, all: &[KernelInfo], named: &Named) -> String {
    let variable = named.cipher.kernel_variable();
    let default = all.iter().find(|kernel| kernel.is_default).map(|kernel| kernel.name);
    match (named.kernel.as_deref(), default) {
        _ if !kernel.runnable => why_not(kernel),
        (Some(_), _) if kernel.is_default => format!("{variable} names it"),
        (Some(name), Some(_)) => format!("{variable} names {name}"),
        (None, _) if kernel.is_default => "the first of this list that runs here".to_owned(),
        (None, Some(default)) => format!("{default} comes first"),
        (name, None) => why_none(name.unwrap_or_default(), all, named),
    }
}

/// Why there is no default.
fn why_none(name: &str, all: &[KernelInfo], named: &Named) -> String {
    let fault = match (all.iter().find(|kernel| kernel.name == name), named.leaks.as_deref()) {
        (_, Some(other)) if other != "any" => {
            return format!("{LEAKS_VARIABLE} is {other}, but its only value is any");
        }
        (None, _) => "which is not in this list",
        (Some(kernel), None) if !kernel.constant_time => "which leaks and needs MANYFISH_LEAKS=any",
        (Some(_), _) => "which does not run here",
    };
    format!("{} names {name}, {fault}", named.cipher.kernel_variable())
}

/// Why a kernel cannot run here now.
pub fn why_not(kernel: &KernelInfo) -> String {
    match kernel.shared_bytes {
        0 => format!("this CPU lacks one of: {}", kernel.cpu_features),
        bytes if bytes == Tables::Big.bytes() => {
            format!(
                "used by name only until \"manyfish tables build\" saves its tables, {}",
                size(bytes)
            )
        }
        bytes => format!("used by name only; raw opens or computes its tables, {}", size(bytes)),
    }
}

/// A size that is a power of two.
fn size(bytes: usize) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{} KiB", bytes >> 10) }
}

fn json(rows: &[Row]) -> String {
    let text = serde_json::to_string_pretty(rows).expect("plain data");
    text + "\n"
}

fn table(rows: &[Row]) -> String {
    let head = [
        "kernel",
        "built",
        "needs",
        "runs here",
        "constant time",
        "bytes a key",
        "lanes",
        "default",
    ];
    let mut table = Table::new("<<<<<>><", &head);
    for row in rows {
        table.row([
            row.kernel.to_owned(),
            yes(row.built),
            needs(row),
            runs_here(row),
            yes(row.constant_time),
            row.context_bytes.to_string(),
            row.lanes.to_string(),
            format!("{}: {}", yes(row.default), row.why),
        ]);
    }
    let summaries = rows.iter().map(|row| format!("{}: {}\n", row.kernel, row.summary));
    let is_des = rows.iter().any(|row| row.cipher == Family::Des.name());
    let note = if is_des {
        "\nThe bytes are for a Triple-DES key; a DES key takes a third, or a little more.\n"
    } else {
        ""
    };
    format!("{table}\n{}{note}", summaries.collect::<String>())
}

/// The cost of each kernel, and the choice of `--expect`.
fn expected_table(rows: &[Row], args: &KernelsArgs) -> String {
    let unit = rows.iter().find_map(|row| Some(row.expected.as_ref()?.cost_unit));
    let cost = format!("cost, {}", unit.unwrap_or_default());
    let mut table = Table::new("<<<><", &["kernel", "runs here", "allowed", &cost, "chosen"]);
    for row in rows {
        let Some(expected) = &row.expected else { continue };
        let unknown = if expected.allowed { "unknown" } else { "" };
        table.row([
            row.kernel.to_owned(),
            yes(row.runnable),
            yes(expected.allowed),
            expected.cost.map_or_else(|| unknown.to_owned(), |cost| cost.to_string()),
            chosen(expected).to_owned(),
        ]);
    }
    let n_bytes = args.expect.n_bytes().unwrap_or_default();
    let order = if args.serial { "one block after the other" } else { "all blocks at once" };
    format!(
        "{n_bytes} bytes under a {}-bit key, {order}, leaks: {}\n\n{table}",
        args.key_bits(),
        args.expect.leaks()
    )
}

fn chosen(expected: &Expected) -> &'static str {
    match (expected.chosen, expected.ct_set_up) {
        (false, _) => "",
        (true, false) => "yes",
        (true, true) => "yes, with the constant-time set-up",
    }
}

fn needs(row: &Row) -> String {
    match (row.cpu_features, row.shared_bytes) {
        _ if row.kernel == COMPILED => "executable memory".to_owned(),
        ("", 0) => "any CPU".to_owned(),
        ("", bytes) => format!("tables, {}", size(bytes)),
        (features, _) => features.to_owned(),
    }
}

fn runs_here(row: &Row) -> String {
    if row.shared_bytes > 0 && !row.runnable { "by name".to_owned() } else { yes(row.runnable) }
}

fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(name: &'static str, runnable: bool, is_default: bool) -> KernelInfo {
        let any = manyfish::kernels().next().unwrap();
        KernelInfo { name, runnable, is_default, cpu_features: "gfni avx512vbmi", ..any }
    }

    /// A kernel that does not run here, the default or none, and another; the reasons of all three.
    fn reasons(has_default: bool, named: Option<&str>, leaks: Option<&str>) -> [String; 3] {
        let all = [
            kernel("wide", false, false),
            kernel("full", true, has_default),
            KernelInfo { constant_time: false, ..kernel("zero", true, false) },
        ];
        let [kernel, leaks] = [named, leaks].map(|value| value.map(str::to_owned));
        let named = Named { cipher: Family::Twofish, kernel, leaks };
        all.map(|kernel| why(&kernel, &all, &named))
    }

    const LACKS: &str = "this CPU lacks one of: gfni avx512vbmi";

    #[test]
    fn every_kernel_has_its_reason() {
        let expected = [LACKS, "the first of this list that runs here", "full comes first"];
        assert_eq!(reasons(true, None, None), expected);
    }

    #[test]
    fn the_environment_is_a_reason() {
        let expected = [LACKS, "MANYFISH_KERNEL names it", "MANYFISH_KERNEL names full"];
        assert_eq!(reasons(true, Some("full"), None), expected);
        let neither = "MANYFISH_KERNEL names wide, which does not run here";
        assert_eq!(reasons(false, Some("wide"), None), [LACKS, neither, neither]);
        let unknown = "MANYFISH_KERNEL names nosuch, which is not in this list";
        assert_eq!(reasons(false, Some("nosuch"), Some("any")), [LACKS, unknown, unknown]);
        let leaks = "MANYFISH_KERNEL names zero, which leaks and needs MANYFISH_LEAKS=any";
        assert_eq!(reasons(false, Some("zero"), None), [LACKS, leaks, leaks]);
        let value = "MANYFISH_LEAKS is no, but its only value is any";
        assert_eq!(reasons(false, None, Some("no")), [LACKS, value, value]);
    }
}
