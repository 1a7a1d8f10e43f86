"""Proof of a written Vivado project without Vivado.

`run` has a real `tclsh` run `build.tcl`; Vivado's commands are answered by `session`, which checks
names, options, order and objects (existence by `validate.projects.facts`, of public exports; use by
`commands.toml`, `properties.toml`, `cells.toml`) and builds the block design that they make.
`rules` then checks that design, and `wanted` compares it with the plan. It cannot show that the
tool behaves as its manuals or other projects imply.
"""

from __future__ import annotations

from pathlib import Path

from axiometer.bringup.projects.plan import Plan
from validate.projects.vivado import rules, wanted
from validate.projects.vivado.recorded import Recorded
from validate.projects.vivado.session import VERSION, record


def run(plan: Plan, directory: Path, version: str = VERSION) -> tuple[Recorded, list[str]]:
    """What a project's script does in a version of Vivado, and all that is wrong: none if proven.
    AxiometerError if there is no `tclsh`."""
    recorded = record(directory / "build.tcl", plan.pll_mhz, version)
    found = list(recorded.findings)
    found += rules.check(recorded)
    found += wanted.compare(recorded, plan, directory)
    return recorded, list(dict.fromkeys(found))
