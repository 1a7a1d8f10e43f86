"""Public designs and the product: python -m corpus DIR [--from] [--only TEXT] [-v].

Fetches the files of `designs.toml` into DIR (which lies outside of this tree), imports, checks and
predicts each design, and prints what was right.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
import urllib.parse
import urllib.request
from pathlib import Path

from corpus import product, score

HERE = Path(__file__).parent
RAW = "https://raw.githubusercontent.com"
SECONDS = 3.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="for the designs: OWNER/NAME/PATH below it")
    parser.add_argument("--from", dest="kept", action="store_true", help="the files are there")
    parser.add_argument("--only", default="", metavar="TEXT", help="designs with this in the name")
    parser.add_argument("--axiometer", default="axiometer", help="the program to judge")
    parser.add_argument("-v", "--verbose", action="store_true", help="each wrong fact and finding")
    arguments = parser.parse_args()
    designs = tomllib.loads((HERE / "designs.toml").read_text(encoding="utf-8"))["design"]
    designs = [each for each in designs if arguments.only in f"{each['repo']}/{each['files'][0]}"]
    if not arguments.kept:
        for design in designs:
            fetch(design, arguments.directory)
    total = score.Score()
    print(
        "design | masters | ports | right/wrong/assumed/missing | findings true/false/? | s | says"
    )
    for design in designs:
        file = arguments.directory / design["repo"] / design["files"][0]
        answers = product.ask(arguments.axiometer, file)
        one = score.of(design, answers)
        total.add(one)
        name = f"{design['repo']}/{Path(design['files'][0]).name}"
        print(f"{name} | {one.row(answers)}", flush=True)
        if arguments.verbose:
            for line in one.lines:
                print(f"    {line}")
    print(total.summary(len(designs), len({each["repo"] for each in designs}), SECONDS))
    return 0


def fetch(design: dict, directory: Path) -> None:
    """The files of a design, by repository and commit; those that are there stay."""
    for path in design["files"]:
        target = directory / design["repo"] / path
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        url = f"{RAW}/{design['repo']}/{design['commit']}/{urllib.parse.quote(path)}"
        with urllib.request.urlopen(url, timeout=60) as answer:
            target.write_bytes(answer.read())


if __name__ == "__main__":
    sys.exit(main())
