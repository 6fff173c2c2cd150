# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash disable=SC2034 # the scripts use these
#
# For scripts/dist and scripts/test-dist: places, versions of tools, and archives that are the same bytes each time.

version=$(<VERSION)
out=$PWD/build/dist
work=$PWD/build/dist-work
tools=$PWD/build/dist-tools
cyclonedx_version=0.5.9

# A commit's date stands for "now", and its name for the history that a tarball lacks.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
MANYFISH_COMMIT=${MANYFISH_COMMIT:-$(git rev-parse --short=7 HEAD)}
export SOURCE_DATE_EPOCH MANYFISH_COMMIT TZ=UTC LC_ALL=C.UTF-8 PIP_DISABLE_PIP_VERSION_CHECK=1

# No path of this machine in what is built, and no symbols.
rust_root=$(rustc --print sysroot)
export RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo --remap-path-prefix=$rust_root=rust"
export CARGO_PROFILE_RELEASE_STRIP=symbols CARGO_TARGET_DIR=$PWD/rust/target/dist

# cargo-zigbuild writes its wrapper of the compiler there. A build in another folder must not run it meanwhile.
export CARGO_ZIGBUILD_CACHE_DIR=$work/zig

# tarball FOLDER FILE: FOLDER, as the only entry of FILE. Owner, order, times and modes are not those of this machine.
tarball() {
    tar --create --directory "$(dirname "$1")" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
        --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "$(basename "$1")" | gzip -9n >"$2"
}

# zipped FOLDER FILE: the same for systems that have no tar. The order is that of the names.
zipped() {
    find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    rm -f "$2"
    (cd "$(dirname "$1")" && find "$(basename "$1")" | sort | zip --quiet -X -9 "$2" -@)
}

# install_tools: what builds for other systems, pinned in requirements-dist.txt and above.
install_tools() {
    [[ -x $tools/bin/pip ]] || python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --require-hashes --only-binary :all: -r scripts/requirements-dist.txt
    rustup --quiet target add --toolchain "$(basename "$rust_root")" {x86_64,aarch64}-{unknown-linux-{musl,gnu},apple-darwin} \
        x86_64-pc-windows-gnu
    "$tools/bin/cargo-cyclonedx" cyclonedx --version 2>/dev/null | grep -qF " $cyclonedx_version" ||
        cargo install --quiet --locked --version "$cyclonedx_version" --root "$tools" cargo-cyclonedx
}
export PATH=$tools/bin:$PATH
