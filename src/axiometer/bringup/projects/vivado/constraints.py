"""Constraints (XDC). The IP of the processor system constrains the fabric's clock, and `build.tcl`
stops if this clock differs from the plan's. Out of context, our IP needs its own constraint.
"""

from __future__ import annotations

from axiometer.bringup.projects import NEVER_RUN
from axiometer.bringup.projects.plan import Plan


def period_ns(plan: Plan) -> str:
    """The period of the fabric's clock in ns, rounded down to ps."""
    return f"{int(1_000_000 / plan.mhz) / 1000:.3f}"


def system(plan: Plan) -> str:
    """The design's constraints. The design has no pins of the fabric to place."""
    return f"""\
# {plan.title}: {plan.module.name}. Written by Axiometer; {NEVER_RUN}.
# Clock: {float(plan.mhz):g} MHz from the processor system, whose IP constrains it.
# The fabric has no pins.
set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]
"""


def out_of_context(plan: Plan) -> str:
    """The IP's constraints, where it is synthesised by itself."""
    return f"""\
# Clock of the IP where it is synthesised by itself. Written by Axiometer; {NEVER_RUN}.
create_clock -name aclk -period {period_ns(plan)} [get_ports aclk]
"""
