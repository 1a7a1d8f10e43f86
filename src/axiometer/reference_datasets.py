"""Public datasets whose tables have columns of their own, in the form that `reference` reads.

A dataset is known by its columns. To add one, add a function to `_KNOWN`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping

from axiometer.errors import AxiometerError

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
        # Under Linux the DMA has a driver with read and write, which copies.
        "copy" if row["method"] == "dmac" and row["os"].startswith("linux") else "zero_copy",
        row["fpga_mhz"],
        row["size_bytes"],
        row["rate_MBps_1e6"],
    ]


# The columns that a dataset is known by, and what makes of one row those of `_COLUMNS`.
_KNOWN: tuple[tuple[tuple[str, ...], Callable[[Mapping[str, str]], list[str]]], ...] = (
    (("method", "bridge", "direction", "fpga_mhz", "size_bytes", "rate_MBps_1e6"), _zynq7000),
)


def standard(text: str) -> str:
    """`text` as it is, or, if it is the table of a known dataset, with the columns that
    `reference` knows; every row keeps its line. AxiometerError at a row that cannot be read."""
    header = text.split("\n", 1)[0].split(",")
    for columns, convert in _KNOWN:
        if set(columns) <= {name.strip() for name in header}:
            return _converted(text, convert)
    return text


def _converted(text: str, convert: Callable[[Mapping[str, str]], list[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        try:
            writer.writerow(convert(row))
        except (KeyError, AttributeError) as error:
            raise AxiometerError(
                f"a row of the dataset cannot be read: {error}",
                line=number,
                remedy="take the table as it was published or imported",
            ) from None
    return out.getvalue()
