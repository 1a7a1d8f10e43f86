"""What the product answers about a file, as JSON, with its processor time."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

COMMANDS = (("import", "design"), ("check",), ("expect",))
LONGEST = 60  # s, then it is ended


@dataclass(frozen=True)
class Answer:
    """One command's document ({}: none), what it says where it has none, and its CPU seconds."""

    document: dict
    says: str
    seconds: float

    @property
    def traceback(self) -> bool:
        return "Traceback" in self.says


def ask(program: str, file: Path) -> dict[str, Answer]:
    """The answers of import, check and expect."""
    return {words[0]: _run([program, *words, str(file), "--json"]) for words in COMMANDS}


def _run(command: list[str]) -> Answer:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        before = os.times()
        child = subprocess.Popen(command, stdout=out, stderr=err)
        try:
            child.wait(LONGEST)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        after = os.times()
        out.seek(0)
        err.seek(0)
        text, said = out.read().decode(errors="replace"), err.read().decode(errors="replace")
    seconds = sum(after[2:4]) - sum(before[2:4])
    try:
        return Answer(json.loads(text), said, seconds)
    except ValueError:
        return Answer({}, said or text, seconds)
