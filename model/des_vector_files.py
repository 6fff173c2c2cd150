# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the files of vectors/ for DES and Triple-DES."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import modes
import rsp
from cbc_mac import Eax, cmac
from des import BLOCK_BYTES, KEY_SIZES, Des, weak_keys, with_odd_parity
from feedback import cfb_encrypt, ofb_crypt
from stealing import CTS_VARIANTS, cbc_cs_encrypt
from twofish import xor
from vector_files import data_of, make_file, one_bit

_Encrypt = Callable[[Des, bytes, bytes], bytes]  # of IV and plaintext

ZERO = bytes(BLOCK_BYTES)
ONES = b"\x01" * 8  # the key of zeros, with odd parity
INPUTS = Path(__file__).with_name("des_inputs.txt")

# Around the borders of one, two, .. and of 64 blocks; and more than the widest kernels take.
LENGTHS = sorted({max(0, 8 * n + d) for n in (0, 1, 2, 3, 4, 8, 64) for d in (-1, 0, 1)} | {300})
LONG = 8 * 520 + 3


def inputs(kind: str) -> list[list[bytes]]:
    """The lines of des_inputs.txt of this kind."""
    lines = (line.split() for line in INPUTS.read_text(encoding="ascii").splitlines())
    return [
        [b"" if word == "-" else bytes.fromhex(word) for word in line[1:]]
        for line in lines
        if line[:1] == [kind]
    ]


# --- known answer tests ------------------------------------------------------------------------

INVERSE_PERMUTATION = range(64, 128)  # their places in the list below


def variable_keys() -> list[bytes]:
    """One of the 56 bits set, and odd parity."""
    bits = (i for i in range(64) if i % 8 != 7)
    return [with_odd_parity(one_bit(i, 8)) for i in bits]


@cache
def known_answer_inputs() -> tuple[tuple[bytes, bytes], ...]:
    """Key and block to encrypt of all cases of SP 500-20, in its order except the first ones."""
    vartext = [(ONES, one_bit(i, BLOCK_BYTES)) for i in range(64)]
    invperm = [(ONES, Des(ONES).encrypt(block)) for _, block in vartext]
    varkey = [(key, ZERO) for key in variable_keys()]
    permop = [(key, ZERO) for (key,) in inputs("permop")]
    subtab = [(key, pt) for key, pt in inputs("subtab")]
    return (*vartext, *invperm, *varkey, *permop, *subtab)


def des_ecb() -> str:
    return make_file(
        "DES, ECB, the known answer tests of NBS SP 500-20: variable plaintext (COUNT 0 to 63),\n"
        "inverse permutation (from 64 on), variable key (128), permutation operation (184),\n"
        "substitution table (216).",
        (
            {"COUNT": count, "KEY": key, "PT": pt, "CT": Des(key).encrypt(pt)}
            for count, (key, pt) in enumerate(known_answer_inputs())
        ),
    )


def weak_keys_file() -> str:
    return make_file(
        "DES, ECB with the 64 weak (SET weak), semi-weak and possibly weak keys.",
        (
            {
                "COUNT": count,
                "SET": kind.replace(" ", "-"),
                "KEY": key,
                "PT": one_bit(count, BLOCK_BYTES),
                "CT": Des(key).encrypt(one_bit(count, BLOCK_BYTES)),
            }
            for count, (key, kind) in enumerate(weak_keys().items())
        ),
    )


def _mode_fields(mode: str, iv: bytes) -> rsp.Case:
    if mode == "ecb":
        return {}
    if mode == "cbc":
        return {"IV": iv, "PADDING": "none"}
    return {"IV": iv, "SEGMENT_BITS": 64} if mode == "cfb64" else {"IV": iv}


def published_cases(mode: str, encrypt: _Encrypt) -> Iterator[rsp.Case]:
    """The known answer tests with three equal keys, then the multi-block messages. ECB and CBC
    encrypt the block; in CFB and OFB it is the IV, and the text is zero, or turns into zero, which
    is what the inverse permutations are there.
    """
    plan: list[tuple[bytes, bytes, bytes]] = []
    for i, (key, block) in enumerate(known_answer_inputs()):
        if mode in ("ecb", "cbc"):
            plan.append((3 * key, ZERO, block))
        elif i not in INVERSE_PERMUTATION:
            plan += [(3 * key, block, pt) for pt in (ZERO, Des(key).encrypt(block))]
    plan += [(key, iv, pt) for key, iv, pt in inputs(mode)]
    for count, (key, iv, pt) in enumerate(plan):
        ct = encrypt(Des(key), iv, pt)
        yield {"COUNT": count, "KEY": key, **_mode_fields(mode, iv), "PT": pt, "CT": ct}


def published_file(mode: str, encrypt: _Encrypt) -> Callable[[], str]:
    about = (
        f"Triple-DES, {mode.upper()}, the tests of NIST's CAVP: known answers with three equal\n"
        "keys, then multi-block messages with one, two and three different keys."
    )
    return lambda: make_file(about, published_cases(mode, encrypt))


def ecb_encrypt(cipher: modes.BlockCipher, pt: bytes) -> bytes:
    return b"".join(map(cipher.encrypt, modes.blocks(pt, cipher.block_bytes)))


# --- data of our own ---------------------------------------------------------------------------

_Plan = Iterable[tuple[str, object, int]]  # of each case: field, its value, bytes of text


def _cases(
    file: str, plan: _Plan, encrypt: Callable[[Des, bytes, object, bytes], bytes]
) -> Iterator[rsp.Case]:
    rows = list(plan)
    for key_bytes in KEY_SIZES:
        for count, (field, value, n_bytes) in enumerate(rows):
            data = data_of(f"des_{file}", key_bytes, count)
            key, iv, pt = data("key", key_bytes), data("iv", BLOCK_BYTES), data("pt", n_bytes)
            yield {
                "COUNT": count,
                "KEY": key,
                "IV": iv,
                **({field: value} if field else {}),
                "PT": pt,
                "CT": encrypt(Des(key), iv, value, pt),
            }


def _cbc_encrypt(cipher: Des, iv: bytes, padding: object, pt: bytes) -> bytes:
    text = modes.pad(pt, BLOCK_BYTES) if padding == "pkcs7" else pt
    return modes.cbc_encrypt(cipher, iv, text)


def cbc() -> str:
    plan = [("PADDING", "none", 8 * n) for n in (0, 1, 2, 3, 4, 7, 8, 9, 16, 31, 65)]
    plan += [("PADDING", "pkcs7", n) for n in LENGTHS]
    return make_file(
        "DES and Triple-DES, CBC without padding and with PKCS#7 padding.",
        _cases("cbc", plan, _cbc_encrypt),
    )


# How the counter block ends in the cases of wrap-around, and how many bytes follow.
_CTR_ENDS = (
    (b"\xff" * 4, 33),
    (b"\xff\xff\xff\xfd", 100),
    (b"\xff" * 7 + b"\xfe", 41),
    ((2**32 - 37).to_bytes(4, "big"), 700),
)


def _ctr_cases() -> Iterator[rsp.Case]:
    ends = [*((b"", n) for n in (*LENGTHS, LONG)), *_CTR_ENDS]
    plan = [(bits, end, n) for bits in (32, 64) for end, n in ends]
    for key_bytes in KEY_SIZES:
        for count, (bits, end, n) in enumerate(plan):
            data = data_of("des_ctr", key_bytes, count)
            key, pt = data("key", key_bytes), data("pt", n)
            iv = data("iv", BLOCK_BYTES)[: BLOCK_BYTES - len(end)] + end
            ct = modes.ctr_crypt(Des(key), iv, pt, bits)
            yield {"COUNT": count, "KEY": key, "IV": iv, "COUNTER_BITS": bits, "PT": pt, "CT": ct}


def ctr() -> str:
    return make_file(
        "DES and Triple-DES, CTR with big-endian counters of 32 or 64 bits.",
        _ctr_cases(),
    )


def cfb() -> str:
    plan = [("SEGMENT_BITS", 1, n) for n in (0, 1, 2, 7, 8, 9, 17)]
    plan += [("SEGMENT_BITS", 8, n) for n in (0, 1, 2, 7, 8, 9, 31, 32, 33, 65)]
    plan += [("SEGMENT_BITS", 64, n) for n in LENGTHS]
    return make_file(
        "DES and Triple-DES, CFB with segments of 1, 8 or 64 bits. The last segment of 64 bits\n"
        "may be short.",
        _cases(
            "cfb", plan, lambda cipher, iv, bits, pt: cfb_encrypt(cipher, iv, pt, int(str(bits)))
        ),
    )


def ofb() -> str:
    return make_file(
        "DES and Triple-DES, OFB.",
        _cases(
            "ofb",
            [("", "", n) for n in LENGTHS],
            lambda cipher, iv, _, pt: ofb_crypt(cipher, iv, pt),
        ),
    )


def cbc_cts() -> str:
    lengths = [*range(8, 18), 23, 24, 25, 63, 64, 65, 300]
    return make_file(
        "DES and Triple-DES, CBC with ciphertext stealing, the variants CS1, CS2 and CS3.",
        _cases(
            "cbc_cts",
            [("VARIANT", variant, n) for variant in CTS_VARIANTS for n in lengths],
            lambda cipher, iv, variant, pt: cbc_cs_encrypt(cipher, iv, pt, str(variant)),
        ),
    )


def _cmac_cases() -> Iterator[rsp.Case]:
    plan = [*((n, 8) for n in LENGTHS), *((5 * t, t) for t in range(1, 8))]
    for key_bytes in KEY_SIZES:
        for count, (n_bytes, tag_bytes) in enumerate(plan):
            data = data_of("des_cmac", key_bytes, count)
            key, message = data("key", key_bytes), data("msg", n_bytes)
            tag = cmac(Des(key), message, tag_bytes)
            yield {"COUNT": count, "KEY": key, "MSG": message, "TAG": tag}


def cmac_file() -> str:
    return make_file(
        "DES and Triple-DES, CMAC [SP800-38B] with tags of 1 to 8 bytes.", _cmac_cases()
    )


def _eax_cases() -> Iterator[rsp.Case]:
    plan = [((3 * k) % 20, (7 * k) % 34, n, 8) for k, n in enumerate(LENGTHS)]
    plan += [(8, t, 3 * t, t) for t in range(2, 8)]
    for key_bytes in KEY_SIZES:
        for count, (nonce_bytes, aad_bytes, n_bytes, tag_bytes) in enumerate(plan):
            data = data_of("des_eax", key_bytes, count)
            key, nonce = data("key", key_bytes), data("nonce", nonce_bytes)
            aad, pt = data("aad", aad_bytes), data("pt", n_bytes)
            ct, tag = Eax(Des(key), tag_bytes).encrypt(nonce, aad, pt)
            text = {"PT": pt, "CT": ct, "TAG": tag}
            yield {"COUNT": count, "KEY": key, "NONCE": nonce, "AAD": aad, **text}


def eax() -> str:
    return make_file(
        "DES and Triple-DES, EAX [EAX04] with nonces of any length and tags of 2 to 8 bytes.",
        _eax_cases(),
    )


# --- Monte Carlo -------------------------------------------------------------------------------

MCT_KEY = bytes.fromhex("0123456789ABCDEF23456789ABCDEF01456789ABCDEF0123")
MCT_TEXT = b"Now is t"
MCT_IV = bytes.fromhex("1234567890ABCDEF")
MCT_SETS = ("ecb_e", "ecb_d", "cbc_e", "cbc_d")


def chain(name: str, cipher: Des, text: bytes, iterations: int) -> bytes:
    """The last of this many results; vectors/README.md has the rules."""
    if name == "cbc_e":
        older, newer = text, MCT_IV
        for _ in range(iterations):
            older, newer = newer, cipher.encrypt(xor(older, newer))
    elif name == "cbc_d":
        older, newer = MCT_IV, text
        for _ in range(iterations):
            older, newer = newer, xor(cipher.decrypt(newer), older)
    else:
        newer, crypt = text, cipher.encrypt if name == "ecb_e" else cipher.decrypt
        for _ in range(iterations):
            newer = crypt(newer)
    return newer


def mct_case(name: str, key_bytes: int, iterations: int) -> rsp.Case:
    key = MCT_KEY[:key_bytes]
    last = chain(name, Des(key), MCT_TEXT, iterations)
    pt, ct = (MCT_TEXT, last) if name.endswith("e") else (last, MCT_TEXT)
    iv = {"IV": MCT_IV} if name.startswith("cbc") else {}
    return {"SET": name, "ITERATIONS": iterations, "KEY": key, **iv, "PT": pt, "CT": ct}


def monte_carlo() -> str:
    return make_file(
        "DES and Triple-DES, Monte Carlo: chains of 100 and of 10,000 blocks.",
        (
            mct_case(name, key_bytes, iterations)
            for iterations in (100, 10_000)
            for name in MCT_SETS
            for key_bytes in KEY_SIZES
        ),
    )


FILES: dict[str, Callable[[], str]] = {
    "vectors/des_ecb.rsp": des_ecb,
    "vectors/des_weak_keys.rsp": weak_keys_file,
    "vectors/des_cbc.rsp": cbc,
    "vectors/des_ctr.rsp": ctr,
    "vectors/des_cfb.rsp": cfb,
    "vectors/des_ofb.rsp": ofb,
    "vectors/des_cbc_cts.rsp": cbc_cts,
    "vectors/des_cmac.rsp": cmac_file,
    "vectors/des_eax.rsp": eax,
    "vectors/tdes_ecb.rsp": published_file("ecb", lambda cipher, _, pt: ecb_encrypt(cipher, pt)),
    "vectors/tdes_cbc.rsp": published_file("cbc", modes.cbc_encrypt),
    "vectors/tdes_cfb64.rsp": published_file(
        "cfb64", lambda cipher, iv, pt: cfb_encrypt(cipher, iv, pt, 64)
    ),
    "vectors/tdes_ofb.rsp": published_file("ofb", ofb_crypt),
}
LONG_FILES: dict[str, Callable[[], str]] = {"vectors/des_mct.rsp": monte_carlo}
