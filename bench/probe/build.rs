// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Compiles C programs of this project as functions, and puts the vector files into the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use cc::Build;

/// Programs below c/, whose main functions get the names of the files with "part_" before.
const PROGRAMS: [&str; 16] = [
    "tests/set_ups.c",
    "tests/test_ct_set_up.c",
    "tests/test_des.c",
    "tests/test_each.c",
    "tests/test_ghash.c",
    "tests/test_kernels.c",
    "tests/test_many.c",
    "tests/test_monte_carlo.c",
    "tests/test_vectors.c",
    "tests/test_vectors_cbc_mac.c",
    "tests/test_vectors_gcm.c",
    "tests/test_vectors_unauthenticated.c",
    "tests/timing.c",
    "study/tests/test_compiled.c",
    "study/tests/test_parts.c",
    "study/tests/test_variant.c",
];
/// The files that these programs share.
const SUPPORT: [&str; 6] = [
    "tests/rsp.c",
    "tests/slow_modes.c",
    "tests/support.c",
    "tests/test.c",
    "tests/vectors.c",
    "study/tests/study.c",
];

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let root = here.join("../..").canonicalize()?;
    let c = root.join("c");
    for program in PROGRAMS {
        let name = Path::new(program).file_stem().expect("a file").to_string_lossy();
        let part = format!("part_{name}");
        compiler(&root).define("main", part.as_str()).file(c.join(program)).compile(&part);
    }
    // The linker wants a library after those that call it.
    let mut support = compiler(&root);
    support.files(SUPPORT.map(|file| c.join(file))).file(here.join("src/rsp_open.c"));
    support.compile("probe_support");
    println!("cargo:rustc-link-lib=m");
    for folder in ["c/tests", "c/study/tests", "c/src", "c/include", "vectors", "bench/probe/src"] {
        println!("cargo:rerun-if-changed={}", root.join(folder).display());
    }
    let place = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(place.join("vectors.rs"), vectors(&root.join("vectors"))?)
}

/// With the options of rust/manyfish-sys/build.rs; messages name files as the repository does.
fn compiler(root: &Path) -> Build {
    let mut build = Build::new();
    build.std("gnu11").opt_level(2).force_frame_pointer(false);
    build.flag(format!("-ffile-prefix-map={}/=", root.display()));
    for folder in ["include", "src", "study/include", "study/src", "tests"] {
        build.include(root.join("c").join(folder));
    }
    build
}

/// A Rust expression: the name and the text of each vector file.
fn vectors(folder: &Path) -> io::Result<String> {
    let mut text = "[".to_owned();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rsp") {
            let name = path.file_name().expect("a file").to_string_lossy();
            let path = path.to_string_lossy();
            let _ = write!(text, "({name:?}, include_bytes!({path:?}).as_slice()), ");
        }
    }
    Ok(text + "]")
}
