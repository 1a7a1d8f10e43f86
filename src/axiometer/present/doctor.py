"""Findings of `axiometer doctor` as lines and as a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from axiometer.base import harmless

if TYPE_CHECKING:
    from axiometer.bringup.doctor.finding import Finding

_NAME = 18


def lines(finding: Finding) -> list[str]:
    """A line with the check, its verdict and its finding; then the remedy and, unless the verdict
    is ok, the evidence."""
    found = [f"  {finding.check:{_NAME}} {finding.verdict}: {finding.told}"]
    if finding.remedy:
        found.append(f"  {'':{_NAME}} -> {finding.remedy}")
    if finding.verdict != "ok":
        found += [f"  {'':{_NAME}} looked at {what}" for what in finding.looked_at]
    # Files of a board may hold control codes of a terminal.
    return [harmless.text(line) for line in found]


def summary(found: Sequence[Finding]) -> str:
    """The number of each verdict."""
    count = [sum(f.verdict == verdict for f in found) for verdict in ("ok", "fault", "not checked")]
    return f"{count[0]} right, {count[1]} at fault, {count[2]} not checked"


def document(target: str, found: Sequence[Finding]) -> dict[str, object]:
    """All findings, for JSON."""
    return {
        "target": target,
        "checks": [
            {
                "check": finding.check,
                "verdict": finding.verdict,
                "told": finding.told,
                "remedy": finding.remedy,
                "looked_at": list(finding.looked_at),
            }
            for finding in found
        ],
    }
