"""The program that starts transfers, in words and as JSON."""

from __future__ import annotations

from axiometer.answer.verdicts.started import Started


def sentences(started: Started | None) -> list[str]:
    """The program that starts the transfer, where its start takes a share worth mentioning."""
    if started is None or not started.tells:
        return []
    by = started.by
    end = f"the end is detected {by.end:.3g} us after it"
    if by.sleep:
        end = f"the end is looked for after {by.first_look:.3g} us, then every {by.sleep:.3g} us"
    assumed = " (assumed)" if started.assumed else ""
    other = " Another: --set program=NAME; your own: program.launch_us." if started.assumed else ""
    start = f"starting an engine takes {by.launch:.3g} us"
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
