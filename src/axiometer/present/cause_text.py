"""The words for each cause, in one table: its name, the limit, the evidence of the time classes,
and the relaxation where one was simulated.

Each cause has one name and one sentence for all commands and pages. Without a simulation the
sentence ends before the gain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from axiometer.answer.analysis.bottlenecks import NOTHING
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.gains import TIE, Found, Gain
from axiometer.experiment import master_keys
from axiometer.present import text
from axiometer.present.text import percent


@dataclass(frozen=True)
class Of:
    """A point whose cause is named: its evidence, and the gains of relaxations where they were
    simulated."""

    e: Evidence
    found: Found | None = None

    @property
    def simulated(self) -> Found:
        """The simulated gains; for causes that only simulation finds."""
        assert self.found is not None
        return self.found

    @property
    def ports(self) -> str:
        """The ports that are used."""
        return text.listing(list(self.e.ports))

    def each(self, key: str) -> str:
        """A key of each master: `4/8`; empty where none has a value."""
        every = [dict(m).get(key) for m in self.e.masters]
        return "/".join(dict.fromkeys(f"{n:g}" for n in every if isinstance(n, int | float)))

    def figure(self, table: str, key: str) -> str:
        """A figure of the ports or paths in use: reads and writes separately if they differ."""
        shown, scenario = [], self.simulated.scenario
        for stream in (s for s in scenario.streams if not s.background):
            port = scenario.ports[stream.port]
            of = vars(port if table == "ports" else scenario.paths[port.path])
            shown.append(of.get(key, of.get(f"{key}_{stream.direction}")))
        return "/".join(str(n) for n in dict.fromkeys(shown) if n is not None)


Says = Callable[[Of], str]


@dataclass(frozen=True)
class _Words:
    """name: short, for people. limits: the limit, without a full stop. relaxed: the simulated
    relaxation; {} stands for its name. shows: the evidence of the time classes, without a full
    stop; None or "" without evidence."""

    name: str
    limits: Says
    relaxed: str
    shows: Callable[[Evidence], str] | None = None


def name(cause: str) -> str:
    """The short name of a cause."""
    return cause if cause == NOTHING else (_MORE.get(cause) or WORDS[cause].name)


def named(gain: Gain) -> str:
    """A relaxation with its cause."""
    return f"{name(gain.cause)} ({gain.name})"


def sentence(e: Evidence, cause: str, found: Found | None = None) -> str:
    """The limit; where it was simulated, the gain without it, and the next cause."""
    if cause == NOTHING:
        return (
            "No one thing limits this point: nothing that was tried gives more than "
            f"{percent(TIE)} (simulated)."
        )
    words, of = WORDS[cause], Of(e, found)
    shown = "" if words.shows is None else words.shows(e)
    first = f"{words.limits(of)}{': ' if shown else ''}{shown}."
    if found is None:
        return first
    gain, beside, rest = found.relaxation(cause), found.beside(cause), ""
    if beside is not None:
        other, as_much = beside
        rest = f" {'As much' if as_much else 'Next'}: {named(other)}, {text.gain(other.gain)}."
    return f"{first} {words.relaxed.format(gain.name)}: {text.gain(gain.gain)} (simulated).{rest}"


def document(found: Found | None) -> dict[str, object]:
    """The gain of each relaxation, for JSON; nothing where none was simulated."""
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
    }


def served(e: Evidence, cause: str) -> str:
    """The sentence, without a full stop, for masters that all get the rate that they request."""
    each = [f"{m['name']} {m['rate_mbs']:g} MB/s" for m in e.masters]
    asked = text.listing(each) if len(each) <= 3 else f"{len(each)} masters"
    if cause == "port":
        verb = "carries" if len(e.ports) == 1 else "carry"
        return f"{text.listing(e.ports)} {verb} no more than is requested: {asked}"
    verb = "master requests" if len(each) == 1 else "masters request"
    return f"The {verb} no more: {asked}"


def _asked(of: Of) -> str:
    masters = of.e.masters
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
    return f"There is room for more: {text.listing(asking)}"


def _port(of: Of) -> str:
    e = of.e
    links = [(m["width_bits"], m["link_mhz"]) for m in e.masters]
    rate = "; ".join(
        f"{bits} bit at {mhz:g} MHz, {bits / 8 * mhz:g} MB/s a direction"
        for bits, mhz in dict.fromkeys(links)
    )
    shown = f" ({rate})" if rate else ""
    port = "port" if len(e.ports) == 1 else "ports"
    return f"The bandwidth of {port} {of.ports} limits{shown}"


def _busy(e: Evidence) -> str:
    channels = "its data channel is" if len(e.ports) == 1 else "the data channels are"
    return f"{channels} busy {percent(e.port_busy, 1)} of the time"


def _master(of: Of) -> str:
    usual = of.e.facts.outstanding
    each = (
        master_keys.outstanding(m, way) or usual.get(way)
        for m in of.e.masters
        for way in sorted(master_keys.directions(m))
    )
    kept = "/".join(dict.fromkeys(str(n) for n in each if n))
    shown = f" ({kept} outstanding)" if kept else ""
    return f"Too few outstanding bursts{shown} limit {of.ports}: each waits a whole round trip"


def _waits(e: Evidence) -> str:
    return f"{percent(e.waiting)} of the time the masters wait for bursts that are under way"


def _burst(of: Of) -> str:
    return f"The length of bursts limits {of.ports} ({of.each('burst_bytes')} bytes)"


def _rows_time(e: Evidence) -> str:
    column = e.facts.column_bytes
    short = f", and each takes the bus for {column} bytes" if e.wastes_columns else ""
    return f"{percent(e.dram.share('activate_precharge'))} of the time goes to rows of the DRAM" + (
        short
    )


def _together(e: Evidence) -> str:
    return f"both wait for one another {percent(e.uncoupled)} of the time"


def _in_turn(of: Of) -> str:
    if not of.e.in_turn:
        return "Masters that wait for each burst's response before the next one limit"
    verb = "waits" if len(of.e.in_turn) == 1 else "wait"
    return f"{text.listing(of.e.in_turn)} {verb} for each burst's response before the next one"


def _jobs(of: Of) -> str:
    """The work of masters on their jobs besides reading and writing, in brackets."""
    what = {"ring": "driver prepares packets", "accelerator": "jobs are computed"}
    own = filter(master_keys.works_in_jobs, of.e.masters)
    each = [f"{m['name']}’s {what.get(m['kind'], 'descriptors are fetched')}" for m in own]
    return f"Work between transfers limits{f' ({text.listing(each)})' if each else ''}"


def _in_jobs(e: Evidence) -> str:
    if not e.with_jobs:
        return ""
    master, share = max(e.with_jobs.items(), key=lambda item: item[1])
    return f"{master} neither reads nor writes for {percent(share)} of the time"


def _uneven(e: Evidence) -> str:
    late = [p for p in e.ports if p not in e.early]
    if not e.early or not late:
        return ""
    return (
        f"{text.listing(e.early)} {'is' if len(e.early) == 1 else 'are'} done after "
        f"{percent(1 - max(e.done.values()))} of the time, and the rate counts until "
        f"{text.listing(late)} {'is' if len(late) == 1 else 'are'} done too"
    )


def _starting(e: Evidence) -> str:
    more = ", more than moving takes" if e.mostly_launching else ""
    return (
        f"of {text.seconds(e.dram.elapsed_s)} the processor needs "
        f"{text.seconds(e.launching * e.dram.elapsed_s)} ({percent(e.launching)}){more}"
    )


def _path(of: Of) -> str:
    e = of.e
    path, ports, _ = e.worst_path
    known, ways = e.facts.paths.get(path), sorted(e.directions)
    kept = [known.inflight[w] for w in ways if w in known.inflight] if known else []
    sizes = "/".join(str(n) for n in dict.fromkeys(kept))
    shown = f" ({sizes} bytes in flight a direction)" if sizes else ""
    return f"The path from {text.listing(ports)} to the controller limits{shown}"


def _still(e: Evidence) -> str:
    _, ports, share = e.worst_path
    channels = "their data channels are" if len(ports) > 1 else "its data channel is"
    return f"{percent(share)} of the time {channels} idle"


def _stores(of: Of) -> str:
    c = of.simulated.scenario.controller
    return f"The controller's queues limit ({c.read_entries} reads, {c.write_entries} writes)"


def _data(e: Evidence) -> str:
    peak = f" of its {e.facts.dram_peak:g} MB/s" if e.facts.dram_peak else ""
    return f"it carries data {percent(e.dram_data, 1)}{peak}"


def _rows(of: Of) -> str:
    facts = of.e.facts
    banks = f", {facts.banks} banks" if facts.banks else ""
    size = f" ({text.size(facts.row_bytes)} rows{banks})" if facts.row_bytes else ""
    return f"Opening and closing rows of the DRAM{size} limits {of.ports}"


def _fixed(words: str) -> Says:
    return lambda of: words.format(ports=of.ports)


WORDS: Mapping[str, _Words] = {
    "asked": _Words("demand", _asked, "If all ask for what they can get"),
    "processor": _Words(
        "processor pace",
        _fixed("The processor issues accesses at its own pace"),
        "Without pauses of its own",
    ),
    "master": _Words("outstanding bursts", _master, "With twice as many", _waits),
    "burst": _Words("burst length", _burst, "Of twice the length", _rows_time),
    "partner": _Words(
        "loop-back partner",
        _fixed("The two halves of each loop-back pair wait for one another"),
        "If each ran by itself",
        _together,
    ),
    "in_turn": _Words(
        "one burst at a time",
        _in_turn,
        "If it waited for none",
        lambda e: f"{percent(e.waiting_in_turn())} of the streams' time",
    ),
    "jobs": _Words("job overhead", _jobs, "If it took no time", _in_jobs),
    "uneven": _Words(
        "uneven sharing",
        _fixed("The streams do not finish together"),
        "Shared out by rate",
        _uneven,
    ),
    "placement": _Words(
        "DRAM bank conflicts",
        _fixed("The buffers of {ports} meet in the same DRAM banks with different rows"),
        "With buffers in different banks",
    ),
    "launch": _Words(
        "transfer start-up",
        _fixed("Starting each transfer and detecting its end limits {ports}"),
        "If that took no time",
        _starting,
    ),
    "neighbours": _Words(
        "the chip’s own masters",
        _fixed("The chip's own masters take the memory's time from {ports}"),
        "Were they idle",
    ),
    "port": _Words("port bandwidth", _port, "With {}", _busy),
    "fifo": _Words(
        "port FIFO",
        lambda of: (
            f"The data FIFO of {of.ports} limits ({of.figure('ports', 'fifo_bytes')} bytes)"
        ),
        "Twice as deep",
    ),
    "issue": _Words(
        "port issue limit",
        lambda of: (
            f"The issue limit of {of.ports} limits ({of.figure('ports', 'issue_commands')} "
            f"commands, {of.figure('ports', 'inflight_parts')} parts of reads)"
        ),
        "Twice as much",
    ),
    "path": _Words(
        "shared path", _path, "Twice as wide, with twice the places", _still
    ),
    "queue": _Words("controller queues", _stores, "With twice the places"),
    "qos": _Words("traffic classes", _fixed("The traffic classes of {ports} limit their sum"),
                  "With {}"),
    "throttling": _Words(
        "controller throttling",
        _fixed("The controller holds {ports} back while its queues fill"),
        "Without that",
    ),
    "rows": _Words(
        "DRAM row misses",
        _rows,
        "If that took no time",
        lambda e: (
            f"the bus is idle for it {percent(e.dram.share('activate_precharge'))} of the time"
        ),
    ),
    "turnaround": _Words(
        "DRAM turnarounds",
        _fixed("Reads and writes take turns on the DRAM's bus"),
        "If it turned around at no cost",
        lambda e: f"turning it around takes {percent(e.turnaround)} of the time",
    ),
    "refresh": _Words(
        "DRAM refresh",
        _fixed("The DRAM's refresh limits {ports}"),
        "Without it",
        lambda e: f"it takes {percent(e.dram.share('refresh'), 1)} of the time",
    ),
    "dram_saturated": _Words(
        "DRAM bandwidth",
        _fixed("The DRAM's data bus limits {ports}"),
        "If it carried twice as much",
        _data,
    ),
}  # fmt: skip
"""By the keys of `answer/relax/table.py`, which `answer/analysis/bottlenecks.py` uses too."""

_MORE: Mapping[str, str] = {
    "mapping": "address mapping",
    "settings": "controller settings",
    "direction": "reads and writes apart",
}
"""Names of changes that are tried against several causes."""
