"""Digests of what the model computes for random cases; runs in any Python, also in Pyodide."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import fuzz_model
import fuzz_processor
import fuzz_usp
from axiometer import _model as model

WRONG = ({}, {"a": 1}, {"clocks": {"ddr": "x"}}, {"clocks": {"ddr": 2**70, "pl": 1}}, {"clocks": 3})


def digests(count: int) -> dict[str, str]:
    """What was computed -> its SHA-256, over `count` seeds of each kind: all DRAM commands and
    records, errors by their text."""
    found = {"descriptions": _digest([[model.describe(), model.describe_processor()]])}
    for name, draw in (
        ("zynq", fuzz_model.case),
        ("usp", fuzz_usp.case),
        ("whole", fuzz_model.whole),
    ):
        found[name] = _digest(_traces(draw(seed)) for seed in range(count))
    specs = (fuzz_processor.case(seed) for seed in range(4 * count))
    found["processor"] = _digest(
        _told(lambda spec=spec: model.run_processor(spec)) for spec in specs
    )
    found["errors"] = _digest(_told(lambda spec=spec: model.Simulator(spec)) for spec in WRONG)
    return found


def _traces(case: fuzz_model.Case) -> list[object]:
    simulator = model.Simulator(case.spec)
    return [_told(lambda start=start: simulator.trace(start)) for start in case.starts]


def _told(work: Callable[[], object]) -> object:
    try:
        return work()
    except (ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"


def _digest(documents) -> str:
    found = hashlib.sha256()
    for document in documents:
        found.update(json.dumps(document).encode())
    return found.hexdigest()
