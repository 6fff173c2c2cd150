# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the authors of Twofish and others claim about it, computed again by anyone."""
