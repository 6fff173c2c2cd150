# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# The compiler of the fuzz targets: a nightly one, because sanitizers are unstable in Rust, and of one day, so that
# everybody has the same.
nightly_day=2026-05-20
nightly_version='rustc 1.97.0-nightly (e50aa6fba 2026-05-19)'

# The name of that toolchain, or 1: "nightly" itself will do where it is of that day.
nightly() {
    local name
    for name in "nightly-$nightly_day" nightly; do
        [[ $(RUSTUP_AUTO_INSTALL=0 rustc "+$name" --version 2>&1) == "$nightly_version" ]] || continue
        echo "$name"
        return
    done
    return 1
}
