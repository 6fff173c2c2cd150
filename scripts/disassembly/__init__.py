# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Follows secrets through machine code; scripts/check-disassembly is its front."""
