"""What boot scripts do to a board, in the words of their proof, and what is wrong with it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.plan import Plan

# What happens to a board, in the one order in which nothing hangs.
RESET, INIT, BITSTREAM, CONNECT, WIDTH = "reset", "init", "bitstream", "connect", "width"
CORE, PROGRAM, GO, SYSTEM = "core", "program", "go", "system"
REGION, OVERLAY, REMOVE = "region", "overlay", "remove"


@dataclass
class Session:
    """What a script did: (kind, what) in order; the words of registers after it, and after they
    were put back; what was wrong already while it ran."""

    events: list[tuple[str, str]] = field(default_factory=list)
    after: dict[int, int] = field(default_factory=dict)
    back: dict[int, int] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)

    def kinds(self) -> list[str]:
        """Kinds of events, each run of one kind once."""
        return [kind for kind, _ in itertools.groupby(kind for kind, _ in self.events)]


def compare(
    plan: Plan, name: str, session: Session, order: list[str], before: dict[int, int]
) -> list[str]:
    """What a session did, with the words `before` it, against what the plan wants."""
    found = [f"{name}: {finding}" for finding in session.findings]
    if session.kinds() != order:
        found.append(
            f"{name}: does {', '.join(session.kinds())}; in order it is {', '.join(order)}"
        )
    for width in boot.widths(plan):
        now = session.after.get(width.address, before[width.address])
        wanted = before[width.address] & width.keep | width.value
        if now != wanted:
            found.append(f"{name}: {width.name} becomes {now:#010x}, wanted is {wanted:#010x}")
    for address in session.after.keys() - before.keys():
        found.append(f"{name}: writes {address:#010x}, which is no width of these ports")
    for address, word in before.items():
        if session.back.get(address, word) != word:
            found.append(f"{name}: {address:#010x} is not put back")
    return found
