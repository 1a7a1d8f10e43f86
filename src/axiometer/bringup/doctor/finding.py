"""The result of one check."""

from __future__ import annotations

from dataclasses import dataclass

OK, FAULT, NOT_CHECKED = "ok", "fault", "not checked"


@dataclass(frozen=True)
class Finding:
    """`check`: its name. `looked_at`: files and registers with the values read. `verdict`: OK,
    FAULT or NOT_CHECKED. `told`: the result, or the reason why nothing was checked. `remedy`: what
    to do about a fault or a missing check; empty where there is nothing to do."""

    check: str
    looked_at: tuple[str, ...]
    verdict: str
    told: str
    remedy: str = ""


class Notes:
    """Collects the evidence of a check and makes its finding."""

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
