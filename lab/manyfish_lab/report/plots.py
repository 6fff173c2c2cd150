# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Plots of experiments as SVG.

Equal plots give equal bytes under one version of matplotlib: nothing random, no date, coordinates
of two digits. Each file says by which version it was made, and has a fingerprint of its plot, by
which `same_picture` can tell under another version. Text stays text.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from dataclasses import asdict
from html import escape
from pathlib import Path

import matplotlib

from manyfish_lab.experiment import Plot
from manyfish_lab.report.drawing import Drawing
from manyfish_lab.report.heat import extremes
from manyfish_lab.report.style import FEW, WIDTH, number, raised, style, style_sheet

# The settings that a picture depends on, besides its plot.
CODE = ("plots", "drawing", "heat", "style")

TAG = re.compile("<[^>]*>")
COORDINATE = re.compile(r"(-?\d+\.\d\d)(?!\d)")
NUMBER = r"(-?[\d.]+)"
RECTANGLE = re.compile(rf"M {NUMBER} {NUMBER} L {NUMBER} \2 L \3 {NUMBER} L \1 \4 (?:L \1 \2 )?z ?")


def described(plot: Plot) -> str:
    """The picture in words, for people who do not see it."""
    what = f"{plot.y_label} by {plot.x_label}"
    if plot.kind == "heat":
        low, high = map(number, extremes(plot))
        rows, columns = len(plot.grid), len(plot.grid[0])
        return f"{what}: {rows} rows of {columns} values from {low} to {high}."
    parts = [f"{what}."]
    for name, points in plot.series.items():
        shown = points if len(points) <= FEW else (points[0], points[-1])
        said = ", ".join(f"{place(plot, x)}: {number(y)}" for x, y in shown)
        parts.append(
            f"{name}: {said}{'' if shown is points else ', the first and the last point'}."
        )
    return raised(" ".join(parts))


def place(plot: Plot, x: float) -> str:
    return plot.x_names[int(x)] if plot.x_names else number(x)


def tidied(text: str) -> str:
    """matplotlib's SVG, shorter, and with two digits a coordinate."""
    text = text[text.index("<svg") :]
    text = re.sub(r'<svg [^>]*viewBox="([^"]*)"[^>]*>', r"<svg \1>", text, count=1)
    text = re.sub(r"font-family: [^;\"]*;? ?", "", text)
    text = re.sub(r' transform="rotate\(-0 [^"]*\)"', "", text)
    text = TAG.sub(lambda tag: re.sub(r"-?\d+\.\d{3,}", _rounded, tag[0]), text)
    text = re.sub(r"\s*\n(?=[LMCQz\"])", " ", text)
    text = RECTANGLE.sub(r"M\1 \2H\3V\4H\1z", text)
    text = re.sub(r"\s*\n\s*", "\n", ungrouped(text))
    text = re.sub(r"<defs>\n(.*)\n</defs>", r"<defs>\1</defs>", text)
    names = dict.fromkeys(re.findall(r'id="([a-z][0-9a-f]{10})"', text))
    for count, name in enumerate(names, 1):
        text = text.replace(name, f"i{count}")
    return text


def ungrouped(text: str) -> str:
    """Without groups that hold nothing, or have nothing but a name that the style sheet does not
    use: most of matplotlib's.
    """
    kept: list[bool] = []

    def tag(match: re.Match[str]) -> str:
        if match[0].endswith("/>"):
            return ""
        if match[0] != "</g>":
            kept.append(not re.fullmatch(r'<g( id="(?!squares)[^"]*")?>', match[0]))
            return match[0] if kept[-1] else ""
        return match[0] if kept.pop() else ""

    return re.sub(r"<g\b[^>]*>|</g>", tag, text)


def _rounded(coordinate: re.Match[str]) -> str:
    return f"{float(coordinate[0]) + 0:.2f}"


def fingerprint(plot: Plot) -> str:
    """Of all that a picture is made from, except matplotlib."""
    code = (Path(__file__).with_name(f"{name}.py").read_text("utf-8") for name in CODE)
    made_from = json.dumps(asdict(plot), sort_keys=True) + "".join(code)
    return hashlib.sha256(made_from.encode()).hexdigest()[:16]


def same_picture(old: str, new: str) -> bool:
    """Whether both are the same plot, by one version of matplotlib or by two.

    By two, their fingerprints tell, and a file that somebody changed by hand is not found. By one,
    numbers may differ by what processors round differently, and all else is equal.
    """
    made = [re.search("<metadata>(.*), (.*)</metadata>", text) for text in (old, new)]
    if not made[0] or not made[1] or made[0][2] != made[1][2]:
        return old == new
    return made[0][1] != made[1][1] or _alike(old, new)


def _alike(old: str, new: str) -> bool:
    """Whether coordinates are nearly equal, and all else is."""
    (head, _, body), (new_head, _, new_body) = (text.partition("</style>") for text in (old, new))
    parts, new_parts = TAG.split(body), TAG.split(new_body)
    return (
        head == new_head
        and parts == new_parts
        and all(map(_same_tag, TAG.findall(body), TAG.findall(new_body)))
    )


def _same_tag(old: str, new: str) -> bool:
    parts, new_parts = COORDINATE.split(old), COORDINATE.split(new)
    return (
        len(parts) == len(new_parts)
        and parts[::2] == new_parts[::2]
        and all(abs(float(a) - float(b)) < 0.025 for a, b in zip(parts[1::2], new_parts[1::2]))
    )


def svg(plot: Plot) -> str:
    """The plot as SVG, with its title and its content in words."""
    with style():
        drawing = Drawing(plot)
        drawing.draw()
        out = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        drawing.figure.savefig(out, format="svg", metadata=nothing)
    body = tidied(out.getvalue())
    rest = body[body.index(">") + 1 :]
    size = f'width="{WIDTH}" height="{drawing.height}" viewBox="0 0 {WIDTH} {drawing.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {size}'
        ' role="img" aria-labelledby="title desc">\n'
        f'<title id="title">{escape(raised(plot.title))}</title>\n'
        f'<desc id="desc">{escape(described(plot))}</desc>\n'
        f"<metadata>matplotlib {matplotlib.__version__}, {fingerprint(plot)}</metadata>\n"
        f"<style>\n{style_sheet()}\n</style>{rest}"
    )


def printed(plot: Plot, kind: str) -> bytes:
    """The same picture for a paper, as "pdf" or "png", without a date."""
    with style():
        drawing = Drawing(plot)
        drawing.draw()
        out = io.BytesIO()
        nothing = {"CreationDate": None} if kind == "pdf" else {}
        drawing.figure.savefig(out, format=kind, dpi=300, metadata=nothing)
    return out.getvalue()
