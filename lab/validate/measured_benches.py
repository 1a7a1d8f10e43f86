"""Tables of figures that benches of others printed, of rows that an experiment's keys describe.

`others.toml` lists the rows of reference/others/measured_by_others.csv, and their keys; `table` and
`source` of a bench are its table and its author; `memory` is the measured memory, where no board of
ours has it, or `target` what masters reached. Of rows that differ only by a length that keys do not
describe, the longest are taken; of several of one length their mean, and their range.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment.keys import KEYS
from validate import others

Facts = dict[str, str]
Row = dict[str, str]


def tables() -> dict[str, tuple[Facts, list[Row]]]:
    """The head and the rows of each table, by its file; none where the figures are not at hand."""
    path = data.find_external(others.FILE)
    found: dict[str, tuple[Facts, list[Row]]] = {}
    for bench in others.about()["bench"] if path else ():
        assert path is not None
        memory = bench.get("memory") or bench.get("target", "").upper()
        alike: dict[str, tuple[Row, dict[str, list[float]]]] = {}
        # The longest last: of rows that keys do not distinguish it is taken for all.
        for row in sorted(others.printed(path, bench), key=others.length):
            keys = keys_of(bench, row)
            _, by_length = alike.setdefault(repr(keys), (keys, {}))
            figure = float(row["value"]) * others.MBPS[row["unit"]]
            by_length.setdefault(row["transfer_bytes"], []).append(figure)
            whose = others.about()["source"][bench["source"]]
            facts = {
                "title": whose["title"],
                "source": bench["source"],
                "cite": whose["cite"],
                **_boards(row["board"], bench["platform"]),
                **({"memory": memory} if memory else {}),
            }
        rate = bench.get("rate", "total_MBps")
        found.setdefault(bench["table"], (facts, []))[1].extend(
            keys | _figures(rate, [*by_length.values()][-1]) for keys, by_length in alike.values()
        )
    return found


def _figures(rate: str, measured: list[float]) -> Row:
    found = {rate: f"{statistics.fmean(measured):.6g}"}
    if len(measured) > 1:
        found |= {f"{rate}_min": f"{min(measured):.6g}", f"{rate}_max": f"{max(measured):.6g}"}
    return found


def keys_of(bench: Mapping[str, Any], row: Mapping[str, str]) -> Row:
    """The keys of a row's point, as cells."""
    keys = others.keys(bench, row)
    del keys["repeats"]
    if "masters" in keys:  # no operating system
        (master,) = keys.pop("masters")
        keys = {"ports": "", "master": master["kind"], "operation": master["operation"]} | keys
        keys["transfer_bytes"] = row["transfer_bytes"]
        return {name: str(value) for name, value in keys.items()}
    keys.setdefault("os", "linux" if row["os"].startswith("Linux") else "bare-metal")
    if "master" in keys:
        keys.setdefault("memory_type", KEYS["memory_type"].default)
    elif "duration" in keys:
        keys["duration"] = "free"
    return {"ports": "", **{name: str(value) for name, value in keys.items()}}


def _boards(board: str, platform: str) -> Facts:
    """The measured board by the name that we have for it, or as its source has it and the one that
    stands in for it."""
    try:
        own = data.find_toml("boards", board).stem
    except AxiometerError:
        own = ""
    return {"board": platform} if own == platform else {"board": board, "like": platform}
