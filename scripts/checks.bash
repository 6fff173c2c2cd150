# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
#
# For scripts that run a list of checks: a line for each, all output of those that fail, the sums at the
# end. `check NAME COMMAND...` runs one; `checks_done` prints the sums and gives the exit status. A command that
# cannot check here prints why and exits with 77.

passed=0 failed=0

check() {
    local name=$1 output status=0
    shift
    output=$("$@" 2>&1) || status=$?
    if ((status == 0)); then
        echo "ok      $name"
        passed=$((passed + 1))
    elif ((status == 77)); then
        echo "$output"
    else
        echo "FAILED  $name"
        [[ -z $output ]] || echo "        ${output//$'\n'/$'\n        '}"
        failed=$((failed + 1))
    fi
}

# fails_with TEXT COMMAND...: true if the command fails and its output contains the text. For planted
# faults: a checker that finds nothing must be seen to be able to find something.
fails_with() {
    local text=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "should have failed: $*" && return 1
    fi
    [[ $output == *"$text"* ]] || { printf 'failed, but without the words "%s":\n%s\n' "$text" "$output" && return 1; }
}

checks_done() {
    echo "$passed passed, $failed failed"
    ((failed == 0))
}
