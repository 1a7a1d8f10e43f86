"""What model and commands give, for comparison with another Python: this file runs in both."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import shlex
from collections.abc import Callable

import fuzz_model
import fuzz_processor
import fuzz_usp
from axiometer import _model as model
from axiometer.__main__ import main

WRONG = ({}, {"a": 1}, {"clocks": {"ddr": "x"}}, {"clocks": {"ddr": 2**70, "pl": 1}}, {"clocks": 3})


def digests(count: int) -> dict[str, str]:
    """What was computed -> its SHA-256, over `count` seeds of each kind: all DRAM commands and
    records, errors by their text."""
    kinds = {"zynq": fuzz_model.case, "usp": fuzz_usp.case, "whole": fuzz_model.whole}
    found = {name: _digest(_traces(draw(n)) for n in range(count)) for name, draw in kinds.items()}
    specs = [fuzz_processor.case(seed) for seed in range(4 * count)]
    found["processor"] = _digest(_told(lambda of=of: model.run_processor(of)) for of in specs)
    found["errors"] = _digest(_told(lambda of=of: model.Simulator(of)) for of in WRONG)
    return found | {"keys": _digest([[model.describe(), model.describe_processor()]])}


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


def said(line: str) -> str:
    """All that a command prints; at the end its exit status, where it is not 0."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            status = main(shlex.split(line))
        except SystemExit as error:
            status = error.code
    return out.buffer.getvalue().decode() + (f"exit status {status}" if status else "")
