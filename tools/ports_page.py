"""Which masters each port of each chip answers for: a section of docs/boards.md.

    tools/ports_page.py [--write]

Checks each port of a board of each chip with each master, without running it. Prints the section,
or writes it. A test compares them, and checks every board.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import master_keys, vendor
from axiometer.experiment.keys_processor import AT_MEMORY, KINDS, is_coherent
from axiometer.experiment.points import single
from axiometer.platform import Platform

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lab"))
from validate import marks  # noqa: E402

PAGE = ROOT / "docs" / "boards.md"
COMMAND = "python tools/ports_page.py --write"
BESIDE = (
    *("engine", "accelerator", *vendor.KINDS),
    *("ring", "memcpy", "loop", "ps_dma", *master_keys.SIMPLE),
)
ALONE = tuple(dict.fromkeys([*KINDS, *vendor.KINDS]))
_NEEDED = re.compile(r"(cannot work at port|no path to the memory for|has no port|is no port)")


def alone(platform: Platform, port: str, master: str) -> str:
    """ "" if the point is valid, else the reason."""
    keys = {"ports": port, "master": master}
    if master not in AT_MEMORY and master not in vendor.KINDS:
        keys |= {"mode": "read", "transfer_bytes": 4096}
    if master == "ring":
        control = "coherent" if is_coherent(platform, port) else "explicit"
        keys |= {"os": "linux", "cache_control": control, "mode": "duplex"}
    return _why(platform, keys)


def beside(platform: Platform, port: str, kind: str) -> str:
    """ "" if the `[[master]]` table is valid, else the reason."""
    master = {"kind": kind, "name": "a"}
    if "port" in master_keys.KINDS[kind]:
        master["port"] = port
    if "direction" in master_keys.KINDS[kind] and kind not in vendor.KINDS:
        master["direction"] = "read"
    return _why(platform, {"masters": [master]})


def _why(platform: Platform, keys: dict) -> str:
    try:
        single(platform, keys)
    except AxiometerError as error:
        return error.message
    return ""


def boards() -> dict[str, list[str]]:
    """The boards of each chip."""
    found: dict[str, list[str]] = {}
    for name in data.names("platforms"):
        found.setdefault(Platform.load(name).family, []).append(name)
    return found


def answers(platform: Platform) -> dict[tuple[str, str, str], str]:
    """The reasons by port, "alone" or "beside", and master; "" where the port answers. Impossible
    combinations are left out."""
    every = {
        **{(p, "alone", m): alone(platform, p, m) for p in platform.ports for m in ALONE},
        **{(p, "beside", m): beside(platform, p, m) for p in platform.ports for m in BESIDE
           if "port" in master_keys.KINDS[m]},
    }  # fmt: skip
    return {key: why for key, why in every.items() if not _NEEDED.search(why)}


def _of_chip(chip: str, names: list[str]) -> Iterator[str]:
    platform = Platform.load(names[0])
    found = answers(platform)
    reasons: dict[str, str] = {}
    yield f"### {chip}\n{len(names)} boards.\n\n"
    for where, title in (("alone", "alone"), ("beside", "beside others")):
        masters = list(dict.fromkeys(m for _, at, m in found if at == where))
        if not masters:
            continue
        yield f"| {title} | {' | '.join(masters)} |\n|---{'|---' * len(masters)}|\n"
        for port in platform.ports:
            cells = [
                _cell(found.get((port, where, m)), platform, (port, m), reasons) for m in masters
            ]
            yield f"| `{port}` | {' | '.join(cells)} |\n"
        yield "\n"
    for why, letter in reasons.items():
        yield f"- *{letter}*: {why}.\n"
    if reasons:
        yield "\n"


def _cell(
    why: str | None, platform: Platform, asked: tuple[str, str], reasons: dict[str, str]
) -> str:
    port, master = asked
    if why is None:
        return ""
    if not why:
        return "yes*" if platform.unvalidated([port]) else "yes"
    said = why.replace(f"platform {platform.name}", "the chip's file")
    said = said.replace(f"of kind {master}", "of this kind").replace(
        f"describe {master} at", "describe it at"
    )
    said = said.replace(platform.name, "the chip")
    return reasons.setdefault(said, "abcdefghijklmnop"[len(reasons)])


def page() -> str:
    """The section."""
    chips = "".join("".join(_of_chip(chip, names)) for chip, names in boards().items())
    return chips.rstrip("\n")


def main() -> int:
    if "--write" in sys.argv[1:]:
        marks.write(PAGE, COMMAND, page())
    else:
        print(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
