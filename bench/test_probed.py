# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The file of manyfish-probe: a good one becomes the files that all other programs here read, and a
bad one changes nothing and says what is wrong with it.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import commands
import comparison as comparisons
import costs
import probed
import results
import timing
import unmeasured

FIGURES = ",".join("9" for _ in costs.FIGURES)
TIMING_HEAD = probed.TIMING_HEAD
COSTS_HEAD = f"kernel,key_bits,{','.join(costs.FIGURES)}"


def report(**members: Any) -> dict[str, Any]:
    row = {"cipher": "twofish", "kernel": "neon", "key_bits": 128, "constant_time": True}
    return {"machine": MACHINE, "rows": [{**row, "setup_cycles": 500.0}], **members}


def comparison(cipher: str) -> dict[str, Any]:
    row = {"implementation": "A", "constant_time": None, "key_bits": 128, "measure": "m"}
    return {
        "cipher": cipher,
        "machine": MACHINE,
        "versions": {"A": "1.0"},
        "missing": [],
        "default_kernel": "manyfish/neon",
        "quality": {"clock_drift": 0.0, "spread": 0.01},
        "rows": [{**row, "minimum": 1.5, "median": 2.0}],
    }


MACHINE = {
    "cpu": "ARM implementer 0x41 part 0xd40",
    "architecture": "aarch64",
    "compiler": "gcc (Debian 12.2.0-14) 12.2.0",
    "flags": "-O2",
    "rustc": "rustc 1.95.0",
    "commit": "0123abc",
    "date": "2026-01-31",
    "unit": "core cycles",
    "method": "minimum of many runs; clock: a chain of 1-cycle additions beside each",
}


def good() -> dict[str, Any]:
    """A small file of a machine with one kernel."""
    slower = report()
    slower["rows"] = [{**slower["rows"][0], "setup_cycles": 600.0}]
    return {
        "probe": 1,
        "version": "0.2.0",
        "quick": False,
        "machine": dict(MACHINE),
        "host": {"flags": "fp asimd aes", "cores": 4, "linux": "6.1.0"},
        "checks": [{"name": "vectors", "passed": 9, "failed": 0, "skipped": [], "output": ""}],
        "measured": {
            "twofish": [slower, report()],
            "des": [report(des_on_486=[])],
            "paper": report(paper={"tables": "of 1998"}),
            "costs": f"# cpu: {MACHINE['cpu']}\n{COSTS_HEAD}\nneon,128,{FIGURES}\n",
            "set_ups": "by,kernel,128,192,256\nneon,full,3,4,5\n",
            "peers": comparison("twofish"),
            "peers_des": comparison("des"),
            "timing": f"# compiler: gcc 12\n{TIMING_HEAD}\nneon,true,set-up,500,1.0,2.0,3.0\n",
        },
    }


def machine(**fields: str) -> Callable[[dict[str, Any]], object]:
    """A change of the file."""
    return lambda data: data["machine"].update(fields)


def measured(name: str, text: str) -> Callable[[dict[str, Any]], object]:
    return lambda data: data["measured"].update({name: text})


class Taken(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.made: list[str] = []
        for patch in (
            mock.patch.object(commands, "RESULTS", self.root),
            mock.patch.object(commands, "ROOT", self.root),
            mock.patch.object(costs, "ROOT", self.root),
            mock.patch.object(costs, "make_table", lambda **_: self.made.append("costs")),
            mock.patch.object(results, "tables", self.make_tables),
            mock.patch.object(probed, "in_history", lambda commit: commit == "0123abc"),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def make_tables(self, *, check: bool) -> int:
        self.made.append("checked" if check else "tables")
        return 0

    def take(self, text: str) -> tuple[int, str]:
        """The status, and what was said of it."""
        path = self.root / "file.json"
        path.write_text(text, encoding="utf-8")
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            status = results.take(path)
        path.unlink()
        return status, said.getvalue()

    def stored(self) -> list[str]:
        return sorted(path.name for path in self.root.iterdir())

    def test_a_good_one_becomes_all_files(self) -> None:
        self.assertEqual(self.take(json.dumps(good())), (0, ""))
        self.assertEqual(self.made, ["costs", "tables"])
        name = "2026-01-31-arm-implementer-0x41-part-0xd40.csv"
        kinds = ("", "costs-", "des-", "paper-", "peers-", "peers-des-", "set-ups-", "timing-")
        self.assertEqual(self.stored(), sorted(kind + name for kind in kinds))
        kernel = results.read(self.root / name).rows["twofish", "neon", 128]
        self.assertEqual(kernel["setup_cycles"], "500.0", "the least of both rounds")
        self.assertEqual(costs.read(self.root / f"costs-{name}").rows["neon", 128]["64"], 9)
        set_ups = costs.read_set_ups(self.root / f"set-ups-{name}")
        self.assertEqual(set_ups["neon", "full", 256], 5)
        table = "\n".join(timing.table_of(self.root / f"timing-{name}"))
        self.assertIn("| `neon` | yes | 2.0 | nothing found |", table)
        notes = commands.read(self.root / f"timing-{name}").notes
        self.assertEqual((notes["features"], notes["cores"]), ("asimd", "4"))

    def test_the_facts_that_were_checked_name_the_files(self) -> None:
        data = good()
        data["measured"]["paper"]["machine"] = {**MACHINE, "date": "/elsewhere"}
        self.assertEqual(self.take(json.dumps(data)), (0, ""))
        self.assertIn("paper-2026-01-31-arm-implementer-0x41-part-0xd40.csv", self.stored())

    def test_nothing_is_replaced(self) -> None:
        self.take(json.dumps(good()))
        before = self.stored()
        status, said = self.take(json.dumps(good()))
        self.assertEqual((status, self.stored()), (1, before))
        self.assertIn("there is a measurement of that machine and day", said)

    def refused(self, text: str, why: str) -> None:
        status, said = self.take(text)
        self.assertEqual(status, 1)
        self.assertIn(why, said)
        self.assertRegex(said, "(?m)^.*hint: .")
        self.assertEqual((self.stored(), self.made), ([], []), "nothing was written")

    def changed(self, change: Callable[[dict[str, Any]], object], why: str) -> None:
        data = good()
        change(data)
        with self.subTest(why):
            self.refused(json.dumps(data), why)

    def test_a_bad_one_is_refused(self) -> None:
        self.refused(json.dumps(good())[:-20], "is not JSON, or not all of it")
        self.refused("[]", "is no file of manyfish-probe")
        self.refused('{"probe": 1}', "lacks something, or has it in another form: 'machine'")
        self.changed(lambda data: data.update(probe=2), "has form 2, and this program reads form 1")
        self.changed(lambda data: data.update(quick=True), "is of a quick run")
        self.changed(lambda data: data.update(measured=None), "is not complete")
        self.changed(lambda data: data["measured"].pop("paper"), "is not complete")
        self.changed(lambda data: data.update(checks=[]), "is not complete")
        self.changed(lambda data: data["measured"].update(des=[]), "lacks something")
        self.changed(lambda data: data["measured"]["peers_des"].pop("rows"), "lacks something")
        self.changed(lambda data: data["checks"][0].update(failed=1), "checks failed on ARM")

    def test_a_machine_that_says_nothing_is_refused(self) -> None:
        self.changed(machine(commit="0123abc-dirty"), "a tree that no commit has")
        self.changed(machine(commit="fffffff"), "its commit fffffff is not in the history here")
        self.changed(machine(unit="nanoseconds"), "it counts nanoseconds")
        self.changed(machine(date="31.1.2026"), "its date is 31.1.2026")
        self.changed(machine(architecture="x86_64"), "its processor has no sse2")

    def test_strange_texts_are_refused(self) -> None:
        strange = "there is a strange text in it"
        for text in ("*/ int evil;", "<!-- x", "a|b", "two\nlines", "caf\u00e9", "`x`"):
            self.changed(machine(cpu=text), strange)
        self.changed(measured("costs", "a*/,b"), strange)
        rows = [{**report()["rows"][0], "kernel": "<script>"}]
        self.changed(lambda data: data["measured"]["twofish"][0].update(rows=rows), strange)

    def test_texts_that_are_no_tables_are_refused(self) -> None:
        for name, text in (
            ("costs", ""),
            ("costs", f"{COSTS_HEAD}\n"),
            ("costs", f"{COSTS_HEAD}\nneon,128,few\n"),
            ("set_ups", "by,kernel,128,192,256\nneon,full,3,4\n"),
            ("timing", f"{TIMING_HEAD}\nneon,true,set-up,500,1.0,2.0,nan\n"),
        ):
            self.changed(measured(name, text), "are no table")


class Quietest(unittest.TestCase):
    def test_the_run_with_the_least_noise_is_kept(self) -> None:
        def run(drift: float, spread: float) -> dict[str, Any]:
            return {**comparison("des"), "quality": {"clock_drift": drift, "spread": spread}}

        runs = [run(0.001, 0.2), run(0.01, 0.02), run(0.1, 0.001)]
        chosen = results.best(runs)
        self.assertEqual(chosen["quality"], {"clock_drift": 0.01, "spread": 0.02})
        head = dict(comparisons.head(chosen))
        self.assertEqual(head["chosen"], "the quietest of 3 runs")


class Unmeasured(unittest.TestCase):
    def test_a_kernel_without_a_row_is_named(self) -> None:
        with mock.patch.object(unmeasured, "measured", lambda _: {"avx2", "bitslice-avx2"}):
            self.assertEqual(unmeasured.unmeasured({"fpu", "avx2"}), [])
            found = unmeasured.unmeasured({"asimd"})
        self.assertEqual(found, ["neon (twofish)", "bitslice-neon (des)"])
        line = unmeasured.line(found, "aarch64")
        self.assertIn("make probe && build/probe/manyfish-probe-aarch64", line)
        self.assertNotIn("\n", line)

    def test_every_feature_of_a_kernel_is_known(self) -> None:
        for cipher, least in (("twofish", 9), ("des", 5)):
            names = {name for of, name, _ in unmeasured.kernels() if of == cipher}
            self.assertGreaterEqual(len(names), least)
            known = unmeasured.measured(cipher)
            self.assertIn("bitslice", known)


if __name__ == "__main__":
    unittest.main()
