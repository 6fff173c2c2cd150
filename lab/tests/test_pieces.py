# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Scales in pieces: together they are the whole; damaged, missing and doubled ones are named.

The boxes of the small family come from a kernel.
"""

from __future__ import annotations

import logging
import random
import shutil
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np

from manyfish_lab import machine, pieces, report, sboxes
from manyfish_lab.cluster import Cluster
from manyfish_lab.errors import LabError
from manyfish_lab.experiment import Table, UnexplainedError
from manyfish_lab.experiments import sboxes_256_dp
from manyfish_lab.pieces import Piece
from tiny_boxes import BOXES, combine, tasks

ALL = range(8)


class Shared:
    """All pieces of BOXES, done in two runs by one cluster."""

    folder: tempfile.TemporaryDirectory[str]
    cluster: Cluster


def setUpModule() -> None:
    logging.disable(logging.ERROR)
    Shared.folder = tempfile.TemporaryDirectory()
    Shared.cluster = Cluster(workers=1)
    for numbers in (range(5, 8), range(6)):
        pieces.run(BOXES, "full", numbers, Path(Shared.folder.name), Shared.cluster)


def tearDownModule() -> None:
    Shared.cluster.close()
    Shared.folder.cleanup()


class PiecesCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        shutil.copytree(Path(Shared.folder.name) / "pieces", self.folder / "pieces")

    def found(self) -> dict[int, Piece]:
        return pieces.found(BOXES, "full", self.folder)

    def path(self, number: int) -> Path:
        return pieces.path_of(self.folder, "boxes", "full", number)

    def refused(self, text: str) -> None:
        with self.assertRaisesRegex(LabError, text) as caught:
            self.found()
        self.assertIn("run the piece again", caught.exception.hint)


class Merged(PiecesCase):
    def test_they_are_the_whole_in_any_order(self) -> None:
        whole = combine("full", [sboxes.compute(task) for task in tasks("full")])
        there = list(self.found().values())
        self.assertEqual([piece.number for piece in there], list(ALL))
        for seed in range(3):
            random.Random(seed).shuffle(there)
            merged = pieces.result(BOXES, "full", there)
            self.assertEqual(merged.findings, whole)
        self.assertEqual((merged.cost.tasks, merged.cost.workers), (32, 1))

    def test_a_piece_says_what_where_and_by_which_code(self) -> None:
        piece = self.found()[3]
        self.assertEqual((piece.first["position"], piece.first["first"]), (1, 128 << 8))
        self.assertEqual(piece.last["first"], 224 << 8)
        self.assertEqual(piece.value["boxes"], 1024)
        self.assertEqual(piece.cost.processor, machine.processor())
        self.assertEqual(piece.commit, machine.commit())
        self.assertRegex(piece.code, "^[0-9a-f]{16}$")
        self.assertLess(self.path(3).stat().st_size, 2048)

    def test_only_what_is_missing_is_done(self) -> None:
        before = {number: self.path(number).stat().st_mtime_ns for number in ALL}
        self.path(2).unlink()
        pieces.run(BOXES, "full", ALL, self.folder, Shared.cluster)
        after = {number: self.path(number).stat().st_mtime_ns for number in ALL}
        self.assertEqual([number for number in ALL if before[number] != after[number]], [2])

    def test_a_hole_and_a_piece_twice_are_told(self) -> None:
        there = self.found()
        del there[6]
        for more, text in (([], r"missing \[6\]"), ([there[1]], r"missing \[6\], there twice \[1")):
            with self.assertRaisesRegex(LabError, text):
                pieces.result(BOXES, "full", [*there.values(), *more])

    def test_some_are_enough_if_the_experiment_says_so(self) -> None:
        there = list(self.found().values())[:5]
        few = replace(BOXES.pieces["full"], least=5)
        made = pieces.result(replace(BOXES, pieces={"full": few}), "full", there)
        self.assertEqual(made.cost.tasks, 20)
        for number in (4, 5, 8):
            self.assertEqual(pieces.enough(few, number), number >= 5)
            self.assertEqual(pieces.enough(BOXES.pieces["full"], number), number == 8)
        with self.assertRaisesRegex(LabError, r"missing \[4, 5, 6, 7\]"):
            pieces.result(replace(BOXES, pieces={"full": few}), "full", there[:4])


class Refused(PiecesCase):
    def test_damage(self) -> None:
        """Each change of a digit, and each cut."""
        whole = self.path(4).read_text()
        counts = whole.index('"dp"')
        for at in [i for i in range(counts, counts + 60) if whole[i].isdigit()]:
            other = str((int(whole[at]) + 1) % 10)
            self.path(4).write_text(whole[:at] + other + whole[at + 1 :])
            self.refused("digest|not what this version can read")
        for end in (0, 1, len(whole) // 2, len(whole) - 3):
            self.path(4).write_text(whole[:end])
            self.refused("not what this version can read")

    def test_a_copy_under_another_number(self) -> None:
        shutil.copy(self.path(4), self.path(5))
        self.refused("0005.json: by its content this is piece 4")

    def test_a_piece_of_other_tasks(self) -> None:
        """Its digest is right, but the experiment has changed since."""
        every = replace(BOXES.pieces["full"], count=4)
        other = replace(BOXES, pieces={"full": every})
        with self.assertRaisesRegex(LabError, "boxes has no such piece now"):
            pieces.found(other, "full", self.folder)
        other = replace(BOXES, tasks=lambda scale: sboxes.AllKeys(2, 256)[::32])
        with self.assertRaisesRegex(LabError, "boxes has no such piece now"):
            pieces.found(other, "full", self.folder)


class Full(unittest.TestCase):
    """The scale that is in pieces."""

    def test_all_boxes_are_in_a_piece(self) -> None:
        every = sboxes_256_dp.EXPERIMENT.pieces["full"]
        tasks = sboxes_256_dp.EXPERIMENT.tasks("full")
        self.assertEqual(every.count * every.each, 4 << 32)
        self.assertEqual(len(tasks) % every.count, 0)
        self.assertEqual(len(tasks) // every.count * tasks[0]["count"], every.each)

    def test_dp_alone_is_the_same(self) -> None:
        task = {**sboxes_256_dp.EXPERIMENT.tasks("full")[20_000], "count": 1 << 11}
        with self.assertRaisesRegex(ValueError, "multiples of 256"):
            sboxes.compute({**task, "count": 300})
        self.assertTrue(task.pop("dp_only"))
        alone = sboxes.compute({**task, "dp_only": True})
        self.assertEqual(alone, {key: sboxes.compute(task)[key] for key in ("boxes", "dp")})

    def test_findings(self) -> None:
        """Before all are counted the largest, and no published figure beside it."""
        given = list(map(sboxes_256_dp.compute, sboxes_256_dp.EXPERIMENT.tasks("small")))
        first, second, _ = sboxes_256_dp.EXPERIMENT.combine("full", given[:6]).tables
        self.assertEqual({cell.agrees for cell in first.cells}, {None})
        self.assertEqual(first.cells[0].ours, f"{max(map(int, sboxes.add(given[:6])['dp']))}/256")
        counted = [cell.ours.split(" of ")[0] for cell in second.cells]
        self.assertEqual(counted, ["12,288", "4,096", "4,096", "4,096", "0"])

    def test_reaching(self) -> None:
        """The S-boxes that the page names, by the definition."""
        for position, key, change, changed in sboxes_256_dp.REACHING:
            (s,) = sboxes.make(np.array([key], np.uint32), position, 4).tolist()
            n = sum(s[x] ^ s[x ^ change] == changed for x in range(256))
            found = sboxes.dp(np.array([s], np.uint8)).tolist()
            self.assertEqual([n, *found], [sboxes_256_dp.REACHED] * 2)

    def test_all(self) -> None:
        """Printed figures of a sample agree, or by chance they are near; others are refused."""
        book = {8: "15.1", 10: "1.3", 12: "0.9", 14: "4.1", 16: "8.0", 18: "12.2", 20: "16.7"}
        counted = {value: round(2 ** (32 - float(text))) for value, text in book.items()}
        counted |= {20: counted[20] * 8 // 7, 22: 2**11}
        counted[12] = 2**32 - sum(counted.values()) + counted[12]

        def tables(dp: dict[int, int]) -> list[Table]:
            whole = {"boxes": 1 << 32, "dp": {str(value): n for value, n in dp.items()}}
            each = [{**whole, "position": position} for position in range(4)]
            return list(sboxes_256_dp.EXPERIMENT.combine("full", each).tables)

        shares, _, numbers = tables(counted)
        differing = [cell.what for cell in shares.cells if cell.agrees is False]
        self.assertEqual(differing, ["DPmax = 20/256", "DPmax = 22/256"])
        self.assertIn(" / ".join(["2,048"] * 4), [cell.ours for cell in numbers.cells])
        with self.assertRaises(UnexplainedError):
            tables({**counted, 10: counted[12], 12: counted[10]})

    def test_the_page_says_how_much_is_done(self) -> None:
        two = pieces.how_far(BOXES.pieces["full"], 2)
        self.assertEqual(two, "2,048 of 8,192 S-boxes, 2 of 8 pieces")
        said = report.in_pieces(BOXES, Path(Shared.folder.name))
        self.assertEqual(said, {"full": "8,192 of 8,192 S-boxes, 8 of 8 pieces"})


if __name__ == "__main__":
    unittest.main()
