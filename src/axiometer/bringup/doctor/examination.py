"""The state that the checks of one examination share: target, expectations and findings."""

from __future__ import annotations

from dataclasses import dataclass, field

from axiometer.bringup.doctor.chip import Chip
from axiometer.bringup.doctor.expected import Expected
from axiometer.bringup.doctor.finding import Finding
from axiometer.bringup.doctor.target import NotThere, Target


@dataclass(frozen=True)
class Words:
    """Words in the written buffer after a round of the loop-back: `wrong` words, of which
    `unwritten` still have the processor's value, and `late` the value of the round before."""

    port: int | None
    round: int
    wrong: int
    unwritten: int
    late: int


@dataclass
class Visit:
    """chip: None until it is identified. found: findings by check. interrupts: the count before the
    loop-back; words: results of the loop-back, both for later checks. roots: for each blocked
    check, the check whose finding blocks it."""

    target: Target
    expected: Expected
    chip: Chip | None = None
    found: dict[str, Finding] = field(default_factory=dict)
    interrupts: int | None = None
    words: list[Words] = field(default_factory=list)
    roots: dict[str, str] = field(default_factory=dict)

    @property
    def known(self) -> Chip:
        """The chip, for checks after its identification."""
        assert self.chip is not None
        return self.chip

    def text(self, path: str) -> str | None:
        """A file's text without trailing blanks and zeros, or None if there is no such file."""
        try:
            return self.target.read(path).strip().rstrip("\0")
        except NotThere:
            return None

    def names(self, path: str) -> list[str]:
        """The names in a directory; empty if there is no such directory."""
        try:
            return self.target.list(path)
        except NotThere:
            return []
