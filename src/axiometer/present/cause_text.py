"""What is said of each cause that time classes name: `say_X` is the sentence on the cause X."""

from __future__ import annotations

from axiometer.answer.analysis.time_shares import Evidence
from axiometer.experiment import master_keys
from axiometer.present import text
from axiometer.present.text import percent


def say_port(e: Evidence) -> str:
    links = {(m["width_bits"], m["link_mhz"]) for m in master_keys.of(e.values)}
    if not links and e.values.get("width_bits") and e.values.get("pl_mhz"):
        links = {(e.values["width_bits"], e.values["pl_mhz"])}
    one = len(e.ports) == 1
    who = e.ports[0] if one else "Every port"
    rate = ""
    if len(links) == 1:
        ((width, clock),) = links
        rate = f": {width} bit at {clock:g} MHz is {width / 8 * clock:g} MB/s a direction"
    state = "is full" if e.port_full else "limits" if one else "is its own limit"
    return (
        f"{who} {state}{rate}, and {'its data channel is' if one else 'the data channels are'} "
        f"busy {percent(e.port_busy, 1)} of the time."
    )


_COVER = {
    "way": "the way to the DRAM and back",
    "turnarounds": "the turnarounds of the DRAM bus",
    "rows": "the DRAM's row changes",
}


def _listed(e: Evidence) -> str:
    return text.listing(list(e.ports))


def say_saturated(e: Evidence) -> str:
    peak = f" of its {e.facts.dram_peak:g} MB/s" if e.facts.dram_peak else ""
    return f"The DRAM's data bus limits: it carries data {percent(e.dram_data, 1)}{peak}."


def say_path(e: Evidence) -> str:
    name, ports, share = e.worst_path
    shared = len(ports) > 1
    who = text.listing(ports)
    start = (
        f"{who} share one path to the controller"
        if shared
        else (f"{who} reaches the controller by a path of its own")
    )
    mixed = " with reads and writes mixed" if len(e.directions) == 2 else ""
    kept = _kept(e, name)
    subject = f"{kept}{mixed} that is" if kept else f"{mixed} it is".strip()
    return (
        f"{start}; {subject} not enough to cover {_COVER[e.cover]}: {percent(share)} of the time "
        f"{'their data channels stand' if shared else 'its data channel stands'} still."
    )


def _kept(e: Evidence, name: str) -> str:
    """`it keeps 512 bytes (4 bursts) each way in flight, and`; empty where no limit is known."""
    path, burst = e.facts.paths.get(name), e.values.get("burst_bytes")
    limits = [path.inflight[w] for w in ("read", "write") if w in e.directions & set(path.inflight)
              ] if path else []  # fmt: skip
    if not limits or not isinstance(burst, int):
        return ""
    amounts = list(dict.fromkeys(limits))
    sizes = "/".join(str(n) for n in amounts)
    bursts = "/".join(f"{n / burst:g}" for n in amounts)
    each = " each way" if len(limits) == 2 else ""
    return f"it keeps {sizes} bytes ({bursts} bursts){each} in flight, and"


def say_rows(e: Evidence) -> str:
    spent = percent(e.dram.share("activate_precharge"))
    apart = (
        f" ({text.size(e.facts.row_bytes)} rows"
        + (f", {e.facts.banks} banks)" if e.facts.banks else ")")
        if e.facts.row_bytes
        else ""
    )
    return (
        f"The streams meet in the same DRAM banks with different rows{apart}: the bus stands "
        f"still {spent} of the time while rows are closed and opened."
    )


def say_burst(e: Evidence) -> str:
    spent = percent(e.dram.share("activate_precharge"))
    burst = e.values.get("burst_bytes")
    size = f" of {text.size(burst)}" if isinstance(burst, int) else ""
    column = e.facts.column_bytes
    short = f", and each takes the bus for {column} bytes" if e.wastes_columns else ""
    return (
        f"Bursts{size} are short for the DRAM: {spent} of the time it closes and opens rows for "
        f"them{short}."
    )


def say_turnaround(e: Evidence) -> str:
    return (
        "Reads and writes take turns on the DRAM bus, and turning it around takes "
        f"{percent(e.turnaround)} of the time."
    )


def say_refresh(e: Evidence) -> str:
    return (
        f"The DRAM refreshes itself {percent(e.dram.share('refresh'), 1)} of the time, and the "
        "ports' buffers cannot cover the pause."
    )


def say_launch(e: Evidence) -> str:
    share, elapsed = e.launching, text.seconds(e.dram.elapsed_s)
    size = e.values.get("transfer_bytes")
    what = f"a transfer of {text.size(size)}" if isinstance(size, int) else "the transfer"
    more = "Starting it costs more than moving it"
    start = more if e.mostly_launching else "The transfers are short"
    return (
        f"{start}: of the {elapsed} that {what} takes, the processor needs "
        f"{text.seconds(share * e.dram.elapsed_s)} ({percent(share)}) to start the transfers and "
        "to notice their end."
    )


def served(e: Evidence, cause: str) -> str:
    """Of masters that all have a rate, and get it, because of `cause`: without a full stop."""
    each = [f"{m['name']} {m['rate_mbs']:g} MB/s" for m in master_keys.of(e.values)]
    asked = text.listing(each) if len(each) <= 3 else f"{len(each)} masters"
    if cause == "port":
        verb = "carries" if len(e.ports) == 1 else "carry"
        return f"{text.listing(e.ports)} {verb} no more than is asked for: {asked}"
    verb = "master asks" if len(each) == 1 else "masters ask"
    return f"The {verb} for no more: {asked}"


def say_asked(e: Evidence) -> str:
    names = list(e.asked)
    if not names:
        masters = master_keys.of(e.values) or (e.values,)
        gaps = "/".join(dict.fromkeys(str(m["gap_cycles"]) for m in masters if m["gap_cycles"]))
        return f"The engines' own gap of {gaps} cycles between bursts limits {_listed(e)}."
    if len(names) in (2, 3):
        return f"There is room for more: {text.listing(names)} have what they ask for."
    who = names[0] if len(names) == 1 else f"each of {len(names)} masters"
    return f"There is room for more: {who} has what it asks for."


def say_in_turn(e: Evidence) -> str:
    waits = e.waiting_in_turn() * len(e.streams)
    own = sum(s.owner in e.in_turn for s in e.streams)
    verb = "waits" if len(e.in_turn) == 1 else "wait"
    return (
        f"{text.listing(e.in_turn)} {verb} for each burst's response before the next one: "
        f"{percent(waits / own)} of the time {'its' if own == 1 else 'their'} data "
        f"{'channel stands' if own == 1 else 'channels stand'} still."
    )


def say_jobs(e: Evidence) -> str:
    name, share = max(e.with_jobs.items(), key=lambda item: item[1])
    kinds = {m["name"]: m["kind"] for m in master_keys.of(e.values)}
    ring = kinds[name] == "ring"
    why = "its driver prepares packets" if ring else "it computes"
    return f"{name} neither reads nor writes for {percent(share)} of the time: {why}."


def say_uneven(e: Evidence) -> str:
    done, early = e.done, e.early
    late = [p for p in e.ports if p not in early]
    return (
        f"The ports do not finish together: {text.listing(early)} "
        f"{'is' if len(early) == 1 else 'are'} done after "
        f"{percent(1 - max(done.values()))} of the time, and the rate counts until "
        f"{text.listing(late)} {'is' if len(late) == 1 else 'are'} done too."
    )


def say_master(e: Evidence) -> str:
    return (
        f"The DRAM has time to spare, but {percent(e.waiting)} of the time the masters wait for "
        "bursts that are under way: with so few outstanding (or with a gap between them) they do "
        "not cover the way to the DRAM and back."
    )


def say_partner(e: Evidence) -> str:
    return (
        "The two halves of each loop-back pair wait for one another "
        f"{percent(e.uncoupled)} of the time: the FIFO between them is full or empty too soon."
    )
