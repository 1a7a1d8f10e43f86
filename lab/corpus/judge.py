"""Whether a finding is true: whether its advice gains what it says, by the facts of the file.

A master moves at most min(its width, its stream's) × its clock. A finding on a figure that the
file does not say is false. What no rule here judges, `true` and `false` of `designs.toml` do.
"""

from __future__ import annotations

import re
from fnmatch import fnmatch

FULL = 0.9  # of a port's peak: less demand than this does not crowd it
PATH = 2500.0  # MB/s that two ports of one path move together at the least


def of(design: dict, finding: dict) -> str:
    """true, false or ?."""
    key = f"{finding['code']} {finding['where']}"
    for word in ("true", "false"):
        if any(fnmatch(key, text) for text in design.get(word, [])):
            return word
    rule = RULES.get(finding["code"])
    verdict = rule and rule(design, finding)
    return "?" if verdict is None else "true" if verdict else "false"


def _rows(design: dict) -> dict[str, list[str]]:
    return {text.split()[0]: text.split()[1:] for text in design.get("masters", [])}


def _row(design: dict, name: str) -> list[str] | None:
    return next((row for own, row in _rows(design).items() if fnmatch(name, own)), None)


def _number(text: str) -> float | None:
    return None if text in "?-" else float(text)


def _demand(row: list[str], bits: str = "", least: str = "?") -> float | None:
    """MB/s that a master can move, with memory `bits`; None: not in the file. `least`: the bits
    that count where the file does not say them."""
    width, mhz = _number(bits or (row[2] if row[2] != "?" else least)), _number(row[3])
    stream, _, clock = row[5].partition("@")
    stream = least if stream == "?" else stream
    if width is None or mhz is None or "?" in (stream, clock):
        return None
    carried = (_number(stream) or width) * (float(clock) if clock else mhz)
    return min(width * mhz, carried) / 8


def _port(design: dict, interface: str) -> list[str]:
    for text in design.get("ports", []):
        if text.split()[0] == interface:
            return text.split()[1:]
    return ["?", "?"]


def _narrow_master(design: dict, finding: dict) -> bool | None:
    gains = []
    for name in finding["where"].split(", "):
        row = _row(design, name)
        if row is None:
            return False
        port = _port(design, row[0].split("+")[0])[0]
        if "-" in (row[2], port):
            return None
        now, then = _demand(row), _demand(row, port)
        gains.append(bool(now and then and then > now))
    return all(gains)


def _crowded(design: dict, finding: dict) -> bool | None:
    word = "write" if "write channel" in finding["says"] else "read"
    names = finding["says"].split(" share ")[0].split(", ")
    rows = [_row(design, name) for name in names]
    if None in rows:
        return False
    demands = [_demand(row, least="8") for row in rows if row[1] in (word, "both", "-", "?")]
    width, mhz = (_number(text) for text in _port(design, rows[0][0]))
    if None in demands or not width or not mhz:
        return False
    return sum(demands) > FULL * width * mhz / 8


def _shared_path(design: dict, finding: dict) -> bool | None:
    for word in ("read", "write"):
        rows = [row for row in _rows(design).values() if row[1] in (word, "both")]
        demands = [_demand(row) for row in rows]
        if None not in demands and sum(demands) > PATH:
            return True
    return False


def _narrow_port(design: dict, finding: dict) -> bool | None:
    interface = finding["says"].split()[0]
    width = _port(design, interface)[0]
    rows = [row for row in _rows(design).values() if row[0] == interface]
    pairs = [(_demand(row, width), _demand(row)) for row in rows]
    return any(now and then and now < then for now, then in pairs)


def _short_bursts(design: dict, finding: dict) -> bool | None:
    cost, row = finding.get("cost", {}), _row(design, finding["where"])
    if row is None or _number(row[4]) is None:
        return False
    now, mended = cost.get("now_MBps"), cost.get("mended_MBps")
    return None if now is None or mended is None else mended > 1.01 * now


def _general(design: dict, finding: dict) -> bool | None:
    row = _row(design, finding["where"])
    return row is not None and "_GP" in row[0]


def _at_coherent(design: dict, finding: dict) -> bool | None:
    rows = [_row(design, name) for name in finding["where"].split(", ")]
    at = [row is not None and re.search("HPC|ACP|f2h_axi", row[0]) for row in rows]
    return all(at)


def _undriven(design: dict, finding: dict) -> bool | None:
    name = finding["says"].split()[0]
    return not any(name.lower() in row[0].lower() for row in _rows(design).values())


def _said(design: dict, finding: dict) -> bool | None:
    """The file says the parameter or the rate that the finding names, or the chip's manual says
    what it asks for: looked at once for each kind of finding."""
    return True


RULES = {
    "narrow-master": _narrow_master,
    "crowded-port": _crowded,
    "shared-path": _shared_path,
    "narrow-port": _narrow_port,
    "short-bursts": _short_bursts,
    "dma-at-general-port": _general,
    "not-coherent": _at_coherent,
    "undriven-port": _undriven,
    "short-length": _said,
    "driver-length": _said,
    "clock-not-as-asked": _said,
    "one-outstanding": _said,
    "one-at-a-time": _said,
    "few-reads": _said,
    "port-needs": _said,
}
