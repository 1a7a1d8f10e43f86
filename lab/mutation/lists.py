"""Mutants of the RTL: one text of a file replaced by another, and what must catch it.

They are listed beside the tests of each room (`rtl/<room>/tests/mutants.toml`), those of the proofs
in `formal/proofs.toml`. Every entry has `file`, `find` (which stands in the file exactly once) and
`put`; the rest says what catches it: `catch.py`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
BUILD = ROOT / "build" / "mutants"


@dataclass(frozen=True)
class Mutant:
    """One fault. `catcher`: what else its entry says, over the bench that it names."""

    room: str
    name: str
    file: str
    find: str
    put: str
    catcher: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.room}: {self.name}"

    @property
    def folder(self) -> Path:
        """Where what it changes is built."""
        return BUILD / self.room / re.sub(r"\W+", "-", self.name)

    def changed(self, path: Path, text: str) -> str:
        """The text of a source, with the fault if it is the mutant's file."""
        if path.name != self.file:
            return text
        if (times := text.count(self.find)) != 1:
            raise ValueError(f"{self}: {self.find!r} is {times} times in {path}, not once")
        return text.replace(self.find, self.put)

    def put_into(self, sources: Iterable[Path]) -> list[Path]:
        """The sources with a copy in place of the changed file. ValueError without that file."""
        sources = list(sources)
        found = [path for path in sources if path.name == self.file]
        if len(found) != 1:
            raise ValueError(f"{self}: {self.file} is {len(found)} times among the sources")
        copy = self.folder / "changed" / self.file
        text = self.changed(found[0], found[0].read_text())
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
        return [copy if path == found[0] else path for path in sources]


def of_rooms() -> list[Mutant]:
    """All mutants of the lists in `rtl/`."""
    found = []
    for path in sorted(RTL.glob("*/tests/mutants.toml")):
        lists = tomllib.loads(path.read_text())
        benches = lists.get("bench", {})
        for entry in lists["mutant"]:
            text = {key: entry.pop(key) for key in ("name", "file", "find", "put")}
            bench = {} if "variant" in entry or "top" in entry else _bench(benches, entry)
            joined = {key: bench[key] | entry[key] for key in ("values", "env") if key in entry
                      and key in bench}  # fmt: skip
            found.append(Mutant(path.parts[-3], **text, catcher=bench | entry | joined))
    return found


def of_proofs() -> list[Mutant]:
    """Those that a proof must not get through, of `formal/proofs.toml`."""
    found = []
    for proof in tomllib.loads((ROOT / "formal" / "proofs.toml").read_text())["proof"]:
        for number, entry in enumerate(proof.get("mutant", [])):
            text = {key: entry.pop(key) for key in ("file", "find", "put")}
            rule = entry.get("breaks") or entry["unproves"].split()[0]
            name = f"{proof['name']}-{rule}" + (f"-{number}" if "unproves" in entry else "")
            found.append(Mutant("formal", name, **text, catcher=entry | {"proof": proof["name"]}))
    return found


def _bench(benches: dict[str, dict[str, Any]], entry: dict[str, Any]) -> dict[str, Any]:
    """The bench that an entry names; of a list with one bench, that one."""
    return benches[entry.pop("bench")] if "bench" in entry else dict(*benches.values())
