"""Checks what a server says of software: the objections of an engine's model
(lab/engines/rules.hpp), and the bursts of a design (cosim/vfio/served_design.cpp)."""

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


def one_setting(said: str) -> None:
    """AxiometerError if bursts of a port differed in AxCACHE or AxPROT: then some of a coherent
    port's, such as those of descriptors, were not coherent."""
    settings: dict[str, list[str]] = {}
    for port, setting in re.findall(
        r"^bursts: port=(\d+) (cache=\d+ prot=\d+) ", said, re.MULTILINE
    ):
        settings.setdefault(port, []).append(setting)
    for port, found in settings.items():
        if len(found) > 1:
            raise AxiometerError(
                f"bursts of port {port} had {' and '.join(found)}",
                remedy="the driver has to set both before the first descriptor moves",
                status=RUN_FAILED,
            )
