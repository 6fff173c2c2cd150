# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every core passes the bench and has the clocks that cores.py states; planted faults are found.

Each core has a test of its own for each property, so that a failure names it.
"""

from __future__ import annotations

import contextlib
import functools
import io
import shutil
import sys
import unittest
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import chains
import handshakes
import lint
import measured
import simulate
import stored
from cores import CORES, Core
from simulate import Figures, chosen, expected, in_parallel, processes
from tools import BUILD, LONG, RTL, HardwareError

FAULTS_FOLDER = BUILD / "faults"
# One of each kind of control: Icarus takes half a minute for some, and Verilator a second.
SHAKEN = ("quarter_h", "one_h", "two_h", "two_h_pipe4", "sbox_ram")


# A variant of each kind. The last two use every module of rtl/fpga, which no other core here does.
KINDS = (
    *("quarter_h_192", "one_h_256", "two_h_256", "two_h_enc", "two_h_dec", "two_h_flops"),
    *("two_h_ram", "two_h_fpga", "two_h_pipe12_fpga"),
)
# quarter_h_masked_seeded has it inside, and the same bench.
IN_ANOTHER = "quarter_h_masked"


def is_tried(core: Core) -> bool:
    """Every row, a variant of each kind, and those whose sources are not those of results.csv."""
    if LONG or core.name in KINDS:
        return True
    if core.name == IN_ANOTHER or not measured.is_measured(core):
        return False
    return not measured.is_variant(core.name) or measured.is_changed(core)


TRIED = [core for core in CORES.values() if is_tried(core)]
LEFT_OUT = len(CORES) - len(TRIED)
STORED_CHAINS = [
    row for row in stored.read(chains.Chained, chains.STORED) if row.where == chains.CORE
]


@functools.cache
def simulated() -> Mapping[str, Figures | HardwareError]:
    return {core.name: found for core, found in in_parallel(TRIED)}


def _handshakes(core: Core) -> int | HardwareError:
    try:
        return handshakes.run_on_core(core)
    except HardwareError as error:
        return error


@functools.cache
def shaken() -> Mapping[str, int | HardwareError]:
    with processes() as pool:
        cores = [CORES[name] for name in SHAKEN]
        return {core.name: found for core, found in zip(cores, pool.map(_handshakes, cores))}


class OneCore(unittest.TestCase):
    """Filled with a test for each core below."""

    @unittest.skipIf(LEFT_OUT, f"{LEFT_OUT} variants of cores: scripts/test-hardware --long")
    def test_that_none_is_left_out(self) -> None:
        self.assertEqual(set(simulated()), set(CORES))

    def figures(self, core: Core) -> Figures:
        found = simulated()[core.name]
        if isinstance(found, HardwareError):
            self.fail(f"{found.error} ({found.hint})")
        return found

    def passes_the_bench(self, core: Core) -> None:
        found = self.figures(core)
        self.assertEqual(found, expected(core, found), "cores.py or the core is wrong")
        self.assertGreaterEqual(found.inside, core.levels)
        stored = {row.chains: row.clocks for row in STORED_CHAINS if row.core == core.name}
        self.assertLessEqual(stored.items(), found.chained.items(), "run hardware/chains.py")

    def has_the_clocks_of_the_paper(self, core: Core) -> None:
        assert core.paper
        self.assertLessEqual(self.figures(core).clocks, core.paper.clocks)
        self.assertEqual(core.levels, core.paper.levels)

    def shakes_hands(self, core: Core) -> None:
        found = shaken()[core.name]
        if isinstance(found, HardwareError):
            self.fail(f"{found.error} ({found.hint})")
        self.assertGreaterEqual(found, 7)


@dataclass(frozen=True)
class Fault:
    """A change of a file of rtl/, and words of what the bench says of it."""

    name: str
    core: str
    file: str
    right: str
    wrong: str
    words: str

    def plant(self) -> Path:
        """A copy of rtl/ with it."""
        rtl = FAULTS_FOLDER / self.name / "rtl"
        shutil.rmtree(rtl, ignore_errors=True)
        shutil.copytree(RTL, rtl)
        text = (rtl / self.file).read_text(encoding="utf-8")
        if text.count(self.right) != 1:
            raise HardwareError(f"{self.file} should have this once: {self.right}")
        (rtl / self.file).write_text(text.replace(self.right, self.wrong), encoding="utf-8")
        return rtl

    def found(self) -> str:
        """The output of the bench."""
        core = CORES[self.core]
        try:
            program = simulate.build(core, self.plant(), FAULTS_FOLDER / self.name)
            figures = simulate.run_bench(core, program, simulate.SEED)
        except HardwareError as error:
            return error.error
        return str(figures)


TWO_H = "twofish_two_h.v"
READY = "assign in_ready = ready & ~(key_valid & key_ready)"
FAULTS = (
    Fault(
        "entry_of_q",
        "two_h",
        "tables/twofish_t.v",
        "4'h3: y = 4'hD;\n          4'h4: y = 4'h6;\n          4'h5: y = 4'hF;",
        "4'h3: y = 4'h6;\n          4'h4: y = 4'hD;\n          4'h5: y = 4'hF;",
        "table steps: clock",
    ),
    Fault("direction", "two_h", TWO_H, "load ? in_decrypt :", "~round ? in_decrypt :", "expected "),
    Fault(
        "no_key", "two_h", TWO_H, READY, READY.replace("ready & ~", "~", 1), "without a whole key"
    ),
    Fault("withdrawn", "two_h", TWO_H, "last_round & ~out_ready", "1'b0", "out_valid went low"),
    Fault("waits_for_valid", "two_h", TWO_H, READY, f"{READY} & in_valid", "depends on in_valid"),
    Fault(
        "waits_for_ready",
        "two_h",
        TWO_H,
        "assign out_valid = last_round",
        "assign out_valid = last_round & out_ready",
        "depends on out_ready",
    ),
    Fault(
        "one_key",
        "two_h",
        TWO_H,
        "key_ready = ~full",
        "key_ready = ~full & ~ready",
        "nothing moves",
    ),
    Fault("goes_on", "two_h", TWO_H, "stay) & ~clear", "stay)", "a result without a block"),
    Fault("deaf", "two_h", TWO_H, "clear = rst | zeroise", "clear = rst", "in_ready without"),
    Fault(
        "left_over",
        "two_h_flops",
        "chip/twofish_key.v",
        "words <= {data & {32{~clear}}",
        "words <= {data",
        "zeroise leaves something of the key or the data in",
    ),
    Fault(
        "time_of_a_key",
        "two_h",
        TWO_H,
        "(~active | last_round)",
        "(~active | (last_round & m[0]))",
        "the core is ready at another time",
    ),
    Fault("slow", "two_h", TWO_H, "(~active | last_round)", "~active", "clocks=17"),
)
# Of these the bench says the same as of some above.
MORE_FAULTS = (
    Fault(
        "q_of_256", "two_h_256", "twofish_sbox.v", "4'b1001, 4'b", "4'b1011, 4'b", "table steps: "
    ),
    Fault("rotation", "two_h_dec", "twofish_round.v", "ror(f1)", "rol(f1)", "table steps: clock"),
    Fault("half_a_key", "two_h", "chip/twofish_key.v", "FULL - 4'd1", "FULL - 4'd2", "expected "),
)
PLANTED = (*FAULTS, *(MORE_FAULTS if LONG else ()))


def _found(fault: Fault) -> str:
    try:
        return fault.found()
    except HardwareError as error:
        return error.error


@functools.cache
def found_faults() -> Mapping[str, str]:
    simulate.build_common()
    with processes() as pool:
        return {fault.name: found for fault, found in zip(PLANTED, pool.map(_found, PLANTED))}


class Faults(unittest.TestCase):
    """Filled with a test for each fault below."""

    @unittest.skipUnless(LONG, f"{len(MORE_FAULTS)} more planted faults: test-hardware --long")
    def test_that_none_is_left_out(self) -> None:
        self.assertLessEqual({fault.name for fault in MORE_FAULTS}, set(found_faults()))

    def is_found(self, fault: Fault) -> None:
        self.assertIn(fault.words, found_faults()[fault.name])


class Tools(unittest.TestCase):
    def planted(self, right: str, wrong: str) -> Path:
        return Fault(f"lint_{self._testMethodName}", "two_h", TWO_H, right, wrong, "").plant()

    def test_lint_finds_an_unused_wire(self) -> None:
        rtl = self.planted("wire clear =", "wire spare = rst;\n  wire clear =")
        found = lint.Job(rtl / TWO_H).run(rtl)
        assert found
        self.assertIn("Signal is not used: 'spare'", found.error)

    def test_lint_finds_bad_style(self) -> None:
        rtl = self.planted("wire clear =", "wire Clear_It =\trst;\n  wire clear =")
        found = "\n".join(error.error for error in lint.verible([rtl / TWO_H]))
        self.assertIn("[no-tabs]", found)
        self.assertIn("[signal-name-style]", found)

    def test_handshakes_find_what_reset_forgets(self) -> None:
        rtl = self.planted("key_ready) & ~clear;", "key_ready);")
        with self.assertRaisesRegex(HardwareError, "in_ready is unknown"):
            handshakes.run_on_core(CORES["two_h"], rtl, "without_reset")

    def test_handshakes_find_a_result_that_does_not_stand_still(self) -> None:
        rtl = self.planted("last_round & ~out_ready", "1'b0")
        with self.assertRaisesRegex(HardwareError, "a result was withdrawn or changed"):
            handshakes.run_on_core(CORES["two_h"], rtl, "not_still")

    def test_names(self) -> None:
        self.assertEqual(chosen([]), list(CORES.values()))
        self.assertEqual([core.name for core in chosen(["two_h", "two_?"])], ["two_h"])
        with self.assertRaisesRegex(HardwareError, "no core is called three_h"):
            chosen(["three_h"])

    def test_what_is_made_is_kept_until_its_sources_change(self) -> None:
        folder = FAULTS_FOLDER / "kept"
        folder.mkdir(parents=True, exist_ok=True)
        source, stamp = folder / "source", folder / "stamp"
        source.write_text("one")
        stamp.unlink(missing_ok=True)
        self.assertFalse(simulate.is_made(stamp, ["make"]))
        simulate.mark_made(stamp, [source], ["make"])
        self.assertTrue(simulate.is_made(stamp, ["make"]))
        self.assertFalse(simulate.is_made(stamp, ["make", "more"]))
        source.write_text("two")
        self.assertFalse(simulate.is_made(stamp, ["make"]))
        source.unlink()
        self.assertFalse(simulate.is_made(stamp, ["make"]))

    def command(self, *words: str) -> tuple[int, str]:
        """The output of simulate.py, and its status."""
        out = io.StringIO()
        to_out = contextlib.redirect_stdout(out), contextlib.redirect_stderr(out)
        with to_out[0], to_out[1], mock.patch.object(sys, "argv", ["", *words]):
            return simulate.main(), out.getvalue()

    def test_list_of_names(self) -> None:
        status, text = self.command("--list", "two_h*")
        self.assertEqual(status, 0)
        self.assertIn("two_h_256", text.splitlines())

    def test_other_clocks_than_stated_are_an_error(self) -> None:
        slower = replace(CORES["two_h"], startup=20)
        with mock.patch.dict(CORES, two_h=slower):
            status, text = self.command("two_h")
        self.assertEqual(status, 1)
        self.assertIn('"startup": 21', text)
        self.assertIn("cores.py says", text)


def _add(
    case: type[unittest.TestCase], name: str, check: Callable[..., None], what: object
) -> None:
    def test(self: unittest.TestCase) -> None:
        check(self, what)

    setattr(case, f"test_{name}", test)


for _core in TRIED:
    _add(OneCore, f"{_core.name}_passes_the_bench", OneCore.passes_the_bench, _core)
    if _core.paper:
        _name = f"{_core.name}_has_the_clocks_of_the_paper"
        _add(OneCore, _name, OneCore.has_the_clocks_of_the_paper, _core)
for _name in SHAKEN:
    _add(OneCore, f"{_name}_shakes_hands", OneCore.shakes_hands, CORES[_name])
for _fault in PLANTED:
    _add(Faults, f"{_fault.name}_is_found", Faults.is_found, _fault)


if __name__ == "__main__":
    unittest.main()
