"""How close the model is to the dataset of Manev et al. (Zynq UltraScale+): figures only.

A configuration is a row of one of the dataset's files whose `port` is empty; the rows after it
that name a port are its ports. Runs nothing itself; `lab/validate/usp.py` does.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LEAST_RATE = 50.0  # MB/s: rates of ports below are not compared
MODES = {
    "duplex": "mixed",
    "read": "read",
    "write": "write",
    "ps_to_pl": "read",
    "pl_to_ps": "write",
}

MAPPINGS = {"bank_row_column": "bank-row-column"}
"""Of files whose rows do not have it, by a part of their names."""


@dataclass(frozen=True)
class Configuration:
    """One published configuration: rates in MB/s, by port (read, write)."""

    file: str
    platform: str
    ports: str
    mode: str
    pl_mhz: float
    burst_bytes: int
    stride_bytes: int
    total: float
    by_port: Mapping[str, tuple[float, float]]

    @property
    def label(self) -> str:
        return (
            f"{self.platform} {self.mode} {self.pl_mhz:g} MHz, {self.ports}, {self.burst_bytes} B"
        )

    def point(self) -> dict[str, Any]:
        """The keys of an experiment."""
        keys: dict[str, Any] = {
            "ports": self.ports,
            "mode": self.mode,
            "pl_mhz": self.pl_mhz,
            "burst_bytes": self.burst_bytes,
        }
        if self.stride_bytes != self.burst_bytes:
            keys["pattern"] = f"stride:{self.stride_bytes}"
        for part, mapping in MAPPINGS.items():
            if part in self.file:
                keys["mapping"] = mapping
        return keys


@dataclass
class Outcome:
    """A configuration and what the model made of it; `role` is fitted or predicted; `at_wires`:
    its published total is what its ports' wires carry (`accuracy.at_wires`)."""

    of: Configuration
    total: float
    by_port: Mapping[str, tuple[float, float]]
    role: str
    simulated_s: float = 0.0
    settled: bool = True
    at_wires: bool = False
    error: float = field(init=False)

    def __post_init__(self) -> None:
        self.error = 100 * (self.total / self.of.total - 1)

    def rate_errors(self) -> list[float]:
        """Errors in % of the read and the write rate of each port above LEAST_RATE."""
        return [
            100 * (simulated / published - 1)
            for port, rates in self.of.by_port.items()
            for published, simulated in zip(rates, self.by_port[port], strict=True)
            if published > LEAST_RATE
        ]


def read(file: Path) -> list[Configuration]:
    """The configurations of one file."""
    found: dict[tuple, dict[str, Any]] = {}
    with file.open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            key = (row["platform"], row["ports"], row["mode"], row["pl_mhz"], row["burst_bytes"])
            key += (row["stride_bytes"],)
            rates = (float(row["read_MBps"] or 0), float(row["write_MBps"] or 0))
            entry = found.setdefault(key, {"total": 0.0, "ports": {}})
            if row["port"]:
                entry["ports"][row["port"]] = rates
            else:
                entry["total"] = float(row["total_MBps"])
    return [
        Configuration(
            file.name,
            platform,
            ports,
            MODES[mode],
            round(float(mhz)),
            int(burst),
            int(stride or burst),
            entry["total"],
            entry["ports"],
        )
        for (platform, ports, mode, mhz, burst, stride), entry in found.items()
    ]


def is_fitted(of: Configuration, rows: Iterable[str]) -> bool:
    """Whether one of `rows` ("FILE.csv: key=value, ...", as platforms have them) means `of`."""
    for row in rows:
        file, _, keys = row.partition(":")
        wanted = dict(part.strip().split("=") for part in keys.split(",") if part.strip())
        known = {"ports": of.ports, "mode": of.mode, "burst_bytes": str(of.burst_bytes)}
        if file == of.file and all(
            known.get(key) in values.split("|") for key, values in wanted.items()
        ):
            return True
    return False


def mean(values: Sequence[float]) -> float:
    """Mean of the absolute values; nan for none."""
    return sum(map(abs, values)) / len(values) if values else float("nan")


def percentile(values: Sequence[float], share: float) -> float:
    """The least absolute value that at least `share` of them do not exceed."""
    ordered = sorted(map(abs, values))
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def summary(of: Sequence[Outcome]) -> str:
    """Errors of totals and of ports' rates, in one line."""
    errors = [o.error for o in of]
    rates = [e for o in of for e in o.rate_errors()]
    bias = sum(errors) / len(errors) if errors else float("nan")
    return (
        f"{len(of):5} configurations: totals {mean(errors):5.2f} % "
        f"(90 %: {percentile(errors, 0.9):5.1f} %, bias {bias:+5.1f} %), "
        f"ports' rates {mean(rates):5.2f} %"
    )
