#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keeps measurements as CSV in bench/results/, makes the tables and the chart from them.

bench/results.py ready    exit 1 if a measurement of this tree would be refused: no commit has it
bench/results.py record   turn JSON on standard input into a CSV, print its name; it is that of
                          `manyfish speed --json`, of which the least of several runs in a row is
                          taken (of kernels with shared tables alone: how long new keys
                          take), or that of bench/peers, of which the quietest run is
bench/results.py take FILE  store what manyfish-probe measured on another machine, as all these
                          programs store it, and make the table of costs and the tables again
bench/results.py tables   make the tables between the markers in the documents, and the chart, again
bench/results.py check    exit 1 if that would change anything
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import commands
import comparison
import costs
import many
import probed
from commands import ROOT

DOCUMENTS = (
    ROOT / "README.md",
    ROOT / "docs" / "kernels.md",
    ROOT / "docs" / "keying-options.md",
    ROOT / "docs" / "speed.md",
    ROOT / "docs" / "des.md",
    ROOT / "docs" / "decisions" / "compiled-keying.md",
)

# The columns of the JSON that name the measurement of a row; all others are measured values.
IDENTITY = ("cipher", "kernel", "key_bits", "constant_time")
COLUMNS = (*IDENTITY, "measure", "value")


class Result(NamedTuple):
    """One machine: what it is, and for each (cipher, kernel, key bits) its values by measure."""

    machine: dict[str, str]
    rows: dict[tuple[str, str, int], dict[str, str]]


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """{"block_cycles": {"encrypt": 1}} becomes ("block_cycles/encrypt", 1)."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flatten(inner, f"{path}/{key}" if path else key)
    else:
        yield path, json.dumps(value) if isinstance(value, (bool, list)) else value


def csv_rows(data: dict[str, Any]) -> Iterator[list[Any]]:
    """One row for each measured value.

    Of calls call/BLOCKS, of keys with a block each keys/KEYS, of the best kernel curve/BYTES, of
    every kernel message/BYTES.
    """
    constant_time = {}
    for row in data["rows"]:
        identity = [json.dumps(row[key]).strip('"') for key in IDENTITY]
        constant_time[row["kernel"]] = identity[-1]
        values = {key: value for key, value in row.items() if key not in IDENTITY}
        yield from ([*identity, *pair] for pair in flatten(values))
    for point in [*data.get("calls", []), *data.get("keys", []), *data.get("curve", [])]:
        kernel = point["kernel"]
        identity = [point["cipher"], kernel, str(point["key_bits"]), constant_time[kernel]]
        if "blocks" in point:
            yield [*identity, f"call/{point['blocks']}", point["cycles_per_block"]]
        elif "keys" in point:
            yield [*identity, f"keys/{point['keys']}", point["cycles_per_key"]]
        else:
            yield [*identity, f"curve/{point['bytes']}", point["cycles_per_byte"]]
    order = list(constant_time)
    messages = data.get("messages", [])
    for point in sorted(messages, key=lambda p: (order.index(p["kernel"]), p["key_bits"])):
        kernel = point["kernel"]
        identity = [point["cipher"], kernel, str(point["key_bits"]), constant_time[kernel]]
        yield [*identity, f"message/{point['bytes']}", point["cycles_per_byte"]]


def content(data: dict[str, Any]) -> tuple[list[tuple[str, Any]], list[Any]]:
    """Head and rows of its CSV."""
    if comparison.is_comparison(data):
        rows = [comparison.COLUMNS, *comparison.csv_rows(data)]
        return list(comparison.head(data)), rows
    return list(flatten(data["machine"])), [COLUMNS, *csv_rows(data)]


def write_csv(path: Path, data: dict[str, Any]) -> int:
    return commands.write(path, *content(data))


def documents(text: str) -> Iterator[dict[str, Any]]:
    """The JSON documents that stand one after the other."""
    decoder = json.JSONDecoder()
    while text := text.lstrip():
        data, end = decoder.raw_decode(text)
        yield data
        text = text[end:]


def least(a: Any, b: Any) -> Any:
    """Each number the lesser of two runs': other programs can only make a run slower."""
    if isinstance(a, dict) and "cycles_per_byte" in a and "bytes" in a:  # a best kernel's point
        return min(a, b, key=lambda point: float(point["cycles_per_byte"]))
    if isinstance(a, dict):
        return {key: least(value, b[key]) for key, value in a.items()}
    if isinstance(a, list):
        return [least(x, y) for x, y in zip(a, b, strict=True)]
    return min(a, b) if isinstance(a, float) else a


def best(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The least of several runs; of comparisons, which are not mixed, the quietest."""
    if comparison.is_comparison(runs[0]):
        return comparison.quietest(runs)
    return functools.reduce(least, runs)


def record() -> int:
    runs = list(documents(sys.stdin.read()))
    if any(run["machine"] != runs[0]["machine"] for run in runs):
        error = "the runs are of different machines or builds"
        return commands.fault(error, "give it the runs of one machine, build and day")
    if commands.refused(runs[0]["machine"].get("commit", "unknown")):
        return 1
    return store(best(runs))


def store(data: dict[str, Any]) -> int:
    machine = data["machine"]
    path = commands.csv_path(*kind(data), str(machine["date"])[:10], cpu=str(machine["cpu"]))
    return write_csv(path, data)


def take(path: Path) -> int:
    """Stores what the probe has measured, all or nothing, and makes again what is made of it."""
    try:
        data = probed.load(path)
        probed.check_free(data)
        reports = reports_of(data)
    except probed.RefusedError as refused:
        return commands.fault(str(refused), refused.hint)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        hint = "take the file that manyfish-probe has written"
        return commands.fault(
            f"{path.name} lacks something, or has it in another form: {error}", hint
        )
    for report in reports:
        store(report)
    probed.store_texts(data)
    costs.make_table(check=False)
    return tables(check=False)


def reports_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The reports of the probe, each with those facts of the machine that were checked."""
    measured = data["measured"]
    repeated = (measured["twofish"], measured["des"], [measured["paper"]])
    found = [*map(best, repeated), measured["peers"], measured["peers_des"]]
    checked = {name: data["machine"][name] for name in ("cpu", "commit", "date")}
    for report in found:
        report["machine"] = {**report["machine"], **checked}
        kind(report)  # fails if something is missing
        content(report)
    return found


def kind(data: dict[str, Any]) -> list[str]:
    """The subject of the file, if it is not Twofish's kernels alone."""
    if comparison.is_comparison(data):
        subject = "many" if data.get("many") else "peers"
        return [subject] if data["cipher"] == "twofish" else [subject, data["cipher"]]
    if "des_on_486" in data:
        return ["des"]
    if "keys" in data and "calls" not in data:
        return ["keys"]
    if all("cold_block_cycles" in row for row in data["rows"]):
        return ["shared-tables"]
    if {row["kernel"] for row in data["rows"]} == LATER_KEYS.keys():
        return ["later-keys"]
    return ["paper"] if "paper" in data else []


def read(path: Path) -> Result:
    machine, stored = commands.read(path)
    rows: dict[tuple[str, str, int], dict[str, str]] = {}
    for row in stored:
        key = (row["cipher"], row["kernel"], int(row["key_bits"]))
        values = rows.setdefault(key, {"constant_time": row["constant_time"]})
        values[row["measure"]] = row["value"]
    return Result(machine, rows)


def kernel_row(cipher: str, kernel: str, key_bits: int, values: dict[str, str]) -> str:
    def both(measure: str, digits: int) -> str:
        pair = (float(values[f"{measure}/{way}"]) for way in ("encrypt", "decrypt"))
        return " / ".join(f"{value:,.{digits}f}" for value in pair)

    cells = (
        f"`{kernel}`",
        {64: "DES", 192: "3DES"}[key_bits] if cipher != "twofish" else str(key_bits),
        "yes" if values["constant_time"] == "true" else "no",
        f"{int(values['context_bytes']):,}",
        f"{float(values['setup_cycles']):,.0f}",
        both("block_cycles", 0),
        both("cycles_per_byte/8192", 1),
    )
    return f"| {' | '.join(cells)} |"


def measured(machine: dict[str, str]) -> str:
    """The machine, the commit and the day of a result."""
    return f"{machine['cpu']}; commit {machine['commit']}, {machine['date'][:10]}"


def kernels(result: Result, what: str = "key bits") -> list[str]:
    """A table of the cost of each kernel, the machine first."""
    machine = result.machine
    return [
        f"{machine['cpu']}; {machine['compiler']}, `{machine['flags']}`; "
        f"commit {machine['commit']}, {machine['date'][:10]}.",
        "",
        f"| kernel | {what} | constant time | bytes a key | set-up | one block | 8 KiB, a byte |",
        "|---|--:|---|--:|--:|--:|--:|",
        *(kernel_row(*key, values) for key, values in result.rows.items()),
    ]


# The kernels of the README's table, and when to take each.
SHORT = {
    "avx512": "everything but a single chain, with AVX-512 VBMI and GFNI",
    "avx2": "the same, with AVX2",
    "ssse3": "constant time on older x86-64 processors",
    "bitslice": "constant time without vector instructions",
    "full": "a chain of blocks, where nobody shares your cache",
    "compiled": "long chains there, by name or `--expect`: it writes machine code",
    "zero": "one or two blocks a key, least memory",
}


def kernels_in_short(result: Result) -> list[str]:
    """A table of the differences between kernels, with keys of 128 bits."""
    lines = []
    for kernel, purpose in SHORT.items():
        values = result.rows["twofish", kernel, 128]
        cells = (
            f"`{kernel}`",
            purpose,
            "yes" if values["constant_time"] == "true" else "**no**",
            f"{int(values['context_bytes']):,}",
            f"{float(values['setup_cycles']):,.0f}",
            f"{float(values['block_cycles/encrypt']):,.0f}",
            f"{float(values['cycles_per_byte/8192/encrypt']):,.1f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return [
        "| 128-bit key | take it for | constant time | bytes | set-up | a block | 8 KiB, a byte |",
        "|---|---|---|--:|--:|--:|--:|",
        *lines,
        "",
        f"{measured(result.machine)}.",
    ]


def by_number(result: Result, measure: str) -> list[str]:
    """A table of a measure with a number in its name: "call/1", "call/2", and so on."""
    lines, numbers = [], []
    start = len(measure) + 1
    for (_, kernel, bits), values in result.rows.items():
        named = (item for item in values.items() if item[0].startswith(f"{measure}/"))
        found = {int(name[start:]): value for name, value in named}
        if found:
            numbers = sorted(found)
            cells = (f"{float(found[n]):,.0f}" for n in numbers)
            lines.append(f"| `{kernel}` | {bits} | {' | '.join(cells)} |")
    return [
        f"{measured(result.machine)}.",
        "",
        f"| kernel | key bits | {' | '.join(f'{n:,}' for n in numbers)} |",
        f"|---|--:|{'--:|' * len(numbers)}",
        *lines,
    ]


def curve(result: Result) -> list[str]:
    """Set-up plus encryption of one message, by the kernel that is best for its length."""
    best: dict[int, dict[int, str]] = {}
    for (_, kernel, bits), values in result.rows.items():
        for measure, value in values.items():
            if measure.startswith("curve/"):
                cell = f"`{kernel}` {float(value):.1f}"
                best.setdefault(int(measure[6:]), {})[bits] = cell
    sizes = sorted({bits for cells in best.values() for bits in cells})
    return [
        f"{measured(result.machine)}.",
        "",
        f"| bytes | {' | '.join(f'{bits}-bit key' for bits in sizes)} |",
        f"|--:|{'---|' * len(sizes)}",
        *(
            f"| {n_bytes:,} | {' | '.join(cells.get(bits, '') for bits in sizes)} |"
            for n_bytes, cells in sorted(best.items())
        ),
    ]


def cold(result: Result) -> list[str]:
    """Shared tables whose rows are in the cache, and those for the next of many keys."""
    lines = []
    for (_, kernel, bits), values in result.rows.items():
        setup, block = float(values["setup_cycles"]), float(values["block_cycles/encrypt"])
        figures = (setup, block, setup + block, float(values["cold_block_cycles"]))
        cells = (f"`{kernel}`", str(bits), *(f"{value:,.0f}" for value in figures))
        lines.append(f"| {' | '.join(cells)} |")
    machine = result.machine
    return [
        f"{machine['cpu']}; commit {machine['commit']}, {machine['date'][:10]}; cycles.",
        "",
        "| kernel | key bits | set-up | a block | both, the same rows again | both, the next of "
        "16,384 keys |",
        "|---|--:|--:|--:|--:|--:|",
        *lines,
    ]


# Ways to get a later key, and kernel `small`, which other pages quote.
LATER_KEYS = {
    "full": "full keying",
    "compiled": "compiled keying, by two calls of the system",
    "compiled-two-views": "compiled keying, with two views",
    "small": "",
}


def later_keys(result: Result) -> list[str]:
    """A later key by compiled keying beside full keying, and a block under it."""
    lines = []
    for (_, kernel, bits), values in result.rows.items():
        if name := LATER_KEYS[kernel]:
            setup, block = float(values["setup_cycles"]), float(values["block_cycles/encrypt"])
            more = setup - float(result.rows["twofish", "full", bits]["setup_cycles"])
            cells = (name, str(bits), f"{setup:,.0f}", f"{more:,.0f}", f"{block:,.0f}")
            lines.append(f"| {' | '.join(cells)} |")
    machine = result.machine
    return [
        f"{machine['cpu']}; commit {machine['commit']}, {machine['date'][:10]}; cycles.",
        "",
        "| way | key bits | a later key | more than full keying | a block alone |",
        "|---|--:|--:|--:|--:|",
        *lines,
    ]


# Each adds one trick of [KarnThread] to the one before.
LADDER = {
    "karn-plain": "none",
    "karn-sp": "tables have P behind each S-box",
    "karn-xor": "lookups are XORed into the block at once, not ORed first",
    "karn-turns": "even S-boxes, then odd ones",
    "karn-offsets": "subkeys are shifted, so that bytes are offsets",
    "karn-ip": "IP and its inverse by swaps, as R. Outerbridge did it",
}


def ladder(result: Result) -> list[str]:
    """The tricks for DES one by one: a block that waits for the one before, and what each saves."""
    lines, before = [], 0.0
    for kernel, trick in LADDER.items():
        cycles = float(result.rows["des", kernel, 64]["block_cycles/encrypt"])
        saved = f"{round(100 * (1 - cycles / before))} %" if before else ""
        lines.append(f"| `{kernel}` | {trick} | {cycles:,.0f} | {saved} |")
        before = cycles
    return [
        f"{measured(result.machine)}; core cycles.",
        "",
        "| kernel | trick more | one block | less than before |",
        "|---|---|--:|--:|",
        *lines,
    ]


TABLES: commands.Tables = {
    "cold": lambda path: cold(read(path)),
    "later keys": lambda path: later_keys(read(path)),
    "tricks": lambda path: ladder(read(path)),
    "kernels": lambda path: kernels(read(path)),
    "kernels in short": lambda path: kernels_in_short(read(path)),
    "des": lambda path: kernels(read(path), "cipher"),
    "calls": lambda path: by_number(read(path), "call"),
    "keys": lambda path: by_number(read(path), "keys"),
    "curve": lambda path: curve(read(path)),
    "peers": lambda path: comparison.table(comparison.read(path)),
    "many": lambda path: many.table(comparison.read(path)),
    "peers in short": lambda path: comparison.brief(comparison.read(path)),
}


def of_twofish(name: str) -> comparison.Comparison | None:
    found = comparison.read(ROOT / name)
    return found if found.cipher == "twofish" else None


def drawn(kind: str, name: str) -> Iterator[tuple[Path, str]]:
    """The chart that stands beside a table."""
    if kind == "peers in short" and (found := of_twofish(name)):
        yield ROOT / comparison.CHART, comparison.chart(found)
    if kind == "many" and (found := of_twofish(name)):
        yield ROOT / many.CHART, many.chart(found)
    if kind == "keys":
        result = read(ROOT / name)
        yield ROOT / many.KEYS_CHART, many.keys_chart(result.rows, result.machine)


def made_files() -> Iterator[tuple[Path, str]]:
    """All files made from CSV, as they must be: the documents, and the charts in them."""
    for document in filter(Path.exists, DOCUMENTS):
        text = document.read_text(encoding="utf-8")
        yield document, commands.filled(text, TABLES)
        for mark in commands.marked(TABLES).finditer(text):
            yield from drawn(mark["kind"], mark["name"])


def tables(*, check: bool) -> int:
    return max([commands.remake(path, made, check=check) for path, made in made_files()], default=0)


def main() -> int:
    if sys.argv[1:2] == ["take"] and len(sys.argv) == 3:
        return take(Path(sys.argv[2]))
    return commands.run(
        __doc__,
        {
            "ready": lambda: commands.refused(commands.commit()),
            "record": record,
            "tables": lambda: tables(check=False),
            "check": lambda: tables(check=True),
        },
    )


if __name__ == "__main__":
    sys.exit(main())
