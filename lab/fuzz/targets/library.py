"""Every public call of the C library, with the fuzzer's values in the registers."""

import libfuzzer
from targets.protocol import host

TITLE = "the C library on hostile devices"


def program():
    sources, includes = host()
    built = libfuzzer.build("library", [*sources, libfuzzer.NATIVE / "library.c"], includes)
    return (built, "-max_len=4000")
