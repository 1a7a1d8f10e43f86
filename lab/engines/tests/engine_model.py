"""The models of engines as a library of this process, on memory of a test."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
from pathlib import Path

from axiometer.runs.cosim import build, compile

ROOM = Path(__file__).resolve().parents[1]
# With the sanitizer of addresses, too, in host/tests/test_host.py.
SANITIZERS = ("-fPIC", "-fsanitize=undefined", "-fno-sanitize-recover=all")
STRICT = ("-std=c++20", "-O1", "-g1", "-D_GLIBCXX_ASSERTIONS", "-Wall", "-Wextra", "-Wshadow")
BASE, BYTES = 0x1000_0000, 4 << 20  # of the memory
PATIENCE = 2_000_000  # clocks
LATENCY = 50

Step = tuple[int, int] | tuple[str, int] | tuple[str, int, int] | int
"""A register is written; a word of memory is ("word"), a register is read ("read"), or waited for
until it has bits ("until"); or clocks pass."""
_Memory = ctypes.CFUNCTYPE(
    ctypes.c_bool, ctypes.c_void_p, ctypes.c_bool, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t
)


def library(folder: Path) -> ctypes.CDLL:
    """The models, compiled; what was compiled before of the same sources is not compiled again."""
    compiler = os.environ.get("CXX", "g++").split()
    objects, mark = build.cache() / "cosim" / "objects", compile.tree(ROOM)
    options = (*STRICT, "-Werror", *SANITIZERS)
    made = [
        compile.kept(objects, f"engines-{at.stem}", compiler, options, [ROOM], [at], mark).make()
        for at in sorted(ROOM.glob("*.cpp"))
    ]
    shared = folder / "engines.so"
    subprocess.run([*compiler, *SANITIZERS, "-shared", *made, "-o", shared], check=True)
    found = ctypes.CDLL(str(shared))
    found.axm_model_make.restype = ctypes.c_void_p
    found.axm_model_make.argtypes = [ctypes.c_char_p, ctypes.c_uint, _Memory, ctypes.c_void_p]
    for name, more, result in (
        ("free", [], None),
        ("read", [ctypes.c_uint32], ctypes.c_uint32),
        ("write", [ctypes.c_uint32, ctypes.c_uint32], None),
        ("run", [ctypes.c_uint], ctypes.c_bool),
        ("interrupt", [], ctypes.c_bool),
        ("said", [], ctypes.c_char_p),
    ):
        function = getattr(found, f"axm_model_{name}")
        function.argtypes, function.restype = [ctypes.c_void_p, *more], result
    return found


class Engine:
    """An engine by its name and parameters (options.hpp), in memory of zeros."""

    def __init__(self, models: ctypes.CDLL, name: str) -> None:
        self.models, self.memory = models, bytearray(BYTES)
        self._access = _Memory(self._accessed)
        self.model = models.axm_model_make(name.encode(), LATENCY, self._access, None)
        if self.model is None:
            raise ValueError(name)

    def _accessed(self, _: object, write: bool, address: int, place: int, count: int) -> bool:
        at = address - BASE
        if at < 0 or at + count > BYTES:
            return False
        if write:
            self.memory[at : at + count] = ctypes.string_at(place, count)
        else:
            ctypes.memmove(place, bytes(self.memory[at : at + count]), count)
        return True

    def do(self, *steps: Step) -> None:
        for step in steps:
            match step:
                case ("word", address, value):
                    self.set_word(address, value)
                case ("until", offset, bits):
                    self.until(offset, bits)
                case ("read", offset):
                    self.get(offset)
                case (int(offset), value):
                    self.put(offset, value)
                case clocks:
                    self.run(clocks)

    def get(self, offset: int) -> int:
        return self.models.axm_model_read(self.model, offset)

    def put(self, offset: int, value: int) -> None:
        self.models.axm_model_write(self.model, offset, value & 0xFFFF_FFFF)

    def run(self, clocks: int = 20_000) -> None:
        """Also past changes of the interrupt."""
        for _ in range(clocks // 64 + 1):
            self.models.axm_model_run(self.model, 64)

    def until(self, offset: int, bits: int, gone: int = 0) -> None:
        """Until a register has all of `bits`, and none of `gone`."""
        for _ in range(PATIENCE // 64):
            if self.get(offset) & (bits | gone) == bits:
                return
            self.models.axm_model_run(self.model, 64)
        raise AssertionError(f"offset {offset:#x} is {self.get(offset):#x}, not {bits:#x}")

    @property
    def interrupt(self) -> bool:
        return self.models.axm_model_interrupt(self.model)

    def word(self, address: int) -> int:
        return int.from_bytes(self.bytes(address, 4), "little")

    def set_word(self, address: int, value: int) -> None:
        self.memory[address - BASE : address - BASE + 4] = value.to_bytes(4, "little")

    def bytes(self, address: int, count: int) -> bytes:
        return bytes(self.memory[address - BASE : address - BASE + count])

    def fill(self, address: int, count: int, number: int) -> bytes:
        """A different pattern for each packet."""
        made = bytes((i * 7 + number * 31 + (i >> 8)) & 0xFF for i in range(count))
        self.memory[address - BASE : address - BASE + count] = made
        return made

    def broken(self) -> dict[str, str]:
        """The rules that software broke, each with its place in a document."""
        said = self.models.axm_model_said(self.model).decode()
        return dict(re.findall(r"^objection: ([a-z-]+): .* \[(.*)\]$", said, re.MULTILINE))
