# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Shared parts of the tests of simulators: programs with the address and behaviour sanitizers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from machine import ProgramError, Simulator
from machines.c_program import c_program

AChip = TypeVar("AChip", bound="Chip")

SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")


def program(name: str, sources: Sequence[Path]) -> Path:
    return c_program(f"{name}-sanitized", sources, SANITIZERS)


class Chip(Simulator):
    """A simulator, and the folder of its image, which goes with it."""

    def __init__(self, command: Sequence[str | Path], folder: TemporaryDirectory[str]) -> None:
        self.folder = folder
        super().__init__(command)

    def __enter__(self: AChip) -> AChip:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self.folder.cleanup()

    def registers(self, **values: int) -> dict[str, int]:
        """Sets these; returns all."""
        words = [f"{name}={value:X}" for name, value in values.items()]
        shown = self.ask(" ".join(["registers", *words])).split()
        return {name: int(value, 16) for name, value in (word.split("=") for word in shown)}

    def fault(self, line: str) -> str:
        """The error that a line is answered with."""
        try:
            answer = self.ask(line)
        except ProgramError as error:
            return error.error
        raise AssertionError(f"{line} was answered {answer}")
