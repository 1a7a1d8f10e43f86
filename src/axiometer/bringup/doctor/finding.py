"""What came of one check."""

from __future__ import annotations

from dataclasses import dataclass

OK, FAULT, NOT_CHECKED = "ok", "fault", "not checked"


@dataclass(frozen=True)
class Finding:
    """`check`: its name. `looked_at`: files and registers, with what was read. `verdict`: OK, FAULT
    or NOT_CHECKED. `told`: what is so, or why it was not looked at. `remedy`: of a fault, and of
    what could not be looked at, what to do; empty where there is nothing to do."""

    check: str
    looked_at: tuple[str, ...]
    verdict: str
    told: str
    remedy: str = ""


class Notes:
    """What a check has looked at so far, and the finding that comes of it."""

    def __init__(self, check: str) -> None:
        self.check = check
        self.looked_at: list[str] = []

    def saw(self, what: str) -> None:
        self.looked_at.append(what)

    def ok(self, told: str) -> Finding:
        return Finding(self.check, tuple(self.looked_at), OK, told)

    def fault(self, told: str, remedy: str) -> Finding:
        return Finding(self.check, tuple(self.looked_at), FAULT, told, remedy)

    def not_checked(self, why: str, remedy: str = "") -> Finding:
        return Finding(self.check, tuple(self.looked_at), NOT_CHECKED, why, remedy)
