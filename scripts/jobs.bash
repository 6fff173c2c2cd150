# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
#
# For scripts that run something in the background. Ctrl-C does not reach that by itself.

# behind COMMAND...: runs it in the background, as a process group, which ends with the script.
behind() {
    set -m
    "$@" &
    set +m
}

trap 'kill -- $(jobs -p | sed "s/^/-/") 2>/dev/null || true' EXIT
