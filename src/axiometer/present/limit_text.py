"""What is said of a cause that simulation found: one sentence for each kind, with what it gives.

`cause_text.py` has what is said where nothing was simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from axiometer.answer.analysis.bottlenecks import NOTHING
from axiometer.answer.relax.gains import TIE, Found, Gain
from axiometer.experiment import master_keys
from axiometer.present import text

NAMES: Mapping[str, str] = {
    "asked": "asks for no more",
    "processor": "the processor’s own pace",
    "master": "master’s limit",
    "burst": "burst length",
    "partner": "loop-back partner",
    "in_turn": "one burst at a time",
    "jobs": "work on jobs",
    "uneven": "uneven shares",
    "placement": "where buffers lie",
    "launch": "launch cost",
    "neighbours": "the chip’s own masters",
    "port": "port",
    "fifo": "port’s FIFO",
    "issue": "port’s issue limit",
    "path": "shared path",
    "queue": "controller’s stores",
    "qos": "traffic classes",
    "throttling": "throttling",
    "mapping": "order of addresses",
    "settings": "the controller’s settings",
    "rows": "DRAM row changes",
    "turnaround": "bus turnarounds",
    "refresh": "refresh",
    "dram_saturated": "DRAM data bus",
    NOTHING: NOTHING,
}
"""Short names of causes, for people."""


def sentence(found: Found, cause: str) -> str:
    """What limits and what it would give without; the next cause where there is another."""
    if cause == NOTHING:
        return (
            "No one thing limits this point: nothing that was tried gives more than "
            f"{text.percent(TIE)} (simulated)."
        )
    gain, beside, rest = found.relaxation(cause), found.beside(cause), ""
    if beside is not None:
        other, as_much = beside
        rest = f" {'As much' if as_much else 'Next'}: {named(other)}, {_share(other)}."
    return f"{_SAID[cause](found, gain)} {_share(gain)} (simulated).{rest}"


def named(gain: Gain) -> str:
    return f"{NAMES[gain.cause]} ({gain.name})"


def document(found: Found | None) -> dict[str, object]:
    """What each relaxation gave, for JSON; nothing where none was simulated."""
    if found is None:
        return {}
    return {
        "tried_causes": [
            {"cause": g.cause, "relaxed": g.name, "gain_pct": g.gain * 100} for g in found.gains
        ],
        "ruled_out": [
            {"cause": g.cause, "relaxed": g.name, "gain_at_most_pct": g.gain * 100}
            for g in found.ruled_out
        ],
        "choices": [
            {
                "cause": g.cause,
                "change": None if g.change is None else dict(g.change),
                "gain_pct": g.gain * 100,
            }
            for g in found.choices
        ],
    }


def _share(gain: Gain) -> str:
    return text.gain(gain.gain)


def _ports(found: Found) -> str:
    own = [s.name for s in found.scenario.streams if not s.background]
    return text.listing(list(dict.fromkeys(own)))


def _figure(found: Found, table: str, key: str) -> str:
    """A figure of ports or paths in use, for reads and writes apart where they differ: `4/8`."""
    used = [s for s in found.scenario.streams if not s.background]
    shown = []
    for stream in used:
        port = found.scenario.ports[stream.port]
        of = vars(port if table == "ports" else found.scenario.paths[port.path])
        shown.append(of.get(key, of.get(f"{key}_{stream.direction}")))
    return "/".join(str(n) for n in dict.fromkeys(shown) if n is not None)


def _each(found: Found, name: str) -> str:
    own = (getattr(s, name) for s in found.scenario.streams if not s.background)
    return "/".join(str(n) for n in dict.fromkeys(own))


def _asked(found: Found, gain: Gain) -> str:
    masters = master_keys.of(found.scenario.values)
    if not masters:
        gaps = _each(found, "gap_cycles")
        return (
            f"The engines' own gap of {gaps} cycles between bursts limits {_ports(found)}: "
            "without it"
        )
    asking = [
        f"{m['name']} asks for no more than {m['rate_mbs']:g} MB/s"
        if m["rate_mbs"]
        else f"{m['name']} leaves {m['gap_cycles']} cycles between bursts"
        for m in masters
        if m["rate_mbs"] or m["gap_cycles"]
    ]
    asking += [
        f"{m['name']} runs for a part of the time only"
        for m in masters
        if m["start_us"] or m["stop_us"] is not None
    ]
    return f"There is room for more: {text.listing(asking)}; if all ask for what they can get:"


def _port(found: Found, gain: Gain) -> str:
    used = {s.port: s for s in found.scenario.streams if not s.background}
    pl = found.scenario.values["pl_mhz"]
    # Of a source, a port of the memory's end is no link of a master.
    links = [
        (found.scenario.ports[n].width_bytes * 8, s.pl_mhz or pl)
        for n, s in used.items()
        if not s.outside
    ]
    rate = "; ".join(
        f"{bits} bit at {mhz:g} MHz, {bits / 8 * mhz:g} MB/s a direction"
        for bits, mhz in dict.fromkeys(links)
    )
    how = "the PL at twice the clock" if "clock" in gain.name else "twice as wide"
    several = len({s.name for s in used.values()}) > 1
    shown = f" ({rate})" if rate else ""
    return f"What {_ports(found)} {'carry' if several else 'carries'} limits{shown}: {how}"


def _at_work(found: Found) -> str:
    """What masters do on their jobs besides reading and writing, in brackets."""
    what = {"ring": "driver prepares packets", "accelerator": "jobs are computed"}
    own = filter(master_keys.works_in_jobs, master_keys.of(found.scenario.values))
    each = [f"{m['name']}’s {what.get(m['kind'], 'descriptors are fetched')}" for m in own]
    return f" ({text.listing(each)})" if each else ""


def _path(found: Found, gain: Gain) -> str:
    scenario = found.scenario
    names = {scenario.paths[scenario.ports[s.port].path].name for s in scenario.streams}
    inflight = _figure(found, "paths", "inflight")
    size = "/".join(str(int(n) * scenario.dram.column_bytes) for n in inflight.split("/"))
    way, verb = ("The path", "limits") if len(names) == 1 else ("The paths", "limit")
    return (
        f"{way} from {_ports(found)} to the controller {verb} ({size} bytes in "
        "flight a direction): twice as wide, with twice the places,"
    )


def _of_the_controller(key: str) -> Callable[[Found, Gain], str]:
    def say(found: Found, gain: Gain) -> str:
        of = found.scenario.controller
        return (
            f"The controller's stores ({of.read_entries} reads, {of.write_entries} writes) "
            "limit: with twice the places"
        )

    return say


def _fixed(words: str) -> Callable[[Found, Gain], str]:
    return lambda found, gain: words.format(ports=_ports(found), name=gain.name)


_SAID: Mapping[str, Callable[[Found, Gain], str]] = {
    "asked": _asked,
    "processor": _fixed("The processor's side is at its own pace: without pauses of its own"),
    "master": lambda f, g: (
        f"Bursts in flight limit {_ports(f)} ({_each(f, 'outstanding')} outstanding): they do not "
        "cover the way to the DRAM and back. With twice as many"
    ),
    "burst": lambda f, g: (
        f"The length of bursts limits {_ports(f)} ({_each(f, 'burst_bytes')} bytes): of twice the "
        "length"
    ),
    "partner": _fixed(
        "The two halves of each loop-back pair wait for one another: if each ran by itself"
    ),
    "in_turn": _fixed(
        "Masters that wait for each burst's response before the next one limit: if they waited for "
        "none"
    ),
    "jobs": lambda f, g: f"Work on jobs limits{_at_work(f)}: if it took no time",
    "uneven": _fixed(
        "The streams do not finish together, and the rate counts until the last has: shared out by "
        "rate"
    ),
    "placement": _fixed(
        "The buffers of {ports} meet in the same DRAM banks with different rows: moved into "
        "different banks"
    ),
    "launch": _fixed(
        "Starting transfers and noticing their end limits {ports}: if that took no time"
    ),
    "neighbours": _fixed(
        "The chip's own masters take the memory's time from {ports}: were they idle"
    ),
    "port": _port,
    "fifo": lambda f, g: (
        f"The data FIFO of {_ports(f)} limits ({_figure(f, 'ports', 'fifo_bytes')} bytes): twice "
        "as deep"
    ),
    "issue": lambda f, g: (
        f"What {_ports(f)} may have issued limits ({_figure(f, 'ports', 'issue_commands')} "
        f"commands, {_figure(f, 'ports', 'inflight_parts')} parts of reads): twice as much"
    ),
    "path": _path,
    "queue": _of_the_controller("entries"),
    "qos": _fixed("The traffic classes of {ports} limit their sum: {name}"),
    "throttling": _fixed("The controller holds {ports} back while its stores fill: without that"),
    "rows": _fixed("Opening and closing rows of the DRAM limits {ports}: if that took no time"),
    "turnaround": _fixed(
        "Reads and writes take turns on the DRAM's bus: if it turned around in no time"
    ),
    "refresh": _fixed("The DRAM's refresh limits {ports}: without it"),
    "dram_saturated": _fixed("The DRAM's data bus limits {ports}: if it carried twice as much"),
}
