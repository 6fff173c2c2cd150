# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The text of docs/lab/ that depends on no result."""

from __future__ import annotations

from importlib.resources import files

from manyfish_lab.report.markdown import paragraph
from manyfish_lab.verdicts import RULES

MADE = "<!-- Made by manyfish-lab report of lab/results; do not edit. -->"

HEAD = f"""\
# The lab: published claims about Twofish, computed again

{MADE}

The authors of Twofish, and others after them, published figures about its S-boxes, its matrices,
its key schedule and attacks on fewer rounds. The lab computes each figure again and prints it
beside the published one. Each experiment has a page that says what was asked, what came out, and
which command computes it. Sources are cited by the keys of [references.md](../references.md);
[security.md](../security.md) says what follows for users of the cipher. No attack that we know of
reaches its 16 rounds.
"""

PAGES = """\
[Findings](findings.md) states the lab's own claims in a page, as a paper would. To compute all of
them yourself: [running the lab](running.md). To add one: [adding an experiment](adding.md).
"""

FINDINGS = f"""\
# Findings

{MADE}

This page says what the lab adds to what was published: one claim a section, what was known, how we
computed it, what does not follow, and what would refute it. A reader repeats a run with the command
at the end of its section, in the processor time beside it; [running.md](running.md) has the rest,
and `manyfish-lab data` all figures as CSV. Negative results stay in.
"""

RUN = f"""\
# Running the lab

{MADE}

```
make lab SCALE=small    # sets up, runs every experiment small: 2 minutes; into build/lab-small
make lab                # runs them at the scale paper: more than an hour on two cores
```

Then you have the command `build/lab-venv/bin/manyfish-lab`. Call it in the folder of the checkout,
or add its folder to `PATH`:

```
manyfish-lab list                  # the experiments
manyfish-lab run mds               # one of them, small; kept in build/lab-small/mds.small.json
manyfish-lab run --all --scale paper
manyfish-lab report                # makes these pages of lab/results
manyfish-lab compare OTHER         # says whether another folder has the same figures
manyfish-lab data                  # writes all figures as CSV into build/lab-data
manyfish-lab plot sboxes-128 dp    # writes this picture for a paper, as PDF, into build/lab-plots
```

- **Scales**: `small` is a check that takes seconds. `paper` is what most pages have. `full` covers
  all of a claim; some experiments need a cluster for it. If an experiment lacks a scale, the next
  smaller one runs.
- **Agrees** has the answers below. One program gives them, by the printed figures; only of a claim
  in words the experiment says whether it holds. A test moves each figure by one in its last digit
  to see that the answer changes. A number behind the answer leads to its reason, below the table.
@RULES@
- **Counted** are published measurements and claims. Formulas that we computed again and elements
  that define a matrix are shown, and not counted.
- **Repeatable**: each task has its own part of the seed, so any machine and any number of workers
  give the same figures. Only times differ.
- **Data**: `manyfish-lab data` computes nothing. It writes a Tabular Data Package [DataPackage]:
  runs, figures, and points of the pictures as CSV, and a schema of their columns.
- **Interrupted?** Run the same command again. It keeps finished tasks and repeats only those that
  were running.

## On a cluster

Use any [Dask](https://www.dask.org) cluster. Each machine needs the same Python and the same build
of the lab. Copy `lab/requirements.txt` and the wheel that `make lab` left in `build/lab-wheel`, and
install both into an environment of its own:

```
python3 -m venv lab && lab/bin/pip install -r requirements.txt
lab/bin/pip install --no-deps manyfish_lab-*.whl
lab/bin/dask scheduler --host 10.0.0.1                              # on one machine
lab/bin/dask worker tcp://10.0.0.1:8786 --nworkers 8 --nthreads 1    # on each, with its cores
```

Then anywhere, with the same environment or in the checkout:

```
manyfish-lab run sboxes-256-dp --scale full --scheduler tcp://10.0.0.1:8786
```

The command refuses workers with other code before it computes anything. Workers may come and go.
Results and unfinished runs stay where the command runs; the machines share only the scheduler.
`randomness` needs the program `dieharder` on each worker, `trail-bounds` and `linear-trail-bounds`
the programs `cadical` and `rate`. Anybody who reaches the ports of a Dask cluster can run programs
on it, so use it within a network that you trust.

## In pieces

Several people and machines can share the work on the scale `full` of `sboxes-256-dp` and of
`five-rounds` without one cluster. Each names the pieces to do:

```
manyfish-lab run sboxes-256-dp --scale full --pieces 0-15    # of 256
```

Each piece becomes a small file in `lab/results/pieces`, which belongs into the repository. It has
the counts, and names its tasks, the commit, the code and the processor. The command leaves out
pieces that are there, tells how much is done, and refuses files that are damaged or misplaced. When
all are there, or as many as the experiment needs, it makes the result, which takes minutes for
`five-rounds`. The page of the experiment says how much is done.

"""

CLAIMS = """\
Experiments that have published figures show them here; their pages have the rest.
"""

SCALING = """\
## One worker and two

One process and then two ran the same tasks, on a machine with two cores. *Busy* is the part of the
workers' time that went into tasks. The rest went into sending them, keeping results, and waiting
for the last ones.

"""

COSTS = """\
## What would need a cluster

We ran and timed some tasks of these scales, spread evenly from the first to the last. The table
multiplies their times. Tasks share nothing, so we assume that more cores of this kind change
neither the time of a task nor the busy part above.

"""

CHECKED = """\
## The model and the runs

The same model for scales that were run later or before: from eight tasks of each, with the number
of workers of the run. A ratio above 1 says that the model was too careful; one below 1, that it was
not, or that the machine did other work too.

"""

ADDING = f"""\
# Adding an experiment

{MADE}

An experiment is one file in [lab/manyfish_lab/experiments](../../lab/manyfish_lab/experiments), one
row in the list of its `__init__.py`, a test, and a few words for its page in
[explained.py](../../lab/manyfish_lab/report/explained.py). It lists its tasks, computes one, and
combines the results of all: [experiment.py](../../lab/manyfish_lab/experiment.py) is the contract.
Workers, checkpoints, progress and these pages come by themselves. Write slow parts in C, in
[lab/native](../../lab/native); [native.py](../../lab/manyfish_lab/native.py) calls them.

These rules keep the results reliable:

- Equal tasks give equal results: all randomness comes from numbers in the task.
- A task takes 0.1 to 10 seconds and gives back counts; `combine` draws conclusions. If you change
  the file, or one that it imports, all tasks run again.
- Write a published figure once, as a constant with its source. If ours differs, write the reason:
  without a reason the lab makes neither the result nor the page.
- A test compares each C function with a slow one, and plants a fault where a check could be blind.

This complete experiment counts fixed points; only its test is not shown:

"""


def run() -> str:
    """How to run the lab, with the rules of the verdicts."""
    rules = (paragraph(f"*{word}*: {rule}.", "  - ", "    ") for word, rule in RULES.items())
    return RUN.replace("@RULES@", "\n".join(rules))


def example() -> str:
    """The source of the experiment that the page shows."""
    text = files("manyfish_lab").joinpath("example.py").read_text(encoding="utf-8")
    return text[text.index("from __future__") :].rstrip("\n")


def adding() -> str:
    return f"{ADDING}```python\n{example()}\n```\n"
