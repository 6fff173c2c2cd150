# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
#
# For scripts that need what js/package-lock.json names.

# Installs it into js/node_modules, unless it is there.
install_js() {
    cmp -s js/package-lock.json js/node_modules/.installed.json && return
    (cd js && npm ci --silent --ignore-scripts --no-audit --no-fund) && cp js/package-lock.json js/node_modules/.installed.json
}
