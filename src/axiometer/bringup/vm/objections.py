"""Checks the objections of an engine's model to software (cosim/vendor/rules.hpp)."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from axiometer.base.errors import RUN_FAILED, AxiometerError


def check(said: str, allowed: AbstractSet[str] = frozenset()) -> None:
    """AxiometerError if a server's output reports broken rules other than the allowed ones."""
    broken = dict(re.findall(r"^objection: ([a-z-]+): (.*)$", said, re.MULTILINE)[::-1])
    found = [f"{rule}: {what}" for rule, what in broken.items() if rule not in allowed]
    if found:
        raise AxiometerError(
            f"software did what the engine's document forbids: {'; '.join(found)}",
            remedy="change the software; if a document allows this, report a fault of the model",
            status=RUN_FAILED,
        )
