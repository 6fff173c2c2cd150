# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
#
# For scripts that need what package-lock.json names: for js/, js/bench/ and web/.

# Installs it into node_modules, unless it is there. The copy, which is made last, marks that all of it is.
install_js() {
    cmp -s package-lock.json node_modules/.installed.json && return
    npm ci --silent --ignore-scripts --no-audit --no-fund && cp package-lock.json node_modules/.installed.json
}
