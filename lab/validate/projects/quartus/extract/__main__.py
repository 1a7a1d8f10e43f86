"""Writes the facts, or prints how many there are."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from validate.projects.quartus.extract import boards
from validate.projects.quartus.extract.gather import Facts, Gatherer

_ROOM = Path(__file__).resolve().parents[1]
SOURCES, FACTS = _ROOM / "sources.toml", _ROOM / "facts.toml"
BOARDS = _ROOM.parents[2] / "src" / "axiometer" / "bringup" / "projects" / "quartus" / "boards"
_MADE = (
    "Written by `python -m validate.projects.quartus.extract --write` from public projects\n"
    "# (lab/validate/projects/quartus/sources.toml): change that, not this."
)
_TABLES = ("interfaces", "kinds", "values", "board", "parameters_of_a_board")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m validate.projects.quartus.extract")
    parser.add_argument("--repositories", type=Path, required=True, metavar="DIR",
                        help="has OWNER+NAME/repo, a git repository of each source")  # fmt: skip
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    table = tomllib.loads(SOURCES.read_text(encoding="utf-8"))
    sources = {name: about for name, about in table.items() if name not in _TABLES}
    gatherer = Gatherer(table["interfaces"], table["kinds"], table["values"])
    count = 0
    for name, about in sources.items():
        folder = args.repositories / about["repository"].replace("/", "+") / "repo"
        paths = _git(folder, "ls-tree", "-r", "--name-only", about["commit"]).splitlines()
        taken = [p for p in paths if any(fnmatchcase(p, pattern) for pattern in about["files"])]
        if not taken:
            raise SystemExit(f"{name}: no file is {about['files']}")
        for path in taken:
            gatherer.take(name, path, _git(folder, "show", f"{about['commit']}:{path}"))
        count += len(taken)
    written = {FACTS: _facts(gatherer.facts, sources)}
    for board, about in table["board"].items():
        read = partial(_read, args.repositories, sources[about["source"]])
        of = table["parameters_of_a_board"]
        scripts = partial(_read, args.repositories, sources[of["source"]])
        known = list(gatherer.facts.parameters["altera_hps"])
        names = boards.parameters(of, known, scripts)
        source = sources[about["source"]]
        head = f"# {_MADE}\n# Source: {source['repository']}, commit {source['commit'][:8]}: "
        head += f"{about['system']}, {about['pins']}, {about['top']}.\n"
        written[BOARDS / f"{board}.toml"] = head + boards.board(about, names, read)
    for path, text in written.items():
        if args.write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    print(f"{count} files of {len(sources)} repositories; {len(written)} files of facts")
    return 0


def _read(repositories: Path, source: Mapping[str, Any], path: str) -> str:
    folder = repositories / source["repository"].replace("/", "+") / "repo"
    return _git(folder, "show", f"{source['commit']}:{path}")


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def _facts(facts: Facts, sources: Mapping[str, Any]) -> str:
    lines = [f"# What Platform Designer and Quartus know. {_MADE}",
             "# A name: how many repositories show it, the first three of them.", ""]  # fmt: skip
    for name, about in sources.items():
        lines += [f"[source.{name}]", f'repository = "{about["repository"]}"',
                  f'commit = "{about["commit"]}"', ""]  # fmt: skip
    for field in ("commands", "words", "interface_properties", "roles", "widths", "parameters",
                  "values", "ends", "connections"):  # fmt: skip
        for key, seen in sorted(getattr(facts, field).items()):
            lines += [f'[{field}."{key}"]', *_names(seen), ""]
    lines += ["[interfaces]", *_names(facts.interfaces), ""]
    lines += ["[versions]", *_names(facts.versions), ""]
    return "\n".join(lines)


def _names(seen: Mapping[str, set[str]]) -> list[str]:
    return [
        f"{_quoted(name)} = [{len(of)}, {', '.join(map(_quoted, sorted(of)[:3]))}]"
        for name, of in sorted(seen.items())
    ]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", " ") + '"'


if __name__ == "__main__":
    sys.exit(main())
