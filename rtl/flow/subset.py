"""The subset of SystemVerilog that the RTL keeps to: rules in `rtl/subset.toml`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from flow import tools

RULES = tomllib.loads((tools.RTL / "subset.toml").read_text())["rule"]


def violations(text: str) -> list[str]:
    """`line: rule: why` for each place that a tool is known to refuse."""
    plain = _plain(text)
    found = []
    for rule in RULES:
        for hit in re.finditer(rule["pattern"], plain, re.M):
            line = plain.count("\n", 0, hit.end()) + 1
            found.append(f"{line}: {rule['name']}: {rule['why']}")
    return found + _outside(plain)


def files() -> list[Path]:
    """What is synthesised: the files of the rooms, without tests and checks, and the registers."""
    other = {"tests", "checks"}
    rooms = (path for path in tools.RTL.rglob("*.sv") if not other & {*path.parts})
    return sorted(rooms) + sorted((tools.ROOT / "regs" / "generated").glob("*.sv"))


def _plain(text: str) -> str:
    """The text without what is not read; line numbers stay."""

    def blank(found: re.Match) -> str:
        return re.sub(r"[^\n]", " ", found[0])

    # Both marks: Quartus does not define SYNTHESIS, slang does not read the comments.
    text = re.sub(
        r"// synthesis translate_off\s*`ifndef SYNTHESIS\b.*?`endif\s*// synthesis translate_on",
        blank,
        text,
        flags=re.S,
    )
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', blank, text, flags=re.S)


def _outside(plain: str) -> list[str]:
    """Conditions and loops of a module outside of `generate`: Quartus Standard needs it."""
    found = []
    region = False
    for number, line in enumerate(plain.splitlines(), 1):
        if re.match(r"\s*generate\b", line):
            region = True
        elif re.match(r"\s*endgenerate\b", line):
            region = False
        elif not region and re.match(r"  (if|for|case)\b", line):
            found.append(f"{number}: generate-region: enclose it in generate ... endgenerate")
    return found
