"""Runs scripts for JTAG in a real tclsh, with the commands of xsdb and OpenOCD answered there."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.projects import boot
from axiometer.bringup.projects.plan import Plan
from validate.projects.boot import board_events

_LIMIT_S = 60


def run(plan: Plan, directory: Path, name: str, before: dict[int, int]) -> board_events.Session:
    """The script `boot/NAME`, then axm_back. AxiometerError if there is no tclsh."""
    if shutil.which("tclsh") is None:
        raise AxiometerError(
            "tclsh is not installed", remedy="sudo apt-get install tcl", status=RUN_FAILED
        )
    known = boot.of_chip(plan)
    with tempfile.TemporaryDirectory(prefix="axiometer-boot-") as place:
        project = Path(place)
        shutil.copytree(directory / boot.FOLDER, project / boot.FOLDER)
        (project / "system.bit").touch()
        (project / boot.FOLDER / "agent.elf").touch()
        # What the project's XSA has: procedures, which say here that they were called.
        calls = [("init", call) for call in known["init"]]
        calls += [("connect", call) for call in known["after_bitstream"]]
        text = "".join(f"proc {call} {{}} {{ axm_event {kind} {call} }}\n" for kind, call in calls)
        (project / boot.FOLDER / known["init_file"]).write_text(text, encoding="utf-8")
        words = " ".join(f"{a:#010x} {w:#010x}" for a, w in before.items())
        board = Path(__file__).parent / "board.tcl"
        facts = [known["system"], known["core"], known.get("openocd", {}).get("core", "-")]
        done = subprocess.run(
            ["tclsh", board, name, words, *facts],
            cwd=project, capture_output=True, text=True, timeout=_LIMIT_S,
        )  # fmt: skip
    return _session(done)


def _session(done: subprocess.CompletedProcess[str]) -> board_events.Session:
    session = board_events.Session()
    for line in done.stdout.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "wrong":
            session.findings.append(rest)
        elif kind in ("after", "back"):
            address, word = rest.split()
            getattr(session, kind)[int(address, 0)] = int(word, 0)
        else:
            session.events.append((kind, rest))
    if done.returncode:
        session.findings.append(f"tclsh: {done.stderr.strip() or done.returncode}")
    return session
