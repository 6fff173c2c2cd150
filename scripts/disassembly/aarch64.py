# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AArch64."""
class AArch64:
    pass
