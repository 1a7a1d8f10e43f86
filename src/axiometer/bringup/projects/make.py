"""The plan of a project for whichever tool the board's chip has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axiometer.base import chip_files
from axiometer.bringup.projects import plan
from axiometer.bringup.projects.quartus import make_plan
from axiometer.platform import Platform


def make(
    board: str,
    top: str,
    ports: Sequence[str] = (),
    width: int | None = None,
    pl_mhz: float | None = None,
    protocol: str | None = None,
    parameters: Mapping[str, int] | None = None,
    pll_mhz: float | None = None,
) -> plan.Plan:
    """As `plan.make`, with the tool that the chip's `project.toml` names: Vivado where it names
    none."""
    system = chip_files.read(Platform.load(board).family, "project") or {}
    maker = make_plan.make if system.get("tool") == "Quartus" else plan.make
    return maker(board, top, ports, width, pl_mhz, protocol, parameters, pll_mhz)
