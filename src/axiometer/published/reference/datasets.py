"""Converts tables of public datasets with their own columns to the form that `reference` reads.

The columns identify a dataset. To support another, add a function to `_KNOWN`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping

from axiometer.base.errors import AxiometerError

_MASTERS = {"memcpy": "memcpy", "forloop": "loop", "dmac": "ps_dma"}
_MODES = {"WR": "ps_to_pl", "RD": "pl_to_ps"}
_COLUMNS = (
    "ports",
    "master",
    "mode",
    "os",
    "cache",
    "io",
    "pl_mhz",
    "transfer_bytes",
    "total_MBps",
)


def _zynq7000(row: Mapping[str, str]) -> list[str]:
    """UviDTE-FPSoC, Zynq7000-time-measurements: processor and DMA as masters at a GP port."""
    return [
        row["bridge"],
        _MASTERS[row["method"]],
        _MODES[row["direction"]],
        "linux" if row["os"].startswith("linux") else "bare-metal",
        row["cache"],
        # Under Linux the DMA's driver has read and write, which copy.
        "copy" if row["method"] == "dmac" and row["os"].startswith("linux") else "zero_copy",
        row["fpga_mhz"],
        row["size_bytes"],
        row["rate_MBps_1e6"],
    ]


_RATES = tuple(
    f"{way}_MBps{statistic}"
    for way in ("read", "write", "total")
    for statistic in ("", "_min", "_max", "_std")
)
_READS = ("read_latency_avg_cycles", "max_read_inactivity_cycles", "reads_in_flight")
_FREE_COLUMNS = (
    *("ports", "port", "mode", "pl_mhz", "burst_bytes", "pattern", "duration", "mapping"),
    *_RATES,
    *_READS,
)


def _zynq_usp(row: Mapping[str, str]) -> list[str]:
    """Manev, Vaishnav and Koch, zynq-usp-axi-speedtest: free runs of independent engines."""
    burst, stride = row["burst_bytes"], row["stride_bytes"]
    return [
        row["ports"],
        row["port"],
        {"duplex": "mixed"}.get(row["mode"], row["mode"]),
        f"{float(row['pl_mhz']):.3f}".rstrip("0").rstrip("."),  # the PLL is off by 1e-8
        burst,
        "sequential" if stride == burst else f"stride:{stride}",
        "free",
        row.get("mapping") or "row-bank-column",  # of the authors' base experiments
        *(row.get(name, "") for name in (*_RATES, *_READS)),
    ]


Convert = Callable[[Mapping[str, str]], list[str]]
# Identifying columns of a dataset, its converted columns, and the function that converts a row.
_KNOWN: tuple[tuple[tuple[str, ...], tuple[str, ...], Convert], ...] = (
    (
        ("method", "bridge", "direction", "fpga_mhz", "size_bytes", "rate_MBps_1e6"),
        _COLUMNS,
        _zynq7000,
    ),
    (("ports", "mode", "burst_bytes", "stride_bytes", "port"), _FREE_COLUMNS, _zynq_usp),
)


def standard(text: str) -> str:
    """`text` unchanged, or, if it is the table of a known dataset, with the columns of `reference`;
    every row keeps its line. AxiometerError at an unreadable row."""
    header = text.split("\n", 1)[0].split(",")
    for columns, made, convert in _KNOWN:
        if set(columns) <= {name.strip() for name in header}:
            return _converted(text, made, convert)
    return text


def _converted(text: str, columns: tuple[str, ...], convert: Convert) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    rows = csv.DictReader(io.StringIO(text))
    number = 2
    try:
        for row in rows:
            writer.writerow(convert(row))
            number += 1
    except (KeyError, AttributeError, TypeError, ValueError, csv.Error) as error:
        raise AxiometerError(
            f"a row of the dataset cannot be read: {error}",
            line=number,
            remedy="use the table as published or imported",
        ) from None
    return out.getvalue()
