"""What the checks of one examination share: the target, what is expected, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from axiometer.bringup.doctor.chip import Chip
from axiometer.bringup.doctor.expected import Expected
from axiometer.bringup.doctor.finding import Finding
from axiometer.bringup.doctor.target import NotThere, Target


@dataclass
class Visit:
    """chip: None until it is known. found: findings by their check. kept: what a check leaves for
    later ones (the outcome of the loop-back). roots: of each check that was hindered, the one whose
    finding is the reason."""

    target: Target
    expected: Expected
    chip: Chip | None = None
    found: dict[str, Finding] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)

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
