"""The results of a stored run (`results.View`), from store, experiment, platform and reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from axiometer.answer.analysis import accelerators, pl_clocks, stats
from axiometer.answer.analysis.ports_and_paths import Facts, Path, ceiling
from axiometer.answer.analysis.results import Parameter, Row, View, modelled
from axiometer.base import progress
from axiometer.base.record import Record
from axiometer.experiment import Experiment, expect_command, question_link
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.platform.targets import DRAM
from axiometer.published import anchors, bands, measured, reference
from axiometer.published.bands import rates
from axiometer.published.reference import Reference
from axiometer.published.reference.table import Published
from axiometer.records.store import RunData

if TYPE_CHECKING:
    from axiometer.simulate.scenario import Scenario


def facts(platform: Platform) -> Facts:
    """The platform's facts for the analysis."""
    port_paths = {
        p: str(platform.value(f"port.{p}.path"))
        for p in platform.ports
        if platform.has(f"port.{p}.path")
    }
    paths = {
        name: Path(
            name,
            tuple(p for p, path in port_paths.items() if path == name),
            _in_flight(platform, name, [p for p, path in port_paths.items() if path == name]),
        )
        for name in platform.paths
    }
    return Facts(
        name=platform.name,
        title=platform.title,
        ddr_mhz=platform.value("clocks.ddr_mhz"),
        bus_bits=platform.value("dram.bus_bits"),
        banks=platform.value("dram.banks"),
        row_bytes=platform.value("dram.row_bytes"),
        column_bytes=platform.value("dram.bus_bits") // 8 * platform.value("dram.burst_length"),
        pl_mhz=platform.value("clocks.pl_mhz"),
        paths=paths,
        port_paths=port_paths,
        port_widths={p: tuple(platform.value(f"port.{p}.widths")) for p in platform.ports},
        outstanding=_each_way(platform, "master.outstanding"),
        unvalidated=platform.unvalidated(),
        neighbours=platform.neighbours,
        target="" if platform.target == DRAM else platform.target,
        ps_dma=platform.has("processor.dmac.burst_bytes"),
    )


def _in_flight(platform: Platform, path: str, ports: list[str]) -> dict[str, int]:
    """Bytes that a path and its ports can have in flight: a part needs a place in both."""
    limits = _each_way(platform, f"path.{path}.inflight_bytes")

    def places(way: str) -> int:
        own = (platform.value(f"port.{port}.fifo_bytes_{way}", 0) for port in ports)
        return sum(
            platform.value(f"port.{port}.fifo_bytes", each)
            for port, each in zip(ports, own, strict=True)
        )

    return {way: min(limit, places(way) or limit) for way, limit in limits.items()}


def _each_way(platform: Platform, stem: str) -> dict[str, int]:
    """Those of the figures `stem`_read and `stem`_write that a platform has."""
    return {
        way: platform.value(f"{stem}_{way}")
        for way in ("read", "write")
        if platform.has(f"{stem}_{way}")
    }


def parameters(platform: Platform) -> list[Parameter]:
    """Every figure of a platform with its origin; overridden figures are marked "set"."""
    out = []
    for path, leaf in platform.leaves():
        kind, note = leaf.origin, leaf.words
        if leaf.overridden:
            kind, note = "set", f"set by the experiment or by hand; the file's own: {note}"
        value = ", ".join(map(str, leaf.value)) if isinstance(leaf.value, list) else leaf.value
        out.append(Parameter(path, value, kind, note, leaf.unit or ""))
    return out


def row(
    platform_facts: Facts,
    index: int,
    key: Mapping[str, object],
    values: Values,
    records: Sequence[Record],
    against: Reference | None,
    platform: Platform,
    *,
    only: bool = False,
) -> Row:
    """One point with its statistics and its published row: from `against` where given, else the
    chosen measured row. Also all its measured rows, unless `only`."""
    match = against.match(values) if against is not None else None
    beside = [] if only else measured.of_point(platform, values)
    first = measured.chosen(beside) if against is None else None
    figures, role = None, None
    if against is not None and match is not None:
        figures, role = match.published(), against.role(values, platform)
    elif first is not None:
        figures = measured.published(first)
        role = reference.role(first.table.path.name, values, platform)
    found = stats.summarise(records) if records else None
    limit = ceiling(platform_facts, values)
    mean = found["total_MBps"]["mean"] if found is not None else 0.0
    return Row(
        index=index,
        key=key,
        values=values,
        records=records,
        stats=found,
        ceiling=limit,
        band=bands.of_total(platform, values, mean),
        each=tuple(rates.each(platform, values, _means(found))),
        anchored=anchors.of(platform, values, mean),
        published=figures,
        role=role,
        measured=beside,
        accelerators=accelerators.figures(found, platform_facts.dram_peak)
        if found is not None and values.get("master") == "convolution"
        else None,
    )


def _means(found: stats.Stats | None) -> Iterator[tuple[str, str, float | None]]:
    """Name, direction and mean MB/s of each of a point's masters, or of the processor's port."""
    if found is not None:
        for name, of in stats.by_master(found).items():
            for direction in ("read", "write"):
                yield name, direction, stats.rate_of(of, direction)["mean"]


def finished(run: RunData, against: Reference | None) -> list[Row]:
    """The rows of the finished points of `run`, compared with `against`, without their records, so
    that a long run fits in memory."""
    known = facts(run.platform)
    rows = (
        row(known, point.index, point.key, point.values, point.records, against, run.platform)
        for point in run.points
    )
    return [replace(each, records=()) for each in rows]


def view(run: RunData, with_file: str | None = None) -> View:
    """A stored run as a view; unfinished points are rows without records.

    `with_file` names published figures that replace the experiment's own reference.
    """
    experiment: Experiment = run.experiment
    platform = run.platform
    against, why = (
        (Reference.load(with_file), "") if with_file else reference.for_experiment(experiment)
    )
    known = facts(platform)
    stored = {point.index: point for point in run.points}
    rows = []
    for point in progress.each(experiment.points(), "points read"):
        records = stored[point.index].records if point.index in stored else []
        of = (known, point.index, point.key, point.values, records, against, platform)
        rows.append(row(*of, only=with_file is not None))
    if against is not None and not any(row.published for row in rows):
        why = against.why_none(point.values for point in experiment.points())
    return View(
        run_id=run.id,
        name=experiment.name,
        title=experiment.title,
        backend=run.backend,
        facts=known,
        rows=rows,
        citation=_citation(against, experiment, rows),
        source=None if with_file else experiment.source or None,
        provenance=run.provenance,
        complete=run.complete,
        wall_s=run.wall_s,
        parameters=parameters(platform),
        plot=experiment.plot,
        no_reference=why,
        clocks=pl_clocks.of_points(platform, rows),
        scenario=partial(scenario, platform),
        again=lambda row: expect_command.command(platform, row.values, run.backend),
        link=lambda row: question_link.link(platform, row.values) if modelled(run.backend) else "",
        called=run.label.name,
        settings=run.settings,
        note=run.label.note,
    )


def scenario(platform: Platform, row: Row) -> Scenario | None:
    """The scenario of a row on the model; None for a master that is not at the memory."""
    from axiometer.simulate.scenario import Scenario  # the compiled model; a view does not need it

    return Scenario.of(platform, row.values) if row.values["master"] in AT_MEMORY else None


def _citation(against: Reference | None, experiment: Experiment, rows: Sequence[Row]) -> str | None:
    """The source of the published figures, in one line; without a citation, the dataset's file."""
    if against is not None and against.citation:
        return " ".join(against.citation.split())
    if against is not None:
        return f"{experiment.source} ({against.name})" if experiment.source else against.name
    firsts = (measured.chosen(row.measured) for row in rows)
    cited = dict.fromkeys(of.table.cite for of in firsts if of is not None)
    return "; ".join(cited) or None


def beside(own: View, other: View) -> View:
    """`own` with the figures of another run in place of published ones.

    Points are matched by all values except the number of repeats and the seed.
    """

    def identity(r: Row) -> str:
        compared = {k: v for k, v in r.values.items() if k not in ("repeats", "seed")}
        return repr(sorted(compared.items()))

    by_identity = {identity(r): r for r in other.rows if r.total}
    rows = []
    for r in own.rows:
        found = by_identity.get(identity(r))
        figures: Published | None = None
        if found is not None and found.total is not None:
            of, expected = found.total, found.ceiling.value
            figures = {
                "mean": of["mean"],
                "min": of["min"],
                "max": of["max"],
                "std": of["std"],
                "expected": expected,
            }
        rows.append(replace(r, published=figures, role=None))
    citation = f"run {other.run_id} ({other.how})"
    return replace(own, rows=rows, citation=citation, source=None, parameters=())
