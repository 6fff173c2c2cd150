// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Compiles every C file below c/src, so that a new kernel needs no line here, with the feature `study` those
// below c/study/src too, with `variants` two of them, and tells the crate which compiler and flags it used: `manyfish speed` prints them
// beside its figures. The folder c is in the package of this crate, and beside rust/ in the repository.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The figures of the project are for -O2; test builds take it too, since they run millions of blocks.
const OPT_LEVEL: u32 = 2;

/// The files of c/study/src that variants of Twofish need.
const VARIANTS: [&str; 2] = ["variant.c", "long_keys.c"];

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    if env::var_os("DOCS_RS").is_some() {
        // Nothing is linked there.
        println!("cargo:rustc-env=MANYFISH_CC=");
        println!("cargo:rustc-env=MANYFISH_CFLAGS=");
        return Ok(());
    }
    let crate_root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let packaged = crate_root.join("c");
    let root = if packaged.exists() { packaged } else { crate_root.join("../../c") };
    let place = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    // Not among the sources: zig, asked for its version, leaves an empty file where it is called.
    env::set_current_dir(&place)?;
    let [study, variants] = ["STUDY", "VARIANTS"].map(has_feature);
    let mut sources = sources(&root, study)?;
    if variants && !study {
        sources.extend(VARIANTS.map(|name| root.join("study/src").join(name)));
    }

    let mut build = cc::Build::new();
    // A frame pointer, which debug builds get unasked, takes a register that the kernels need.
    build
        .std("c11")
        .opt_level(OPT_LEVEL)
        .force_frame_pointer(false)
        .include(root.join("include"))
        .include(root.join("src"));
    // Microsoft's compiler lacks what the kernels are written in; clang-cl makes objects that go with its own.
    if build.try_get_compiler().is_ok_and(|tool| tool.is_like_msvc() && !tool.is_like_clang_cl()) {
        build.compiler("clang-cl");
    }
    // On Windows gcc, unless patched, takes moves that want more of the stack's alignment than there is (its bug 54412).
    if env::var("TARGET").is_ok_and(|target| target.ends_with("windows-gnu")) {
        build.flag_if_supported("-Wa,-muse-unaligned-vector-move");
    }
    // Where there is no system, Rust brings what the C code still needs: memcpy and its like.
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        build.flag("-ffreestanding");
    }
    if variants {
        build.include(root.join("study/include")).file(crate_root.join("src/layout_study.c"));
    }
    build.files(&sources).file(crate_root.join("src/layout.c")).compile("manyfish");

    // A directory stands for all files below it.
    for folder in ["src", "include", "study/src", "study/include"] {
        println!("cargo:rerun-if-changed={}", root.join(folder).display());
    }
    for file in ["layout.c", "layout.h", "layout_study.c"] {
        println!("cargo:rerun-if-changed=src/{file}");
    }
    // For the build of who depends on this crate: the sizes of the kernels are counted there.
    println!("cargo:archive={}", place.join("libmanyfish.a").display());
    println!("cargo:rustc-env=MANYFISH_CC={}", compiler_version(&build.get_compiler()));
    println!("cargo:rustc-env=MANYFISH_CFLAGS={}", flags(&build.get_compiler()));
    Ok(())
}

fn has_feature(name: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{name}")).is_some()
}

/// The files of libmanyfish, or of libmanyfish-study, which has lists of kernels of its own.
fn sources(root: &Path, study: bool) -> io::Result<Vec<PathBuf>> {
    let mut files = c_files(&root.join("src"))?;
    if study {
        files.retain(|path| !path.ends_with("kernels.c"));
        files.extend(c_files(&root.join("study/src"))?);
    }
    Ok(files)
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
