"""Advice on a board, a design or an experiment: which search answers the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Unpack

from axiometer.advice import assignments, wanted_masters
from axiometer.advice.wanted_masters import Master
from axiometer.api import file_kinds
from axiometer.api.advice import Advice, Choices, Say, on_processor
from axiometer.api.advice_changes import from_first, of_a_design
from axiometer.api.advice_fabric import in_fabric
from axiometer.api.changed import plain
from axiometer.api.design import Design
from axiometer.api.signatures import showing
from axiometer.api.typed_keys import ChoiceKeys
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment, settings
from axiometer.experiment.keys import Given, checked
from axiometer.platform import Platform

Subject = Platform | Design | Experiment
Wanted = str | Mapping[str, object]


@showing(ChoiceKeys)
def advise(
    subject: str | Path | Subject,
    *,
    masters: Iterable[Wanted] = (),
    objective: str | None = None,
    transfer_bytes: int | str | None = None,
    mode: str | None = None,
    packets: bool = False,
    platform: str | None = None,
    set: Mapping[str, object] | None = None,
    say: Say = lambda _: None,
    **keys: Unpack[ChoiceKeys],
) -> Advice:
    """Search for better settings by simulation, the best first.

    `subject` is one of
    - a board (as of `axm.expect`), with `masters` in the fabric: texts as of `--master`
      ("in=read,rate=500,burst=64+256") or mappings ({"name": "in", "direction": "read",
      "rate_mbs": 500, "burst_bytes": [64, 256]}, also `pattern`, `outstanding`). `keys`, and `set`
      for names with dots, are for all candidates; the values of a list are tried;
    - a board, with `transfer_bytes` and `mode`, or with `packets`: its processor's side;
    - an `axm.Experiment`: its first point is improved step by step, with such keys;
    - a design, as a file or an `axm.Design`; `platform` and `set` are those of `axm.Design.load`.

    `objective` is total, minimum, guarantee or latency, as far as the search has it. `say` is
    called with lines about the progress. AxiometerError for bad values, and if nothing fits.
    """
    asked = {**keys, **(set or {})}
    if isinstance(subject, str | Path) and file_kinds.is_design(str(subject)):
        subject = Design.load(subject, platform=platform, set=asked)
        asked, platform = {}, None
    elif isinstance(subject, str | Path):
        subject = Platform.load(str(subject))
    if platform is not None or (asked and isinstance(subject, Design)):
        raise AxiometerError(
            "platform and keys of a design are for a design's file",
            remedy="give them to axm.Design.load, or name the board as the subject",
        )
    choices = choices_of((name, value, None) for name, value in asked.items())
    return advised(subject, masters, objective, transfer_bytes, mode, packets, choices, say)


def choices_of(asked: Iterable[tuple[str, object, str | None]]) -> dict[str, list[object]]:
    """The values by key or path of a figure, of (name, value or list, place) items. AxiometerError
    at the first bad one."""
    found = {}
    for name, value, where in asked:
        several = value if isinstance(value, list | tuple) else [value]
        if not several:
            raise AxiometerError(f"{name} has no value", remedy="give a value, or values to try")
        given = [Given(plain(one), where) for one in several]
        if settings.is_platform_path(name):
            name = settings.platform_path(name)
        else:
            given = [checked(name, one) for one in given]
        found[name] = [one.value for one in given]
    return found


def advised(
    subject: Subject,
    masters: Iterable[Wanted],
    objective: str | None,
    transfer_bytes: int | str | None,
    mode: str | None,
    packets: bool,
    choices: Choices,
    say: Say,
) -> Advice:
    """As `advise`, with loaded files and checked keys."""
    masters = list(masters)
    on_side = transfer_bytes is not None or packets or mode is not None
    if not isinstance(subject, Platform):
        if masters or on_side:
            what = "a design" if isinstance(subject, Design) else "an experiment"
            raise AxiometerError(
                f"{what} has its own masters",
                remedy="leave out masters, transfer_bytes, packets and mode",
            )
        if isinstance(subject, Design):
            return of_a_design(subject.read, subject.placed, objective, say)
        return from_first(subject, objective, choices, say)
    if masters and on_side:
        raise AxiometerError(
            "transfer_bytes, packets and mode are for the processor's side, masters are for the "
            "fabric",
            remedy="use one of the two; a master contains its direction: NAME=read",
        )
    if masters:
        return in_fabric(subject, _wanted(masters, subject), objective, choices, say)
    if transfer_bytes is None and not packets:
        raise AxiometerError(
            "nothing to advise on",
            remedy="give masters in the fabric (--master NAME=read), or for the processor's side "
            "--transfer-bytes or --packets",
        )
    return on_processor(subject, transfer_bytes, mode, packets, choices)


def _wanted(masters: Iterable[Wanted], platform: Platform) -> list[Master]:
    usual = assignments.usual_bursts(platform)
    return [
        wanted_masters.parse(of, usual) if isinstance(of, str) else wanted_masters.of(of, usual)
        for of in masters
    ]
