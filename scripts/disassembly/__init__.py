# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Follows secrets through the machine code of the library; scripts/check-disassembly is its front."""
