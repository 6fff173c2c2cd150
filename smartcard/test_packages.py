# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The layouts of firmware tools: library.json, zephyr/ and what arduino.py writes.

Each is built from what it names and nothing else, as its tool would do it but without the tool. So
this finds what no other test does: a path, an option or an include folder that is wrong there, a
source that needs more than its package has, and a C library that no longer links for ARMv6-M.
Nothing is optimised, since that takes longer and the level comes from the tool.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import unittest
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import arduino
from machine import ROOT, ProgramError, Simulator, run_tool
from machines import avr
from programs import PROGRAMS
from twofish import Twofish

PACKAGE = "gcc-arm-none-eabi libnewlib-arm-none-eabi"
ARM = ("-mcpu=cortex-m0", "-mthumb", "-O0", "-ffunction-sections", "-fdata-sections")
LINK = ("--specs=nosys.specs", "-Wl,--gc-sections")
EXAMPLE = ROOT / "c" / "tests" / "example.c"
VERSION = (ROOT / "VERSION").read_text(encoding="ascii").strip()

# The fields that the format of Arduino requires, and its categories.
REQUIRED = {"name", "version", "author", "maintainer", "sentence", "paragraph", "url"}
CATEGORIES = {
    *("Display", "Communication", "Signal Input/Output", "Sensors", "Device Control", "Timing"),
    *("Data Storage", "Data Processing", "Other"),
}

# The functions of Zephyr that the module calls, by their documentation, and an application.
ZEPHYR = """\
cmake_minimum_required(VERSION 3.20)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
project(application LANGUAGES C)
add_compile_options({options})
add_library(zephyr_interface INTERFACE)

function(zephyr_include_directories)
  target_include_directories(zephyr_interface INTERFACE ${{ARGV}})
endfunction()
macro(zephyr_library_named name)
  set(ZEPHYR_CURRENT_LIBRARY ${{name}})
  add_library(${{name}} STATIC "")
  target_link_libraries(${{name}} PUBLIC zephyr_interface)
endmacro()
function(zephyr_library_sources)
  target_sources(${{ZEPHYR_CURRENT_LIBRARY}} PRIVATE ${{ARGV}})
endfunction()
function(zephyr_library_compile_options)
  target_compile_options(${{ZEPHYR_CURRENT_LIBRARY}} PRIVATE ${{ARGV}})
endfunction()
function(zephyr_library_compile_definitions)
  target_compile_definitions(${{ZEPHYR_CURRENT_LIBRARY}} PRIVATE ${{ARGV}})
endfunction()

set(ZEPHYR_CURRENT_MODULE_DIR {root})
{settings}
add_subdirectory({root}/{cmake} module)
add_executable(application {example})
target_link_libraries(application PRIVATE zephyr_interface {libraries})
target_link_options(application PRIVATE {link})
"""


def arm(compiler: str, *arguments: str | Path) -> None:
    run_tool([f"arm-none-eabi-{compiler}", *arguments], PACKAGE)


def archive(sources: Path, options: Sequence[str], place: Path) -> Path:
    """A library of all sources in a folder and those below it."""
    made = {source: place / f"{n}.o" for n, source in enumerate(sorted(sources.rglob("*.c")))}

    def compile_one(source: Path) -> None:
        arm("gcc", *ARM, *options, "-Wall", "-Werror", "-c", "-o", made[source], source)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, made))
    library = place / "library.a"
    arm("ar", "rcs", library, *made.values())
    return library


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class PlatformIO(Folder):
    def test_package_builds(self) -> None:
        manifest = json.loads((ROOT / "library.json").read_text(encoding="utf-8"))
        for name in manifest["export"]["include"]:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            (self.folder / "package" / name).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / name, self.folder / "package" / name)
        build = manifest["build"]
        include = self.folder / "package" / build["includeDir"]
        self.assertTrue((include / manifest["headers"]).is_file())
        sources = self.folder / "package" / build["srcDir"]
        library = archive(sources, [*build["flags"], f"-I{include}"], self.folder)
        elf = self.folder / "example.elf"
        arm("gcc", *ARM, f"-I{include}", EXAMPLE, library, *LINK, "-o", elf)


class Zephyr(Folder):
    def setUp(self) -> None:
        super().setUp()
        module = (ROOT / "zephyr" / "module.yml").read_text(encoding="utf-8")
        form = r"#.*\nname: manyfish\nbuild:\n  cmake: (\S+)\n  kconfig: (\S+)\n"
        match = re.fullmatch(form, module)
        assert match, "module.yml has more than this test can read: extend it"
        self.cmake, kconfig = match.groups()
        self.options = re.findall(r"^config (\w+)$", (ROOT / kconfig).read_text(), re.MULTILINE)

    def test_options_are_declared(self) -> None:
        text = (ROOT / self.cmake / "CMakeLists.txt").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"CONFIG_(\w+)", text)), set(self.options))

    def cmake_project(self, libraries: str, settings: Sequence[str]) -> None:
        text = ZEPHYR.format(
            root=ROOT,
            cmake=self.cmake,
            example=EXAMPLE,
            libraries=libraries,
            settings="\n".join(settings),
            options=" ".join(ARM),
            link=" ".join((*ARM, *LINK)),
        )
        (self.folder / "CMakeLists.txt").write_text(text)
        run_tool(["cmake", "-S", self.folder, "-B", self.folder / "build"], "cmake")

    def test_module_builds(self) -> None:
        self.cmake_project("manyfish", [f"set(CONFIG_{name} y)" for name in self.options])
        run_tool(["cmake", "--build", self.folder / "build", "-j", str(os.cpu_count())], "cmake")
        self.assertTrue((self.folder / "build" / "application").is_file())

    def test_module_is_off_unless_chosen(self) -> None:
        self.cmake_project("", [])
        self.assertFalse(list((self.folder / "build" / "module").rglob("*manyfish*")))


class Arduino(Folder):
    def stage(self) -> Path:
        with mock.patch("sys.argv", ["arduino.py", str(self.folder)]):
            arduino.main()
        return self.folder

    def test_properties(self) -> None:
        folder = self.stage()
        for name in ("Manyfish", "ManyfishAVR"):
            with self.subTest(name):
                lines = (folder / name / "library.properties").read_text().splitlines()
                fields = dict(line.split("=", 1) for line in lines)
                self.assertEqual(REQUIRED - set(fields), set())
                self.assertTrue(all(fields.values()))
                self.assertRegex(fields["name"], r"^\w[\w .-]{0,62}$")
                self.assertEqual(fields["version"], VERSION)
                self.assertIn(fields["category"], CATEGORIES)

    def test_c_library_builds(self) -> None:
        sources = self.stage() / "Manyfish" / "src"
        library = archive(sources, [f"-I{sources}"], self.folder)
        sketch, made = self.folder / "sketch.cpp", self.folder / "sketch.o"
        sketch.write_text(f"#include <Manyfish.h>\n{EXAMPLE.read_text(encoding='utf-8')}")
        arm("g++", *ARM, "-fno-exceptions", f"-I{sources}", "-c", "-o", made, sketch)
        arm("gcc", *ARM, made, library, *LINK, "-o", self.folder / "sketch.elf")

    def test_avr_refuses_the_c_library(self) -> None:
        """With the words of docs/firmware.md."""
        options = ("-mmcu=atmega328p", "-fsyntax-only", f"-I{ROOT / 'c' / 'include'}")
        with self.assertRaisesRegex(ProgramError, "mf_twofish has padding"):
            run_tool(["avr-gcc", *options, ROOT / "c/src/twofish/twofish.c"], "gcc-avr")

    def test_avr_library_runs(self) -> None:
        """In the simulator, the example of avr/."""
        sources = self.stage() / "ManyfishAVR" / "src"
        example, kernel = self.folder / "example.c", self.folder / "kernel.o"
        text = (avr.SOURCE / "example.c").read_text(encoding="utf-8")
        example.write_text(text.replace('"twofish.h"', "<ManyfishAVR.h>"))
        compiler = ("avr-gcc", "-mmcu=atmega328p", "-Os", "-ffunction-sections", f"-I{sources}")
        run_tool([*compiler, "-c", "-o", kernel, sources / "ManyfishAVR.S"], "gcc-avr")
        key = bytes(range(PROGRAMS["avr_stored"].key_bytes))
        made = self.folder / "example.o"
        run_tool([*compiler, f"-DKEY_BYTES={len(key)}", "-c", "-o", made, example], "gcc-avr")

        image = avr.link([made, kernel], self.folder, ["-Wl,--gc-sections"])
        data, code = avr.symbols(image.with_suffix(".elf"))
        simulator = Simulator([avr.sim_avr(), image])
        self.addCleanup(simulator.close)
        simulator.load(1, b"\0")
        simulator.call(code["main"])
        expected = Twofish(key).encrypt(bytes(range(0xF0, 0x100)))
        self.assertEqual(simulator.dump(data["ciphertext"], 16), expected)


if __name__ == "__main__":
    unittest.main()
