# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What docs/lab.md says whatever the results are."""

from __future__ import annotations

from importlib.resources import files

HEAD = """\
# The lab: what is claimed about Twofish, computed again

<!-- Made by manyfish-lab report of lab/results; do not edit. -->

The authors of Twofish, and others after them, published figures about its S-boxes, its matrices,
its key schedule and attacks on fewer rounds. Here each figure stands beside ours, with the command
by which anyone computes it again. Sources are cited by the keys of [references.md](references.md);
[security.md](security.md) says what follows for those who use the cipher: no attack that we know
of reaches its 16 rounds.
"""

RUN = """\
## Run it

```
make lab SCALE=small    # sets up, runs every experiment small: 2 minutes; into build/lab-small
make lab                # computes what this page has, in some 45 minutes on two cores
```

After that the command is there: call it as `build/lab-venv/bin/manyfish-lab`, in the folder of the
checkout, or put it into `PATH`.

```
manyfish-lab list                  # the experiments
manyfish-lab run mds               # one of them, small; kept in lab/results/mds.small.json
manyfish-lab run --all --scale paper
manyfish-lab report                # makes this page of lab/results
```

- **Scales**: `small` is a check that takes seconds, `paper` is what this page has, `full` is all
  of a claim, for which some need a cluster. A scale that an experiment does not have is its next
  smaller one.
- **Agrees**: *yes* means equal to the last digit printed; for an estimate, that the published
  figure is within the interval that is printed beside ours; for a claim that something does not
  exist, that none was found among what the row says was searched. *No figure* means that no source
  at hand has one. What differs, or cannot be compared, has a number behind it, and the reason below
  the table.
- **Equal everywhere**: tasks have their part of the seed within them, so any machine and any
  number of workers give the same figures. Only times differ.
- **Interrupted?** Run the same command again: done tasks are kept, at most those under way are
  lost.

### On a cluster

Any [Dask](https://www.dask.org) cluster will do. Each machine needs the same Python and the same
build of the lab: copy `lab/requirements.txt` and the wheel that `make lab` left in
`build/lab-wheel`, and install both into an environment of its own:

```
python3 -m venv lab && lab/bin/pip install -r requirements.txt
lab/bin/pip install --no-deps manyfish_lab-*.whl
lab/bin/dask scheduler --host 10.0.0.1                              # on one machine
lab/bin/dask worker tcp://10.0.0.1:8786 --nworkers 8 --nthreads 1    # on each, with its cores
```

Then anywhere, with the same environment or in the checkout:

```
manyfish-lab run sboxes-256 --scale full --scheduler tcp://10.0.0.1:8786
```

Workers with other code are refused before anything is computed. Workers may come and go; results
and unfinished runs are kept where the command runs, and nothing is shared but the scheduler.
`randomness` needs the program `dieharder` on each worker. Whoever reaches the ports of a Dask
cluster can run programs on it: use it within a network that you trust.

"""

CLAIMS = """\
An experiment with published figures has them here; what it found besides is in its section.
"""

SCALING = """\
## One worker and two

The same tasks by one process and by two, on a machine with two cores. *Busy* is the part of the
workers' time that went into tasks; the rest is sending, keeping and waiting for the last ones.

"""

COSTS = """\
## What does not fit here

Some tasks of these scales were run and timed, spread evenly from the first to the last; the rest
is arithmetic. Tasks share nothing, so it is assumed that more cores of this kind change neither
what a task takes nor the busy part of the time above.

"""

ADDING = """\
## Add an experiment

An experiment is one file in [lab/manyfish_lab/experiments](../lab/manyfish_lab/experiments), one
row in the list of its `__init__.py`, and a test. It says which tasks there are, computes one, and
combines what all gave: [experiment.py](../lab/manyfish_lab/experiment.py) is the contract.
Workers, checkpoints, progress and this page come by themselves. What is slow in Python is a C
function in [lab/native](../lab/native), called by [native.py](../lab/manyfish_lab/native.py).

Rules that keep results worth something:

- Equal tasks give equal results: all randomness comes from numbers in the task.
- A task takes 0.1 to 10 seconds and gives back counts; conclusions are drawn in `combine`. A
  change of the file, or of what it imports, makes all tasks new.
- A published figure stands once, as a constant with its source. One that differs needs its reason:
  without it neither the run nor this page goes through.
- A test compares each C function with a slow one, and plants a fault where a check could be blind.

This is a complete one, the counting of fixed points, without its test:

"""


def example() -> str:
    """The source of the experiment that the page shows."""
    text = files("manyfish_lab").joinpath("example.py").read_text(encoding="utf-8")
    return text[text.index("from __future__") :].rstrip("\n")


def adding() -> str:
    return f"{ADDING}```python\n{example()}\n```\n"
