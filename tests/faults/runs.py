"""Runs an experiment again and again, with one system call on the store failing each time.

    LD_PRELOAD=shim.so python -m faults.runs EXPERIMENT FOLDER < jobs

Each line of `jobs` is JSON: [number of the call (0: none), errno]. For each, a forked process
runs the experiment; the answer, one line of JSON, is what it said and which points it reported
as kept: {"status", "calls", "failed", "kept", "err", "signal"}.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import traceback
from pathlib import Path

import fake_backend  # noqa: F401 (loaded before anything fails)
import kit
from axiometer.__main__ import main
from axiometer.records.store import Store, database

NAME = "kept.db"  # what the shim looks for in a path
LIMIT_S = 60
shim = ctypes.CDLL(None)
shim.fault_failed.restype = ctypes.c_char_p
shim.fault_arm.argtypes = (ctypes.c_char_p, ctypes.c_long, ctypes.c_int)
shim.fault_calls.restype = ctypes.c_long


def attempt(experiment: Path, folder: Path, number: int, error: int, answer: int) -> None:
    """Make one run, in its own process."""
    kept: list[int] = []
    save = Store.save

    def saved(store, run, point, records, wall_s):
        save(store, run, point, records, wall_s)
        kept.append(point.index)

    Store.save = saved
    database._BUSY_TIMEOUT_S = 2.0  # a lock that fails for ever is not waited for
    err = folder / "err.txt"
    os.dup2(os.open(err, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    status = 99
    try:
        shim.fault_arm(NAME.encode(), number, error)
        status = main(kit.run_arguments(experiment, folder / NAME))
    except BaseException:
        traceback.print_exc()
    calls, failed = shim.fault_calls(), shim.fault_failed().decode()
    shim.fault_arm(b"", 0, 0)
    sys.stderr.flush()
    result = {"status": status, "calls": calls, "failed": failed, "kept": kept,
            "err": err.read_text(errors="replace")}  # fmt: skip
    os.write(answer, json.dumps(result).encode())
    os._exit(0)


def run(experiment: Path, folder: Path, number: int, error: int) -> dict:
    """The answer of an attempt; `signal`: the signal that ended it, or 0."""
    for old in folder.glob(f"{NAME}*"):
        old.unlink()
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
        signal.alarm(5 * LIMIT_S)
        attempt(experiment, folder, number, error, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(pid, 0)
    answer = json.loads(text) if text else {"status": None, "kept": [], "err": "", "failed": "?"}
    return answer | {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(Path(sys.argv[1]), Path(sys.argv[2]), *json.loads(line))), flush=True)
