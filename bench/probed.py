# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The file that bench/probe writes on another machine: its checks, and its parts as CSV.

It comes from strangers, and its texts go into documents and into C: so they are plain words.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import commands
import costs
import timing
from commands import ROOT

FORM = 1
PARTS = {"twofish", "des", "paper", "costs", "set_ups", "peers", "peers_des", "timing"}
# In these, lines may follow each other.
TEXTS = {"costs", "set_ups", "timing"}
PLAIN = re.compile(r"""[\w .,:;()/@+=~%'"?\[\]-]*""", re.ASCII)
# A feature that each machine of an architecture has: an emulator shows those of its own.
ALWAYS = {"x86_64": "sse2", "aarch64": "asimd"}
TIMING_HEAD = "kernel,constant_time,operation,samples,t_least,t_middle,t_greatest"


class RefusedError(Exception):
    """Why a file is not taken, and what to do."""

    def __init__(self, error: str, hint: str) -> None:
        super().__init__(error)
        self.hint = hint


def load(path: Path) -> dict[str, Any]:
    """The file, if it is good."""
    data = parsed(path)
    machine, measured = data["machine"], data["measured"]
    if data["quick"] is not False:
        raise RefusedError(f"{path.name} is of a quick run", "measure without --quick")
    if failed := [check["name"] for check in data["checks"] if check["failed"]]:
        raise RefusedError(
            f"checks failed on {machine['cpu']}: {', '.join(failed)}",
            "the file has their output; a kernel is wrong, or the machine is",
        )
    if not data["checks"] or not isinstance(measured, dict) or measured.keys() != PARTS:
        raise RefusedError(f"{path.name} is not complete", "let the probe end, and take its file")
    for name, part in measured.items():
        check_texts(part, lines=name in TEXTS)
    check_texts([machine, data["host"]], lines=False)
    check_machine(data)
    check_commit(machine.get("commit", "unknown"))
    check_tables(measured)
    return data


def parsed(path: Path) -> dict[str, Any]:
    """JSON that has the names of this form."""
    hint = "take the file that manyfish-probe has written"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RefusedError(f"cannot read {path}: {error.strerror}", hint) from None
    except ValueError:
        raise RefusedError(f"{path.name} is not JSON, or not all of it", hint) from None
    form = data.get("probe") if isinstance(data, dict) else None
    if form is None:
        raise RefusedError(f"{path.name} is no file of manyfish-probe", hint)
    if form != FORM:
        hint = f"take it with bench/results.py of the commit {data['machine']['commit']}"
        raise RefusedError(f"{path.name} has form {form}, and this program reads form {FORM}", hint)
    return dict(data)


def check_texts(value: Any, *, lines: bool) -> None:
    """Every text and name in it."""
    if isinstance(value, dict):
        check_texts([*value.keys(), *value.values()], lines=lines)
    elif isinstance(value, list):
        for each in value:
            check_texts(each, lines=lines)
    elif isinstance(value, str):
        for line in value.split("\n") if lines else [value]:
            if not PLAIN.fullmatch(line.removeprefix("#") if lines else line):
                raise RefusedError(
                    f'there is a strange text in it: "{line[:60]!a}"', "look at it by hand"
                )


def check_machine(data: dict[str, Any]) -> None:
    machine = data["machine"]
    if machine["unit"] != "core cycles":
        raise RefusedError(f"it counts {machine['unit']}, not core cycles", "there is none")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", machine["date"]):
        raise RefusedError(f"its date is {machine['date']}", "it must be as 2026-01-31")
    feature = ALWAYS.get(machine["architecture"])
    if feature not in data["host"]["flags"].split():
        raise RefusedError(
            f"its processor has no {feature}, as all {machine['architecture']} ones have",
            "an emulator gives no times: run the probe on such a machine",
        )


def check_commit(commit: str) -> None:
    """It must be in the history, so that what was measured can be built again."""
    hint = "fetch the newest commits, or build the probe of one of them and measure again"
    if commit == "unknown" or not re.fullmatch(r"[0-9a-f]{7,40}", commit):
        raise RefusedError(f"it was measured with {commit}, a tree that no commit has", hint)
    if not in_history(commit):
        raise RefusedError(f"its commit {commit} is not in the history here", hint)


def in_history(commit: str) -> bool:
    command = ["git", "merge-base", "--is-ancestor", commit, "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


def check_tables(measured: dict[str, Any]) -> None:
    """The texts are tables: this many columns, all but the first two of numbers."""
    costs_head = ",".join(("kernel", "key_bits", *costs.FIGURES))
    for name, head, words in (
        ("costs", costs_head, 1),
        ("set_ups", costs.SET_UPS_HEAD, 2),
        ("timing", TIMING_HEAD, 3),
    ):
        rows = [line.split(",") for line in measured[name].splitlines() if "," in line]
        rows = [row for row in rows if not row[0].startswith(("#", "skipped"))]
        good = rows[:1] == [head.split(",")] and len(rows) > 1
        if not (good and all(is_row(row, len(rows[0]), words) for row in rows[1:])):
            raise RefusedError(f"its {name} are no table", "let the probe end, and take its file")


def is_row(row: list[str], columns: int, words: int) -> bool:
    numbers = (re.fullmatch(r"[\d.]*", cell) for cell in row[words:])
    return len(row) == columns and all(numbers)


def notes(data: dict[str, Any]) -> dict[str, Any]:
    """The head of a file of this machine, as commands.here() is of the one here."""
    machine = data["machine"]
    return {
        "cpu": machine["cpu"],
        "features": commands.cpu_features(data["host"]),
        "cores": data["host"]["cores"],
        "architecture": machine["architecture"],
        "commit": machine["commit"],
        "date": machine["date"],
    }


def paths(data: dict[str, Any]) -> Iterable[Path]:
    """The files that are made of it."""
    machine = data["machine"]
    for what in ([], ["des"], ["paper"], ["costs"], ["set-ups"], ["timing"], ["peers"]):
        yield commands.csv_path(*what, machine["date"], cpu=machine["cpu"])
    yield commands.csv_path("peers", "des", machine["date"], cpu=machine["cpu"])


def check_free(data: dict[str, Any]) -> None:
    """Nothing is replaced."""
    if found := [path.name for path in paths(data) if path.exists()]:
        raise RefusedError(
            f"there is a measurement of that machine and day: {', '.join(found)}",
            "remove it first, if this one is to replace it",
        )


def store_texts(data: dict[str, Any]) -> None:
    """The costs and the timing test."""
    measured, head = data["measured"], notes(data)
    costs.store_all(head, measured["costs"], measured["set_ups"], "built by cargo, static")
    timing.store(head, measured["timing"].splitlines())
