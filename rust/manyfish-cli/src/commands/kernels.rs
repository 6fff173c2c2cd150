// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish kernels`: every kernel of this build, and which one is taken and why.

use std::io::{self, Write};

use clap::Args;
use manyfish::KernelInfo;
use serde::Serialize;

use crate::Error;
use crate::table::Table;

#[derive(Args)]
pub struct KernelsArgs {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// One kernel as it is printed. The library lists what was built; the rest is not there to be named.
#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools)] // the columns of the table
struct Row {
    cipher: &'static str,
    kernel: &'static str,
    summary: &'static str,
    built: bool,
    runnable: bool,
    constant_time: bool,
    context_bytes: usize,
    lanes: usize,
    default: bool,
    why: String,
}

pub fn run(args: &KernelsArgs) -> Result<(), Error> {
    let kernels: Vec<KernelInfo> = manyfish::kernels().collect();
    let rows: Vec<Row> = kernels.iter().map(|kernel| row(kernel, &kernels)).collect();
    let text = if args.json { json(&rows) } else { table(&rows) };
    io::stdout().write_all(text.as_bytes()).map_err(Error::output)
}

fn row(kernel: &KernelInfo, all: &[KernelInfo]) -> Row {
    Row {
        cipher: "twofish",
        kernel: kernel.name,
        summary: kernel.summary,
        built: true,
        runnable: kernel.runnable,
        constant_time: kernel.constant_time,
        context_bytes: kernel.expanded_key_bytes,
        lanes: kernel.lanes,
        default: kernel.is_default,
        why: why(kernel, all),
    }
}

/// Why a kernel is the default, or is not. The list is in order of preference.
fn why(kernel: &KernelInfo, all: &[KernelInfo]) -> String {
    let default = all.iter().find(|kernel| kernel.is_default).map_or("", |kernel| kernel.name);
    if kernel.is_default {
        "the first of this list that runs here".to_owned()
    } else if kernel.runnable {
        format!("{default} comes first")
    } else {
        format!("this CPU lacks {}", kernel.cpu_features)
    }
}

fn json(rows: &[Row]) -> String {
    let text = serde_json::to_string_pretty(rows).expect("plain data");
    text + "\n"
}

fn table(rows: &[Row]) -> String {
    let head = ["kernel", "built", "runs here", "constant time", "bytes a key", "lanes", "default"];
    let mut table = Table::new("<<<<>><", &head);
    for row in rows {
        table.row([
            row.kernel.to_owned(),
            yes(row.built),
            yes(row.runnable),
            yes(row.constant_time),
            row.context_bytes.to_string(),
            row.lanes.to_string(),
            format!("{}: {}", yes(row.default), row.why),
        ]);
    }
    let summaries = rows.iter().map(|row| format!("{}: {}\n", row.kernel, row.summary));
    format!("{table}\n{}", summaries.collect::<String>())
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

    #[test]
    fn every_kernel_has_its_reason() {
        let all =
            [kernel("wide", false, false), kernel("full", true, true), kernel("zero", true, false)];
        let reasons = all.iter().map(|kernel| why(kernel, &all));
        assert_eq!(
            reasons.collect::<Vec<_>>(),
            [
                "this CPU lacks gfni avx512vbmi",
                "the first of this list that runs here",
                "full comes first"
            ]
        );
    }
}
