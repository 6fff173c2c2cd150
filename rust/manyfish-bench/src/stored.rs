// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Reads what was measured before: the CSV files of `bench/results/`.

use std::collections::BTreeMap;
use std::str::FromStr;

use csv::{ErrorKind, ReaderBuilder, StringRecord};
use manyfish::BLOCK_BYTES;

use crate::des;
use crate::history;
use crate::machine::Machine;
use crate::messages::{self, Message};
use crate::report::Report;
use crate::rows::{BULK_BYTES, BothWays, Row};

const COLUMNS: [&str; 6] = ["cipher", "kernel", "key_bits", "constant_time", "measure", "value"];
/// This many of them name the measurement.
const IDENTITY: usize = 4;

/// The values of one kernel with one key size, by the names of the measures.
type Values<'a> = BTreeMap<&'a str, &'a str>;

/// The fault of a file: what it should be.
type Problem = String;

/// The report that a file was made from. Measures of no meaning here are passed over.
pub fn parse(text: &str) -> Result<Report, Problem> {
    let records = records(text)?;
    let mut report = Report::of(machine(&head(text))?);
    let rows: Vec<_> = records.iter().map(cells).collect();
    for row in rows.chunk_by(|one, next| one[..IDENTITY] == next[..IDENTITY]) {
        let [cipher, kernel, key_bits, constant_time, ..] = row[0];
        let values = row.iter().map(|[.., measure, value]| (*measure, *value)).collect();
        let at = |problem| format!("{kernel} with {key_bits} bits: {problem}");
        add(&mut report, [cipher, kernel, key_bits, constant_time], &values).map_err(at)?;
    }
    let length = |message: &Message| (message.key_bits, message.bytes);
    report.messages.sort_by_key(length); // kernels stay in their order
    if report.rows.is_empty() {
        return Err("nothing was measured".to_owned());
    }
    separate(&mut report);
    Ok(report)
}

/// DES is shown by itself: it counts where there is no Twofish.
fn separate(report: &mut Report) {
    let (of_twofish, of_des): (Vec<_>, Vec<_>) =
        std::mem::take(&mut report.rows).into_iter().partition(|row| row.cipher == "twofish");
    if of_twofish.is_empty() && report.messages.is_empty() {
        report.rows = of_des;
        report.compare_des();
    } else {
        report.rows = of_twofish;
        report.curve = messages::best(&report.messages);
    }
}

/// The facts in the comments: "# name: value".
fn head(text: &str) -> BTreeMap<&str, &str> {
    let comments = text.lines().filter_map(|line| line.strip_prefix("# "));
    comments.filter_map(|line| line.split_once(": ")).collect()
}

/// The lines below the names of the columns.
fn records(text: &str) -> Result<Vec<StringRecord>, Problem> {
    let mut reader = ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let names = reader.headers().map_err(explain)?;
    if !names.is_empty() && names != COLUMNS[..] {
        return Err(format!("expected the line \"{}\"", COLUMNS.join(",")));
    }
    reader.records().collect::<Result<_, _>>().map_err(explain)
}

#[allow(clippy::needless_pass_by_value)] // the form that map_err wants
fn explain(error: csv::Error) -> Problem {
    match error.kind() {
        ErrorKind::UnequalLengths { pos: Some(place), expected_len, len } => {
            let line = place.line();
            format!("line {line}: expected {expected_len} values between commas, found {len}")
        }
        _ => error.to_string(),
    }
}

/// The reader has seen to it that each line has as many as the first.
fn cells(record: &StringRecord) -> [&str; COLUMNS.len()] {
    std::array::from_fn(|i| &record[i])
}

fn machine(head: &BTreeMap<&str, &str>) -> Result<Machine, Problem> {
    let field = |name: &str| {
        let found = head.get(name).map(|value| (*value).to_owned());
        found.ok_or_else(|| format!("expected a line \"# {name}: ...\""))
    };
    Ok(Machine {
        cpu: field("cpu")?,
        architecture: field("architecture")?,
        compiler: field("compiler")?,
        flags: field("flags")?,
        rustc: field("rustc")?,
        commit: head.get("commit").map(|commit| (*commit).to_owned()),
        date: field("date")?,
        unit: field("unit")?,
        method: field("method")?,
    })
}

/// A kernel with a key size may have a part with its own figures, one with messages, or both.
fn add(report: &mut Report, identity: [&str; 4], values: &Values) -> Result<(), Problem> {
    let [cipher, kernel, key_bits, constant_time] = identity;
    let cipher = cipher_name(cipher)?;
    let kernel = kernel.to_owned();
    let key_bits = key_bits.parse().ok().filter(|bits| has_keys_of(cipher, *bits));
    let key_bits = key_bits.ok_or("expected bits of a key that the cipher has")?;
    let lengths = values.iter().filter_map(|(name, v)| Some((name.strip_prefix("message/")?, *v)));
    for (bytes, cycles) in lengths {
        report.messages.push(Message {
            cipher,
            kernel: kernel.clone(),
            key_bits,
            bytes: length_of(bytes)?,
            cycles_per_byte: figure("message", cycles)?,
        });
    }
    if values.contains_key("setup_cycles") {
        report.rows.push(Row {
            cipher,
            kernel,
            key_bits,
            constant_time: constant_time == "true",
            setup_cycles: figure("setup_cycles", value(values, "setup_cycles")?)?,
            cold_block_cycles: maybe(values, "cold_block_cycles")?,
            block_cycles: both_ways(values, "block_cycles")?,
            cycles_per_byte: BULK_BYTES
                .map(|n| both_ways(values, &format!("cycles_per_byte/{n}")).map(|both| (n, both)))
                .into_iter()
                .collect::<Result<_, _>>()?,
            context_bytes: number("context_bytes", value(values, "context_bytes")?)?,
            code_bytes: maybe(values, "code_bytes")?,
            constant_bytes: maybe(values, "constant_bytes")?,
        });
    }
    Ok(())
}

fn has_keys_of(cipher: &'static str, bits: usize) -> bool {
    match cipher {
        "twofish" => history::column(bits).is_some(),
        _ => des::CIPHERS.contains(&(cipher, bits)),
    }
}

fn cipher_name(name: &str) -> Result<&'static str, Problem> {
    let known = ["twofish", "des", "3des"].into_iter().find(|known| *known == name);
    known.ok_or_else(|| format!("there is no cipher \"{name}\""))
}

fn both_ways(values: &Values, measure: &str) -> Result<BothWays, Problem> {
    let way = |way: &str| {
        let measure = format!("{measure}/{way}");
        figure(&measure, value(values, &measure)?)
    };
    Ok(BothWays { encrypt: way("encrypt")?, decrypt: way("decrypt")? })
}

fn value<'a>(values: &Values<'a>, measure: &str) -> Result<&'a str, Problem> {
    values.get(measure).copied().ok_or_else(|| format!("there is no {measure}"))
}

/// A value that older files lack, and that is empty where it is not known.
fn maybe<T: FromStr>(values: &Values, measure: &str) -> Result<Option<T>, Problem> {
    let found = values.get(measure).filter(|text| !text.is_empty());
    found.map(|text| number(measure, text)).transpose()
}

/// Cycles or nanoseconds: what is drawn on a logarithmic scale is above zero.
fn figure(measure: &str, text: &str) -> Result<f64, Problem> {
    let figure: f64 = number(measure, text)?;
    if figure.is_finite() && figure > 0.0 {
        Ok(figure)
    } else {
        Err(format!("{measure} is \"{text}\", expected a number above 0"))
    }
}

/// Bytes of a message of whole blocks.
fn length_of(text: &str) -> Result<usize, Problem> {
    match number("message", text)? {
        n_bytes if n_bytes > 0 && n_bytes % BLOCK_BYTES == 0 => Ok(n_bytes),
        _ => Err(format!("there is a message of {text} bytes, expected whole blocks of 16")),
    }
}

fn number<T: FromStr>(measure: &str, text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| format!("{measure} is \"{text}\", expected a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: &str = "# cpu: one\n# architecture: x86_64\n# compiler: cc\n# flags: -O2\n\
                           # rustc: r\n# commit: c\n# date: d\n# unit: core cycles\n# method: m\n";

    fn file(lines: &str) -> String {
        format!("{MACHINE}{}\n{lines}", COLUMNS.join(","))
    }

    fn problem(text: &str) -> String {
        parse(text).expect_err("a problem")
    }

    const ROW: &str = "twofish,full,128,false,setup_cycles,3000.5
twofish,full,128,false,block_cycles/encrypt,250
twofish,full,128,false,block_cycles/decrypt,251
twofish,full,128,false,cycles_per_byte/1024/encrypt,9.5
twofish,full,128,false,cycles_per_byte/1024/decrypt,9.5
twofish,full,128,false,cycles_per_byte/8192/encrypt,9
twofish,full,128,false,cycles_per_byte/8192/decrypt,9
twofish,full,128,false,context_bytes,4256
twofish,full,128,false,code_bytes,
";

    #[test]
    fn what_was_measured_comes_back() {
        let later = "twofish,full,128,false,message/64,90.5\ntwofish,zero,128,false,message/64,80\n\
                     twofish,full,128,false,message/16,200\ntwofish,full,128,false,call/1,260\n";
        let report = parse(&file(&(ROW.to_owned() + later))).expect("a report");
        assert_eq!((&*report.machine.cpu, report.rows.len()), ("one", 1));
        let row = &report.rows[0];
        assert_eq!((&*row.kernel, row.key_bits, row.context_bytes), ("full", 128, 4256));
        assert!((row.setup_cycles - 3000.5).abs() < 1e-9 && row.code_bytes.is_none());
        let lengths: Vec<_> = report.messages.iter().map(|m| (m.bytes, &*m.kernel)).collect();
        assert_eq!(lengths, [(16, "full"), (64, "full"), (64, "zero")]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(problem(""), "expected a line \"# cpu: ...\"");
        assert_eq!(problem(&file("")), "nothing was measured");
        let columns = "cipher,kernel,key_bits,constant_time,measure,value";
        assert_eq!(problem("PDF\n"), format!("expected the line \"{columns}\""));
        let short = problem(&file("twofish,full,128\n"));
        assert_eq!(short, "line 11: expected 6 values between commas, found 3");
        let word = file(&ROW.replace("3000.5", "many"));
        assert_eq!(
            problem(&word),
            "full with 128 bits: setup_cycles is \"many\", expected a number"
        );
        let cipher = problem(&file(&ROW.replace("twofish", "idea")));
        assert_eq!(cipher, "full with 128 bits: there is no cipher \"idea\"");
        for figure in ["NaN", "inf", "-3", "0"] {
            let text = file(&ROW.replace("3000.5", figure));
            let expected = format!("setup_cycles is \"{figure}\", expected a number above 0");
            assert_eq!(problem(&text), format!("full with 128 bits: {expected}"));
        }
        let text = file(&ROW.replace(",128,", ",100,"));
        assert_eq!(
            problem(&text),
            "full with 100 bits: expected bits of a key that the cipher has"
        );
        for bytes in ["0", "17"] {
            let text = file(&format!("{ROW}twofish,full,128,false,message/{bytes},9\n"));
            let expected =
                format!("there is a message of {bytes} bytes, expected whole blocks of 16");
            assert_eq!(problem(&text), format!("full with 128 bits: {expected}"));
        }
        let missing = file(&ROW.replace("block_cycles/decrypt", "other"));
        assert_eq!(problem(&missing), "full with 128 bits: there is no block_cycles/decrypt");
    }
}
