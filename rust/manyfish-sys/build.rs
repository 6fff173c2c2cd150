// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Compiles every C file below c/src, so that a new kernel needs no line here, and tells the crate
// which compiler and flags it used: `manyfish speed` prints them beside its figures.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The figures of the project are for -O2; test builds take it too, since they run millions of blocks.
const OPT_LEVEL: u32 = 2;

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    if env::var_os("DOCS_RS").is_some() {
        // Nothing is linked there.
        println!("cargo:rustc-env=MANYFISH_CC=");
        println!("cargo:rustc-env=MANYFISH_CFLAGS=");
        return Ok(());
    }
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("c");
    let sources = c_files(&root.join("src"))?;

    let mut build = cc::Build::new();
    // A frame pointer, which debug builds get unasked, takes a register that the kernels need.
    build
        .std("c11")
        .opt_level(OPT_LEVEL)
        .force_frame_pointer(false)
        .include(root.join("include"))
        .include(root.join("src"));
    // Where there is no system, Rust brings what the C code still needs: memcpy and its like.
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        build.flag("-ffreestanding");
    }
    build.files(&sources).file("src/layout.c").compile("manyfish");

    // A directory stands for all files below it.
    println!("cargo:rerun-if-changed={}", root.join("src").display());
    println!("cargo:rerun-if-changed={}", root.join("include").display());
    println!("cargo:rerun-if-changed=src/layout.c");
    // For the build of who depends on this crate: the sizes of the kernels are counted there.
    let place = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    println!("cargo:archive={}", place.join("libmanyfish.a").display());
    println!("cargo:rustc-env=MANYFISH_CC={}", compiler_version(&build.get_compiler()));
    println!("cargo:rustc-env=MANYFISH_CFLAGS={}", flags(&build.get_compiler()));
    Ok(())
}

/// All C files below a directory, in a fixed order.
fn c_files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(c_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The first line of `cc --version`, or the name of a compiler that does not know that option.
fn compiler_version(compiler: &cc::Tool) -> String {
    let output = Command::new(compiler.path()).arg("--version").output().ok();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let line = text.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
    if line.is_empty() { compiler.path().display().to_string() } else { line.to_owned() }
}

/// The options that change code; where the headers lie and what is warned about do not.
fn flags(compiler: &cc::Tool) -> String {
    let arguments = compiler.args().iter().map(|argument| argument.to_string_lossy());
    let (mut kept, mut is_path) = (Vec::new(), false);
    for argument in arguments {
        let skip = is_path || argument == "-I" || argument.starts_with("-W");
        is_path = argument == "-I";
        if !skip {
            kept.push(argument);
        }
    }
    kept.join(" ")
}
