"""One mutant for every rule: a legal exchange with one fault (faults.toml), which must break that
rule alone.

Only the first clock in which anything breaks counts: a bus that has lost its way breaks more later.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from mutants.exchange import Exchange, full, lead, lite, slot, stream, two

EXCHANGES = {"full": full, "two": two, "lead": lead, "lite": lite, "stream": stream,
             "slot": slot, "idle": lambda length="32": Exchange(int(length))}  # fmt: skip


def damaged(exchange: str, faults: str) -> Exchange:
    """exchange: a name of EXCHANGES, perhaps with its argument. faults: "4-6,8 awlen=2; ...",
    values of signals in these clocks."""
    name, *argument = exchange.split()
    made: Exchange = EXCHANGES[name](*argument)
    for fault in faults.split("; "):
        clocks, *signals = fault.split()
        values = {key: int(value, 0) for key, value in (pair.split("=") for pair in signals)}
        for part in clocks.split(","):
            first, _, last = part.partition("-")
            made.set(range(int(first), int(last or first) + 1), **values)
    return made


# Rule: the checker of the bench that is to notice it, and the damaged exchange.
MUTANTS: dict[str, tuple[str, Exchange]] = {
    rule: (checker, damaged(exchange, faults))
    for rule, (checker, exchange, faults) in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text()
    ).items()
}

# What every checker must let pass.
LEGAL: dict[str, tuple[str, Exchange]] = {
    "full": ("axi4 axi3 lead", full()),
    "two": ("axi4 axi3 lead", two()),
    "lead": ("lead", lead()),
    "lite": ("axil", lite()),
    "stream": ("stream", stream()),
    **{f"slot-{ask}": ("slot", slot(ask)) for ask in ("lengths", "beats", "records")},
}
