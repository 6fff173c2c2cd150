// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Compiles the sources in the crate botan-src, as ../.cargo/config.toml limits them, and tells the build
// script of the program where the headers are.

fn main() {
    let (library, include) = botan_src::build();
    println!("cargo:rustc-link-search=native={library}");
    println!("cargo:include={}", include.display());
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=BOTAN_CONFIGURE_DISABLE_MODULES");
}
