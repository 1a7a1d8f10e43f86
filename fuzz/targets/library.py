"""Every public call of the C library, with the fuzzer's values in the registers."""

import libfuzzer
from targets.protocol import host

TITLE = "the C library on hostile devices"


def needs():
    return libfuzzer.needs()


def command(folder, budget, seed):
    sources, includes = host()
    program = libfuzzer.build("library", [*sources, libfuzzer.NATIVE / "library.c"], includes)
    return libfuzzer.command(program, folder, budget, seed, "-max_len=4000")
