// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish-proof ARCHIVE [KERNEL...]`: proves that kernels of a static library compute Twofish.

mod algebra;
mod image;
mod memory;
mod spec;
mod statement;
mod sums;
mod x86;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use image::Image;
use statement::Kernel;

const KERNELS: [&str; 8] = ["avx512", "avx2-gfni", "avx2", "ssse3", "full", "partial", "minimal", "zero"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((archive, names)) = arguments.split_first() else {
        eprintln!("usage: manyfish-proof ARCHIVE [KERNEL...]");
        return ExitCode::from(2);
    };
    match prove_all(Path::new(archive), names) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("manyfish-proof: {error}");
            ExitCode::FAILURE
        }
    }
}

fn prove_all(archive: &Path, names: &[String]) -> Result<bool, String> {
    let image = Image::link(archive)?;
    let names: Vec<&str> = if names.is_empty() { KERNELS.to_vec() } else { names.iter().map(String::as_str).collect() };
    let mut all = true;
    for name in names {
        let kernel = Kernel::find(&image, name).ok_or_else(|| format!("{}: no kernel {name}", archive.display()))?;
        for k in 2..=4 {
            let start = Instant::now();
            let result = statement::prove(&image, &kernel, k);
            let seconds = start.elapsed().as_secs_f64();
            match result {
                Ok(proved) => println!(
                    "proved: {name}, keys of {} bits, 1 to {} blocks; {seconds:.1} s, {} instructions, look-ups by the key {}, by blocks {}",
                    64 * k,
                    2 * kernel.lanes,
                    proved.instructions,
                    proved.key_look_ups,
                    proved.block_look_ups
                ),
                Err(error) => {
                    all = false;
                    println!("NOT PROVED: {name}, keys of {} bits; {seconds:.1} s: {error}", 64 * k);
                }
            }
        }
    }
    Ok(all)
}
