"""What the checks of one examination share: the target, what is expected, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, field

from axiometer.bringup.doctor.chip import Chip
from axiometer.bringup.doctor.expected import Expected
from axiometer.bringup.doctor.finding import Finding
from axiometer.bringup.doctor.target import NotThere, Target


@dataclass(frozen=True)
class Words:
    """What a round of the loop-back left in the buffer that was written: `wrong` words, of which
    `unwritten` are as the processor left them, and `late` those that the round before had read."""

    port: int | None
    round: int
    wrong: int
    unwritten: int
    late: int


@dataclass
class Visit:
    """chip: None until it is known. found: findings by their check. interrupts, words: before and
    of the loop-back, for later checks. roots: of each check that was hindered, the one whose
    finding is the reason."""

    target: Target
    expected: Expected
    chip: Chip | None = None
    found: dict[str, Finding] = field(default_factory=dict)
    interrupts: int | None = None
    words: list[Words] = field(default_factory=list)
    roots: dict[str, str] = field(default_factory=dict)

    @property
    def known(self) -> Chip:
        """The chip, for checks that come behind the one that finds it."""
        assert self.chip is not None
        return self.chip

    def text(self, path: str) -> str | None:
        """A file's text without blanks and zeros at its end, or None if there is none."""
        try:
            return self.target.read(path).strip().rstrip("\0")
        except NotThere:
            return None

    def names(self, path: str) -> list[str]:
        """Names in a directory; none if there is no such directory."""
        try:
            return self.target.list(path)
        except NotThere:
            return []
