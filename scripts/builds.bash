# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
#
# For scripts that build and test the C library: test-c and test-cross. `builds` is the folder of their
# builds.

. scripts/jobs.bash

# With ccache nothing is compiled twice.
if command -v ccache >/dev/null; then export CMAKE_{C,CXX}_COMPILER_LAUNCHER=ccache; fi

say() { printf '\n== %s\n' "$*"; }

skip() { echo "skipped: $*"; }

# need PROGRAM...: false, after a line that says so, if one is not installed.
need() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || { skip "$program is not installed" && return 1; }
    done
}

# Runs a command silently, or shows what it printed and fails. A command that runs beside another has a `log` of its own.
quietly() {
    local output=${log:-${builds:?}/log.txt}
    "$@" >"$output" 2>&1 || { cat "$output" && echo "failed: $*" >&2 && exit 1; }
}

# The results of the tests of a build: skipped ones, and the sums.
report() {
    local log=$1/Testing/Temporary/LastTest.log
    grep -h '^skipped: ' "$log" | sort -u || true
    awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { p += $1; f += $3; s += $5 }
         END { print p + 0 " passed, " f + 0 " failed, " s + 0 " skipped" }' "$log"
}

# The targets to build, the tests to run, and how many at a time. Kernels over emulated instructions take half of
# the time, and show the same in each build: that of gcc has them.
targets=(all)
choice=()
emulated=OFF
at_a_time=2

# build_and_test FOLDER SOURCE CMAKE-ARGUMENT...
build_and_test() {
    local folder=$1 source=$2 status=0
    shift 2
    quietly cmake -S "$source" -B "$folder" -DMANYFISH_WERROR=ON -DMANYFISH_EMULATED="$emulated" "$@"
    quietly cmake --build "$folder" -j "$at_a_time" --target "${targets[@]}"
    ctest --test-dir "$folder" -j "$at_a_time" "${choice[@]}" --output-on-failure >"$folder/ctest.log" 2>&1 ||
        status=$?
    if ((status != 0)); then cat "$folder/ctest.log"; fi
    report "$folder"
    ((status == 0)) || { echo "failed: the tests in $folder" >&2 && exit 1; }
}
