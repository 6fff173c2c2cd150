# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Published claims of the authors of Twofish and others, computed again by anyone."""
