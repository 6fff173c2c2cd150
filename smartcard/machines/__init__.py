# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The machines, a module for each; smartcard/machine.py says what one has."""
