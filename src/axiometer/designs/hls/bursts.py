"""Adds what a synthesis report knows of bursts to the masters of a design.

The design has the longest burst that an interface may make; the report has the bursts that the tool
made of the code's accesses, and those that it did not. A direction whose accesses all became no
bursts moves single beats. Bursts of several lengths count as the longest.
"""

from __future__ import annotations

from dataclasses import replace

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.designs.hls.report import Adapter, Report, Way
from axiometer.designs.model import Channel, Design, Master


def completed(design: Design, report: Report) -> Design:
    """The design whose masters of the core `report.top` have the report's bursts, outstanding
    bursts and directions. AxiometerError where no master belongs to the core."""
    adapters = {adapter.interface: adapter for adapter in report.adapters}
    masters = []
    count = 0
    for master in design.masters:
        adapter = adapters.get(master.interface.lower())
        adapter = adapter or adapters.get(master.interface)
        if adapter is not None and _is_of(master, report.top):
            master = _completed(master, adapter)
            count += 1
        masters.append(master)
    if not count:
        cores = dict.fromkeys(_name(m.core) for m in design.masters if ":hls:" in m.core)
        raise AxiometerError(
            f"no master of {design.name} belongs to the core {report.top!r} of the report",
            remedy=did_you_mean(report.top, cores, "HLS cores")
            if cores
            else "the design has no HLS core with an m_axi interface",
        )
    return replace(design, masters=tuple(masters))


def _name(core: str) -> str:
    return core.rpartition(":")[2]


def _is_of(master: Master, top: str) -> bool:
    return ":hls:" in master.core and _name(master.core).lower() == top.lower()


def _completed(master: Master, adapter: Adapter) -> Master:
    channels = {
        way: _channel(channel, adapter.ways[way], adapter.is_known(way))
        for way, channel in master.channels.items()
        if way in adapter.ways
    }
    if not channels:
        return master
    assumed = list(master.assumed)
    for way in channels:
        if None in adapter.ways[way].inferred:
            assumed.append(f"{way}, beats of a burst: the most (its length is known at run time)")
        elif not adapter.is_known(way):
            assumed.append(f"{way}, beats of a burst: the most (the report has no access)")
    return replace(
        master,
        read=channels.get("read"),
        write=channels.get("write"),
        assumed=tuple(assumed),
        missed=adapter.missed,
    )


def _channel(channel: Channel, way: Way, is_known: bool) -> Channel:
    beats = (way.longest or 1) if is_known else way.most
    return replace(
        channel, burst_beats=beats, burst_beats_max=way.most, outstanding=way.outstanding
    )
