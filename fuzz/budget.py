"""How long a target runs: so many seconds ("60s"), or so many inputs ("500n"). The second gives the
same inputs on every machine, however slow it is."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

_FORM = re.compile(r"([1-9][0-9]*)([sn])")


@dataclass(frozen=True)
class Budget:
    """seconds or inputs, the other is None; counted from when it is made."""

    seconds: int | None = None
    inputs: int | None = None
    begun: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, text: str) -> Budget:
        """ValueError if it is neither "60s" nor "500n"."""
        found = _FORM.fullmatch(text)
        if not found:
            raise ValueError(f'a budget is "60s" or "500n", not "{text}"')
        count = int(found[1])
        return cls(seconds=count) if found[2] == "s" else cls(inputs=count)

    def __str__(self) -> str:
        return f"{self.seconds}s" if self.inputs is None else f"{self.inputs}n"

    def left(self, count: int) -> bool:
        """Whether there is more to do after `count` inputs; there is always a first one."""
        if self.inputs is not None:
            return count < self.inputs
        return not count or time.monotonic() < self.begun + self.seconds

    @property
    def libfuzzer(self) -> str:
        """The budget as an option of libFuzzer."""
        return f"-max_total_time={self.seconds}" if self.inputs is None else f"-runs={self.inputs}"
