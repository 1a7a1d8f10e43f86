"""The switch of a mutant in Python: the same file as switch.cpp's, under the name of a builtin."""

import builtins
import mmap
import os

_words = memoryview(bytearray(4 * 4096)).cast("i")
if _name := os.environ.get("AXIOMETER_MUTATION"):
    with open(_name, "r+b") as _file:  # noqa: PTH123
        _words = memoryview(mmap.mmap(_file.fileno(), 0)).cast("i")


def _axm_m(number: int) -> bool:
    _words[number] = 1
    return _words[0] == number


builtins._axm_m = _axm_m
