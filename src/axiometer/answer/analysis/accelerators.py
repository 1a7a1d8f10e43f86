"""The throughput of convolution accelerators, from the rates of a point."""

from __future__ import annotations

from axiometer.answer.analysis.stats import Stats
from axiometer.experiment.keys_qos import MATRIX_BYTES
from axiometer.platform import Platform
from axiometer.published.reference import ACCELERATORS as NAMES

__all__ = ["NAMES", "dram_peak", "figures"]


def dram_peak(platform: Platform) -> float:
    """MB/s that the DRAM of `platform` moves on both edges of its clock."""
    return platform.number("clocks.ddr_mhz") * 2 * platform.whole("dram.bus_bits") / 8


def figures(stats: Stats, dram_peak: float | None) -> dict[str, float | None]:
    """The figures `NAMES` for the statistics of a point (`stats.summarise`), whose rates are MB/s.

    `convolutions_M`: million convolutions a second, by the results written. `ddr_efficiency_pct`:
    the total rate, as a share of `dram_peak` MB/s (the DRAM's clock, both edges, its whole width);
    None without a peak. `imbalance`: the fastest port's rate over the slowest's; None where a port
    moves nothing.
    """
    rates = [port["total_MBps"]["mean"] for port in stats["by_port"].values()]
    total = stats["total_MBps"]["mean"]
    return {
        "convolutions_M": stats["write_MBps"]["mean"] / MATRIX_BYTES,
        "ddr_efficiency_pct": 100 * total / dram_peak if dram_peak else None,
        "imbalance": max(rates) / min(rates) if min(rates) > 0 else None,
    }
