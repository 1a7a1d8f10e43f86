"""Prints the slowest tests of all parts of `make test`, and the time of each part.

Usage: python tools/slowest.py FILE...     (JUnit reports of `pytest --junitxml`)
Times are wall times of set-up, test and tear-down; parallel tests share the machine.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

SHOWN = 20


def tests(file: Path) -> list[tuple[float, str]]:
    """Seconds and name of every test in a report; SystemExit if the file is no report."""
    try:
        root = ET.parse(file).getroot()
        cases = list(root.iter("testcase"))
        return [(float(c.get("time")), f"{c.get('classname')}::{c.get('name')}") for c in cases]
    except (OSError, ET.ParseError, TypeError, ValueError) as error:
        raise SystemExit(f"{file} is not a test report ({error}); run make test again") from None


def summary(files: list[Path]) -> str:
    """The text that is printed."""
    found = {file.stem: tests(file) for file in files}
    parts = [f"{name} {sum(t for t, _ in done):.0f} s" for name, done in found.items()]
    lines = [f"The {SHOWN} slowest of {sum(map(len, found.values()))} tests ({', '.join(parts)}):"]
    everything = sorted((test for done in found.values() for test in done), reverse=True)
    lines += [f"{seconds:7.1f} s  {name}" for seconds, name in everything[:SHOWN]]
    return "\n".join(lines)


if __name__ == "__main__":
    print(summary([Path(name) for name in sys.argv[1:]]))
