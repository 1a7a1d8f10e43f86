"""`--github`: the output of `axiometer check` in a job of GitHub Actions.

The runner reads commands (`::error ...`) in all that a step prints. So what is printed of a design,
whose names are a stranger's, is kept from it; annotations follow at the end. The summary and the
outputs go to the files that the job names.
Not for: their words (`present/github.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from axiometer.base import atomic_file

SUMMARY, OUTPUT = "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"
MOST_SUMMARY = 900_000  # bytes; a job's summary takes 1 MiB


@contextmanager
def unread(wanted: bool) -> Iterator[None]:
    """The runner reads no commands in what is printed within the block, if `wanted`."""
    if not wanted:
        yield
        return
    import secrets

    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", flush=True)
    try:
        yield
    finally:
        print(f"::{token}::", flush=True)


def tell(annotations: Iterable[str], summary: Iterable[str], outputs: Mapping[str, str]) -> None:
    """Print the annotations; append the summary and the outputs to the files of the job, where it
    names them. AxiometerError where a file cannot be written."""
    for line in annotations:
        print(line)
    text = "\n".join(summary).encode()
    _append(SUMMARY, text[:MOST_SUMMARY].decode(errors="ignore") + "\n")
    _append(OUTPUT, "".join(f"{name}={value}\n" for name, value in outputs.items()))


def _append(variable: str, text: str) -> None:
    place = os.environ.get(variable)
    if not place:
        return
    path = Path(place)
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise atomic_file.cannot_write(path, error) from None
