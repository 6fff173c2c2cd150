// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Looks for the libraries, compiles what speaks to each that is there, and tells the program which ones
// are not.

use std::env;
use std::path::PathBuf;

use cc::Build;
use pkg_config::{Error, Library};

const LOCK: &str = "../../rust/beside/Cargo.lock";

/// A library of the system.
struct Peer {
    name: &'static str,
    /// For pkg-config, and for people on Debian.
    package: &'static str,
    debian: &'static str,
    source: &'static str,
    define: &'static str,
}

#[rustfmt::skip] // a table
const PEERS: [Peer; 5] = [
    Peer { name: "libgcrypt", package: "libgcrypt", debian: "libgcrypt20-dev", source: "gcrypt.c", define: "HAVE_GCRYPT" },
    Peer { name: "OpenSSL", package: "libcrypto", debian: "libssl-dev", source: "openssl.c", define: "HAVE_OPENSSL" },
    Peer { name: "nettle", package: "nettle", debian: "nettle-dev", source: "nettle.c", define: "HAVE_NETTLE" },
    Peer { name: "Crypto++", package: "libcrypto++", debian: "libcrypto++-dev", source: "cryptopp.cpp", define: "HAVE_CRYPTOPP" },
    Peer { name: "libtomcrypt", package: "libtomcrypt", debian: "libtomcrypt-dev", source: "tomcrypt.c", define: "HAVE_TOMCRYPT" },
];

fn main() {
    let mut list = compiler("list.c");
    let mut missing = Vec::new();
    let mut found = Vec::new();
    for peer in &PEERS {
        if is_static() && peer.name == "OpenSSL" {
            // It has no Twofish.
            missing.push("OpenSSL would be a third of a static program".to_owned());
            continue;
        }
        // Of archives also the libraries that they call.
        let mut config = pkg_config::Config::new();
        match config.cargo_metadata(false).statik(true).probe(peer.package) {
            Ok(library) => {
                let mut shim = compiler(peer.source);
                if peer.name == "nettle" {
                    shim.file("shim/nettle_des.c");
                }
                shim.define("RELEASE", format!("\"{}\"", library.version).as_str());
                shim.includes(&library.include_paths).compile(peer.define);
                list.define(peer.define, None);
                found.push(library);
            }
            Err(Error::CrossCompilation) => {
                missing.push(format!("{} was not built for this processor", peer.name));
            }
            Err(_) => {
                missing.push(format!("{} is not installed (Debian: {})", peer.name, peer.debian));
            }
        }
    }
    if with_botan() {
        list.define("HAVE_BOTAN", None);
    } else {
        missing.push("Botan was not built (it needs Python and a compiler for C++20)".to_owned());
    }
    list.compile("peers");
    // The linker wants a library after those that call it.
    found.iter().for_each(link);
    if is_static() {
        println!("cargo:rustc-link-lib={}stdc++", link_kind());
    }
    println!("cargo:rustc-env=PEERS_MISSING={}", missing.join(";"));
    println!("cargo:rustc-env=TWOFISH_VERSION={}", locked_version("twofish", "0.8."));
    println!("cargo:rustc-env=DES_VERSION={}", locked_version("des", "0.9."));
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rerun-if-changed=shim");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={LOCK}");
    if !missing.is_empty() {
        // There is no such file, so the next build looks again.
        println!("cargo:rerun-if-changed=shim/missing");
    }
}

/// Compiles one file of shim/.
fn compiler(source: &str) -> Build {
    let path = PathBuf::from("shim").join(source);
    let cpp = path.extension().is_some_and(|extension| extension == "cpp");
    let mut build = Build::new();
    build.file(path).cpp(cpp).std(if cpp { "c++20" } else { "c11" });
    build.opt_level(2).extra_warnings(true);
    if is_static() {
        build.cpp_link_stdlib(None); // which would be the shared one
    }
    build
}

/// Is this for a program without shared libraries?
fn is_static() -> bool {
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    features.split(',').any(|feature| feature == "crt-static")
}

/// Before the name of a library of the system.
fn link_kind() -> &'static str {
    if is_static() { "static:-bundle=" } else { "" }
}

fn link(library: &Library) {
    for path in &library.link_paths {
        println!("cargo:rustc-link-search=native={}", path.display());
    }
    for name in &library.libs {
        println!("cargo:rustc-link-lib={}{name}", link_kind());
    }
}

/// The version of a crate that this program is built with: that of this release, as Cargo.toml asks for it.
fn locked_version(name: &str, release: &str) -> String {
    let lock = std::fs::read_to_string(LOCK).expect("the Cargo.lock of the workspace");
    let found = lock.split_once(&format!("name = \"{name}\"\nversion = \"{release}"));
    let patch =
        found.and_then(|(_, rest)| rest.split_once('"')).expect("what Cargo.toml asks for").0;
    format!("{release}{patch}")
}

/// Whether the crate beside this one has built Botan.
fn with_botan() -> bool {
    let Some(include) = env::var_os("DEP_PEERS_BOTAN_INCLUDE") else {
        return false;
    };
    compiler("botan.cpp").include(include).compile("HAVE_BOTAN");
    println!("cargo:rustc-link-lib=static=botan-3");
    true
}
