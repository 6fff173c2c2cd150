# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The machine behind figures of cost: the processor and the versions, never names of hosts."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from manyfish_lab import fingerprint

_SOURCES = (":/lab/manyfish_lab", ":/lab/native", ":/c")


def processor() -> str:
    """The name that the processor gives itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def versions() -> dict[str, str]:
    """The software that ran the experiments."""
    return {
        "manyfish_lab": _version("manyfish-lab"),
        "python": platform.python_version(),
        "numpy": _version("numpy"),
    }


def commit() -> str:
    """The commit of the sources, with "-dirty" if they were changed since; empty if unknown."""
    if not _git("ls-files", "--", *_SOURCES):
        return ""  # no repository, or somebody else's
    changed = _git("status", "--porcelain", "--", *_SOURCES)
    return _git("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")


def look(modules: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    """The identity of a worker: the fingerprints of its code, and its processor."""
    return {"codes": list(map(fingerprint.of_modules, modules)), "processor": processor()}


def _git(*arguments: str) -> str:
    git = ["git", "-C", str(Path(__file__).resolve().parent), *arguments]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
