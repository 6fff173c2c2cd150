// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Proves that the kernels of a library compute Twofish and DES, and tests what such a proof rests on. README.md has the
//! method.

mod a64;
mod algebra;
mod carries;
mod chains;
mod des;
mod des_spec;
mod evaluation;
mod image;
mod integers;
mod known;
mod look_up;
mod machine;
mod memory;
mod modes;
mod mutants;
mod products;
mod spec;
mod statement;
mod study;
mod sums;
mod system;
mod trust;
mod wasm;
mod x86;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use algebra::{Algebra, Byte};
use image::{Image, Processor};
use known::Known;
use modes::{Mode, Scope, Setting};
use statement::{Kernel, Session};
use trust::Random;

const USAGE: &str = "usage: manyfish-proof [--known FILE NAME] prove LIBRARY [KERNEL...]      that they compute Twofish and DES
       manyfish-proof modes LIBRARY [MODE...]           that they compute their definitions over any cipher
       manyfish-proof instructions LIBRARY TESTER... [-- KERNEL...]
                                                        that the processor does what the proof takes it to do
       manyfish-proof faults N LIBRARY [KERNEL...]      that proofs of code with a planted fault fail, of N for each
       manyfish-proof faults N LIBRARY modes [MODE...]  the same of modes

LIBRARY is a libmanyfish.a for x86-64 or AArch64, or a module of WebAssembly; TESTER a program that runs instructions, and
its arguments: cpu.c or cpu-aarch64.c, compiled, perhaps after the name of an emulator, or node with engine.mjs.
FILE keeps what is proved of the library of that NAME: a proof that it has is not made again.";

/// Those of libmanyfish-study. They come instead of the others, which both libraries have.
const STUDY_KERNELS: [&str; 7] = [
    "full-huge",
    "compiled-huge",
    "compiled-ct",
    "compiled",
    "compiled-big",
    "full-big",
    "partial-big",
];

fn is_study(image: &Image) -> bool {
    Kernel::find(image, STUDY_KERNELS[0]).is_some()
}

/// The kernels of a library, the longest proofs first.
fn names_of(image: &Image) -> Vec<&'static str> {
    const TABLES: [&str; 4] = ["full", "minimal", "partial", "zero"];
    let others: &[&str] = match image.processor {
        Processor::X86 if is_study(image) => return STUDY_KERNELS.to_vec(),
        Processor::X86 => &["bitslice", "avx512", "avx2-gfni", "avx2", "ssse3"],
        Processor::A64 => &["bitslice", "neon"],
        Processor::Wasm if Kernel::find(image, "simd128").is_some() => &["simd128"],
        Processor::Wasm => &["bitslice"],
    };
    let des: Vec<_> = des::names(image).collect();
    [others, &des, &TABLES].concat()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (remembered, words) = match words.as_slice() {
        ["--known", file, library, words @ ..] => (Some((Path::new(*file), *library)), words),
        words => (None, words),
    };
    let open = |archive: &Path| {
        remembered
            .map(|(file, library)| Known::open(file, library, archive))
            .transpose()
    };
    let result = match words {
        ["prove", archive, names @ ..] => {
            open(Path::new(archive)).and_then(|known| prove(Path::new(archive), names, known))
        }
        ["instructions", archive, cpu @ ..] if cpu.first().is_some_and(|cpu| *cpu != "--") => {
            let (cpu, names) = split_at_dashes(cpu);
            open(Path::new(archive))
                .and_then(|known| test_instructions(Path::new(archive), cpu, names, known))
        }
        ["modes", archive, names @ ..] => {
            open(Path::new(archive)).and_then(|known| prove_modes(Path::new(archive), names, known))
        }
        ["faults", n, archive, names @ ..] if n.parse::<usize>().is_ok() => {
            plant_faults(n.parse().expect("a number"), Path::new(archive), names)
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("manyfish-proof: error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The words before "--", and those after it.
fn split_at_dashes<'a, 'b>(words: &'a [&'b str]) -> (&'a [&'b str], &'a [&'b str]) {
    let at = words.iter().position(|word| *word == "--");
    at.map_or((words, &[]), |at| (&words[..at], &words[at + 1..]))
}

/// The kernels of these names, or all of the library.
fn kernels(image: &Image, names: &[&str]) -> Result<Vec<Kernel>, String> {
    let all = names_of(image);
    let names = if names.is_empty() { &all } else { names };
    names
        .iter()
        .map(|name| {
            Kernel::find(image, name).ok_or_else(|| format!("the library has no kernel {name}"))
        })
        .collect()
}

/// Does all tasks in this order, on two threads or, where the process has one processor, on one; whether all of them
/// succeed.
fn on_two_threads<T: Sync>(tasks: &[T], work: impl Fn(&T) -> bool + Sync) -> bool {
    let left = Mutex::new(tasks.iter());
    let all_succeed = Mutex::new(true);
    let next = || left.lock().expect("no thread panics").next();
    let n_threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(2));
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                while let Some(task) = next() {
                    if !work(task) {
                        *all_succeed.lock().expect("no thread panics") = false;
                    }
                }
            });
        }
    });
    all_succeed.into_inner().expect("no thread panics")
}

/// Ascending numbers as text, such as "1 to 9, 63".
fn ranges(numbers: impl IntoIterator<Item = usize>) -> String {
    let numbers: Vec<usize> = numbers.into_iter().collect();
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let text = runs.map(|run| match run {
        [one] => one.to_string(),
        _ => format!("{} to {}", run[0], run[run.len() - 1]),
    });
    text.collect::<Vec<_>>().join(", ")
}

/// Whether the proof was made before; then it says so.
fn is_known(known: Option<&Known>, key: Option<&String>) -> bool {
    let found = known.zip(key).filter(|(known, key)| known.has(key));
    if let Some((_, key)) = found {
        println!("known: {key}");
    }
    found.is_some()
}

fn remember(known: Option<&Known>, key: Option<&String>, start: Instant) -> Result<(), String> {
    match known.zip(key) {
        Some((known, key)) => known.add(key, start.elapsed().as_secs()),
        None => Ok(()),
    }
}

fn prove(archive: &Path, names: &[&str], known: Option<Known>) -> Result<bool, String> {
    let image = Image::open(archive)?;
    let kernels = kernels(&image, names)?;
    let tasks: Vec<_> = kernels
        .iter()
        .flat_map(|kernel| kernel.key_lengths().into_iter().map(move |k| (kernel, k)))
        .collect();
    let failed = AtomicUsize::new(0);
    let all_succeed = on_two_threads(&tasks, |&(kernel, k)| {
        let name = format!("{}, {}", kernel.name, kernel.key_text(k));
        let statement = format!("{}: {}", kernel.name, kernel.key_text(k));
        let key = known
            .as_ref()
            .map(|known| known.key(&statement, &kernel.symbols()));
        if is_known(known.as_ref(), key.as_ref()) {
            return true;
        }
        let start = Instant::now();
        let result = statement::prove(&image, kernel, k)
            .and_then(|proved| remember(known.as_ref(), key.as_ref(), start).map(|()| proved));
        let seconds = start.elapsed().as_secs();
        match &result {
            Ok(proved) => println!(
                "proved: {name}, {} blocks; {} instructions; look-ups by the key at {} places, by blocks at {}; {seconds} s",
                ranges(kernel.numbers_of_blocks(k)),
                proved.instructions,
                proved.key_look_ups,
                proved.block_look_ups
            ),
            Err(error) => {
                failed.fetch_add(1, Ordering::Relaxed);
                println!("failed: {name}: {error}; {seconds} s");
            }
        }
        result.is_ok()
    });
    let failed = failed.into_inner();
    println!(
        "{} passed, {failed} failed, 0 skipped",
        tasks.len() - failed
    );
    Ok(all_succeed)
}

fn prove_modes(archive: &Path, names: &[&str], known: Option<Known>) -> Result<bool, String> {
    let image = Image::open(archive)?;
    let modes = modes::named(&image, names)?;
    let failed = AtomicUsize::new(0);
    let all_succeed = on_two_threads(&modes, |mode| {
        let statement = format!("modes/{}: over any cipher", mode.name);
        let key = known.as_ref().map(|known| {
            let symbols = known.symbols(|symbol| mode.has(symbol));
            known.key(&statement, &symbols)
        });
        if is_known(known.as_ref(), key.as_ref()) {
            return true;
        }
        let start = Instant::now();
        let setting = Setting::new(&image, mode, Scope::All, Algebra::new_byte);
        let result =
            (mode.prove)(&setting).and_then(|()| remember(known.as_ref(), key.as_ref(), start));
        let seconds = start.elapsed().as_secs();
        match &result {
            Ok(()) => println!(
                "proved: {}, {}; {}; {seconds} s",
                mode.name,
                mode.statement,
                setting.counts()
            ),
            Err(error) => {
                failed.fetch_add(1, Ordering::Relaxed);
                println!("failed: {}: {error}; {seconds} s", mode.name);
            }
        }
        result.is_ok()
    });
    let failed = failed.into_inner();
    println!(
        "{} passed, {failed} failed, 0 skipped",
        modes.len() - failed
    );
    Ok(all_succeed)
}

/// Runs kernels on constants and, with all kernels of libmanyfish for x86-64, each mode; and tests the instructions that
/// ran against the processor.
fn test_instructions(
    archive: &Path,
    cpu: &[&str],
    names: &[&str],
    known: Option<Known>,
) -> Result<bool, String> {
    let which = if names.is_empty() {
        "all".into()
    } else {
        names.join(" ")
    };
    let statement = format!("instructions: {which} as on a processor");
    let image = Image::open(archive)?;
    let kernels = kernels(&image, names)?;
    let modes = match image.processor {
        Processor::X86 if names.is_empty() && !is_study(&image) => modes::named(&image, &[])?,
        _ => Vec::new(),
    };
    let key = known.as_ref().map(|known| {
        let symbols = symbols_of(known, &kernels, &modes);
        known.key(&statement, &symbols)
    });
    if is_known(known.as_ref(), key.as_ref()) {
        return Ok(true);
    }
    let start = Instant::now();
    let ran = run_on_constants(&image, &kernels, &modes)?;
    trust::chains::test(&mut Random(0))?;
    let outcome = trust::test(cpu, &ran.places, &ran.written, &image)?;
    if outcome.right && outcome.complete {
        remember(known.as_ref(), key.as_ref(), start)?;
    }
    Ok(outcome.right)
}

/// The symbols that begin all code of these; none: those of the whole library.
fn symbols_of(known: &Known, kernels: &[Kernel], modes: &[&Mode]) -> Vec<String> {
    let of_kernels: Vec<_> = kernels.iter().map(Kernel::symbols).collect();
    if of_kernels.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let of_modes = known.symbols(|symbol| modes.iter().any(|mode| mode.has(symbol)));
    [of_kernels.concat(), of_modes].concat()
}

/// A kernel with keys of a length, or a mode, that runs on constants.
enum Run<'a> {
    Kernel(&'a Kernel, usize),
    Mode(&'static Mode),
}

/// The code that ran: places in the library, and what it wrote itself.
#[derive(Default)]
struct Ran {
    places: BTreeSet<(u64, usize)>,
    written: BTreeSet<Vec<u8>>,
}

fn run_on_constants(
    image: &Image,
    kernels: &[Kernel],
    modes: &[&'static Mode],
) -> Result<Ran, String> {
    let runs = kernels.iter().flat_map(|kernel| {
        let lengths = kernel.key_lengths().into_iter();
        lengths.map(move |k| Run::Kernel(kernel, k))
    });
    let modes = modes.iter().map(|mode| Run::Mode(mode));
    let runs: Vec<_> = modes.chain(runs).collect();
    let ran = Mutex::new(Ok(Ran::default()));
    on_two_threads(&runs, |run| {
        let new = run.on_constants(image);
        let mut ran = ran.lock().expect("no thread panics");
        match (&mut *ran, new) {
            (Ok(ran), Ok(new)) => {
                ran.places.extend(new.places);
                ran.written.extend(new.written);
            }
            (ran, Err(error)) => *ran = Err(error),
            _ => {}
        }
        ran.is_ok()
    });
    ran.into_inner().expect("no thread panics")
}

impl Run<'_> {
    fn on_constants(&self, image: &Image) -> Result<Ran, String> {
        let mut random = Random(0);
        match *self {
            Self::Kernel(kernel, k) => {
                let constant = |_: &mut Algebra| Byte::from(random.byte());
                let mut session = Session::new(image, kernel, k, constant);
                session
                    .prove()
                    .map_err(|error| format!("{} on constants: {error}", kernel.name))?;
                Ok(Ran {
                    places: session.machine.places().into_iter().collect(),
                    written: session.machine.written().into_iter().collect(),
                })
            }
            Self::Mode(mode) => {
                let constant = move |_: &mut Algebra| Byte::from(random.byte());
                let setting = Setting::new(image, mode, Scope::All, constant).watching();
                (mode.prove)(&setting)
                    .map_err(|error| format!("{} on constants: {error}", mode.name))?;
                Ok(Ran {
                    places: setting.seen().code,
                    written: BTreeSet::new(),
                })
            }
        }
    }
}

/// Names of kernels or modes; none of them: the kernels.
fn plant_faults(n: usize, archive: &Path, names: &[&str]) -> Result<bool, String> {
    let image = Image::open(archive)?;
    if let ["modes", names @ ..] = names {
        return Ok(on_two_threads(&modes::named(&image, names)?, |mode| {
            report_faults(mode.name, n, mutants::plant_in_mode(&image, mode, n))
        }));
    }
    let kernels = kernels(&image, names)?;
    Ok(on_two_threads(&kernels, |kernel| {
        let faults = mutants::plant(&image, kernel, kernel.key_lengths()[0], n);
        report_faults(&kernel.name, n, faults)
    }))
}

/// Whether all faults were refuted, or are harmless.
fn report_faults(name: &str, n: usize, counts: Result<mutants::Counts, String>) -> bool {
    let counts = match counts {
        Ok(counts) => counts,
        Err(error) => {
            println!("failed: {name}: {error}");
            return false;
        }
    };
    let lines = |title: &str, lines: &[String]| {
        lines
            .iter()
            .map(|line| format!("\n  {title}: {line}"))
            .collect::<String>()
    };
    println!(
        "{name}: {n} faults, {} refuted, {} harmless, {} accepted though wrong{}{}",
        counts.refuted,
        counts.harmless.len(),
        counts.wrong.len(),
        lines("harmless", &counts.harmless),
        lines("wrong", &counts.wrong)
    );
    counts.wrong.is_empty()
}
