"""Plans a project for the tool of the board's chip."""

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
    """As `plan.make`, for the tool in the chip's `project.toml`, or Vivado without one."""
    system = chip_files.read(Platform.load(board).family, "project") or {}
    maker = make_plan.make if system.get("tool") == "Quartus" else plan.make
    return maker(board, top, ports, width, pl_mhz, protocol, parameters, pll_mhz)
