# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
#
# For scripts that build for another processor: a Rust compiler with the libraries for it.

# Where scripts/setup unpacks the one of Debian's packages.
debian_rustc=build/debian-rust/rustc

# rustc_for TARGET: its path; false if there is none.
rustc_for() {
    local rustc
    for rustc in rustc "$PWD/$debian_rustc"; do
        if "$rustc" --print target-libdir --target "$1" 2>/dev/null | xargs -r test -d; then
            echo "$rustc" && return
        fi
    done
    return 1
}
