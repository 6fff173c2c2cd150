# SPDX-License-Identifier: Apache-2.0 OR MIT
"""PROGRAMS: every configuration that is built, tested and measured, a row for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Paper:
    """A row of [TR3, Table 3], or its DES: bytes of RAM for key and work, of ROM, clocks a block.

    milliseconds at 4 MHz are given where the paper prints another figure than the clocks make.
    """

    key_ram: int
    work_ram: int
    rom: int
    clocks: int
    milliseconds: float | None = None


@dataclass(frozen=True)
class Program:
    """A configuration.

    machine     the module in machines/
    about       what sets it apart, in a few words for a table
    options     name = value lines before the assembly; where sources differ by the card, what the
                machine's module knows
    s_apart     S_i is at twofish_s + 8i, where twofish_rs leaves it, not at twofish_s + 4i; the
                symbols of S_1 to S_3 are then twofish_s1 to twofish_s3
    memory      bytes that stay between blocks besides key and S, at twofish_memory: the subkeys
    sboxes      bytes at twofish_sboxes, which stay too
    host        key memory but twofish_key is made by a host: machines/host.py
    eeprom      key, S and memory are in EEPROM: none of them is RAM
    masked      key and text come in two shares, whose xor they are; a block renews the masks of
                what stays between blocks
    directions  what the image can do
    paper       the row of Table 3 that it answers, or what the report says of DES
    aim         clocks that we want an encryption to take
    exceptions  why the program does not reach the paper's figure or the aim: of "ram", "rom",
                "clocks" or "aim"
    compared    figures of others for the same class: (who, ROM, RAM, clocks)
    beside      the program of the 6805 of the same class, which results are shown beside
    cipher      the name that its symbols begin with, in ciphers.py
    """

    name: str
    machine: str
    key_bits: int = 128
    about: str = ""
    options: Mapping[str, int | str] = field(default_factory=dict)
    s_apart: bool = False
    memory: int = 0
    sboxes: int = 0
    host: bool = False
    eeprom: bool = False
    masked: bool = False
    directions: tuple[str, ...] = ("encrypt", "decrypt")
    paper: Paper | None = None
    aim: int | None = None
    exceptions: Mapping[str, str] = field(default_factory=dict)
    compared: tuple[tuple[str, int, int, int], ...] = ()
    beside: str = ""
    cipher: str = "twofish"

    @property
    def key_bytes(self) -> int:
        return self.key_bits // 8

    @property
    def makes_sboxes(self) -> bool:
        """On the card, which no host helps."""
        return bool(self.sboxes) and not self.host

    def symbol(self, name: str) -> str:
        """Of text, key, set_key, encrypt or decrypt."""
        return f"{self.cipher}_{name}"

    @property
    def key_memory(self) -> Mapping[str, int]:
        """Bytes at each symbol whose content stays between blocks: key, S, and the rest."""
        sizes = {self.symbol("key"): self.key_bytes * (2 if self.masked else 1)}
        if self.cipher != "twofish":
            return sizes
        if self.s_apart:
            sizes |= {f"twofish_s{i or ''}": 4 for i in range(self.key_bytes // 8)}
        else:
            sizes["twofish_s"] = self.key_bytes // 2
        others = {"twofish_memory": self.memory, "twofish_sboxes": self.sboxes}
        return sizes | {name: count for name, count in others.items() if count}

    @property
    def unchanged(self) -> tuple[str, ...]:
        """The symbols of key memory that a block leaves as it is."""
        return (self.symbol("key"),) if self.masked else tuple(self.key_memory)


def _longer(program: Program) -> Iterator[Program]:
    """The same for keys of 192 and 256 bits, of which the paper gives differences only."""
    for bits in (192, 256):
        yield replace(
            program,
            name=f"{program.name}_{bits}",
            key_bits=bits,
            paper=None,
            aim=None,
            compared=(),
            beside="",
        )


def _encrypt_only(program: Program) -> Program:
    return replace(
        program,
        name=f"{program.name}_enc",
        directions=("encrypt",),
        paper=None,
        aim=None,
        exceptions={},
        beside="",
    )


SUBKEYS = 160
S_BOXES = 1024
MDS_TABLES = 3072  # each column of MDS has three different entries


def _program(name: str, machine: str, **more: Any) -> Program:
    """A name that is no field of Program is an option of the assembly."""
    fields = {name: more.pop(name) for name in list(more) if name in Program.__dataclass_fields__}
    return Program(name, machine, options=more, **fields)


def _m6805(name: str, memory: int, paper: Paper | None, aim: int | None, **more: Any) -> Program:
    """A program on a 6805."""
    return _program(name, "m6805", memory=memory, paper=paper, aim=aim, **more)


_FLY_OPTIONS = {
    "rs_constant": 0,
    "one_h": 0,
    "sboxes_stored": 0,
    "two_rounds": 0,
    "shared_rows": 0,
    "whitening_loop": 0,
    "exchange_loop": 0,
}


def _fly(name: str, paper: Paper | None, aim: int | None, **more: Any) -> Program:
    """A program that computes everything in each round."""
    return _m6805(name, 0, paper, aim, s_apart=True, **(_FLY_OPTIONS | more))


_SHARED = {"two_rounds": 1, "shared_rows": 1}
_LOOPS = {"whitening_loop": 1, "exchange_loop": 1}
_TWO_TABLES = {"mds_tables": 2, **_SHARED, **_LOOPS}

# [TR3, Table 3]. The option mds_tables: 2 (EF and 5B), 1 (half) or 0.
_FLY = (
    _fly("fly_2tables", Paper(24, 36, 2200, 26500), 25600, rs_constant=1, **_TWO_TABLES),
    _fly("fly_1table", Paper(24, 36, 2150, 32900), 27800, mds_tables=1, rs_constant=1, **_SHARED),
    _fly("fly_0tables", Paper(24, 36, 2000, 35000, 8.7), 28700, mds_tables=0, **_SHARED),
    _fly("fly_small", Paper(24, 36, 1750, 37100), 31600, mds_tables=1, **_LOOPS),
)
# Our own: the fastest, the most that 2,000 bytes give, key and S in EEPROM, the least with tables.
_FLY_OTHERS = (
    _fly(
        "fly_unrolled",
        None,
        None,
        about="two rounds unrolled",
        mds_tables=2,
        rs_constant=1,
        two_rounds=1,
    ),
    _fly(
        "fly_2tables_short",
        None,
        None,
        about="whitening in a loop",
        mds_tables=2,
        rs_constant=1,
        whitening_loop=1,
    ),
    _fly("fly_rs_tables", None, None, about="RS with two tables", rs_tables=1, **_TWO_TABLES),
    _fly(
        "fly_eeprom",
        None,
        None,
        about="as fly_2tables, its key prepared in EEPROM",
        host=True,
        eeprom=True,
        **_TWO_TABLES,
    ),
    _fly("fly_one_h", None, None, about="one h", mds_tables=0, one_h=1, **_LOOPS),
)
# S-boxes in memory, subkeys made in each round: [TR3, 3.2] takes roughly 6,000 clocks less then.
_FLY_SBOXES = _fly(
    "fly_sboxes",
    None,
    20500,
    about="as fly_unrolled, makes S-boxes once",
    sboxes=S_BOXES,
    sboxes_stored=1,
    mds_tables=2,
    rs_constant=1,
    two_rounds=1,
)

_FLY_EEPROM = next(program for program in _FLY_OTHERS if program.eeprom)
_K = SUBKEYS
_KS = SUBKEYS + S_BOXES


def _subkeys(name: str, paper: Paper | None, aim: int | None, **more: Any) -> Program:
    """A program that expands its key; longer keys do not fit into page zero."""
    more = {"s_apart": True, "keeps": 1, "pairs": 0, "rs_constant": 0, "whitening": 0} | more
    return _m6805(name, _K, paper, aim, **more)


_STORED = (
    _subkeys(
        "subkeys_2tables",
        Paper(184, 36, 1900, 15300),
        14300,
        mds_tables=2,
        whitening=1,
        rs_constant=1,
    ),
    _subkeys(
        "subkeys_1table",
        Paper(184, 36, 1700, 18100),
        15500,
        mds_tables=1,
        whitening=1,
        rs_constant=1,
    ),
    _subkeys("subkeys_small", Paper(184, 36, 1450, 19200), None, mds_tables=0),
)
_EEPROM = tuple(
    _subkeys(
        name,
        None,
        None,
        about=f"as {name.replace('eeprom', 'subkeys')}, above page zero",
        mds_tables=tables,
        host=True,
        eeprom=True,
    )
    for name, tables in (("eeprom_2tables", 2), ("eeprom_1table", 1), ("eeprom_small", 0))
)


def _prepared(name: str, sboxes: int, paper: Paper | None, aim: int | None, **more: Any) -> Program:
    """A program whose memory a host prepares; the S-boxes are above page zero."""
    more = {
        "s_apart": True,
        "host": True,
        "sboxes": sboxes,
        "rom": 0x100 + sboxes,
        "whitening": 0,
    } | more
    return _m6805(name, _K, paper, aim, **more)


def _sboxes(name: str, paper: Paper | None, aim: int | None, **more: Any) -> Program:
    return _prepared(name, S_BOXES, paper, aim, keeps=2, **more)


_PREPARED = (
    _sboxes(
        "sboxes_2tables", Paper(1208, 36, 1300, 12700), 10900, pairs=1, mds_tables=2, whitening=1
    ),
    _sboxes(
        "sboxes_1table", Paper(1208, 36, 1100, 15500), None, pairs=1, mds_tables=1, whitening=1
    ),
    _sboxes("sboxes_small", Paper(1208, 36, 850, 16600), 11850, pairs=0, mds_tables=1, whitening=1),
    _prepared(
        "mds",
        MDS_TABLES,
        Paper(3256, 36, 1000, 11900),
        9400,
        keeps=3,
        pairs=1,
        mds_tables=0,
        whitening=2,
    ),
)

# More than Table 3 asks for.
_STORED_TOO = (
    _subkeys(
        "subkeys_unrolled",
        None,
        None,
        about="two rounds unrolled",
        mds_tables=2,
        pairs=1,
        whitening=2,
        rs_constant=1,
    ),
    _subkeys(
        "subkeys_interrupts",
        None,
        None,
        about="as subkeys_2tables, with stack for interrupts",
        mds_tables=2,
        whitening=1,
        rs_constant=1,
        interrupts=1,
    ),
    _subkeys(
        "subkeys_fast_key",
        None,
        None,
        about="as subkeys_2tables, with a faster set_key",
        mds_tables=2,
        whitening=1,
        fast_key=1,
    ),
    _sboxes("sboxes_0tables", None, None, about="no tables", pairs=0, mds_tables=0),
    _sboxes(
        "sboxes_oncard",
        None,
        None,
        about="makes its S-boxes itself",
        host=False,
        pairs=0,
        mds_tables=1,
        rs_constant=1,
    ),
)
_MDS_ONCARD = _prepared(
    "mds_oncard",
    MDS_TABLES,
    None,
    None,
    about="makes its S-boxes times MDS itself",
    host=False,
    keeps=3,
    pairs=1,
    mds_tables=0,
    whitening=2,
    rs_constant=1,
)

# The C library's kernels as they are: the type of an expanded key, and its bytes.
_C_KERNELS = {
    "zero": ("zero_key", SUBKEYS + 8),
    "minimal": ("minimal_key", SUBKEYS + 4 + S_BOXES),
    "partial": ("partial_key", SUBKEYS + S_BOXES),
    "full": ("mf_twofish_full_key", SUBKEYS + 4 * S_BOXES),
}


def _cortex_m0_c(kernel: str, optimise: str) -> Program:
    """The last 8 bytes of the expanded key are called twofish_s; kernel `zero` has S there."""
    key_type, key_bytes = _C_KERNELS[kernel]
    options = {"c_kernel": kernel, "key_type": key_type, "optimise": optimise}
    name = f"cortex_m0_c_{kernel}_o{optimise}"
    about = f"C kernel {kernel}, gcc -O{optimise}"
    return Program(name, "cortex_m0", about=about, memory=key_bytes - 8, options=options)


def _cortex_m0(keeps: str, memory: int = 0, /, **options: int) -> Program:
    """Thumb assembly; where S is not kept, the end of the S-boxes is called twofish_s."""
    key_bits = options.pop("key_bits", 128)
    options = {"mds_tables": 1, "unrolled": 0, "saves_registers": 1, **options}
    constant_time = keeps == "constant_time"
    name = f"cortex_m0_{keeps}" + "_0tables" * (not options["mds_tables"] and not constant_time)
    name += "_unrolled" * options["unrolled"] + "_bare" * (1 - options["saves_registers"])
    name += f"_{key_bits}" * (key_bits != 128)
    about = ["MDS computed", "MDS in flash"][options["mds_tables"]]
    about += (
        ", no address from key or text" * constant_time
        + ", rounds written out" * options["unrolled"]
    )
    about += ", R4 to R7 not kept" * (1 - options["saves_registers"])
    named: dict[str, int | str] = {"keeps": keeps, **options}
    return Program(name, "cortex_m0", key_bits, about, options=named, memory=memory)


_CORTEX_M0 = (
    *(_cortex_m0("fly", mds_tables=n) for n in (1, 0)),
    _cortex_m0("fly", saves_registers=0),
    *(_cortex_m0("subkeys", _K, mds_tables=n) for n in (1, 0)),
    _cortex_m0("constant_time", _K, mds_tables=0),
    *(_cortex_m0("sboxes", _KS - 8, mds_tables=n) for n in (1, 0)),
    *(_cortex_m0("mds", _K + 4 * S_BOXES - 8, unrolled=n) for n in (0, 1)),
    *(_cortex_m0("fly", key_bits=bits) for bits in (192, 256)),
    *(_cortex_m0("subkeys", _K, key_bits=bits) for bits in (192, 256)),
    _cortex_m0("sboxes", _KS - 16, key_bits=256, mds_tables=0),
    *(_cortex_m0_c(kernel, level) for kernel in ("zero", "partial") for level in "s2"),
    *(_cortex_m0_c(kernel, "s") for kernel in ("minimal", "full")),
)


def _cortex_m0_masked(key_bits: int = 128) -> Program:
    return Program(
        "cortex_m0_masked" + f"_{key_bits}" * (key_bits != 128),
        "cortex_m0",
        key_bits,
        "key and text in two shares, MDS computed",
        options={"keeps": "masked", "mds_tables": 0},
        memory=_K + 8,
        s_apart=True,
        masked=True,
    )


def _avr(name: str, about: str, **more: Any) -> Program:
    """A program on an AVR."""
    return _program(f"avr_{name}", "avr", about=about, s_apart=True, **more)


_AVR = (
    _avr("nibbles", "q from permutations of 4 bits", nibbles=1),
    _avr("fly_small", "tables of q only"),
    _avr("fly", "also tables of q/x", u_tables=1),
    _avr("fly_fast", "also tables of q/x, h written out at each place", u_tables=1, inline=1),
    _avr("stored_small", "one h for subkeys and g", memory=_K, kept="stored_small"),
    _avr("stored", "g written out, also tables of q/x", memory=_K, kept="stored", u_tables=1),
    _avr(
        "stored_fast",
        "two rounds written out, also tables of q/x",
        memory=_K,
        kept="stored",
        u_tables=1,
        unroll=2,
    ),
    _avr("sboxes", "tables of q only", memory=_KS, kept="sboxes"),
    _avr("sboxes_fast", "two rounds written out", memory=_KS, kept="sboxes", unroll=2),
    _avr("sboxes_tables", "also tables of q/x, for set_key", memory=_KS, kept="sboxes", u_tables=1),
)

# Subkeys, their mask and that of S.
_AVR_MASKED = _avr(
    "masked",
    "key and text in two shares, subkeys stored",
    memory=_K + 5,
    kept="masked",
    masked=True,
)

# [tinyTwofish], which encrypts only: bytes of flash, bytes of RAM, cycles.
_TINY_TWOFISH = {
    "avr_nibbles": ((724, 42, 83511),),
    "avr_fly_small": ((1130, 37, 17448), (1498, 35, 12624)),
    "avr_fly": ((2274, 35, 11939),),
    "avr_stored_small": ((1136, 174, 7769), (1524, 174, 5785)),
    "avr_stored_fast": ((2304, 172, 5557),),
    "avr_sboxes": ((1514, 1198, 3801),),
    "avr_sboxes_fast": ((2158, 1196, 3573), (1784, 1708, 3573)),
}

# One or two of each class, since how the others differ does not depend on the key's length.
_AVR_LONGER = {"avr_fly_small", "avr_fly", "avr_stored_small", "avr_stored", "avr_sboxes"}


def _avr_encrypt_only(program: Program) -> Program:
    theirs = tuple(("tinyTwofish", *row) for row in _TINY_TWOFISH.get(program.name, ()))
    return replace(_encrypt_only(program), compared=theirs)


_KM = SUBKEYS + MDS_TABLES


def _m6502(name: str, about: str, memory: int = 0, beside: str = "", **options: int) -> Program:
    """A program on a 6502."""
    return Program(
        f"6502_{name}",
        "m6502",
        about=about,
        memory=memory,
        beside=beside,
        options=options,
        s_apart="small" in options,
    )


_M6502_FLY = (
    _m6502("fly_fast", "two rounds unrolled", beside="fly_unrolled", mds_tables=2, unrolled=1),
    _m6502("fly_2tables", "EF, 5B", beside="fly_2tables", mds_tables=2, fast_whitening=1),
    _m6502("fly_1table", "half", beside="fly_0tables", mds_tables=1, fast_whitening=1),
    _m6502("fly_0tables", "", beside="fly_small", mds_tables=0),
    _m6502("fly_small", "one h", beside="fly_one_h", mds_tables=0, small=1),
)
_M6502_STORED = (
    _m6502("subkeys_fast", "two rounds unrolled", _K, mds_tables=2, unrolled=1, fast_whitening=1),
    _m6502("subkeys_2tables", "EF, 5B", _K, beside="subkeys_2tables", mds_tables=2),
    _m6502("subkeys_1table", "half", _K, beside="subkeys_1table", mds_tables=1),
    _m6502("subkeys_0tables", "", _K, mds_tables=0, fast_whitening=1),
    _m6502(
        "subkeys_small",
        "one g",
        _K,
        beside="subkeys_small",
        mds_tables=0,
        one_g=1,
        fast_whitening=1,
    ),
    _m6502("sboxes_fast", "two rounds unrolled", _KS, mds_tables=2, unrolled=1, fast_whitening=1),
    _m6502("sboxes_2tables", "EF, 5B", _KS, beside="sboxes_2tables", mds_tables=2, unrolled=1),
    _m6502("sboxes_1table", "half", _KS, beside="sboxes_1table", mds_tables=1, unrolled=1),
    _m6502("sboxes_0tables", "", _KS, beside="sboxes_small", mds_tables=0, fast_whitening=1),
    _m6502(
        "mds_fast",
        "two rounds unrolled",
        _KM,
        beside="mds",
        mds_tables=0,
        unrolled=1,
        fast_whitening=1,
    ),
    _m6502("mds", "", _KM, mds_tables=0),
)
_M6502_BASE = {program.name: program for program in (*_M6502_FLY, *_M6502_STORED)}
_M6502 = (
    *_M6502_BASE.values(),
    *(
        longer
        for name in ("fly_2tables", "fly_0tables", "fly_small", "subkeys_2tables", "mds")
        for longer in _longer(_M6502_BASE[f"6502_{name}"])
    ),
    *(
        _encrypt_only(_M6502_BASE[f"6502_{name}"])
        for name in ("fly_2tables", "fly_small", "subkeys_2tables", "subkeys_small")
    ),
)

# q from its 4-bit permutations. [TR3, 3.3] expects 350 bytes of ROM less than with tables of q, and
# ten times the clocks or more.
_NIBBLES = tuple(
    _m6805(name, 0, None, None, s_apart=True, about=about, **options)
    for name, about, options in (
        ("nibbles", "q from 64 bytes of tables", {"nibbles": 1}),
        ("nibbles_fast", "q from 205 bytes of tables", {"nibbles": 2}),
        ("tiny", "the least ROM, q from 64 bytes of tables", {"tiny": 1}),
    )
)

# [TR3, 3]: DES takes 1 KB of ROM and 23 bytes of RAM, in which we count the key and the text.
_DES = (
    _m6805(
        "des",
        0,
        Paper(8, 15, 1024, 20000),
        None,
        about="DES",
        cipher="des",
        key_bits=64,
        triple=0,
    ),
    _m6805("des_triple", 0, None, None, about="Triple-DES", cipher="des", key_bits=192, triple=1),
)

_AVR_DES = tuple(
    Program(
        f"avr_{name}",
        "avr",
        bits,
        about,
        options={"kept": kept},
        cipher="des",
    )
    for name, bits, about, kept in (
        ("des", 64, "DES", "des_single"),
        ("des_triple", 192, "Triple-DES", "des_triple"),
    )
)

_CORTEX_M0_DES = tuple(
    Program(
        f"cortex_m0_{name}", "cortex_m0", bits, f"{about}, tables of 2 KB in flash", cipher="des"
    )
    for name, bits, about in (("des", 64, "DES"), ("des_triple", 192, "Triple-DES"))
)

_ALL: tuple[Program, ...] = (
    *_NIBBLES,
    *_FLY,
    *_FLY_OTHERS,
    *_STORED,
    *_PREPARED,
    *(longer for program in _FLY for longer in _longer(program)),
    *map(_encrypt_only, _FLY),
    *(longer for program in _STORED for longer in _longer(program)),
    *map(_encrypt_only, (*_STORED, *_PREPARED)),
    *_EEPROM,
    *(longer for program in (_FLY_EEPROM, _EEPROM[0]) for longer in _longer(program)),
    *_STORED_TOO,
    _FLY_SBOXES,
    _MDS_ONCARD,
    *_longer(_MDS_ONCARD),
    *_DES,
    *_CORTEX_M0,
    *_AVR,
    *map(_avr_encrypt_only, _AVR),
    *(longer for program in _AVR if program.name in _AVR_LONGER for longer in _longer(program)),
    _AVR_MASKED,
    *_longer(_AVR_MASKED),
    *map(_cortex_m0_masked, (128, 192, 256)),
    *_AVR_DES,
    *_CORTEX_M0_DES,
    *_M6502,
)

PROGRAMS: Mapping[str, Program] = {program.name: program for program in _ALL}
assert len(PROGRAMS) == len(_ALL), "two programs have one name"
