# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`python3 -m manyfish_lab` is `manyfish-lab`."""

from manyfish_lab.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
