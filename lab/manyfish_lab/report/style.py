# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How pictures look: sizes, colours for light and dark pages, numbers and powers as text.

Figures that a source has printed are grey and hollow; ours have colours that people who see fewer
colours can tell apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import floor, log10
from typing import Any

import matplotlib

# A series whose name begins so is drawn as that of a source.
PUBLISHED = "published"

WIDTH, HEIGHT = 720, 360  # pixels, of which matplotlib takes 72 for an inch
LEFT, RIGHT, TOP, BOTTOM = 84, 18, 34, 52
LETTER = 6.6  # width of a letter of 12 pixels, on average
LEGEND_ROW = 20
BAR_ROW = 22  # height of a bar that lies
FEW = 24  # at most this many points have names, or stand one by one in the text

TEXT, NOTE, GRID, PAPER = "#1f2328", "#59636e", "#d1d9e0", "#ffffff"
# Light and dark, of each series; then what else has a colour.
SERIES = (
    ("#0072b2", "#56a8f5"),
    ("#d55e00", "#f0883e"),
    ("#009e73", "#3fb68b"),
    ("#aa4499", "#db8fc4"),
    ("#b8860b", "#e3b341"),
    ("#3a3f99", "#a5a8f0"),
)
DARK = {TEXT: "#e6edf3", NOTE: "#9198a1", GRID: "#3d444d", PAPER: "#0d1117", **dict(SERIES)}
MARKERS = "os^vDP"

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "manyfish-lab",
    "font.family": ["DejaVu Sans"],  # comes with matplotlib; readers see the font of CSS
    "font.size": 12,
    "axes.edgecolor": NOTE,
    "axes.labelcolor": TEXT,
    "axes.linewidth": 1,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "figure.facecolor": PAPER,
    "grid.color": GRID,
    "text.color": TEXT,
    "xtick.color": NOTE,
    "ytick.color": NOTE,
    "xtick.labelcolor": TEXT,
    "ytick.labelcolor": TEXT,
}
FONT = 'system-ui, -apple-system, "Segoe UI", sans-serif'
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def raised(text: str) -> str:
    """Powers of whole numbers as they are printed: 2^-8 with its exponent above the line."""
    return re.sub(r"\^(-?\d+)(?![\d.])", lambda match: match[1].translate(RAISED), text)


def number(value: float, _: object = None) -> str:
    """A number below an axis: plain if it is short, else a power of ten or its digits."""
    if value and not 1e-4 <= abs(value) < 1e6:
        exponent = floor(log10(abs(value)) + 1e-9)
        digits = f"{value / 10.0**exponent:.3g}"
        power = f"10^{exponent}"
        return raised(power if digits == "1" else f"{digits}·{power}")
    return f"{value:,.6g}"


def is_published(name: str) -> bool:
    return name.lower().startswith(PUBLISHED)


def style_sheet() -> str:
    rules = [
        f"text {{ font-family: {FONT}; }}",
        '[id^="squares"] { shape-rendering: crispEdges; }',
        "@media (prefers-color-scheme: dark) {",
    ]
    for light, dark in DARK.items():
        rules += [
            f'  [style*="{what}: {light}"] {{ {what}: {dark} !important; }}'
            for what in ("fill", "stroke")
        ]
    return "\n".join([*rules, "}"])


@contextmanager
def style() -> Iterator[None]:
    """Ours over matplotlib's own, whatever the settings of the user."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        yield
