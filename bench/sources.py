#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the tables of docs/sources.md: every statement of the sources, and who has which option.

bench/sources.py tables   make the tables between the markers in docs/sources.md again
bench/sources.py check    exit 1 if that would change anything, or a path or a command is none

sources.csv has the statements, languages.csv the options. In sources.csv a figure in braces is
looked up in the results that other pages show; two with " + ", " - " or " / " between them are
computed:

{full/128/setup_cycles}       the measurement of docs/keying-options.md
{message:1024}                a byte of a message there, by the best option that the slides have
{cold}                        there, set-up and a block of full-huge for new keys
{later:small/128/setup_cycles}          that of docs/decisions/compiled-keying.md
{des:des/sp2k/64/MEASURE}     the measurement of docs/des.md
{tricks:KERNEL}                there, a block of one of the kernels that show each trick
{des486:step}                 there, what one more DES adds in Triple-DES
{processors:alpha/full/128/encrypt 1}   that of docs/processors.md
{lab:EXPERIMENT/FIGURE}       lab/results/, the largest scale
{card:PROGRAM/FIELD}          smartcard/results.csv: ram, key, work, rom, cipher, tables, encrypt,
                              clocks, set_key
{gates:CORE/FIELD}            hardware/results.csv: gates, clocks, mbits
{text:FILE:NAME}              a number of a header
{code:KERNEL/PROCESSOR/KEYS/PART}       bench/code-sizes.csv: encrypt, decrypt, set_up, all
"""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import commands
from commands import ROOT

sys.path.insert(0, str(ROOT / "smartcard"))
sys.path.insert(0, str(ROOT / "hardware"))
import cores
import programs

PAGE = ROOT / "docs" / "sources.md"
STATEMENTS = ROOT / "bench" / "sources.csv"
LANGUAGES = ROOT / "bench" / "languages.csv"
HELP = ROOT / "rust" / "manyfish-cli" / "tests" / "cases" / "help.trycmd"

SCALES = ("small", "paper", "full")
# The options that the tables of 1998 have.
OPTIONS = ("full", "partial", "minimal", "zero", "compiled")
KEY_BITS = (128, 192, 256)
HEADS = ("statement", "where it is built", "command", "published", "ours", "counted alike?")

Row = dict[str, str]


class SourcesError(Exception):
    """A row of the table that is not true, or cannot be looked up."""


# --- results ------------------------------------------------------------------------------------


@functools.cache
def shown(page: str, mark: str) -> list[Row]:
    """The measurement that a page names behind a mark."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.search(rf"<!-- {re.escape(mark)}: (bench/results/\S+) -->", text)
    if not found:
        raise SourcesError(f"docs/{page} names no file behind {mark}")
    return commands.read(ROOT / found[1]).rows


def measured(rows: list[Row], cipher: str, place: str) -> float:
    """A figure of `manyfish speed`: KERNEL/BITS/MEASURE."""
    kernel, bits, measure = place.split("/", 2)
    wanted = (cipher, kernel, bits, measure)
    columns = ("cipher", "kernel", "key_bits", "measure")
    found = (row["value"] for row in rows if tuple(row[name] for name in columns) == wanted)
    return float(next(found))


def paper(place: str) -> float:
    return measured(shown("keying-options.md", "speed --paper"), "twofish", place)


def message(n_bytes: str) -> float:
    rows = shown("keying-options.md", "speed --paper")
    return min(
        float(row["value"])
        for row in rows
        if row["kernel"] in OPTIONS
        and (row["key_bits"], row["measure"]) == ("128", f"message/{n_bytes}")
    )


def cold(_: str) -> float:
    rows = shown("keying-options.md", "cold")
    return measured(rows, "twofish", "full-huge/128/cold_block_cycles")


def later_keys(place: str) -> float:
    return measured(shown("decisions/compiled-keying.md", "later keys"), "twofish", place)


def des(place: str) -> float:
    cipher, rest = place.split("/", 1)
    return measured(shown("des.md", "speed --cipher des"), cipher, rest)


def tricks(kernel: str) -> float:
    return measured(shown("des.md", "tricks"), "des", f"{kernel}/64/block_cycles/encrypt")


def step(_: str) -> float:
    """The second and the third DES of Triple-DES, half each: they have no permutations."""
    return (des("3des/sp2k/192/block_cycles/encrypt") - des("des/sp2k/64/block_cycles/encrypt")) / 2


def processors(place: str) -> float:
    wanted = place.split("/", 3)
    columns = ("processor", "kernel", "key_bits", "measure")
    rows = shown("processors.md", "table-5.1")
    return float(next(row["value"] for row in rows if [row[name] for name in columns] == wanted))


@functools.cache
def experiment(name: str) -> dict[str, str]:
    """Our figures of an experiment, by what they are."""
    paths = (ROOT / "lab" / "results" / f"{name}.{scale}.json" for scale in reversed(SCALES))
    found = json.loads(next(path for path in paths if path.exists()).read_text(encoding="utf-8"))
    figures: dict[str, str] = {}
    for table in found["findings"]["tables"]:
        for cell in table["cells"]:
            figures.setdefault(cell["what"], cell["ours"])
    return figures


def lab(place: str) -> str:
    name, what = place.split("/", 1)
    return experiment(name)[what]


@functools.cache
def cards() -> dict[str, Row]:
    rows = commands.read(ROOT / "smartcard" / "results.csv").rows
    return {row["program"]: row for row in rows if row["timing"] in ("hc05", "6502")}


def card(place: str) -> float | str:
    name, field = place.split("/")
    row = cards()[name]

    def number(*names: str) -> int:
        return sum(int(row[each]) for each in names)

    of: dict[str, Callable[[], float | str]] = {
        "ram": lambda: f"{number('key_ram')} + {number('work_ram')}",
        "key": lambda: number("key_ram"),
        "work": lambda: number("work_ram"),
        "rom": lambda: number("cipher", "tables", "set_key"),
        "cipher": lambda: number("cipher"),
        "tables": lambda: number("tables"),
        "encrypt": lambda: number("encrypt_most"),
        "clocks": lambda: max(int(row[each] or 0) for each in ("encrypt_most", "decrypt_most")),
        "set_key": lambda: number("set_key_most"),
    }
    return of[field]()


def gates(place: str) -> float:
    name, field = place.split("/")
    rows = commands.read(ROOT / "hardware" / "results.csv").rows
    row = next(row for row in rows if row["core"] == name)
    if field == "gates":
        return sum(float(row[each]) for each in ("flip_flops", "latches", "rest"))
    levels = cores.CORES[name].levels
    clocks = float(row["clocks"]) / levels
    return clocks if field == "clocks" else 128 * 1000 / float(row["ns"]) / clocks


def text_of(place: str) -> str:
    path, name = place.rsplit(":", 1)
    text = (ROOT / path).read_text(encoding="utf-8")
    found = re.search(rf"\b{name} (\d+)", text)
    if not found:
        raise SourcesError(f"{path} has no number {name}")
    return found[1]


def code(place: str) -> float:
    *wanted, part = place.split("/")
    rows = commands.read(ROOT / "bench" / "code-sizes.csv").rows
    columns = ("kernel", "processor", "keys")
    return float(next(row[part] for row in rows if [row[name] for name in columns] == wanted))


LOOKUPS: dict[str, Callable[[str], float | str]] = {
    "message": message,
    "later": later_keys,
    "des": des,
    "tricks": tricks,
    "des486": step,
    "processors": processors,
    "lab": lab,
    "card": card,
    "gates": gates,
    "text": text_of,
    "code": code,
}


# --- figures ------------------------------------------------------------------------------------


def looked_up(term: str) -> float | str:
    if term == "cold":
        return cold(term)
    if re.fullmatch(r"\d+", term):
        return float(term)
    kind, colon, place = term.partition(":")
    try:
        return LOOKUPS[kind](place) if colon and kind in LOOKUPS else paper(term)
    except (StopIteration, KeyError, ValueError) as error:
        raise SourcesError(f"no result has {{{term}}}") from error


def figure(expression: str) -> str:
    """A term, or two with an operator between them, as it is printed."""
    found = re.fullmatch(r"(.+?) ([-+/]) (.+)", expression)
    if not found or expression.startswith(("lab:", "text:")):
        value = looked_up(expression)
        return value if isinstance(value, str) else printed(value)
    one, two = float(looked_up(found[1])), float(looked_up(found[3]))
    if found[2] == "/":
        return f"{one / two:.2g}"
    return printed(one - two if found[2] == "-" else one + two)


def printed(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def filled(text: str) -> str:
    return re.sub(r"\{([^}]+)\}", lambda mark: figure(mark[1]), text)


# --- paths and commands ----------------------------------------------------------------------


def links(paths: str) -> str:
    """Each path as a link from the page."""
    found = []
    for path in paths.split():
        if not (ROOT / path).exists():
            raise SourcesError(f"there is no {path}")
        found.append(f"[{Path(path).name}](../{path})")
    return ", ".join(found)


@functools.cache
def help_text() -> str:
    return HELP.read_text(encoding="utf-8")


def of_make(name: str) -> bool:
    """Whether it is a target, or a part of the tests, which is one too."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    parts = (ROOT / "scripts" / "parts.txt").read_text(encoding="utf-8")
    is_part = re.search(rf"^part: *{re.escape(name)}$", parts, re.MULTILINE)
    return bool(is_part or re.search(rf"^{re.escape(name)}:", makefile, re.MULTILINE))


def of_manyfish(words: str) -> bool:
    """Whether the help of a command has all options that the words name."""
    name, *options = words.split(" --")
    start = re.escape(f"$ manyfish {name} --help\n")
    found = re.search(rf"^{start}(.*?)^```", help_text(), re.MULTILINE | re.DOTALL)
    if not found:
        return False
    wanted = [option.split()[0] for option in options]
    return all(re.search(rf"--{option}(?![\w-])", found[1]) for option in wanted)


COMMANDS: dict[str, Callable[[str], bool]] = {
    "make": of_make,
    "manyfish": of_manyfish,
    "manyfish-lab run": lambda name: (
        ROOT / "lab" / "manyfish_lab" / "experiments" / f"{name.replace('-', '_')}.py"
    ).exists(),
    "smartcard/measure.py": lambda name: name in cards(),
    "hardware/synthesis.py": lambda name: name in cores.CORES,
    "scripts/code-sizes": lambda option: option == "check",
}


def command(words: str) -> str:
    """A command that exists, as code; nothing for none."""
    if not words:
        return ""
    for program, exists in COMMANDS.items():
        if words.startswith(f"{program} "):
            if exists(words[len(program) + 1 :]):
                return f"`{words}`"
            raise SourcesError(f"there is no command: {words}")
    raise SourcesError(f"{words}: no program of COMMANDS")


# --- the page -----------------------------------------------------------------------------------


def table_3(row: Row) -> Iterator[Row]:
    """The rows of [TR3, Table 3], as the programs of the 6805 have them."""
    for program in programs.PROGRAMS.values():
        if (then := program.paper) and program.cipher == "twofish":
            name = program.name
            yield {
                **row,
                "statement": f"Table 3, {then.clocks:,} clocks: RAM; ROM; clocks",
                "where": "smartcard/programs.py",
                "command": f"smartcard/measure.py {name}",
                "published": f"{then.key_ram} + {then.work_ram}; {then.rom:,}; {then.clocks:,}",
                "ours": f"{{card:{name}/ram}}; {{card:{name}/rom}}; {{card:{name}/clocks}}",
                "counted": "alike",
            }


def table_4(row: Row) -> Iterator[Row]:
    """The rows of [TR3, Table 4], as the cores have them."""
    for core in cores.CORES.values():
        if then := core.paper:
            name = core.name
            yield {
                **row,
                "statement": f"Table 4, {then.gates:,} gates, {core.about}: gates; Mbit/s",
                "where": f"hardware/rtl/{core.module}.v",
                "command": f"hardware/synthesis.py {name}",
                "published": f"{then.gates:,}; {then.mbits:,}",
                "ours": f"{{gates:{name}/gates}}; {{gates:{name}/mbits}}",
                "counted": "theirs estimated; ours synthesised"
                + (", without the RAM" if core.store == "RAM" or "RAM" in core.about else ""),
            }


def option(row: Row, then: Row, table: str) -> Row:
    """A row of a table of keying options beside its kernel here: three set-ups, and blocks."""
    kernel = then["kernel"]
    file = kernel.replace("-", "_")
    paths = {
        "compiled": "c/study/src/compiled.c",
        "compiled-big": "c/study/src/compiled.c",
        "full-big": f"c/study/src/{file}.c",
        "partial-big": f"c/study/src/{file}.c",
    }
    size = then.get("code_bytes")
    then_is_ours = then["processor"] == "Pentium Pro" and then["language"] == "assembler"
    return {
        **row,
        "statement": f"{table}, {then['processor']}, {then['language']}, {kernel}: set-up; block"
        + ("; code" if size else ""),
        "where": paths.get(kernel, f"c/src/twofish/kernels/{file}.c"),
        "command": "manyfish speed --paper",
        "published": f"{sizes(then, 'setup')}; {sizes(then, 'block')}"
        + (f"; {int(size):,}" if size else ""),
        "ours": f"{here(kernel, 'setup_cycles')}; {here(kernel, 'block_cycles/encrypt')}"
        + (f"; {printed(paper(f'{kernel}/128/code_bytes'))}" if size else ""),
        "counted": "alike" if then_is_ours else "another machine or compiler",
    }


def sizes(then: Row, what: str) -> str:
    """The clocks of the three key sizes, or those that are all alike."""
    values = [then[f"{what}_{bits}"] for bits in KEY_BITS]
    return spread([f"{int(value):,}" for value in values if value])


def here(kernel: str, measure: str) -> str:
    return spread([printed(paper(f"{kernel}/{bits}/{measure}")) for bits in KEY_BITS])


def spread(values: list[str]) -> str:
    return values[0] if len(set(values)) == 1 else " / ".join(values)


def table_5(number: str) -> Callable[[Row], Iterator[Row]]:
    """Table 5.1 or 5.2; the forecast of the Alpha is a statement by itself."""

    def made(row: Row) -> Iterator[Row]:
        for then in commands.read(ROOT / "bench" / f"table-{number}.csv").rows:
            if then["setup_128"]:
                made_of = option(row, then, f"Table {number}")
                if not then["code_bytes"]:
                    made_of["counted"] += "; the source prints it one column too far left"
                yield made_of

    return made


def earlier(source: str, tables: tuple[str, str]) -> Callable[[Row], Iterator[Row]]:
    """The tables before the book; the second of a source has the large tables."""

    def made(row: Row) -> Iterator[Row]:
        for then in commands.read(ROOT / "bench" / "table-earlier.csv").rows:
            if then["source"] == source:
                is_second = then["kernel"].endswith("-big")
                made_of = option(row, then, tables[is_second])
                made_of["counted"] += otherwise(then, in_book(then))
                yield made_of

    return made


def in_book(then: Row) -> Row:
    """The row of the book for the same machine and option."""
    same = ("processor", "language", "kernel")
    rows = (
        row for n in ("5.1", "5.2") for row in commands.read(ROOT / f"bench/table-{n}.csv").rows
    )
    return next(row for row in rows if all(row[name] == then[name] for name in same))


def otherwise(then: Row, book: Row) -> str:
    """The book's figures, where they are others."""
    clocks = [f"{what}_{bits}" for what in ("setup", "block") for bits in KEY_BITS]
    if all(then[name] in ("", book[name]) for name in clocks):
        return ""
    return f"; the book has {sizes(book, 'setup')}; {sizes(book, 'block')}"


WHOLE_TABLES = {
    "@TABLE 5.1": table_5("5.1"),
    "@TABLE 5.2": table_5("5.2"),
    "@TABLE slides": earlier("slides", ("Slide", "")),
    "@TABLE report": earlier("report", ("Table 1", "Table 2")),
    "@TABLE 3": table_3,
    "@TABLE 4": table_4,
}


def statements() -> Iterator[Row]:
    for row in commands.read(STATEMENTS).rows:
        whole = WHOLE_TABLES.get(row["statement"])
        yield from whole(row) if whole else [row]


def line(row: Row) -> str:
    try:
        cells = (
            row["statement"],
            links(row["where"]),
            command(row["command"]),
            row["published"],
            filled(row["ours"]),
            filled(row["counted"]),
        )
    except SourcesError as error:
        raise SourcesError(f"{row['statement']}: {error}") from error
    return f"| {' | '.join(map(raised, cells))} |"


def raised(text: str) -> str:
    """Powers as they are printed."""
    return re.sub(r"\^(-?\d+(?:\.\d+)?)", r"<sup>\1</sup>", text)


def all_statements() -> Iterator[str]:
    section = None
    for row in statements():
        if row["section"] != section:
            section = row["section"]
            yield from (
                "",
                f"## {section}",
                "",
                f"| {' | '.join(HEADS)} |",
                "|---|---|---|---|---|---|",
            )
        yield line(row)
    yield ""


def all_languages() -> Iterator[str]:
    """The options by languages: a path is a link, one behind a minus must not be there."""
    rows = commands.read(LANGUAGES).rows
    heads = list(rows[0])
    yield from ("", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}")
    for row in rows:
        cells = [row[heads[0]], *(in_language(row[head]) for head in heads[1:])]
        yield f"| {' | '.join(cells)} |"
    yield ""


def in_language(cell: str) -> str:
    if not cell.startswith("-"):
        return links(cell) if cell else ""
    if (ROOT / cell[1:]).exists():
        raise SourcesError(f"{cell[1:]} exists, but bench/languages.csv says no")
    return ""


MADE = {"statements": all_statements, "languages": all_languages}


def page(text: str) -> str:
    for name, made in MADE.items():
        start, end = f"<!-- {name}: made by bench/sources.py -->\n", f"<!-- end of {name} -->"
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        if not after:
            raise SourcesError(f"docs/sources.md has no place for {name}")
        text = before + start + "\n".join(made()) + "\n" + end + after
    return text


def main() -> int:
    def make(*, check: bool) -> int:
        try:
            return commands.remake(PAGE, page(PAGE.read_text(encoding="utf-8")), check=check)
        except SourcesError as error:
            return commands.fault(str(error), "mend bench/sources.csv or bench/languages.csv")

    return commands.run(
        __doc__, {"tables": lambda: make(check=False), "check": lambda: make(check=True)}
    )


if __name__ == "__main__":
    sys.exit(main())
