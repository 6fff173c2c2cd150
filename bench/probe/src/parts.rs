// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The C programs of this project that are linked in. Each runs in a process of its own: it has the program's
//! memory as it wants it, and if a kernel crashes on this processor, the rest goes on.
#![allow(unsafe_code)]

use std::env;
use std::ffi::{CStr, CString, c_char, c_int};
use std::process::{Command, Stdio};
use std::ptr;

/// A main function of C.
enum Main {
    /// It is none: main.rs runs it.
    InRust,
    Plain(unsafe extern "C" fn() -> c_int),
    WithArguments(unsafe extern "C" fn(c_int, *const *const c_char) -> c_int),
}
use Main::{InRust, Plain, WithArguments};

/// A program: its name, and its arguments behind the name.
pub struct Part {
    pub name: &'static str,
    main: Main,
    arguments: &'static [&'static str],
}

const fn part(name: &'static str, main: Main, arguments: &'static [&'static str]) -> Part {
    Part { name, main, arguments }
}

// build.rs has given them these names.
unsafe extern "C" {
    fn part_set_ups() -> c_int;
    fn part_test_compiled() -> c_int;
    fn part_test_ct_set_up() -> c_int;
    fn part_test_ghash() -> c_int;
    fn part_test_many() -> c_int;
    fn part_test_des(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_test_each(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_test_kernels(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_test_monte_carlo(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_test_parts(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_test_variant(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_test_vectors(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_test_vectors_cbc_mac(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_test_vectors_gcm(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_test_vectors_unauthenticated(n: c_int, arguments: *const *const c_char) -> c_int;
    fn part_timing(n: c_int, arguments: *const *const c_char) -> c_int;
}

/// Those that read the vector files.
pub const VECTORS: [Part; 7] = [
    part("vectors", WithArguments(part_test_vectors), &[]),
    part("vectors of CCM, CMAC, EAX and SIV", WithArguments(part_test_vectors_cbc_mac), &[]),
    part("vectors of GCM", WithArguments(part_test_vectors_gcm), &[]),
    part("vectors without tags", WithArguments(part_test_vectors_unauthenticated), &[]),
    part("Monte Carlo", WithArguments(part_test_monte_carlo), &[]),
    part("vectors of variants", WithArguments(part_test_variant), &[]),
    part("DES", WithArguments(part_test_des), &[]),
];

/// Kernels against each other, at random.
pub const KERNELS: [Part; 8] = [
    part("kernels", WithArguments(part_test_kernels), &[]),
    part("kernels of DES", WithArguments(part_test_kernels), &["des"]),
    part("many keys", WithArguments(part_test_each), &[]),
    part("many messages", Plain(part_test_many), &[]),
    part("compiled keying", Plain(part_test_compiled), &[]),
    part("constant-time set-ups", Plain(part_test_ct_set_up), &[]),
    part("GHASH", Plain(part_test_ghash), &[]),
    part("parts of the cipher", WithArguments(part_test_parts), &[]),
];

pub const SET_UPS: Part = part("set-ups", Plain(part_set_ups), &[]);
pub const TIMING: Part = part("timing", WithArguments(part_timing), &[]);
pub const QUICK_TIMING: Part = part("quick timing", WithArguments(part_timing), &["quick"]);

/// A part that is written in Rust.
pub const fn in_rust(name: &'static str) -> Part {
    part(name, InRust, &[])
}

fn all() -> impl Iterator<Item = &'static Part> {
    const OTHERS: &[Part] = &[SET_UPS, TIMING, QUICK_TIMING];
    const TESTS: [&[Part]; 2] = [&VECTORS, &KERNELS];
    TESTS.into_iter().flatten().chain(OTHERS)
}

/// In the process of a part: runs it. None if there is no part of that name.
pub fn run_here(name: &str) -> Option<i32> {
    let part = all().find(|part| part.name == name)?;
    let words = [&[part.name], part.arguments].concat();
    let words: Vec<CString> =
        words.into_iter().map(|word| CString::new(word).expect("no zero")).collect();
    let mut pointers: Vec<*const c_char> = words.iter().map(|word| word.as_ptr()).collect();
    pointers.push(ptr::null());
    let n = c_int::try_from(words.len()).expect("a few");
    Some(match part.main {
        InRust => return None,
        // SAFETY: a main function of C, called once.
        Plain(main) => unsafe { main() },
        // SAFETY: the same; the words outlive the call.
        WithArguments(main) => unsafe { main(n, pointers.as_ptr()) },
    })
}

/// Runs a part in a process of its own: what it printed, or how it ended with what it printed.
pub fn run(part: &Part) -> Result<String, (String, String)> {
    let error = |error: std::io::Error| (format!("it cannot be started: {error}"), String::new());
    let program = env::current_exe().map_err(error)?;
    // An emulator does not run what it starts.
    let mut command = if let Some(emulator) = env::var_os("MANYFISH_PROBE_EMULATOR") {
        let mut command = Command::new(emulator);
        command.arg(program);
        command
    } else {
        Command::new(program)
    };
    // The shorter loops: five minutes are for measuring.
    command.args(["part", part.name]).env("MF_TEST_QUICK", "1").stdin(Stdio::null());
    let output = command.stderr(Stdio::inherit()).output().map_err(error)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err((output.status.to_string(), text)) }
}

/// The vector files, by name.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

/// For `rsp_open.c`: a file and its length; NULL if there is none of that name.
///
/// # Safety
/// `name` is a C string, and `n_bytes` has room for a number.
#[unsafe(no_mangle)]
unsafe extern "C" fn probe_vectors(name: *const c_char, n_bytes: *mut usize) -> *const c_char {
    // SAFETY: the caller promises a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    let Some((_, text)) = FILES.iter().find(|(file, _)| file.as_bytes() == name) else {
        return ptr::null();
    };
    // SAFETY: the caller promises room.
    unsafe { n_bytes.write(text.len()) };
    text.as_ptr().cast()
}
