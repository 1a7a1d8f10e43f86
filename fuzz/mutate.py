"""Inputs for Python targets where no coverage guides them: seeds, changed a little, or much."""

from __future__ import annotations

import random
import signal
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from budget import Budget

_ODD = (
    b"",
    b"\0",
    b"\xff",
    b"\n",
    b'"',
    b"'",
    b"[",
    b"]",
    b"{",
    b"}",
    b"=",
    b",",
    b"-1",
    b"0",
    b"1e309",
    b"nan",
    b"9" * 400,
    b"\x1b[31m",
    b"\xe2\x80\xae",
    b"../",
    b"%s",
    b"=1+1",
)


class Inputs:
    """Endless inputs from `seeds`; equal for equal `seed`."""

    def __init__(
        self, seeds: Sequence[bytes], words: Sequence[bytes], most: int, seed: int
    ) -> None:
        self.seeds, self.most = list(seeds) or [b""], most
        self.words = [*words, *_ODD]
        self.random = random.Random(seed)
        self.made = 0

    def next(self) -> bytes:
        """First every seed as it is, then changed ones."""
        self.made += 1
        if self.made <= len(self.seeds):
            return self.seeds[self.made - 1][: self.most]
        data = bytearray(self.random.choice(self.seeds))
        for _ in range(1 + int(self.random.expovariate(0.5))):
            self._change(data)
        return bytes(data[: self.most])

    def _change(self, data: bytearray) -> None:
        draw = self.random
        at = draw.randrange(len(data) + 1)
        end = min(len(data), at + 1 + int(draw.expovariate(0.1)))
        kind = draw.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = draw.choice(self.words)
        elif kind == 3:
            data[at:end] = draw.choice(self.words)
        elif kind == 4:
            other = draw.choice(self.seeds)
            start = draw.randrange(len(other) + 1)
            data[at:end] = other[start : start + draw.randrange(1, 200)]
        else:
            data[at:at] = data[at:end] * draw.randrange(1, 50)


class _LateError(Exception):
    pass


def feed(
    one: Callable[[bytes], None], inputs: Inputs, budget: Budget, limit_s: int, folder: Path
) -> int:
    """Feed `one` as long as `budget` lasts; how many inputs it took. A finding is kept in `folder`
    and ends the process with its traceback."""

    def late(*_: object) -> None:
        raise _LateError(f"an input took more than {limit_s} s")

    signal.signal(signal.SIGALRM, late)
    count = 0
    while budget.left(count):
        data = inputs.next()
        count += 1
        signal.alarm(limit_s)
        try:
            one(data)
        except Exception:
            (folder / f"finding-{count}").write_bytes(data)
            traceback.print_exc()
            raise SystemExit(1) from None
        finally:
            signal.alarm(0)
    return count
