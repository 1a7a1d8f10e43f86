"""Vendors' engines in a system of Platform Designer: for each port an engine of several cores,
whose masters lead through the instrument. Nothing for a top without engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from axiometer.bringup.projects.engines import STEP
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.vivado import interfaces


def cores(plan: Plan) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Name, core and parameters of each instance."""
    if plan.engine is None:
        return
    for link in plan.links:
        for part, own in plan.engine.parts.items():
            yield f"{part}{link.number}", plan.engine.core, {**own, **plan.engine.settings}


def clocked(plan: Plan) -> list[str]:
    """Interfaces on the fabric's clock."""
    return list(_each(plan, plan.engine.clocks)) if plan.engine else []


def released(plan: Plan) -> list[str]:
    """Interfaces on the fabric's reset."""
    return list(_each(plan, plan.engine.resets)) if plan.engine else []


def registers(plan: Plan) -> Iterator[tuple[str, int]]:
    """Interfaces for the processor with their offset from our registers, in bytes."""
    if plan.engine is None:
        return
    for link in plan.links:
        base = plan.engine.base + link.number * STEP - plan.registers_base
        for name, at in plan.engine.at.items():
            yield _of(name, link.number), base + at


def masters(plan: Plan) -> Iterator[tuple[str, str]]:
    """Masters of the engines, each with its interface of the instrument."""
    if plan.engine is None:
        return
    for link in plan.links:
        for name in plan.engine.masters:
            yield _of(name, link.number), f"axm.{interfaces.engine_name(link.number).lower()}"


def streams(plan: Plan) -> Iterator[tuple[str, str]]:
    """Sending interfaces, each with its receiving interface."""
    if plan.engine is None:
        return
    source, sink = plan.engine.stream
    for link in plan.links:
        yield _of(source, link.number), _of(sink, link.number)


def interrupts(plan: Plan) -> Iterator[tuple[str, str]]:
    """The instrument's interface for each interrupt line, and the line."""
    if plan.engine is None:
        return
    own = _each(plan, plan.engine.interrupts)
    for pin, line in zip(interfaces.engine_lines(plan), own, strict=True):
        yield f"axm.{pin}", line


def _each(plan: Plan, names: tuple[str, ...]) -> Iterator[str]:
    for link in plan.links:
        yield from (_of(name, link.number) for name in names)


def _of(name: str, port: int) -> str:
    """PART.INTERFACE of a port's engine."""
    part, _, interface = name.partition(".")
    return f"{part}{port}.{interface}"
