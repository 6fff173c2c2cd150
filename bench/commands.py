# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared parts of the programs here that keep measurements as CSV and make tables of them."""

from __future__ import annotations

import csv
import datetime
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"

# The kinds of tables that a document has, and what makes the lines of one from a CSV.
Tables = Mapping[str, Callable[[Path], list[str]]]


def fault(error: str, hint: str) -> int:
    """Prints both, and returns the status of a failure."""
    program = Path(sys.argv[0]).name
    print(f"{program}: error: {error}", file=sys.stderr)
    print(f"{program}: hint: {hint}", file=sys.stderr)
    return 1


def run(usage: str | None, commands: dict[str, Callable[[], int]]) -> int:
    """Calls the command that the one argument names; without it prints the usage, and returns 2."""
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        print(usage, file=sys.stderr)
        return 2
    return commands[sys.argv[1]]()


# --- CSV ---------------------------------------------------------------------------------------


# Those that a kernel asks for, as /proc/cpuinfo calls them.
FEATURES = ("ssse3", "avx2", "gfni", "avx512bw", "avx512vbmi", "asimd")


def cpu_info() -> dict[str, str]:
    """Of the first processor; of "CPU part" all that there are."""
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8") if info.exists() else ""
    found = dict(re.findall(r"^(.+?)\s*: (.*)$", text.split("\n\n")[0], re.MULTILINE))
    if parts := re.findall(r"^CPU part\s*: (.*)$", text, re.MULTILINE):
        found["CPU part"] = " and ".join(sorted(set(parts)))
    return found


def cpu_name(info: dict[str, str]) -> str:
    """As rust/manyfish-bench names it."""
    if {"model name", "cpu family", "model"} <= info.keys():
        return f"{info['model name']}, family {info['cpu family']} model {info['model']}"
    if {"CPU implementer", "CPU part"} <= info.keys():
        return f"ARM implementer {info['CPU implementer']} part {info['CPU part']}"
    return info.get("model name") or platform.processor() or platform.machine()


def cpu_features(info: dict[str, str]) -> str:
    """Those by which kernels are chosen."""
    found = info.get("flags", info.get("Features", "")).split()
    return " ".join(name for name in FEATURES if name in found) or "none"


def today() -> str:
    return datetime.date.today().isoformat()


def commit() -> str:
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def refused(at: str) -> int:
    """Fail with a message unless `at` is a commit: the sources must be found again."""
    if at != "unknown" and not at.endswith("-dirty"):
        return 0
    return fault(f"{at} is a tree that no commit has", "commit, build and measure again")


def here() -> dict[str, Any]:
    """The head of a file: notes on a measurement on this machine."""
    info = cpu_info()
    return {
        "cpu": cpu_name(info),
        "features": cpu_features(info),
        "cores": os.cpu_count(),
        "commit": commit(),
        "date": today(),
    }


def csv_path(*what: str, cpu: str) -> Path:
    """Where a measurement of this processor is kept."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"\(R\)|\(TM\)|\bCPU\b|@.*", " ", cpu).lower())
    return RESULTS / ("-".join([*what, *words]) + ".csv")


def write(path: Path, head: Iterable[tuple[str, Any]], rows: Iterable[Iterable[Any]]) -> int:
    """Keeps the columns and what they hold below lines `# name: value`, and prints the name."""
    with path.open("w", newline="\n", encoding="utf-8") as file:
        file.writelines(f"# {name}: {value}\n" for name, value in head)
        csv.writer(file, lineterminator="\n").writerows(rows)
    print(path.relative_to(ROOT))
    return 0


def keep(what: str, head: dict[str, Any], rows: Iterable[Iterable[Any]]) -> int:
    """The same where measurements of this kind, machine and day are kept, if it has a commit."""
    if status := refused(head["commit"]):
        return status
    return write(csv_path(what, head["date"], cpu=head["cpu"]), head.items(), rows)


class Stored(NamedTuple):
    """The rows and notes that `write` wrote; of notes of the same name the last."""

    notes: dict[str, str]
    rows: list[dict[str, str]]


def notes_of(lines: list[str]) -> dict[str, str]:
    """The lines `# name: value` at the head of a CSV; others that start so are remarks."""
    return dict(re.findall(r"^# (.+?): (.*)$", "\n".join(lines), re.MULTILINE))


def read(path: Path) -> Stored:
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return Stored(notes_of(lines), list(rows))


def default_kernel() -> str:
    """Of Twofish in the C library here, as the command says where the environment names none."""
    command = [str(ROOT / "rust/target/release/manyfish"), "kernels", "--json"]
    environment = {name: value for name, value in os.environ.items() if name != "MANYFISH_KERNEL"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return next(str(each["kernel"]) for each in json.loads(done.stdout) if each["default"])


def machine(notes: dict[str, str], rows: list[dict[str, str]]) -> str:
    """A line for a table: the machine and our kernels, as far as the file has them."""
    kernels = dict.fromkeys(row["kernel"] for row in rows if row.get("kernel"))
    what = notes["cpu"]
    if cores := notes.get("cores"):
        what += f", {cores} cores"
    if features := notes.get("features"):
        what += f" with {features}"
    return what + (f"; kernel {', '.join(f'`{name}`' for name in kernels)}" if kernels else "")


# --- tables ------------------------------------------------------------------------------------


def marked(tables: Tables) -> re.Pattern[str]:
    """A table of these kinds in a document: groups kind, name (of the CSV), start and end."""
    return re.compile(
        rf"(?P<start><!-- (?P<kind>{'|'.join(map(re.escape, tables))}): "
        r"(?P<name>bench/results/[\w.-]+) -->\n)"
        r".*?(?P<end><!-- end of table -->)",
        re.DOTALL,
    )


def filled(text: str, tables: Tables) -> str:
    """The text with its tables as they must be."""

    def table(mark: re.Match[str]) -> str:
        lines = tables[mark["kind"]](ROOT / mark["name"])
        return mark["start"] + "".join(f"{line}\n" for line in lines) + mark["end"]

    return marked(tables).sub(table, text)


def remake(path: Path, made: str, *, check: bool) -> int:
    """Writes a made file; to check says where it is another, and returns 1."""
    if not check:
        path.write_text(made, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != made:
        what = "a table in " if path.suffix == ".md" else ""
        error = f"{what}{path.relative_to(ROOT)} is not the one of its CSV"
        return fault(error, f"run bench/{Path(sys.argv[0]).name} tables")
    return 0


def of_documents(
    usage: str | None, record: Callable[[], int], documents: Iterable[Path], tables: Tables
) -> int:
    """A program that keeps CSV by `record` and makes the tables of these documents."""

    def make(*, check: bool) -> int:
        texts = ((each, each.read_text(encoding="utf-8")) for each in documents)
        return max(remake(each, filled(text, tables), check=check) for each, text in texts)

    commands = {
        "record": record,
        "tables": lambda: make(check=False),
        "check": lambda: make(check=True),
    }
    return run(usage, commands)


if __name__ == "__main__":  # the head of a CSV that another program writes
    print(*(f"# {name}: {value}" for name, value in here().items()), sep="\n")
