"""What a target in Python is attacked with, and what counts as a finding.

A target is a module with `TITLE`, and either `seeds()` (a list of bytes) with `one(data)`, or
`one(draw)` alone, which takes all that is random from a `random.Random`. It may have `WORDS` (bytes
that inputs are made of) and `MAX_BYTES`.

A finding is any exception but AxiometerError, an AxiometerError that no person can read, more than
`LIMIT_S` of processor time, or more than `LIMIT_BYTES` of memory.
"""

from __future__ import annotations

import contextlib
import importlib
import re
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from hypothesis import HealthCheck, example, given, seed, settings
from hypothesis import strategies as st

LIMIT_S = 10
LIMIT_BYTES = 2**30
USUAL_MAX_BYTES = 8192
LONGEST_MESSAGE = 8000
TARGETS = Path(__file__).parent / "targets"
ODD = [b"\0", b"\xff", b"1e309", b"nan", b"-1", b"9" * 400, b"\x1b[31m", b"\xe2\x80\xae", b"../"]
ODD += [b"%s", b"=1+1", *(bytes([byte]) for byte in b"\n\"'[]{}=,")]


def targets() -> list[ModuleType]:
    """Every target of the folder, by name."""
    names = sorted(path.stem for path in TARGETS.glob("*.py"))
    return [importlib.import_module(f"targets.{name}") for name in names]


def changed(seeds: Sequence[bytes], words: Sequence[bytes], most: int) -> st.SearchStrategy[bytes]:
    """One of `seeds`, and up to eight edits of it: bytes removed, put in, exchanged or repeated."""
    pieces = st.sampled_from([b"", *words, *ODD]) | st.binary(max_size=4)
    places = st.integers(0, 2**16)
    parts = st.builds(lambda of, at, n: of[at % (len(of) + 1) :][:n],
                      st.sampled_from(seeds), places, st.integers(1, 200))  # fmt: skip
    edits = st.tuples(places, st.integers(0, 40), pieces | parts | st.none(),
                      st.sampled_from((1, 1, 1, 2, 50)))  # fmt: skip

    def edited(data: bytes, changes: list[tuple[int, int, bytes | None, int]]) -> bytes:
        for position, length, piece, times in changes:
            at = position % (len(data) + 1)
            end = at + length
            data = data[:at] + (data[at:end] if piece is None else piece) * times + data[end:]
        return data[:most]

    return st.builds(edited, st.sampled_from(seeds), st.lists(edits, max_size=8))


@contextlib.contextmanager
def little_memory() -> Iterator[None]:
    """At most `LIMIT_BYTES` more than this process has now. Of data: the drawing library's
    engine reserves much more of addresses than it uses."""
    status = Path("/proc/self/status").read_text()
    now = int(re.search(r"^VmData:\s*(\d+) kB", status, re.MULTILINE)[1]) * 1024
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (now + LIMIT_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def checked(one: Callable[[object], None]) -> Callable[[object], None]:
    """`one`, with the errors that are meant for a person looked at and taken for good."""
    from axiometer.base import harmless
    from axiometer.base.errors import AxiometerError

    def attempt(given_: object) -> None:
        begun = time.process_time()
        try:
            one(given_)
        except AxiometerError as error:
            message = str(error)
            assert error.message.strip(), "a message without a word"
            assert len(message) <= LONGEST_MESSAGE, f"a message of {len(message)} characters"
            assert not harmless.found_in(message), f"control characters in {message!r}"
        took = time.process_time() - begun
        assert took <= LIMIT_S, f"{took:.0f} s of processor time"

    return attempt


def attempt(target: ModuleType, inputs: int, number: int) -> None:
    """Attacks `target` with its seeds and so many inputs; the same ones for the same `number`.
    Raises what was found, with the smallest input that shows it."""
    if hasattr(target, "seeds"):
        seeds = target.seeds()
        most = getattr(target, "MAX_BYTES", USUAL_MAX_BYTES)
        strategy = changed(seeds, getattr(target, "WORDS", []), most)
    else:
        seeds, strategy = [], st.randoms(use_true_random=False)
    run = given(strategy)(checked(target.one))
    for data in seeds:
        run = example(data)(run)
    run = settings(max_examples=inputs, database=None, deadline=None,
                   suppress_health_check=list(HealthCheck))(seed(number)(run))  # fmt: skip
    with little_memory():
        run()
