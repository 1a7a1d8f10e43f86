"""Constraints (XDC). The clock of the fabric is the processor system's: its IP constrains it, and
`build.tcl` stops where that differs from the plan's. Out of context, our IP needs its own.
"""

from __future__ import annotations

from axiometer.bringup.projects import NEVER_RUN
from axiometer.bringup.projects.plan import Plan


def period_ns(plan: Plan) -> str:
    """The period of the fabric's clock, in ns, cut to ps: never longer than the clock's."""
    return f"{int(1_000_000 / plan.mhz) / 1000:.3f}"


def system(plan: Plan) -> str:
    """The design's. It has no pins of the fabric: nothing to place."""
    return f"""\
# {plan.title}: {plan.module.name}. Written by Axiometer; {NEVER_RUN}.
# Clock: {float(plan.mhz):g} MHz, of the processor system, whose IP constrains it.
# The fabric has no pins.
set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]
"""


def out_of_context(plan: Plan) -> str:
    """The IP's, where it is synthesised alone."""
    return f"""\
# Clock of the IP where it is synthesised by itself. Written by Axiometer; {NEVER_RUN}.
create_clock -name aclk -period {period_ns(plan)} [get_ports aclk]
"""
