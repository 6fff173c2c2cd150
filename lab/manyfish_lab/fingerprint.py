# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sources of a result, as a short text: two runs with equal texts give equal figures.

It covers the module of the experiment, what that module imports of its own package, the sources of
the kernels if these are among them, and the versions of the other packages. Whether a kept result
may be used, and whether a worker of a cluster may take part, is decided by it.
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec, resolve_name
from pathlib import Path

from manyfish_lab.experiment import Experiment, Task

# Imported by all, but no figure depends on them.
_NO_FIGURES = {
    "manyfish_lab",
    "manyfish_lab.errors",
    "manyfish_lab.experiment",
    "manyfish_lab.fingerprint",
}
_HEX_DIGITS = 16


def modules_of(experiment: Experiment) -> tuple[str, ...]:
    """The modules that hold the experiment's functions, and what calls them on a worker."""
    own = {f.__module__ for f in (experiment.tasks, experiment.compute, experiment.combine)}
    return (*sorted(own), "manyfish_lab.worker")


def of_task(task: Task) -> str:
    """The same for equal tasks, whatever the order of their fields."""
    text = json.dumps(task, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_HEX_DIGITS]


@lru_cache
def of_modules(modules: tuple[str, ...]) -> str:
    """The fingerprint of these modules here and now; a process looks at their files once."""
    found: dict[str, bytes] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = _content(name)
            waiting += sorted(_imports(name) - _NO_FIGURES)
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(f"{name} {len(found[name])}\n".encode() + found[name])
    return digest.hexdigest()[:_HEX_DIGITS]


def _own(name: str) -> bool:
    """Whether a module is looked at as source; of others the version counts."""
    return name.startswith("manyfish_lab") or _version(name) is None


def _version(name: str) -> str | None:
    try:
        return metadata.version(name.partition(".")[0])
    except metadata.PackageNotFoundError:
        return None


def _source(name: str) -> Path | None:
    """The file of a module; None if there is no such module, or it is no file."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin and spec.has_location else None


@lru_cache
def _content(name: str) -> bytes:
    if not _own(name):
        return (_version(name) or "").encode()
    source = _source(name)
    content = source.read_bytes() if source else b""
    if name == "manyfish_lab.native":
        from manyfish_lab import native

        content += native.sources()
    return content


@lru_cache
def _imports(name: str) -> set[str]:
    """The imports of a module of the lab: modules that are no part of Python itself."""
    source = _source(name) if _own(name) else None
    if source is None or source.suffix != ".py":
        return set()
    package = name if source.name == "__init__.py" else name.rpartition(".")[0]
    named = set(_named(ast.parse(source.read_bytes()), package))
    own = {n for n in named if n.startswith("manyfish_lab") and _source(n)}
    others = {n.partition(".")[0] for n in named} - {"manyfish_lab"}
    return own | (others - sys.stdlib_module_names)


def _named(tree: ast.Module, package: str) -> Iterator[str]:
    """Modules in the import statements; `from a import b` may mean a module a.b."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
