"""Random command lines with random files, through the real `main()` in forked processes.

A finding is a traceback, a signal, a status that is not documented, a failure without a word, a
control character in what is printed, JSON that is none, a file written elsewhere, or more than
10 s of processor time or 1 GiB of memory.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import command_grammar as grammar  # noqa: E402
import python_fuzz  # noqa: E402
from budget import Budget  # noqa: E402

TITLE = "command lines and the files that they name, through main()"
LIMIT_CPU_S = 10
LIMIT_WALL_S = 300  # of a machine that does other things too
GOOD = {0, 1, 2, 130, 141}
needs = python_fuzz.needs


def command(folder: Path, budget: Budget, seed: int) -> list[str]:
    return [sys.executable, str(Path(__file__).resolve()), str(folder), str(budget), str(seed)]


def child(argv: list[str], here: Path) -> None:
    """Never returns: runs one command as if it had been typed in `here`."""
    status = 99
    try:
        for number, name in ((1, "out"), (2, "err")):
            file = os.open(here.parent / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, number)
        os.chdir(here)
        python_fuzz.limit_memory()
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_CPU_S, LIMIT_CPU_S + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        from axiometer.__main__ import main

        try:
            status = main(argv)
        except SystemExit as end:  # --help, --version
            status = end.code if isinstance(end.code, int) else 2
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status if isinstance(status, int) else 99)


def wait(pid: int) -> int | None:
    """The status of the child; None where it had to be killed."""
    until = time.monotonic() + LIMIT_WALL_S
    pause = 0.001
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(pause)
        pause = min(0.05, pause * 1.5)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def fault(argv: list[str], status: int | None, out: bytes, err: bytes) -> str | None:
    """What is wrong with how a command ended; None if nothing is."""
    if status is None:
        return f"no end within {LIMIT_WALL_S} s"
    if status < 0:
        return f"killed by {signal.Signals(-status).name}"
    if b"Traceback (most recent" in err or status not in GOOD:
        return f"status {status}, traceback"
    if status and not err.strip():
        return f"status {status} without a word"
    if status == 2 and out.strip() and b"--json" not in " ".join(argv).encode("utf-8", "replace"):
        return "bad input, but results are printed"
    printed = (out + err).decode("utf-8", "replace")
    if any(c in printed for c in "\x1b\x07\x9b\u202e\r"):
        return "a control character is printed"
    if status == 0 and "--json" in argv:
        try:
            json.loads(out, parse_constant=lambda text: 1 / 0)
        except (ValueError, ZeroDivisionError):
            return "JSON that is none"
    return None


def main(folder: Path, budget: Budget, seed: int) -> int:
    draw = random.Random(seed)
    count = 0
    with tempfile.TemporaryDirectory(prefix="axiometer-fuzz-") as name:
        top = Path(name)
        os.environ.pop("AXIOMETER_REFERENCE", None)
        grammar.prepare(top / "made")
        while budget.left(count):
            here = top / "here"
            shutil.rmtree(here, ignore_errors=True)
            here.mkdir()
            os.environ["AXIOMETER_STORE"] = str(here / "default.db")
            argv = grammar.line(draw, top / "made", here)
            count += 1
            pid = os.fork()
            if pid == 0:
                child(argv, here)
            status = wait(pid)
            out, err = ((top / part).read_bytes() for part in ("out", "err"))
            wrong = fault(argv, status, out, err)
            strange = {p.name for p in top.iterdir()} - {"here", "made", "out", "err"}
            if strange and not wrong:
                wrong = f"files outside of the working directory: {', '.join(sorted(strange))}"
            if wrong:
                kept = folder / f"command-{seed}-{count}"
                shutil.copytree(here, kept, dirs_exist_ok=True, symlinks=True)
                (kept / "argv.json").write_text(json.dumps(argv))
                print(f"input {count}: axiometer {argv}\n{wrong}")
                print(err.decode("utf-8", "backslashreplace")[-4000:])
                return 1
    print(f"inputs: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Budget.of(sys.argv[2]), int(sys.argv[3])))
