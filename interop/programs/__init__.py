# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The programs, a file each; harness.py says what one has."""
