"""Checks that a store loses no saved point when a system call on its files fails: runs an
experiment under strace, which makes one of them fail, and compares."""

from __future__ import annotations

import contextlib
import errno
import io
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.records.store import Store

ERRORS = (errno.ENOSPC, errno.EIO, errno.EINTR, errno.EACCES)
NAME = "kept.db"
LIMIT_S = 300
# Makes the run, and writes the points that it reported as kept to a file.
PROGRAM = """
import sys
from axiometer.__main__ import main
from axiometer.records.store import Store
kept, save = open(sys.argv[1], "w"), Store.save
def saved(store, run, point, *more):
    save(store, run, point, *more)
    print(point.index, file=kept, flush=True)
Store.save = saved
sys.exit(main(sys.argv[2:]))
"""


def needs() -> str | None:
    """What is missing here, as a sentence; None if nothing is."""
    if shutil.which("strace") is None:
        return "strace is needed: sudo apt-get install strace"
    traced = subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True)
    return "strace may trace nothing here" if traced.returncode else None


@dataclass(frozen=True)
class Place:
    """The `number`-th call of this name, and the error that it returns."""

    call: str
    number: int
    error: int

    def __str__(self) -> str:
        return f"call {self.number} of {self.call}, {errno.errorcode[self.error]}"


@dataclass(frozen=True)
class Answer:
    """How a run ended, what it said, the points that it reported as kept, its calls on the store,
    and the call that failed."""

    status: int
    err: str
    kept: list[int]
    calls: list[str]
    failed: str


class Faults:
    """Runs of an experiment; `calls` without a fault."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.experiment = kit.write(folder)
        whole = self.ask()
        assert whole.status == 0, whole
        self.calls = whole.calls
        with Store(folder / NAME) as store:
            self.digest = store.digest("latest")

    def ask(self, place: Place | None = None) -> Answer:
        """The answer of a run in which the call at `place` fails."""
        for old in self.folder.glob(f"{NAME}*"):
            old.unlink()
        log, kept, store = (self.folder / name for name in ("calls", "points", NAME))
        kept.write_text("")
        strace = ["strace", "-f", "-qq", "-o", log]
        for end in ("", "-wal", "-shm", "-journal"):
            strace += ["-P", f"{store}{end}"]
        if place:
            name = errno.errorcode[place.error]
            strace += ["-e", f"inject={place.call}:error={name}:when={place.number}"]
        run = [sys.executable, "-c", PROGRAM, kept, *kit.run_arguments(self.experiment, store)]
        done = subprocess.run(
            [*strace, *run], env=kit.environment(), capture_output=True, text=True, timeout=LIMIT_S
        )
        lines = log.read_text(errors="replace").splitlines()
        calls = [match[1] for line in lines if (match := re.match(r"\d+ +(\w+)\(", line))]
        failed = next((line for line in lines if line.endswith("(INJECTED)")), "")
        points = [int(line) for line in kept.read_text().split()]
        return Answer(done.returncode, done.stderr, points, calls, failed)

    def places(self) -> Iterator[Place]:
        """Each call with each error."""
        for call, count in sorted(Counter(self.calls).items()):
            for number in range(1, count + 1):
                yield from (Place(call, number, error) for error in ERRORS)

    def problem(self, place: Place) -> str | None:
        """What is wrong with how a run took the failing of a call; None if nothing is."""
        answer = self.ask(place)
        if answer.status not in (0, 1, 2) or "Traceback" in answer.err:
            return f"{place}: status {answer.status}\n{answer.err}"
        if answer.status and "axiometer: " not in answer.err:
            return f"{place}: status {answer.status} without a word\n{answer.err}"
        wrong = self._kept(answer)
        return wrong and f"{place}: {wrong}"

    def _kept(self, answer: Answer) -> str | None:
        path = self.folder / NAME
        if not path.exists() or not path.stat().st_size:
            return "points were lost" if answer.kept else None
        try:
            with Store(path, create=True) as store:
                there = store.finished(store.runs()[-1].id) if store.runs() else set()
        except AxiometerError as bad:
            return f"the store does not open: {bad}"
        if not set(answer.kept) <= there:
            return f"reported as kept: {answer.kept}, but there are {sorted(there)}"
        if answer.status:
            with contextlib.redirect_stdout(io.StringIO()):
                status = main(kit.run_arguments(self.experiment, path, "--resume"))
            if status:
                return "the run does not go on"
        with Store(path) as store:
            if store.digest("latest") != self.digest:
                return "other records than without a fault"
        return None
