"""The program that starts transfers, in words and as JSON."""

from __future__ import annotations

from axiometer.answer.verdicts.started import Started
from axiometer.base.units import significant


def sentences(started: Started | None) -> list[str]:
    """The program that starts the transfer, where its start takes a share worth mentioning."""
    if started is None or not started.tells:
        return []
    by = started.by
    end = f"the end is detected {significant(by.end, 3)} us after it"
    if by.sleep:
        looks = [significant(us, 3) for us in (by.first_look, by.sleep)]
        end = f"the end is looked for after {looks[0]} us, then every {looks[1]} us"
    assumed = " (assumed)" if started.assumed else ""
    other = " Another: --set program=NAME; your own: program.launch_us." if started.assumed else ""
    start = f"starting an engine takes {significant(by.launch, 3)} us"
    return [f"Program {started.name}{assumed}: {start}, {end}.{other}"]


def document(started: Started | None) -> dict[str, object] | None:
    """For JSON: times in us, the share from 0 to 1."""
    if started is None:
        return None
    by = started.by
    return {
        "name": started.name,
        "assumed": started.assumed,
        "launch_us": by.launch,
        "end_us": by.end,
        "first_look_us": by.first_look,
        "sleep_us": by.sleep,
        "share": started.share,
    }
