# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes vectors/openpgp/messages.rsp: OpenPGP messages, and what a reader must make of each.

The model shares no code with the programs that they test. No Argon2: Python has none; those that
Sequoia made (sequoia.rsp) have it. Everything that a real writer draws at random is constant.
"""

from __future__ import annotations

import base64
import bz2
import hashlib
import hmac
import zlib
from collections.abc import Iterator

from cbc_mac import Eax
from feedback import cfb_encrypt
from modes import Ocb
from twofish import Twofish, xor
from vector_files import make_file

PASSPHRASE = b"correct horse"
SESSION_KEY = bytes(range(32))
NONCE = bytes(range(15))
SALT = bytes(range(100, 132))
TWOFISH, AES_256, EAX, OCB, SHA256 = 10, 9, 1, 2, 8
TAG_BYTES = 16
GCM_NONCE_BYTES, OCB_NONCE_BYTES, EAX_NONCE_BYTES = 12, 15, 16
WHAT_IT_SAYS = "the error says it"


def file(size: int) -> bytes:
    """The content of every message: the octets 0 to 250, over and over."""
    return bytes(i % 251 for i in range(size))


# --- Packets -----------------------------------------------------------------------------------


def length(size: int) -> bytes:
    """[RFC9580, 4.2.1]"""
    if size < 192:
        return bytes([size])
    if size < 8384:
        return bytes([(size - 192 >> 8) + 192, size - 192 & 255])
    return b"\xff" + size.to_bytes(4, "big")


def packet(kind: int, body: bytes) -> bytes:
    return bytes([0xC0 | kind]) + length(len(body)) + body


def in_parts(kind: int, body: bytes) -> bytes:
    """The same packet, in parts of 512 octets [RFC9580, 4.2.1.4]."""
    framed = bytes([0xC0 | kind])
    while len(body) >= 512:
        framed += b"\xe9" + body[:512]
        body = body[512:]
    return framed + length(len(body)) + body


def literal(data: bytes, fields: bytes = b"b\0\0\0\0\0") -> bytes:
    return packet(11, fields + data)


MARKER = packet(10, b"PGP")
PADDING = packet(21, b"\x5a" * 40)
PKESK = packet(1, b"\x06\0\x19" + bytes(64))


# --- Keys --------------------------------------------------------------------------------------


def hkdf(key: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    """[RFC5869] with SHA-256"""
    secret = hmac.digest(salt or bytes(32), key, "sha256")
    out = block = b""
    for i in range(1, 3):
        block = hmac.digest(secret, block + info + bytes([i]), "sha256")
        out += block
    return out[:size]


def salted(name: str = "sha256", number: int = SHA256) -> tuple[bytes, bytes]:
    """An S2K specifier of type 1, and its key."""
    salt = bytes(8)
    return bytes([1, number]) + salt, hashlib.new(name, salt + PASSPHRASE).digest()[:32]


def iterated() -> tuple[bytes, bytes]:
    """An S2K specifier of type 3 over 65536 octets, and its key."""
    salt = bytes(8)
    hashed = ((salt + PASSPHRASE) * 65536)[:65536]
    return bytes([3, SHA256]) + salt + b"\x60", hashlib.sha256(hashed).digest()


def argon2(passes: int, lanes: int, exponent: int) -> tuple[bytes, bytes]:
    """An S2K specifier of type 4 that is never computed: its key does not matter."""
    return bytes([4]) + bytes(16) + bytes([passes, lanes, exponent]), bytes(32)


def skesk(
    s2k: tuple[bytes, bytes] | None = None,
    cipher: int = TWOFISH,
    mode: int = OCB,
    nonce: bytes = NONCE,
) -> bytes:
    """[RFC9580, 5.3.2]"""
    specifier, stretched = s2k or salted()
    info = bytes([0xC3, 6, cipher, mode])
    ocb = Ocb(Twofish(hkdf(stretched, b"", info, 32)))
    sealed, tag = ocb.encrypt(NONCE, info, SESSION_KEY)
    fields = bytes([cipher, mode, len(specifier)]) + specifier + nonce
    return packet(3, bytes([6, len(fields)]) + fields + sealed + tag)


# --- The encrypted packet ----------------------------------------------------------------------


def pieces(plaintext: bytes, octet: int) -> list[bytes]:
    """The chunks with their tags, then the final tag [RFC9580, 5.13.2]."""
    info = bytes([0xD2, 2, TWOFISH, OCB, octet])
    derived = hkdf(SESSION_KEY, SALT, info, 32 + 7)
    ocb, size = Ocb(Twofish(derived[:32])), 1 << octet + 6
    sealed = []
    for i, start in enumerate(range(0, len(plaintext), size)):
        nonce = derived[32:] + i.to_bytes(8, "big")
        sealed.append(b"".join(ocb.encrypt(nonce, info, plaintext[start : start + size])))
    nonce = derived[32:] + len(sealed).to_bytes(8, "big")
    total = len(plaintext).to_bytes(8, "big")
    return [*sealed, b"".join(ocb.encrypt(nonce, info + total, b""))]


def header(octet: int = 0, cipher: int = TWOFISH, mode: int = OCB) -> bytes:
    return bytes([2, cipher, mode, octet]) + SALT


def seipd(plaintext: bytes, octet: int = 0) -> bytes:
    return packet(18, header(octet) + b"".join(pieces(plaintext, octet)))


def encrypted(body: bytes) -> bytes:
    """A good session key, then whatever stands for the encrypted packet."""
    return skesk() + packet(18, body)


def message(plaintext: bytes, octet: int = 0) -> bytes:
    return skesk() + seipd(plaintext, octet)


def flipped(data: bytes, at: int) -> bytes:
    """One bit changed."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def armored(data: bytes, headers: str = "", end: str = "\n", checksum: str = "") -> bytes:
    """[RFC9580, 6.2]"""
    text = base64.b64encode(data).decode()
    lines = [text[i : i + 76] for i in range(0, len(text), 76)]
    whole = ["-----BEGIN PGP MESSAGE-----", *headers.split(), "", *lines, *checksum.split()]
    return end.join([*whole, "-----END PGP MESSAGE-----", ""]).encode()


# --- The older forms ---------------------------------------------------------------------------


def cfb(key: bytes, data: bytes) -> bytes:
    return cfb_encrypt(Twofish(key), bytes(16), data, 128)


def prefix() -> bytes:
    """A block, random in a real message, and its last two octets once more."""
    return SALT[:16] + SALT[14:16]


def mdc(key: bytes, inner: bytes) -> bytes:
    """The body of a SEIPD packet of version 1 [RFC9580, 5.13.1]."""
    hashed = prefix() + inner + b"\xd3\x14"
    return b"\x01" + cfb(key, hashed + hashlib.sha1(hashed).digest())


def skesk_v4(
    cipher: int,
    session_key: bytes = b"",
    s2k: tuple[bytes, bytes] | None = None,
    session_cipher: int = TWOFISH,
) -> bytes:
    """[RFC9580, 5.3.1]; without a session key the passphrase gives the key of the message."""
    specifier, key = s2k or iterated()
    sealed = cfb(key, bytes([session_cipher]) + session_key) if session_key else b""
    return packet(3, bytes([4, cipher]) + specifier + sealed)


def older(inner: bytes) -> bytes:
    return older_of(mdc(iterated()[1], inner))


def older_of(body: bytes) -> bytes:
    return skesk_v4(TWOFISH) + packet(18, body)


def older_ways() -> Iterator[tuple[str, tuple[bytes, bytes]]]:
    """Specifiers that only the older forms may have, with their keys [RFC9580, 3.7.1]."""
    yield "simple", (bytes([0, SHA256]), hashlib.sha256(PASSPHRASE).digest())
    yield "salted", salted()
    yield "sha512", salted("sha512", 10)
    unit = bytes(8) + PASSPHRASE
    hashed = (unit * 1024)[:1024]
    long = hashlib.sha1(hashed).digest() + hashlib.sha1(b"\0" + hashed).digest()
    yield "sha1", (bytes([3, 2]) + bytes(8) + b"\0", long[:32])


def compressed(inner: bytes) -> Iterator[tuple[str, bytes]]:
    """Each way [RFC9580, 5.6]."""
    yield "uncompressed", b"\0" + inner
    yield "zip", b"\x01" + deflate(inner)
    yield "zlib", b"\x02\x78\x01" + deflate(inner) + zlib.adler32(inner).to_bytes(4, "big")
    yield "bzip2", b"\x03" + bz2.compress(inner)


def deflate(data: bytes) -> bytes:
    """One stored block [RFC1951, 3.2.4]: what a library packs differs from version to version."""
    size = len(data).to_bytes(2, "little")
    return b"\x01" + size + xor(size, b"\xff\xff") + data


def libre_pgp(key: bytes, mode: int, inner: bytes, octet: int = 0) -> bytes:
    """The body of packet 20 [Koch23]."""
    aead = (Ocb if mode == OCB else Eax)(Twofish(key))
    start = SALT[: OCB_NONCE_BYTES if mode == OCB else EAX_NONCE_BYTES]
    info, size = bytes([0xD4, 1, TWOFISH, mode, octet]), 1 << octet + 6

    def sealed(index: int, chunk: bytes, total: bytes = b"") -> bytes:
        number = index.to_bytes(8, "big")
        nonce = start[:-8] + xor(start[-8:], number)
        return b"".join(aead.encrypt(nonce, info + number + total, chunk))

    chunks = [inner[at : at + size] for at in range(0, len(inner), size)]
    tagged = b"".join(sealed(i, chunk) for i, chunk in enumerate(chunks))
    final = sealed(len(chunks), b"", len(inner).to_bytes(8, "big"))
    return info[1:] + start + tagged + final


def skesk_v5(mode: int) -> bytes:
    """[Koch23]"""
    specifier, key = iterated()
    nonce = SALT[: OCB_NONCE_BYTES if mode == OCB else EAX_NONCE_BYTES]
    aead = (Ocb if mode == OCB else Eax)(Twofish(key))
    sealed, tag = aead.encrypt(nonce, bytes([0xC3, 5, TWOFISH, mode]), SESSION_KEY)
    return packet(3, bytes([5, TWOFISH, mode]) + specifier + nonce + sealed + tag)


# --- What must open ----------------------------------------------------------------------------

Accepted = Iterator[tuple[str, int, str, bytes]]
Rejected = Iterator[tuple[str, str, str, bytes]]


# Formats of the literal packet that others have beside b, t and u. Their data are octets, too.
FORMATS = {
    "m": "GnuPG's format for MIME",
    "l": "RFC 1991's format for local text",
    "1": "the same as RFC 1991 writes it by mistake",
}


def accepted() -> Accepted:
    """Name, octets of the file inside, rule, message."""
    yield "one-chunk", 40, "all in one chunk", message(literal(file(40)))
    yield "empty-file", 0, "a file of no octets", message(literal(b""))
    yield "full-chunk", 56, "the chunk is exactly full", message(literal(file(56)))
    yield "chunks", 1000, "chunks of 64 octets", message(literal(file(1000)))
    yield "largest-chunk", 300, "chunks of 4 MiB", message(literal(file(300)), 16)
    yield "in-parts", 3000, "both packets in parts", in_parts_message(3000)
    yield "whole-parts", 1018, "the last part is empty", in_parts_message(1018)
    named = literal(file(9), b"u\x08name.txt\x65\0\0\0")
    yield "named", 9, "with a name, a date, and the format u", message(named)
    for letter, rule in FORMATS.items():
        yield f"format-{letter}", 9, rule, message(literal(file(9), letter.encode() + bytes(5)))
    old_literal = b"\xad" + (6 + 300).to_bytes(2, "big") + b"b\0\0\0\0\0" + file(300)
    old = b"\x8c" + skesk()[1:] + seipd(old_literal)
    yield "old-headers", 300, "packet headers in the old format", old
    inside = MARKER + literal(file(70)) + PADDING
    filler = MARKER + skesk() + PADDING + seipd(inside) + PADDING
    yield "filler", 70, "marker and padding packets everywhere", filler
    five = message(literal(file(5)))
    yield "many-packets", 5, "a thousand markers in front", MARKER * 1000 + five
    yield "unknown-packet", 5, "unknown but not critical", packet(50, b"?") + five
    other = skesk((salted()[0], bytes(32)))
    yield "second-passphrase", 5, "the second packet opens", other + five
    strangers = PKESK + packet(3, b"\x04\x09\0\x08") + packet(3, b"\x07later")
    yield "other-keys", 5, "beside keys of other kinds", strangers + five
    too_dear = skesk(argon2(1, 1, 31))
    yield "too-dear-first", 5, "the first packet asks too much", too_dear + five
    too_long = skesk(argon2(255, 4, 21))
    yield "too-long-first", 5, "the first packet asks too much work", too_long + five
    yield "iterated", 5, "S2K type 3", skesk(iterated()) + seipd(literal(file(5)))
    sha512 = skesk(salted("sha512", 10)) + seipd(literal(file(5)))
    yield "sha512", 5, "S2K with SHA-512", sha512
    data = message(literal(file(100)))
    yield "armor", 100, "armored", armored(data)
    loose = armored(data, "Comment:x Version:1", "\r\n", "=AAAA")
    yield (
        "armor-loose",
        100,
        "headers, CR LF, and a wrong checksum, which counts for nothing",
        loose,
    )
    yield "armor-marked", 100, "a byte order mark in front", b"\xef\xbb\xbf\n" + armored(data)
    yield from accepted_inside()
    yield from accepted_older()
    yield from accepted_libre_pgp()


def accepted_inside() -> Accepted:
    """The packets that others put around the file."""
    inner = literal(file(300))
    for name, data in compressed(inner):
        yield name, 300, "compressed", message(packet(8, data))
    endless = b"\xa3" + next(compressed(inner))[1]
    yield "endless", 300, "a compressed packet up to the end of the data", message(endless)
    one_pass, signature = packet(4, b"\x03" + bytes(12)), packet(2, b"\x04" + bytes(30))
    yield "signed", 300, "the signature is passed over", message(one_pass + inner + signature)
    both = packet(8, b"\x01" + deflate(one_pass + inner + signature))
    yield "signed-compressed", 300, "as GnuPG has it", message(both)


def accepted_older() -> Accepted:
    """The form of 2007, as GnuPG and most others write it."""
    inner = literal(file(300))
    yield "mdc", 300, "CFB and a hash", older(inner)
    yield "mdc-empty-file", 0, "a file of no octets", older(literal(b""))
    yield "mdc-block", 10, "whole blocks up to the hash", older(literal(file(10)))
    key = iterated()[1]
    parts = skesk_v4(TWOFISH) + in_parts(18, mdc(key, in_parts(11, b"b\0\0\0\0\0" + file(900))))
    yield "mdc-in-parts", 900, "both packets in parts", parts
    for name, data in compressed(inner):
        yield f"mdc-{name}", 300, "compressed", older(packet(8, data))
    yield "mdc-armor", 300, "armored, with a checksum", armored(older(inner), "", "\n", "=AAAA")
    for name, s2k in older_ways():
        data = skesk_v4(TWOFISH, s2k=s2k) + packet(18, mdc(s2k[1], inner))
        yield f"mdc-{name}", 300, f"S2K: {name}", data
    inside = skesk_v4(TWOFISH, session_key=SESSION_KEY) + packet(18, mdc(SESSION_KEY, inner))
    yield "mdc-session-key", 300, "the session key stands in its packet", inside
    other = skesk_v4(TWOFISH, s2k=(salted()[0], b""))
    yield "mdc-second-passphrase", 300, "the second packet opens", other + inside
    filler = MARKER + older(MARKER + inner + PADDING) + PADDING
    yield "mdc-filler", 300, "marker and padding packets everywhere", filler


def accepted_libre_pgp() -> Accepted:
    inner = literal(file(1000))
    for name, mode in (("ocb", OCB), ("eax", EAX)):
        data = skesk_v5(mode) + packet(20, libre_pgp(SESSION_KEY, mode, inner))
        yield f"libre-{name}", 1000, "packet 20, chunks of 64 octets", data
        whole = skesk_v5(mode) + packet(20, libre_pgp(SESSION_KEY, mode, inner, 16))
        yield f"libre-{name}-one-chunk", 1000, "packet 20, chunks of 4 MiB", whole
    key = iterated()[1]
    four = skesk_v4(TWOFISH) + packet(20, libre_pgp(key, OCB, inner))
    yield "libre-v4", 1000, "the passphrase gives the key itself", four
    little = skesk_v4(TWOFISH) + packet(20, libre_pgp(key, OCB, literal(b"")))
    yield "libre-v4-empty-file", 0, "the same for a file of no octets", little
    other = skesk_v4(TWOFISH, s2k=(salted()[0], b"")) + skesk_v5(EAX)
    second = other + packet(20, libre_pgp(SESSION_KEY, OCB, inner))
    yield "libre-second-passphrase", 1000, "modes may differ between the packets", second


def in_parts_message(size: int) -> bytes:
    inner = in_parts(11, b"b\0\0\0\0\0" + file(size))
    return skesk() + in_parts(18, header() + b"".join(pieces(inner, 0)))


# --- What must not -----------------------------------------------------------------------------


def rejected() -> Rejected:
    """Name, error, rule, message."""
    yield from damaged()
    yield from other_forms()
    yield from other_keys()
    yield from malformed()
    yield from not_messages()


def damaged() -> Rejected:
    whole = message(literal(file(180)))
    parts = pieces(literal(file(180)), 0)
    data = "the message is truncated: it ends in the encrypted data"
    yield "cut-in-chunk", data, "the end of the last chunk is missing", whole[:-20]
    yield "cut-final-tag", data, "the final tag is missing", whole[:-16]
    cut = "the message is truncated: it ends in its packet headers"
    yield "cut-after-skesk", cut, "only the first packet is there", skesk()
    cut = "the message is truncated: it ends in a session key"
    yield "cut-in-skesk", cut, "the first packet is cut", skesk()[:-1]
    cut = "the message is truncated: it ends in the header of the encrypted data"
    fits = "no chunk, and a length that fits"
    yield "cut-in-header", cut, fits, encrypted(header()[:9])
    cut = "the message is truncated: it ends in its final tag"
    yield "cut-all-chunks", cut, "no chunk, no tag, and a length that fits", encrypted(header())
    end = "the end of the message was altered: the final tag does not fit its length"
    refit = encrypted(header() + parts[0] + parts[1] + parts[2][:9])
    chunk = "chunk {} of the message was altered (plaintext from byte {} on)"
    yield "refit-in-chunk", chunk.format(1, 64), "cut, and a length that fits", refit
    refit = encrypted(header() + b"".join(parts[:2]))
    yield "refit-no-final-tag", chunk.format(1, 64), "a tag of a chunk in its place", refit
    first = pieces(literal(file(56)) + MARKER, 0)[0]
    no_last = encrypted(header() + first + parts[-1])
    yield "missing-chunk", end, "a whole chunk is missing", no_last
    swapped = encrypted(header() + parts[1] + parts[0] + b"".join(parts[2:]))
    yield "swapped-chunks", chunk.format(0, 0), "two chunks in each other's place", swapped
    yield "altered-chunk", chunk.format(1, 64), "a bit of chunk 1", flipped(whole, -150)
    yield "altered-tag", chunk.format(2, 128), "a bit of the last chunk's tag", flipped(whole, -17)
    yield "altered-final-tag", end, "a bit of the final tag", flipped(whole, -1)
    salt = len(skesk()) + 3 + 20
    yield "altered-salt", chunk.format(0, 0), "a bit of the salt", flipped(whole, salt)
    wrong = "wrong passphrase"
    other = skesk((salted()[0], bytes(32)))
    yield "wrong-passphrase", wrong, "another passphrase", other + seipd(b"")
    yield "altered-skesk", wrong, "a bit of the session key", flipped(skesk(), -20) + seipd(b"")
    in_armor = "the message is truncated: it ends in the armor"
    trailing = "there is other data after the end of the message"
    yield "trailing-octet", trailing, "a line feed at the end", whole + b"\n"
    yield "trailing-message", trailing, "two messages in a row", whole + whole
    yield (
        "armor-cut-trailing",
        in_armor,
        "cut before it was armored",
        armored(whole[:-20]) + b"more\n",
    )
    yield "armor-trailing", trailing, "text after the armor", armored(whole) + b"more\n"


def other_forms() -> Rejected:
    def v2(**fields: int) -> bytes:
        return encrypted(header(**fields) + bytes(64))

    expected = "expected Twofish-256 (10)"
    aes = f"the message is encrypted with AES-256 (9), {expected}"
    yield "aes", aes, "another cipher", v2(cipher=9)
    camellia = f"the message is encrypted with Camellia-256 (13), {expected}"
    yield "camellia", camellia, "another cipher that others open", v2(cipher=13)
    short = f"the message is encrypted with CAST5 (3), {expected}"
    yield "cast5", short, "a cipher that must not stand here", v2(cipher=3)
    unknown = f"the message is encrypted with unknown (99), {expected}"
    yield "unknown-cipher", unknown, "a cipher without a name", v2(cipher=99)
    mode = "which this version cannot open; it opens OCB (2)"
    yield "eax", f"the message uses the mode EAX (1), {mode}", "EAX", v2(mode=1)
    yield "gcm", f"the message uses the mode GCM (3), {mode}", "GCM", v2(mode=3)
    nine = "the message uses the unknown mode unknown (9), expected OCB (2)"
    yield "unknown-mode", nine, "a mode without a name", v2(mode=9)
    yield from older_forms()
    yield from wrong_inside()
    version = "version {} of the {} packet is not known"
    name = "symmetrically encrypted and integrity protected data (18)"
    yield "seipd-v3", version.format(3, name), "a later version", encrypted(b"\x03" + bytes(50))
    plain = "the message is not encrypted"
    yield "plain", plain, "a file in a packet, nothing more", literal(b"in the clear")


def wrong_inside() -> Rejected:
    """The content of a compressed packet, right or wrong."""
    compressed_name = "the compressed data (8) packet is not valid: "
    broken = compressed_name + "its data cannot be expanded"
    yield "compressed-broken", broken, "no deflate stream", message(packet(8, b"\x02x"))
    whole = deflate(literal(file(300)))
    yield "compressed-cut", broken, "its end is missing", message(packet(8, b"\x01" + whole[:-9]))
    unknown = "the message uses an unknown compression (algorithm 9)"
    yield "compressed-unknown", unknown, "an algorithm without a name", message(packet(8, b"\x09x"))
    twice = "found a packet of type compressed data (8), expected literal data"
    nested = packet(8, b"\x01" + deflate(packet(8, b"\x01" + deflate(literal(b"")))))
    yield "compressed-twice", twice, "one in the other, which only tricks have", message(nested)
    nothing = compressed_name + "it holds nothing"
    yield "compressed-nothing", nothing, "", message(packet(8, b"\x01" + deflate(b"")))


def older_forms() -> Rejected:
    twofish = "encrypted with Twofish-256 (10) "
    inner = literal(file(300))
    whole, key = older(inner), iterated()[1]
    altered = "wrong passphrase, or the message was altered: this format cannot tell which"
    yield "mdc-altered", altered, "a bit of the file", flipped(whole, -150)
    yield "mdc-altered-hash", altered, "a bit of the hash", flipped(whole, -1)
    bare = skesk_v4(TWOFISH) + packet(18, b"\x01" + cfb(key, prefix() + inner))
    yield "mdc-stripped", altered, "the code is taken away, and the length fits", bare
    cut = skesk_v4(TWOFISH) + packet(18, mdc(key, inner)[:-30])
    yield "mdc-cut", altered, "cut, and a length that fits", cut
    data = "the message is truncated: it ends in the encrypted data"
    yield "mdc-truncated", data, "the end is missing", whole[:-1]
    yield "mdc-cut-prefix", data, "and a length that fits", older_of(mdc(key, inner)[:12])
    code = "the message is truncated: it ends in its modification detection code"
    yield "mdc-cut-short", code, "too short for one", older_of(mdc(key, inner)[:30])
    trailing = "there is other data after the end of the message"
    yield "mdc-trailing", trailing, "a line feed at the end", whole + b"\n"
    wrong = skesk_v4(TWOFISH, s2k=(salted()[0], b"")) + packet(18, mdc(SESSION_KEY, inner))
    yield "mdc-wrong-passphrase", altered, "another passphrase", wrong
    other = skesk_v4(TWOFISH, session_key=SESSION_KEY, session_cipher=AES_256)
    yield (
        "mdc-other-session-key",
        altered,
        "or a key of another cipher",
        other + packet(18, mdc(SESSION_KEY, inner)),
    )
    expected = "expected Twofish-256 (10)"
    aes = f"the message is encrypted with AES-256 (9), {expected}"
    v1 = packet(18, b"\x01" + bytes(60))
    yield "seipd-v1-aes", aes, "what gpg -c writes by itself", skesk_v4(AES_256) + v1
    hidden = f"the session key is encrypted with AES-256 (9), {expected}"
    holds_key = packet(3, bytes([4, AES_256]) + iterated()[0] + bytes(33))
    yield "seipd-v1-key", hidden, "a session key under AES", holds_key + v1
    six = "the symmetric-key encrypted session key (3) packet has version 6, which does not "
    six += "fit this kind of message, expected version 4"
    yield "seipd-v1-skesk-v6", six, "the packets of two forms", skesk() + v1
    md5 = "the passphrase is hashed with MD5 (1), expected SHA-256 or another of the SHA-2 family"
    yield "mdc-md5", md5, "", skesk_v4(TWOFISH, s2k=(b"\0\x01", b"")) + v1
    old_hash = "the passphrase is hashed with RIPEMD-160 (3), which is no longer trusted"
    ripemd160 = skesk_v4(TWOFISH, s2k=(b"\1\3" + bytes(8), b"")) + v1
    yield "mdc-ripemd160", old_hash, "opened by an option alone", ripemd160
    oldest = f"the message is {twofish}in the oldest format, which does not detect changes "
    oldest += "(packet type 9)"
    yield "sed", oldest, "the form before that", skesk_v4(TWOFISH) + packet(9, bytes(40))
    yield from libre_pgp_forms()


def libre_pgp_forms() -> Rejected:
    inner = literal(file(180))
    body = libre_pgp(SESSION_KEY, OCB, inner)
    whole = skesk_v5(OCB) + packet(20, body)
    aes = "the message is encrypted with AES-256 (9), expected Twofish-256 (10)"
    aead = packet(20, b"\x01\x09\x02\x10" + bytes(60))
    yield "librepgp", aes, "what GnuPG 2.4 writes by itself", skesk_v4(AES_256) + aead
    cut = "the message is truncated: it ends in the encrypted data"
    yield "cut-librepgp", cut, "the mode is missing", packet(20, b"\x01\x09")
    chunk = "chunk {} of the message was altered (plaintext from byte {} on)"
    yield "libre-altered", chunk.format(1, 64), "a bit of chunk 1", flipped(whole, -150)
    end = "the end of the message was altered: the final tag does not fit its length"
    yield "libre-altered-end", end, "a bit of the final tag", flipped(whole, -1)
    four = skesk_v4(TWOFISH, s2k=(salted()[0], b"")) + packet(20, body)
    yield "libre-v4-wrong-passphrase", "wrong passphrase", "the first chunk tells", four
    five = flipped(skesk_v5(OCB), -1) + packet(20, body)
    yield "libre-v5-wrong-passphrase", "wrong passphrase", "the tag tells", five
    name = "AEAD encrypted data of LibrePGP (20)"
    large = f"the {name} packet is not valid: its chunk size is above 4 MiB"
    octet = skesk_v5(OCB) + packet(20, body[:3] + b"\x11" + body[4:])
    yield "libre-chunk-octet", large, "", octet
    mode = "the message uses the unknown mode unknown (9), expected OCB (2)"
    yield "libre-mode", mode, "", skesk_v5(OCB) + packet(20, body[:2] + b"\x09" + body[3:])
    version = f"version 2 of the {name} packet is not known"
    yield "libre-version", version, "", skesk_v5(OCB) + packet(20, b"\x02" + body[1:])
    six = "the symmetric-key encrypted session key (3) packet has version 6, which does not "
    six += "fit this kind of message, expected version 5"
    yield "libre-skesk-v6", six, "the packets of two forms", skesk() + packet(20, body)
    short = "the symmetric-key encrypted session key (3) packet is not valid: it is too short"
    little = packet(3, bytes([5, TWOFISH, OCB]) + salted()[0] + bytes(20))
    yield "libre-skesk-short", short, "", little + packet(20, body)


def other_keys() -> Rejected:
    body = seipd(literal(b""))
    public = "the message is encrypted to a public key; no passphrase can open it"
    yield "public-key", public, "no packet for a passphrase", PKESK + body
    yield "no-key", "the message has no packet that a passphrase opens", "none at all", body
    many = "the message has more than 16 packets for passphrases"
    yield "many-passphrases", many, "each costs a trial", skesk() * 17 + body
    key = "the session key is encrypted with AES-256 (9), expected Twofish-256 (10)"
    yield "skesk-aes", key, "another cipher for the session key", skesk(cipher=9) + body
    mode = "which this version cannot open; it opens OCB (2)"
    eax = f"the session key uses the mode EAX (1), {mode}"
    yield "skesk-eax", eax, "", skesk(mode=1, nonce=bytes(EAX_NONCE_BYTES)) + body
    gcm = f"the session key uses the mode GCM (3), {mode}"
    yield "skesk-gcm", gcm, "", skesk(mode=3, nonce=bytes(GCM_NONCE_BYTES)) + body
    name = "symmetric-key encrypted session key (3)"
    pair = "which does not fit this kind of message, expected version 6"
    four = f"the {name} packet has version 4, {pair}"
    yield "skesk-v4", four, "belongs to the older form", packet(3, b"\x04\x0a\0\x08") + body
    five = f"the {name} packet has version 5, {pair}"
    yield "skesk-v5", five, "belongs to LibrePGP", packet(3, b"\x05" + bytes(60)) + body
    seven = f"version 7 of the {name} packet is not known"
    yield "skesk-v7", seven, "a later version", packet(3, b"\x07later") + body
    simple = "the passphrase is hashed without a salt (S2K type 0), which is unsafe"
    yield "s2k-simple", simple, "", skesk((b"\0\x08", bytes(32))) + body
    unknown = "unknown way to derive the key from the passphrase (S2K type 9)"
    yield "s2k-unknown", unknown, "", skesk((b"\x09abc", bytes(32))) + body
    sha2 = "expected SHA-256 or another of the SHA-2 family"
    sha1 = f"the passphrase is hashed with SHA-1 (2), {sha2}"
    yield "s2k-sha1", sha1, "", skesk((b"\x01\x02" + bytes(8), bytes(32))) + body
    asks, limits = "the message asks for ", "the limits are 256 MiB of memory and 2 s of work"
    dear = f"{asks}512 MiB of memory and 0.6 s of work, {limits}"
    yield "argon2-memory", dear, "above the limit", skesk(argon2(1, 4, 19)) + body
    work = f"{asks}64 MiB of memory and 2.1 s of work, {limits}"
    yield "argon2-work", work, "above the limit", skesk(argon2(31, 4, 16)) + body
    both = f"{asks}2 GiB of memory and 2.1 s of work, {limits}"
    yield "argon2-both", both, "the first choice of RFC 9106", skesk(argon2(1, 4, 21)) + body
    sha512 = bytes([3, 10]) + bytes(8) + b"\xff", b""
    hashes = f"{asks}2.1 s of work, {limits}"
    older_body = packet(18, b"\x01" + bytes(60))
    yield "hash-work", hashes, "above the limit", skesk_v4(TWOFISH, s2k=sha512) * 8 + older_body
    cost = "the Argon2 settings are not valid: "
    yield "argon2-no-pass", cost + "it makes no pass", "", skesk(argon2(0, 4, 16)) + body
    yield "argon2-no-lane", cost + "it has no lane", "", skesk(argon2(1, 0, 16)) + body
    little = cost + "the memory is below 8 KiB a lane"
    yield "argon2-little", little, "", skesk(argon2(1, 4, 4)) + body
    much = cost + "the memory is above 2^31 KiB"
    yield "argon2-exponent", much, "", skesk(argon2(1, 4, 32)) + body


def malformed() -> Rejected:
    def bad(name: str, number: int, problem: str) -> str:
        return f"the {name} ({number}) packet is not valid: {problem}"

    seipd_name = "symmetrically encrypted and integrity protected data"
    large = encrypted(header(17) + bytes(64))
    yield "chunk-octet", bad(seipd_name, 18, "its chunk size is above 4 MiB"), "", large
    yield "nothing-inside", bad(seipd_name, 18, "it holds nothing"), "", message(b"")
    key = "symmetric-key encrypted session key"
    counts = skesk()[:3] + b"\x22" + skesk()[4:] + seipd(b"")
    yield "skesk-counts", bad(key, 3, "its lengths do not agree"), "", counts
    short = packet(3, b"\x06\x1c\x0a\x02") + seipd(b"")
    yield "skesk-short", bad(key, 3, "it is too short"), "", short
    long = packet(3, b"\x06" + bytes(2000)) + seipd(b"")
    yield "skesk-long", bad(key, 3, "it is too long"), "", long
    in_part = b"\xc3\xe9" + bytes(512)
    yield "skesk-in-parts", bad(key, 3, "it must have a definite length"), "", in_part
    small_part = skesk() + b"\xd2\xe8" + bytes(300)
    yield "small-part", bad(seipd_name, 18, "its first part is below 512 octets"), "", small_part
    format_ = bad("literal data", 11, "its format is not b, t, u, m, l or 1")
    yield "literal-format", format_, "", message(literal(b"", b"x\0\0\0\0\0"))
    yield "type-0", bad("unknown", 0, "this type is reserved"), "", b"\xc0\0"
    two = "found a packet of type literal data (11), expected the end of the encrypted data"
    yield "two-files", two, "", message(literal(b"a") + literal(b"b"))
    critical = "found a packet of type unknown (39), expected an encrypted message"
    yield "critical-packet", critical, "unknown and critical", packet(39, b"?") + seipd(b"")
    key_ = "found a packet of type public key (6), expected an encrypted message"
    yield "key-file", key_, "a key, not a message", packet(6, b"\x06" + bytes(40))


def not_messages() -> Rejected:
    yield "empty", "the input is empty, expected an OpenPGP message", "", b""
    begins = "this is not an OpenPGP message: it begins with "
    yield "age", begins + '"age-encryption.org/v1"', "", b"age-encryption.org/v1\n-> x\n"
    neither = begins + "something that is neither a packet nor armor"
    yield "zeros", neither, "one long line", bytes(5000)
    utf16 = "this is an armored message in UTF-16, expected plain ASCII"
    text = armored(message(literal(b"x")))
    yield "utf16", utf16, "what some shells make of it", text.decode().encode("utf-16")
    key = b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n"
    other = 'this is armored text of type "PGP PUBLIC KEY BLOCK", expected "PGP MESSAGE"'
    yield "armored-key", other, "", key
    before = "there is other text before the armor, which begins in line {}"
    yield "armor-after-text", before.format(2), "a greeting in front", b"Hello,\n" + text
    quoted = b"> " + text.replace(b"\n", b"\n> ")
    yield "armor-quoted", before.format(1), "each line has a mark", quoted
    no_empty = "line 2 of the armor is not valid: expected a header or an empty line"
    yield "armor-no-empty-line", no_empty, "the data follow at once", text.replace(b"\n\n", b"\n")
    line = "line 3 of the armor is not valid: it is not base64"
    yield "armor-character", line, "", text.replace(b"\n\nw", b"\n\n*")
    tail = "line {} of the armor is not valid: {}"
    group = "the data before it is not a multiple of four characters"
    even = next(m for m in (message(literal(bytes(n))) for n in range(3)) if len(m) % 3 == 0)
    more = armored(even).replace(b"\n-----END", b"\nA\n-----END")
    number = len(more.splitlines())
    yield "armor-group", tail.format(number, group), "one character too many", more
    cut = "the message is truncated: it ends in the armor"
    yield "armor-cut", cut, "the last lines are missing", text[: len(text) // 2]


# --- The file ----------------------------------------------------------------------------------


def messages() -> str:
    """All of them, and what a reader must make of each."""
    made: list[tuple[str, int | str, str, bytes]] = []
    made += [(f"accept-{name}", size, rule, data) for name, size, rule, data in accepted()]
    made += [(f"reject-{name}", error, rule, data) for name, error, rule, data in rejected()]
    return make_file(
        f"""Messages that a reader of OpenPGP must accept or reject, one rule each.
The passphrase is "{PASSPHRASE.decode()}". RESULT is the number of octets of the file inside, which
are 0 to 250 over and over, or the error.""",
        (
            {"NAME": name, "RULE": rule or WHAT_IT_SAYS, "RESULT": result, "MESSAGE": data}
            for name, result, rule, data in made
        ),
    )


FILES = {"vectors/openpgp/messages.rsp": messages}
