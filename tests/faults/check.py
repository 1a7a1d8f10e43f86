"""Checks that a store loses no saved point when a system call fails: builds the shim, runs it,
compares."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.records.store import Store

HERE = Path(__file__).resolve().parent
ERRORS = (errno.ENOSPC, errno.EIO, errno.EINTR, errno.EACCES)
NAME = "kept.db"


def needs() -> str | None:
    """What is missing here, as a sentence; None if nothing is."""
    if not sys.platform.startswith("linux"):
        return "LD_PRELOAD is of Linux"
    return None if _compiler() else "a C compiler is needed: sudo apt-get install gcc"


def _compiler() -> str | None:
    return shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc")


class Faults:
    """A process that answers what a run does when a call fails; `calls` without a fault."""

    def __init__(self, folder: Path) -> None:
        library = folder / "shim.so"
        subprocess.run(
            [_compiler(), "-shared", "-fPIC", "-O1", "-o", library, HERE / "shim.c", "-ldl"],
            check=True,
        )
        self.folder = folder
        self.experiment = kit.write(folder)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "faults.runs", self.experiment, folder],
            env=kit.environment(LD_PRELOAD=str(library)), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        whole = self.ask(0, 0)
        assert whole["status"] == 0, whole
        self.calls: int = whole["calls"]
        with Store(folder / NAME) as store:
            self.digest = store.digest("latest")

    def ask(self, number: int, error: int) -> dict:
        """The answer of a run whose call `number` failed with `error`."""
        self.process.stdin.write(json.dumps([number, error]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()

    def problem(self, number: int, error: int) -> str | None:
        """What is wrong with how a run took the failing of a call; None if nothing is."""
        answer = self.ask(number, error)
        where = f"call {number} ({answer['failed']}), {errno.errorcode[error]}: "
        if answer["signal"] or answer["status"] not in (0, 1, 2):
            return f"{where}signal {answer['signal']}, status {answer['status']}\n{answer['err']}"
        if answer["status"] and "axiometer: " not in answer["err"]:
            return f"{where}status {answer['status']} without a word\n{answer['err']}"
        if "Traceback" in answer["err"]:
            return f"{where}{answer['err']}"
        return self._kept(where, answer)

    def _kept(self, where: str, answer: dict) -> str | None:
        path = self.folder / NAME
        if not path.exists() or not path.stat().st_size:
            return f"{where}points were lost" if answer["kept"] else None
        try:
            with Store(path, create=True) as store:
                there = store.finished(store.runs()[-1].id) if store.runs() else set()
        except AxiometerError as bad:
            return f"{where}the store does not open: {bad}"
        if not set(answer["kept"]) <= there:
            return f"{where}reported as kept: {answer['kept']}, but there are {sorted(there)}"
        if answer["status"]:
            with contextlib.redirect_stdout(io.StringIO()):
                status = main(kit.run_arguments(self.experiment, path, "--resume"))
            if status:
                return f"{where}the run does not go on"
        with Store(path) as store:
            if store.digest("latest") != self.digest:
                return f"{where}other records than without a fault"
        return None


def places(calls: int) -> Iterator[tuple[int, int]]:
    """Each call with each error."""
    return ((number, error) for number in range(1, calls + 1) for error in ERRORS)
