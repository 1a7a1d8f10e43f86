"""The host's lines to the agent, over designs that work, hang, fail and lie."""

import libfuzzer

TITLE = "the agent's line protocol"
HOST = libfuzzer.ROOT / "host"
WORDS = libfuzzer.NATIVE / "protocol.dict"


def host(*more: str):
    """Library and agent without a target, the target for tests, and more files of host/."""
    lines = (HOST / "sources.txt").read_text().splitlines()
    listed = [line for line in lines if line.endswith(".c") and line != "hal/sim.c"]
    tests = ("hal/arena.c", "hal/test.c", "tests/hostile.c", *more)
    includes = [HOST / line[2:] for line in lines if line.startswith("-I")]
    return [HOST / name for name in (*listed, *tests)], [*includes, HOST / "tests"]


def program():
    sources, includes = host("tests/fake.c", "tests/fake_dma.c")
    built = libfuzzer.build("protocol", [*sources, libfuzzer.NATIVE / "protocol.c"], includes)
    return (built, f"-dict={WORDS}", "-max_len=2000")
