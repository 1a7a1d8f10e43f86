"""Plugin of pytest: collects the tests once, then runs each mutant's tests in a fork.

Its job is a JSON file that AXIOMETER_MUTATION_JOB names; its answers are lines of JSON in a file
beside it. Two jobs: "reach" runs every test once without a mutant, and writes what it costs and
which places it reaches; "mutants" runs, for each mutant, the listed tests until one fails.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import resource
import signal
import sys
import time
from pathlib import Path

import hypothesis
import pytest
from _pytest.runner import runtestprotocol

# A failure is all that is asked for: no search for a smaller one.
hypothesis.settings.register_profile(
    "mutation",
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    database=None,
    deadline=None,
)
hypothesis.settings.load_profile("mutation")

BROKEN = 3  # exit status of a child that ended by an exception of ours
MEMORY = 4 << 30  # bytes; a mutant that wants more is caught
JOB = json.loads(Path(os.environ["AXIOMETER_MUTATION_JOB"]).read_text())


class State:
    """The file of switch.cpp."""

    def __init__(self):
        with open(os.environ["AXIOMETER_MUTATION"], "r+b") as file:  # noqa: PTH123
            self.words = memoryview(mmap.mmap(file.fileno(), 0)).cast("i")

    def choose(self, number: int) -> None:
        self.words[0] = number

    def taken(self) -> set[int]:
        """The places reached since the last call."""
        reached = {n for n in range(1, len(self.words)) if self.words[n]}
        for n in reached:
            self.words[n] = 0
        return reached


state = State()
at_import: set[int] = set()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    global at_import
    at_import = state.taken()
    if "fuzz_compare" in sys.modules:  # it would shrink what fails
        sys.modules["fuzz_compare"].report = lambda seed, case, found: f"{seed}: {found}"
    with Path(JOB["answers"]).open("a") as answers:
        say = lambda **line: print(json.dumps(line), file=answers, flush=True)  # noqa: E731
        if JOB["job"] == "reach":
            _reach(session, say)
        else:
            _mutants(session, say)
    return True


def _reach(session, say) -> None:
    say(at_import=sorted(at_import))
    modules: dict[str, list] = {}
    for item in session.items:
        modules.setdefault(item.nodeid.partition("::")[0], []).append(item)
    for items in modules.values():
        _forked(lambda items=items: _measure(items, say), wall=3600)


def _measure(items, say) -> int:
    """Runs the tests of one file. What a fixture reaches counts for all later ones."""
    shared: set[int] = set()
    for item, after in zip(items, [*items[1:], None], strict=True):
        at, cpu = time.monotonic(), _cpu()
        marks: list[set[int]] = []
        state.taken()
        _after_setup[:] = [lambda marks=marks: marks.append(state.taken())]
        reports = runtestprotocol(item, log=False, nextitem=after)
        _after_setup.clear()
        call = state.taken()
        shared |= marks[0] if marks else set()
        say(
            test=item.nodeid,
            passed=all(r.passed for r in reports),
            reached=sorted(shared | call),
            cpu=round(_cpu() - cpu, 4),
            wall=round(time.monotonic() - at, 4),
        )
    return 0


_after_setup: list = []


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    for call in _after_setup:
        call()


def _mutants(session, say) -> None:
    items = {item.nodeid: item for item in session.items}
    for number, tests in JOB["mutants"]:
        chosen = [(items[t["test"]], t["cpu"]) for t in tests if t["test"] in items]
        state.choose(number)
        read, write = os.pipe()
        begin, cpu = time.monotonic(), _cpu()
        wall = 120 + 40 * sum(cost for _, cost in chosen)
        outcome = _forked(lambda c=chosen, w=write: _until_one_fails(c, w), wall)
        os.close(write)
        started = b""
        while more := os.read(read, 1 << 16):
            started += more
        os.close(read)
        state.choose(0)
        state.taken()
        last = len(started) - 1
        say(
            mutant=number,
            outcome=outcome,
            test=chosen[last][0].nodeid if outcome != "survived" and last >= 0 else None,
            tests=last + 1,
            cpu=round(_cpu() - cpu, 2),
            wall=round(time.monotonic() - begin, 2),
        )


def _until_one_fails(chosen, progress: int) -> int:
    total = sum(cost for _, cost in chosen)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    seconds = int(20 + 5 * total)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    items = [item for item, _ in chosen]
    if not items:
        return 0  # no test reaches it
    for (item, cost), after in zip(chosen, [*items[1:], None], strict=True):
        os.write(progress, b".")
        # Ends the process where nothing else can: in a loop of the model.
        signal.setitimer(signal.ITIMER_PROF, 3 + 6 * cost)
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
            return 1
    return 0


def _forked(work, wall: float) -> str:
    """How `work` ended in a process of its own: survived, failed, hung, or the signal's name."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        code = BROKEN
        try:
            code = work()
        finally:
            os._exit(code)
    limit = time.monotonic() + wall
    ended = 0
    while not ended and time.monotonic() < limit:
        ended, status = os.waitpid(child, os.WNOHANG)
        if not ended:
            time.sleep(0.004)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it has started, too
    if not ended:
        os.waitpid(child, 0)
        return "hung"
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return "hung" if name in ("SIGPROF", "SIGXCPU") else name
    if os.WEXITSTATUS(status) == BROKEN:
        return "broken"  # the tool, not the mutant: counted as a survivor
    return "survived" if os.WEXITSTATUS(status) == 0 else "failed"


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
