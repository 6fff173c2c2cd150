# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command line over the experiments of `tiny`."""

from __future__ import annotations

from unittest import mock

import tiny
from manyfish_lab import experiments
from manyfish_lab.cli import main

if __name__ == "__main__":
    with (
        mock.patch.object(experiments, "names", lambda: list(tiny.EXPERIMENTS)),
        mock.patch.object(experiments, "find", tiny.EXPERIMENTS.__getitem__),
    ):
        raise SystemExit(main())
