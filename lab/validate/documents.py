"""Runs every command of README and docs as it is written, each page on a fresh store.

Some twenty minutes, most of it for runs of whole tables and for designs that are built. Commands
that need an emulator, a cluster or a board are listed and left out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import documents_kit as documents
from axiometer.records.store import Store
from validate.compared import Outcome


def kept(store: Path) -> list[str]:
    if not store.exists():
        return []
    with Store(store) as opened:
        return [run.id for run in opened.runs()]


def walk(page: Path, folder: Path) -> int:
    """How many commands of a page fail."""
    documents.set_stage(folder, page)
    store = folder / "runs.db"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    failed = 0
    for shown in documents.commands(page):
        if shown.why_not:
            print(f"  left out  {shown} ({shown.why_not})")
            continue
        begin = time.monotonic()
        done = subprocess.run(
            ["bash", "-c", documents.real(shown.text, kept(store))],
            cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env={**os.environ, "PATH": path, "AXIOMETER_STORE": str(store)},
        )  # fmt: skip
        print(f"{time.monotonic() - begin:8.1f} s  {shown}", flush=True)
        if done.returncode:
            failed += 1
            print(f"    status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return failed


def run(pages: list[str]) -> Outcome:
    """The commands of these pages, or of all."""
    failed = 0
    for page in [Path(page).resolve() for page in pages] or documents.pages():
        with tempfile.TemporaryDirectory() as folder:
            failed += walk(page, Path(folder))
    return Outcome(f"{failed} commands failed", not failed)
