"""Checks of HLS cores: accesses that became no bursts, or kept narrow beats, and why.

Not for: what the tool reports (`hls/`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from axiometer.designs.checks.finding import ADVICE, MISTAKE, Finding, Settings, data_routes
from axiometer.designs.model import Design, Master, Missed

MOST_SHOWN = 3
_SHARE = "the report does not say what share of the data these accesses move"


def missed_burst(design: Design) -> Iterator[Finding]:
    """Accesses of HLS code without bursts: a mistake where the direction has no burst at all."""
    for master in _of_hls(design):
        for of in _alike([of for of in master.missed if not of.widens]):
            single = _single(master, of[0].direction)
            says = f"no bursts for {_listed(of)}: {_reason(of[0])}."
            mend: Settings = tuple(
                (f"{master.name}.{way}.burst_beats", most) for way, most in single.items()
            )
            if single:
                says += f" It {' and '.join(f'{way}s' for way in single)} beat by beat."
            yield Finding(
                "missed-burst",
                MISTAKE if single else ADVICE,
                master.name,
                f"{master.name}: {says}",
                _change(of[0]),
                mend,
                no_rate="" if single else _SHARE,
            )


def not_widened(design: Design) -> Iterator[Finding]:
    """Accesses of HLS code in beats that are narrower than the port, which the tool did not
    widen."""
    for master, _, port in data_routes(design):
        if master.width_bits < port.width_bits:
            for of in _alike([of for of in master.missed if of.widens]):
                yield Finding(
                    "not-widened",
                    ADVICE,
                    master.name,
                    f"{master.name}: {_listed(of)} in beats of {master.width_bits} bits, "
                    f"{port.interface} has {port.width_bits}: {_reason(of[0])}.",
                    _change(of[0]),
                    ((f"{master.name}.width_bits", port.width_bits),),
                )


def _of_hls(design: Design) -> Iterator[Master]:
    return (master for master in design.masters if master.missed)


def _single(master: Master, direction: str) -> dict[str, int]:
    """The directions of the misses that have no burst at all, with their longest possible one."""
    return {
        way: most
        for way, channel in master.channels.items()
        if direction in ("", way)
        and channel.burst_beats == 1
        and (most := channel.burst_beats_max or 1) > 1
    }


def _alike(missed: Sequence[Missed]) -> list[list[Missed]]:
    """The misses of one direction with one reason, together."""
    found: dict[tuple[str, str], list[Missed]] = {}
    for of in missed:
        found.setdefault((of.direction, of.guidance or of.reason), []).append(of)
    return list(found.values())


def _listed(of: Sequence[Missed]) -> str:
    """The accesses: "reads of a (f.cpp:1:2), b (f.cpp:3:4)"."""
    names = [f"{one.variable} ({one.place})" if one.variable else one.place for one in of]
    names = list(dict.fromkeys(name for name in names if name))
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    what = f"{of[0].direction}s of" if of[0].direction else "accesses of"
    return f"{what} {', '.join(names[:MOST_SHOWN]) or 'unknown code'}{more}"


def _reason(of: Missed) -> str:
    words = of.reason.rstrip(".") or "the tool gives no reason"
    number = f" (HLS {of.guidance})" if of.guidance else ""
    return f"{words[:1].lower()}{words[1:]}{number}"


def _change(of: Missed) -> str:
    usual = "Change the code as the tool's guidance says (UG1448)."
    return _changes().get(of.guidance, usual)


@cache
def _changes() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
