"""Runs exchanges through all checkers in one Verilator simulation."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import engine
import proofs
from flow import tools

from mutants.exchange import BENCH, Exchange


def build() -> Path:
    """Compiles the bench; returns the program's path."""
    folder = engine.BUILD / "replay"
    folder.mkdir(parents=True, exist_ok=True)
    files = [
        BENCH.parent / "replay_main.cpp",
        BENCH,
        *(path for path in proofs.RULE_FILES if path.stem != "axm_helpers"),
    ]
    done = subprocess.run(
        ["verilator_bin", "--cc", "--exe", "--build", "-j", "1", "-Wno-fatal", "-Wno-lint",
         "--top-module", "axm_rules_replay", f"+incdir+{proofs.RULES}", "--Mdir", str(folder),
         *map(str, files)],
        env=tools.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise engine.ToolError(f"Verilator failed:\n{done.stderr[-3000:]}")
    return folder / "Vaxm_rules_replay"


def run(program: Path, exchanges: list[Exchange]) -> list[list[tuple[int, str]]]:
    """What breaks in each exchange: (clock, checker.part.rule), in the order of the clocks."""
    words = [word for exchange in exchanges for word in exchange.words()]
    file = program.parent / "words.hex"
    file.write_text("\n".join(words) + "\n")
    done = subprocess.run(
        [str(program), f"+file={file}", f"+clocks={len(words)}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    broken: list[tuple[int, str]] = []
    for line in done.stdout.splitlines():
        if match := re.match(r"(\d+) TOP\.axm_rules_replay\.(\S+)", line):
            # The rule's name is that of the generate block that holds it.
            *path, last = match[2].split(".")
            parts = [part for part in path if not part.startswith("g_")]
            broken.append((int(match[1]), ".".join([*parts, last.removeprefix("g_")])))
    found, first = [], 0
    for exchange in exchanges:
        end = first + len(exchange.clocks)
        found.append([(t - first, rule) for t, rule in broken if first <= t < end])
        first = end
    return found
