# SPDX-License-Identifier: Apache-2.0 OR MIT
"""encrypt_file and its neighbours; also with the command `manyfish`, where MANYFISH names it."""

from __future__ import annotations

import io
import os
import random
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Literal

from manyfish import (
    DamagedMessageError,
    MessageError,
    UnsupportedMessageError,
    WrongPassphraseError,
    decrypt_bytes,
    decrypt_file,
    encrypt_bytes,
    encrypt_file,
)
from vectors import FOLDER, cases

COMMAND = os.environ.get("MANYFISH")
FIXTURES = Path(__file__).resolve().parents[2] / "interop/fixtures"
PHRASE = "correct horse"  # of those messages
SECRET = "pass phräse"
RANDOM = random.Random(3)
CHUNK = 64
DATA = RANDOM.randbytes(5 * CHUNK + 1)


def octets(n_bytes: int) -> bytes:
    """The content of the messages."""
    return bytes(i % 251 for i in range(n_bytes))


class InAFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.plain = self.folder / "plain"
        self.plain.write_bytes(DATA)
        self.message = self.folder / "message.pgp"

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


class RoundTrips(InAFolder):
    def test_bytes_of_many_lengths(self) -> None:
        for n_bytes in (0, CHUNK, 100_000):
            data = RANDOM.randbytes(n_bytes)
            message = encrypt_bytes(data, SECRET, chunk_size=CHUNK)
            self.assertEqual(decrypt_bytes(message, SECRET), data, n_bytes)

    def test_paths(self) -> None:
        again = self.folder / "again"
        encrypt_file(self.plain, str(self.message), SECRET)
        decrypt_file(str(self.message), again, SECRET)
        self.assertEqual(again.read_bytes(), DATA)
        self.assertEqual(self.names(), ["again", "message.pgp", "plain"])

    def test_file_objects(self) -> None:
        message, again = io.BytesIO(), io.BytesIO()
        encrypt_file(io.BytesIO(DATA), message, SECRET)
        message.seek(0)
        decrypt_file(message, again, SECRET)
        self.assertEqual(again.getvalue(), DATA)

    def test_unbuffered_files_that_take_and_give_parts(self) -> None:
        class Slow(io.RawIOBase):
            def __init__(self, data: bytes = b"") -> None:
                self.rest, self.taken = io.BytesIO(data), bytearray()

            def read(self, n_bytes: int = -1) -> bytes:
                return self.rest.read(min(n_bytes, 7))

            def write(self, data: Any) -> int:
                self.taken += data[:5]
                return min(len(data), 5)

        message, again = Slow(), Slow()
        encrypt_file(Slow(DATA), message, SECRET)
        decrypt_file(Slow(bytes(message.taken)), again, SECRET)
        self.assertEqual(bytes(again.taken), DATA)

    def test_any_buffer(self) -> None:
        message = encrypt_bytes(memoryview(DATA), SECRET)
        self.assertEqual(decrypt_bytes(bytearray(message), SECRET), DATA)

    def test_armor(self) -> None:
        message = encrypt_bytes(DATA, SECRET, armor=True)
        self.assertTrue(message.startswith(b"-----BEGIN PGP MESSAGE-----\n"))
        self.assertEqual(decrypt_bytes(message, SECRET), DATA)

    def test_the_older_format(self) -> None:
        for n_bytes in (0, 1, 100_000):
            data = RANDOM.randbytes(n_bytes)
            message = encrypt_bytes(data, SECRET, format="rfc4880", armor=n_bytes == 1)
            self.assertEqual(decrypt_bytes(message, SECRET), data)
        again = io.BytesIO()
        decrypt_file(io.BytesIO(message), again, SECRET)
        self.assertEqual(again.getvalue(), data)
        altered = bytearray(message)
        altered[-1] ^= 1
        again = io.BytesIO()
        with self.assertRaisesRegex(WrongPassphraseError, "or the message was altered"):
            decrypt_file(io.BytesIO(altered), again, SECRET)
        self.assertEqual(again.getvalue(), b"", "nothing may be released before the MDC")

    def test_text_and_its_utf8_are_one_passphrase(self) -> None:
        self.assertEqual(decrypt_bytes(encrypt_bytes(DATA, SECRET), SECRET.encode()), DATA)

    def test_two_messages_never_agree(self) -> None:
        self.assertNotEqual(encrypt_bytes(DATA, SECRET), encrypt_bytes(DATA, SECRET))

    def test_chunks_have_the_size_asked_for(self) -> None:
        n_bytes = [len(encrypt_bytes(bytes(1024), SECRET, chunk_size=n)) for n in (64, 128)]
        # 16 bytes of tag a chunk; the packet that holds the file has a header of its own.
        self.assertEqual(n_bytes[0] - n_bytes[1], 16 * (-(-1032 // 64) - -(-1032 // 128)))

    def test_threads(self) -> None:
        results: dict[int, bytes] = {}

        def work(number: int) -> None:
            data = bytes([number]) * 100_000
            results[number] = decrypt_bytes(encrypt_bytes(data, SECRET), SECRET)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, {n: bytes([n]) * 100_000 for n in range(2)})


class Outputs(InAFolder):
    def test_an_existing_file_stays_unless_asked(self) -> None:
        self.message.write_bytes(b"precious")
        with self.assertRaisesRegex(FileExistsError, "overwrite=True replaces it") as caught:
            encrypt_file(self.plain, self.message, SECRET)
        self.assertEqual(caught.exception.filename, str(self.message))
        self.assertEqual(self.message.read_bytes(), b"precious")
        encrypt_file(self.plain, self.message, SECRET, overwrite=True)
        self.assertEqual(decrypt_bytes(self.message.read_bytes(), SECRET), DATA)

    def test_a_file_that_appears_meanwhile_stays(self) -> None:
        def appear(done: int, total: int | None) -> None:
            self.message.write_bytes(b"precious")

        with self.assertRaises(FileExistsError):
            encrypt_file(self.plain, self.message, SECRET, progress=appear)
        self.assertEqual(self.message.read_bytes(), b"precious")
        self.assertEqual(self.names(), ["message.pgp", "plain"])

    def test_decrypted_files_are_for_their_owner(self) -> None:
        again = self.folder / "again"
        encrypt_file(self.plain, self.message, SECRET)
        decrypt_file(self.message, again, SECRET)
        self.assertEqual(stat.S_IMODE(again.stat().st_mode), 0o600)

    def test_a_replaced_file_keeps_its_mode_and_a_link_its_file(self) -> None:
        self.message.write_bytes(b"old")
        self.message.chmod(0o640)
        link = self.folder / "link"
        link.symlink_to(self.message)
        encrypt_file(self.plain, link, SECRET, overwrite=True)
        self.assertTrue(link.is_symlink())
        self.assertEqual(stat.S_IMODE(self.message.stat().st_mode), 0o640)
        self.assertEqual(decrypt_bytes(self.message.read_bytes(), SECRET), DATA)

    @unittest.skipUnless(hasattr(os, "setxattr"), "only Linux has such access lists")
    def test_a_replaced_file_keeps_its_access_list(self) -> None:
        """Its group has no rights, though the mode says so; a list of the folder gives none."""
        own, folder = "system.posix_acl_access", "system.posix_acl_default"
        nobody, other = 2**32 - 1, 4321
        entries = ((1, 6, nobody), (2, 6, other), (4, 0, nobody), (16, 6, nobody), (32, 0, nobody))
        access = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *each) for each in entries)
        self.message.write_bytes(b"old")
        self.message.chmod(0o640)
        try:
            os.setxattr(self.folder, folder, access)
        except OSError:
            self.skipTest("this file system has no access lists")
        encrypt_file(self.plain, self.message, SECRET, overwrite=True)
        self.assertNotIn(own, os.listxattr(self.message))
        self.assertEqual(stat.S_IMODE(self.message.stat().st_mode), 0o640)
        os.setxattr(self.message, own, access)
        encrypt_file(self.plain, self.message, SECRET, overwrite=True)
        self.assertEqual(os.getxattr(self.message, own), access)

    def test_plaintext_is_for_its_owner_until_it_is_complete(self) -> None:
        """Also where it replaces a file that others may read."""
        again = self.folder / "again"
        again.write_bytes(b"old")
        again.chmod(0o644)
        encrypt_file(self.plain, self.message, SECRET)
        modes: set[int] = set()

        def look(done: int, total: int | None) -> None:
            unfinished = self.folder.glob(".manyfish-*")
            modes.update(stat.S_IMODE(file.stat().st_mode) for file in unfinished)

        decrypt_file(self.message, again, SECRET, overwrite=True, progress=look)
        self.assertEqual(modes, {0o600})
        self.assertEqual(stat.S_IMODE(again.stat().st_mode), 0o644)

    def test_one_file_as_both(self) -> None:
        with self.assertRaisesRegex(ValueError, "is both src and dst"):
            encrypt_file(self.plain, self.plain, SECRET, overwrite=True)
        self.assertEqual(self.plain.read_bytes(), DATA)

    def test_folders(self) -> None:
        for src, dst in ((self.folder, self.message), (self.plain, self.folder)):
            with self.assertRaises(IsADirectoryError) as caught:
                encrypt_file(src, dst, SECRET)
            self.assertEqual(caught.exception.filename, str(self.folder))
        self.assertEqual(self.names(), ["plain"])

    def test_devices_are_not_replaced(self) -> None:
        with self.assertRaisesRegex(OSError, "pass the file object"):
            encrypt_file(self.plain, "/dev/null", SECRET, overwrite=True)

    def test_missing_files_and_folders(self) -> None:
        missing = self.folder / "missing"
        with self.assertRaises(FileNotFoundError) as caught:
            encrypt_file(missing, self.message, SECRET)
        self.assertEqual(caught.exception.filename, str(missing))
        with self.assertRaises(FileNotFoundError) as caught:
            encrypt_file(self.plain, missing / "message", SECRET)
        self.assertEqual(caught.exception.filename, str(missing / "message"))

    def test_a_name_with_a_null_byte_is_refused_as_by_open(self) -> None:
        name = f"{self.folder}/a\0b"
        for src, dst in ((name, self.message), (self.plain, name)):
            with self.assertRaisesRegex(ValueError, "^embedded null byte$"):
                encrypt_file(src, dst, SECRET)
        self.assertEqual(self.names(), ["plain"])


@unittest.skipUnless(FOLDER.is_dir(), "the vectors of the repository are not here")
class Messages(unittest.TestCase):
    """Those that a reader must accept or reject."""

    def setUp(self) -> None:
        both = [*cases("openpgp/messages"), *cases("openpgp/sequoia")]
        self.messages = {case["NAME"]: case for case in both}
        self.octets = self.messages["accept-chunks"].bytes("MESSAGE")

    def test_each_has_its_result(self) -> None:
        for name, case in self.messages.items():
            message, result = case.bytes("MESSAGE"), case["RESULT"]
            with self.subTest(name):
                if result.isdecimal():
                    self.assertEqual(decrypt_bytes(message, PHRASE), octets(int(result)))
                else:
                    self.refuse(message, result)

    def refuse(self, message: bytes, sentence: str) -> None:
        with self.assertRaises(MessageError) as caught:
            decrypt_bytes(message, PHRASE)
        self.assertTrue(str(caught.exception).startswith(sentence), caught.exception)

    def test_the_sentence_is_followed_by_what_to_do(self) -> None:
        for name, kind, sentence in (
            ("wrong-passphrase", WrongPassphraseError, "wrong passphrase; if the passphrase is"),
            ("altered-tag", DamagedMessageError, "was altered .*; get the file again"),
            (
                "cut-in-chunk",
                DamagedMessageError,
                "is truncated.*; get the file again|cut off its end",
            ),
            ("empty", DamagedMessageError, "the input is empty, expected an OpenPGP message"),
            ("plain", UnsupportedMessageError, "not encrypted; "),
            ("aes", UnsupportedMessageError, "expected Twofish-256 .*; .* opens AES"),
        ):
            with self.subTest(name), self.assertRaisesRegex(kind, sentence):
                decrypt_bytes(self.messages[f"reject-{name}"].bytes("MESSAGE"), PHRASE)

    def test_limits(self) -> None:
        message = encrypt_bytes(b"text", PHRASE)
        asks = r"asks for 64 MiB of memory and 0.2 s of work"
        for memory, work, allow in (
            (1 << 20, None, "max_memory=67108864"),
            (None, 0.1, "max_work=1"),
            (0, 0, "max_memory=67108864, max_work=1"),
        ):
            with self.assertRaisesRegex(UnsupportedMessageError, f"{asks}.*decrypt with {allow}$"):
                decrypt_bytes(message, PHRASE, max_memory=memory, max_work=work)
        within = decrypt_bytes(message, PHRASE, max_memory=1 << 26, max_work=0.2)
        self.assertEqual(within, b"text")
        for memory, work in ((-1, None), (None, -1), (None, float("nan"))):
            with self.subTest(memory=memory, work=work), self.assertRaisesRegex(ValueError, "max_"):
                decrypt_bytes(message, PHRASE, max_memory=memory, max_work=work)

    def test_all_are_value_errors(self) -> None:
        for kind in (WrongPassphraseError, DamagedMessageError, UnsupportedMessageError):
            self.assertTrue(issubclass(kind, MessageError) and issubclass(kind, ValueError))

    def test_every_altered_octet_of_the_chunks(self) -> None:
        for index in range(-1100, 0, 7):
            altered = bytearray(self.octets)
            altered[index] ^= 0x10
            with self.subTest(index=index), self.assertRaises(DamagedMessageError):
                decrypt_bytes(altered, PHRASE)

    def test_every_cut(self) -> None:
        for cut in range(1, len(self.octets), 9):
            with self.subTest(cut=cut), self.assertRaises(DamagedMessageError):
                decrypt_bytes(self.octets[:-cut], PHRASE)

    def test_messages_of_gnupg_and_rnp(self) -> None:
        passphrase = (FIXTURES / "passphrase").read_text(encoding="utf-8").rstrip("\n")
        files = {name: (FIXTURES / f"{name}.bin").read_bytes() for name in ("short", "long")}
        paths = sorted(FIXTURES.glob("*.pgp"))
        self.assertTrue(paths)
        for path in paths:
            with self.subTest(path.name):
                legacy = "-legacy-" in path.name
                found = decrypt_bytes(path.read_bytes(), passphrase, insecure_legacy=legacy)
                self.assertEqual(found, files[path.stem.rpartition("-")[2]])
                if legacy:
                    with self.assertRaisesRegex(UnsupportedMessageError, "insecure_legacy"):
                        decrypt_bytes(path.read_bytes(), passphrase)

    def test_parts_before_the_damage_are_true(self) -> None:
        altered = bytearray(self.octets)
        altered[-1] ^= 1
        again = io.BytesIO()
        with self.assertRaises(DamagedMessageError):
            decrypt_file(io.BytesIO(altered), again, PHRASE)
        self.assertTrue(octets(1000).startswith(again.getvalue()))

    def test_no_trace_after_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for number, cut in enumerate((1, 500)):
                message = Path(folder) / f"{number}.pgp"
                message.write_bytes(self.octets[:-cut])
                with self.assertRaises(DamagedMessageError):
                    decrypt_file(message, Path(folder) / "again", PHRASE)
                message.unlink()
            self.assertEqual(list(Path(folder).iterdir()), [])


class Arguments(InAFolder):
    def test_empty_passphrases(self) -> None:
        for empty in ("", b""):
            with self.assertRaisesRegex(ValueError, "the passphrase is empty"):
                encrypt_bytes(DATA, empty)
            with self.assertRaisesRegex(ValueError, "the passphrase is empty"):
                decrypt_file(self.plain, self.message, empty)

    def test_chunk_sizes(self) -> None:
        for chunk_size in (0, -64, 32, 63, 65, 8 << 20, 1 << 40):
            with self.assertRaisesRegex(ValueError, "a power of two from 64 to 4194304, not"):
                encrypt_bytes(DATA, SECRET, chunk_size=chunk_size)
        with self.assertRaisesRegex(ValueError, '"rfc4880" has no chunks'):
            encrypt_file(self.plain, self.message, PHRASE, format="rfc4880", chunk_size=64)

    def test_passphrases_of_other_types(self) -> None:
        with self.assertRaisesRegex(TypeError, "passphrase must be str or bytes, not int"):
            encrypt_bytes(DATA, 5)  # type: ignore[arg-type]

    def test_formats(self) -> None:
        for wrong in ("", "rfc2440", "RFC9580"):
            with self.assertRaisesRegex(ValueError, 'must be "rfc9580" or "rfc4880", not'):
                encrypt_bytes(DATA, SECRET, format=wrong)  # type: ignore[arg-type]

    def test_wrong_types(self) -> None:
        for src, passphrase in ((3.5, SECRET), (self.plain, 7), (self.plain, None)):
            with self.assertRaises(TypeError):
                encrypt_file(src, self.message, passphrase)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            encrypt_bytes("text", SECRET)  # type: ignore[arg-type]

    def test_files_of_text(self) -> None:
        with self.assertRaisesRegex(TypeError, 'expected a file opened with "rb"'):
            encrypt_file(io.StringIO("text"), self.message, SECRET)  # type: ignore[arg-type]
        with self.assertRaises(TypeError):
            encrypt_file(self.plain, io.StringIO(), SECRET)  # type: ignore[arg-type]

    def test_exceptions_of_file_objects_come_through(self) -> None:
        class Broken(io.BytesIO):
            def read(self, n_bytes: int | None = -1) -> bytes:
                raise LookupError("the tape is torn")

            def write(self, data: Any) -> int:
                raise LookupError("the tape is full")

        with self.assertRaisesRegex(LookupError, "torn"):
            encrypt_file(Broken(), self.message, SECRET)
        with self.assertRaisesRegex(LookupError, "full"):
            encrypt_file(self.plain, Broken(), SECRET)
        self.assertEqual(self.names(), ["plain"])


class Progress(InAFolder):
    def setUp(self) -> None:
        super().setUp()
        self.big = self.folder / "big"
        with self.big.open("wb") as file:
            file.truncate(256 << 20)

    def test_it_grows_up_to_the_total(self) -> None:
        seen: list[tuple[int, int | None]] = []
        with Path(os.devnull).open("wb") as sink:
            encrypt_file(self.big, sink, SECRET, progress=lambda *pair: seen.append(pair))
        self.assertEqual(seen[-1], (256 << 20, 256 << 20))
        self.assertGreater(len(seen), 1)
        self.assertEqual(seen, sorted(seen))

    def test_an_input_that_grows_meanwhile(self) -> None:
        def grow(done: int, total: int | None) -> None:
            with self.big.open("ab") as file:
                file.write(b"more")

        with self.assertRaisesRegex(OSError, "the input changed"):
            encrypt_file(self.big, self.message, SECRET, progress=grow)
        self.assertEqual(self.names(), ["big", "plain"])

    def test_its_exceptions_end_the_work(self) -> None:
        def stop(done: int, total: int | None) -> None:
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            encrypt_file(self.big, self.message, SECRET, progress=stop)
        self.assertEqual(self.names(), ["big", "plain"])

    def test_keyboard_interrupt_leaves_no_trace(self) -> None:
        program = (  # the first line for those who were started in the background
            "import signal, sys, manyfish\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "manyfish.encrypt_file(sys.argv[1], sys.argv[2], 'secret', progress=lambda *_: "
            "print('at work', flush=True))"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program, "/dev/zero", str(self.message)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            self.assertEqual(len(self.names()), 3)  # there is an unfinished file
            process.send_signal(signal.SIGINT)
            errors = process.communicate(timeout=120)[1]
        self.assertIn(b"KeyboardInterrupt", errors)
        self.assertEqual(self.names(), ["big", "plain"])


@unittest.skipUnless(COMMAND, "MANYFISH does not name the command")
class WithTheCommand(InAFolder):
    def command(self, *arguments: str) -> None:
        secret = self.folder / "secret"
        secret.write_text(SECRET)
        words = [str(COMMAND), *arguments, "--passphrase-file", str(secret)]
        subprocess.run(words, check=True, capture_output=True)

    def test_it_opens_ours(self) -> None:
        formats: tuple[Literal["rfc9580", "rfc4880"], ...] = ("rfc9580", "rfc4880")
        for number, format in enumerate(formats):
            again = self.folder / f"again-{number}"
            armor = bool(number)
            encrypt_file(
                self.plain, self.message, SECRET, format=format, armor=armor, overwrite=True
            )
            self.command("decrypt", str(self.message), "-o", str(again))
            self.assertEqual(again.read_bytes(), DATA)

    def test_we_open_its(self) -> None:
        for number, options in enumerate(
            ([], ["--armor"], ["--chunk", "64"], ["--format", "rfc4880"])
        ):
            message = self.folder / f"message-{number}"
            self.command("encrypt", str(self.plain), "-o", str(message), *options)
            self.assertEqual(decrypt_bytes(message.read_bytes(), SECRET), DATA)


if __name__ == "__main__":
    unittest.main()
