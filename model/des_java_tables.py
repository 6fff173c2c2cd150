# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints the tables of DES for the Java package org.manyfish.block."""

from __future__ import annotations

from collections.abc import Callable

import des
from des_c_tables import sp_table
from java_tables import FOLDER, head, table


def des_tables_java() -> str:
    boxes = "\n".join(table(f"SP{n + 1}", sp_table(n), 8) for n in range(8))
    return (
        head("The fixed tables of DES. Names are those of [FIPS46-3].")
        + f"""\
final class DesTables {{
    private DesTables() {{}}

    // SPn[x] is S_n of the six bits x, in the order of E, and then P; rotated left by 3.
{boxes}
    // Which bit comes next, 1 being the highest.
{table("PC_1", des.PC_1, 2)}
{table("PC_2", des.PC_2, 2)}
{table("LEFT_SHIFTS", des.LEFT_SHIFTS, 2)}}}
"""
    )


FILES: dict[str, Callable[[], str]] = {
    f"{FOLDER}/DesTables.java": des_tables_java,
}
