"""Judges claims of claims.toml: python -m validate [NAME...] [--room ROOM] [--write] [--list].

Prints each claim's figures; exit status 1 if a bar is missed, or if a page or another file is not
what the claim gives (`--write` puts it there). last.toml keeps the last result of each claim with
its commit. `--set KEY=VALUE` changes an option of the named claims for a shorter look: pages are
then neither compared nor written, and no result is kept.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import inspect
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from axiometer.base import data, packed
from validate import marks, packing
from validate.compared import ROOT, Outcome

HERE = Path(__file__).parent
TABLE, LAST = HERE / "claims.toml", HERE / "last.toml"
Claim = Mapping[str, Any]


def claims() -> dict[str, Claim]:
    """The table."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def last() -> dict[str, dict[str, Any]]:
    """The last result of each claim."""
    return tomllib.loads(LAST.read_text(encoding="utf-8")) if LAST.is_file() else {}


def chosen(names: Sequence[str], room: str, every: Mapping[str, Claim]) -> list[str]:
    """Those that are named, or those of a room, or all that need no machine. SystemExit for a name
    that is not in the table."""
    if wrong := [name for name in names if name not in every]:
        sys.exit(f"no claim {', '.join(wrong)}: there are {', '.join(every)}")
    if names or room:
        return [n for n in every if n in names or room in every[n]["rooms"]]
    return [n for n in every if "machines" not in every[n]["rooms"]]


def judged(claim: Claim, options: Mapping[str, Any], jobs: int) -> Outcome | None:
    """What a claim comes to; None where it was not judged: its dataset or program is not here."""
    lacks = [file for file in claim.get("needs", ()) if data.find_external(file) is None]
    if lacks:
        print(f"skipped: {lacks[0]} is not here (AXIOMETER_REFERENCE)")
        return None
    if "command" in claim:
        words = [sys.executable if word == "python" else word for word in claim["command"].split()]
        status = subprocess.run(words, cwd=ROOT).returncode
        return Outcome(f"exit status {status}", status == 0)
    module, _, function = claim["run"].partition(":")
    run = getattr(importlib.import_module(f"validate.{module}"), function or "run")
    given = dict(options)
    if "jobs" in inspect.signature(run).parameters:
        given["jobs"] = jobs
    outcome: Outcome | None = run(**given)
    return outcome


def made(name: str, claim: Claim, outcome: Outcome) -> dict[Path, str | None]:
    """All files that a claim makes, as they should be."""
    files = dict(outcome.files)
    if outcome.sections:
        page = ROOT / claim["page"]
        text = page.read_text(encoding="utf-8")
        for part, section in outcome.sections.items():
            text = marks.replaced(text, marks.of_claim(name, part), section)
        files[page] = text
    return files


def differing(files: Mapping[Path, str | None]) -> list[Path]:
    """Those that are otherwise now."""
    return [
        path for path, text in files.items() if (_text(path) if path.is_file() else None) != text
    ]


def _text(path: Path) -> str:
    return packed.text(path.with_suffix("") if path.suffix == packed.SUFFIX else path)


def put(files: Mapping[Path, str | None]) -> None:
    """Write them; None removes."""
    for path, text in files.items():
        if text is None:
            path.unlink(missing_ok=True)
        elif path.suffix == packed.SUFFIX:
            packing.write(path.with_suffix(""), text)
        else:
            path.write_text(text, encoding="utf-8")


def commit() -> str:
    """This tree's; "-dirty" if another of its files than last.toml is not what the commit has."""
    changed = ("git", "status", "--porcelain", "-uno", "--", str(ROOT), f":!{LAST}")
    short, dirty = (
        subprocess.run(words, cwd=ROOT, capture_output=True, text=True).stdout.strip()
        for words in (("git", "rev-parse", "--short", "HEAD"), changed)
    )
    return f"{short}-dirty" if dirty else short


def keep(name: str, of: str, outcome: Outcome, seconds: float) -> None:
    """Put a result into last.toml. of: the commit."""
    result = {
        "commit": of,
        "date": datetime.date.today().isoformat(),
        "figure": outcome.figure,
        "passed": outcome.passed,
        "seconds": round(seconds),
    }
    lines = ["# The last result of each claim. Written by `python -m validate`; do not edit it."]
    for claim, kept in sorted((last() | {name: result}).items()):
        lines += ["", f"[{claim}]"]
        lines += [f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in kept.items()]
    LAST.write_text("\n".join(lines) + "\n", encoding="utf-8")


def listed(every: Mapping[str, Claim]) -> list[str]:
    """The table, and last results, in lines."""
    lines, results = [], last()
    for name, claim in every.items():
        lines.append(f"{name} ({', '.join(claim['rooms'])}): {claim['claim']}")
        if kept := results.get(name):
            verdict = "passed" if kept["passed"] else "NOT PASSED"
            when = f"{kept['date']}, {kept['commit']}, {kept['seconds']} s"
            lines.append(f"    {verdict}: {kept['figure']} ({when})")
    return lines


def _setting(text: str) -> tuple[str, Any]:
    key, _, value = text.partition("=")
    return key, json.loads(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m validate", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="claims (default: all)")
    parser.add_argument("--room", default="", help="claims on a room")
    parser.add_argument("--write", action="store_true", help="write pages and other files")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument("--list", action="store_true", help="claims, rooms and last results")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="sets", type=_setting,
        help="another value of an option of the named claims (JSON)",
    )  # fmt: skip
    args = parser.parse_args(arguments)
    every = claims()
    if args.list:
        print("\n".join(listed(every)))
        return 0
    if args.sets and (args.write or not args.names):
        parser.error("--set is for named claims, without --write")
    wanted = chosen(args.names, args.room, every)
    if not wanted:
        print(f"no claim is on {args.room}")
    sys.path.append(str(ROOT / "tests"))  # what draws cases for tests
    bad, of = [], commit()  # before what --write changes
    for name in wanted:
        claim, began = every[name], time.monotonic()
        print(f"== {name}: {claim['claim']}", flush=True)
        outcome = judged(claim, claim.get("options", {}) | dict(args.sets), args.jobs)
        if outcome is None:
            continue
        print(*outcome.said, sep="\n")
        files = {} if args.sets else made(name, claim, outcome)
        other = differing(files)
        if args.write:
            put(files)
        elif other:
            outcome.passed = False
            outcome.figure += "; another " + ", ".join(p.name for p in other) + " (--write)"
        if not outcome.passed:
            bad.append(name)
        if not args.sets:
            keep(name, of, outcome, time.monotonic() - began)
        print(f"== {name}: {outcome.figure}: {'passed' if outcome.passed else 'NOT PASSED'}")
    if bad:
        print(f"not passed: {', '.join(bad)}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
