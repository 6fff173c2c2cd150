# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
#
# For scripts that read scripts/parts.txt and scripts/tools.txt.

# fields PART NAME: each value of a field; nothing if it has none.
fields() {
    awk -v part="$1" -v name="$2:" '
        $1 == "part:" { here = $2 == part }
        here && $1 == name { sub(/^[a-z-]+: */, ""); print }' scripts/parts.txt
}

# parts_of SIZE: one name a line.
parts_of() {
    awk -v size="$1" '
        $1 == "part:" { part = $2 }
        $1 == "size:" && $2 == size { print part }' scripts/parts.txt
}

# names_of WORD...: each part, and for check, test, all or none the parts of that size.
names_of() {
    local word
    for word in "$@"; do
        if [[ $(fields "$word" size) ]]; then
            echo "$word"
        elif [[ $(parts_of "$word") ]]; then
            parts_of "$word"
        else
            echo "${0##*/}: error: scripts/parts.txt has no part and no size '$word'" >&2
            return 2
        fi
    done
}

# The rows of scripts/tools.txt: tool, how it is found, packages. A processor's C library is where Debian's cross
# compilers have it.
tools() {
    grep -vE '^(#|$)' scripts/tools.txt
    awk '!/^(#|$)/ {
        package = "gcc-" $2
        gsub("_", "-", package)
        print "cc-" $1, "has_compiler:" $2, ($5 == "must" ? "" : "?") package, $3
    }' scripts/processors.txt
}

# A released tarball is none, also where it lies inside of another one.
is_clone() { [[ $(git rev-parse --show-toplevel 2>/dev/null) -ef . ]]; }

# run_part PART: with Ctrl-C as usual, also in the background, since tests send it. With ccache no crate compiles C that
# another one has compiled.
run_part() {
    local command long=
    if command -v ccache >/dev/null; then export HOST_CC=${HOST_CC:-ccache ${CC:-cc}}; fi
    command=$(fields "$1" run)
    [[ ! ${LONG:-} || ! $(fields "$1" long) ]] || long=--long
    # shellcheck disable=SC2086 # words
    exec env --default-signal=INT,QUIT ${command:-scripts/$1} $long
}
