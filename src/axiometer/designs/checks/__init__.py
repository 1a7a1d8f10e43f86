"""Mistakes in a design that can be found before synthesis.

Each check is a function from a design to findings. To add a check, write it in the file of its
subject and add it to `CHECKS`. Facts of ports are in `chips/`, those of cores in `cores/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from axiometer.designs.checks import clocks, coherence, known, missed, port_use, ports
from axiometer.designs.checks.finding import ADVICE, LEVELS, MISTAKE, QUESTION, Finding
from axiometer.designs.model import Design

CHECKS: tuple[Callable[[Design], Iterable[Finding]], ...] = (
    ports.undriven_port,
    ports.data_at_general_port,
    ports.width_of_registers,
    ports.narrow_port,
    ports.crowded_port,
    ports.shared_path,
    port_use.one_outstanding,
    port_use.one_at_a_time,
    port_use.few_reads,
    port_use.short_length,
    port_use.short_bursts,
    port_use.burst_not_taken,
    port_use.narrow_master,
    port_use.no_upsizing,
    missed.missed_burst,
    missed.not_widened,
    coherence.not_coherent,
    known.known_engines,
    known.port_needs,
    clocks.not_as_asked,
    clocks.not_as_written,
)


def check(design: Design) -> list[Finding]:
    """All findings, by their levels, then in the order of the checks and of the design."""
    found = [finding for each in CHECKS for finding in each(design)]
    return sorted(found, key=lambda finding: LEVELS.index(finding.level))


__all__ = ["ADVICE", "CHECKS", "LEVELS", "MISTAKE", "QUESTION", "Finding", "check"]
