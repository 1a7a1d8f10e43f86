"""Advice for masters in the fabric: ports, bursts and settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from axiometer.advice import assignments, fabric, likely
from axiometer.advice.candidates import Candidate, Outcome
from axiometer.advice.fabric import Search
from axiometer.advice.wanted_masters import Master
from axiometer.answer.verdicts.verdict import Verdict
from axiometer.api.advice import Advice, Choices, Say, objective_of
from axiometer.base.errors import AxiometerError, BadValueError
from axiometer.experiment.keys import ports_of
from axiometer.platform import Platform
from axiometer.present import anchored_text, band_text, bottleneck_text, labels, measured_text, text

Reasons = Sequence[tuple[str, Outcome]]
MOST_SAME = 4  # equal sets of ports that the answer lists for each candidate


class FabricAdvice(Advice):
    """The ranked candidates of `search`: masters on ports, with bursts and settings. `without`: the
    first without each of its choices; `limit`: of the first."""

    def __init__(
        self, search: Search, ranking: Sequence[Outcome], without: Reasons, limit: Verdict
    ) -> None:
        self.search, self.ranking, self.without, self.limit = search, ranking, without, limit

    def rows(self) -> list[dict[str, object]]:
        """One mapping a candidate and master, the best candidate first; `settings` as text."""
        return [
            {
                "place": place,
                "master": master.name,
                "port": port,
                "burst_bytes": burst,
                "MBps": rate,
                "latency_ns": latency,
                "settings": ", ".join(f"{k} = {v}" for k, v in outcome.candidate.settings),
            }
            for place, outcome in enumerate(self.ranking, 1)
            for master, port, burst, rate, latency in _each(self.search.masters, outcome)
        ]

    @property
    def caption(self) -> str:
        first = self.ranking[0]
        choice = _choice(self.search.masters, first.candidate)
        return f"{self.search.platform.title}: {choice}: {first.total:.0f} MB/s (simulated)"

    def lines(self) -> list[str]:
        search, ranking, bands = self.search, self.ranking, []
        platform, wanted = search.platform, search.masters
        many = "1 master" if len(wanted) == 1 else f"{len(wanted)} masters"
        lines = [
            f"{platform.title}: {many}, objective {search.objective} (simulated)",
            "",
        ]
        for place, outcome in enumerate(ranking, 1):
            lines.append(f"{place}. {_choice(wanted, outcome.candidate)}")
            own = likely.of(platform, wanted, outcome.candidate, search.fixed)
            for master, _, _, rate, latency in _each(wanted, outcome):
                margin = _margin(master, rate)
                more = "" if margin is None else f", {margin:+.0%} of {master.rate:g} requested"
                wait = "no whole burst" if latency is None else f"{latency:.0f} ns a burst"
                band = own.of_master(master, rate)
                span = band_text.cell(band, rate)
                lines.append(f"     {master.name}: {rate:.0f} MB/s ({span}), {wait}{more}")
                bands.append(band)
            whole = own.of_total(outcome.total)
            uneven, span = text.unevenness(outcome.rates), band_text.cell(whole, outcome.total)
            fair = "one gets nothing" if uneven is None else f"largest over smallest {uneven:.2f}"
            lines.append(f"     together {outcome.total:.0f} MB/s ({span}); {fair}")
            bands.append(whole)
            lines += [f"     {said}" for said in anchored_text.lines(search.anchored(outcome))]
            for row in search.measured(outcome.candidate):
                lines.append(
                    f"     measured: {measured_text.rate(row)} ({measured_text.source(row)})"
                )
            lines += _same(wanted, search.same_ports(outcome.candidate))
        lines += ["", f"Limit of the first: {bottleneck_text.name(self.limit)}."]
        lines += ["", band_text.note(bands, "in brackets")]
        never = _unvalidated(search, ranking)
        if never:
            lines.append(labels.unvalidated(never))
        if self.without:
            lines += ["", "Without one of its choices the first gives"]
        for what, without in self.without:
            rates = ", ".join(
                f"{m.name} {r:.0f}" for m, r in zip(wanted, without.rates, strict=True)
            )
            lines.append(f"  with {what}: {without.total:.0f} MB/s ({rates})")
        for candidate, _, claim in search.refuted:
            lines.append(f"Not advised: {_choice(wanted, candidate)}. {measured_text.claim(claim)}")
        return lines

    def to_dict(self) -> dict[str, object]:
        search = self.search
        platform, wanted = search.platform, search.masters

        def one(outcome: Outcome) -> dict[str, object]:
            c = outcome.candidate
            bands = likely.of(platform, wanted, c, search.fixed)
            return {
                "masters": {
                    m.name: {
                        "port": port,
                        "burst_bytes": burst,
                        "MBps": rate,
                        "band": band_text.document(bands.of_master(m, rate), rate),
                        "latency_ns": latency,
                        "margin": _margin(m, rate),
                    }
                    for m, port, burst, rate, latency in _each(wanted, outcome)
                },
                "same_ports": search.same_ports(c),
                "settings": dict(c.settings),
                "total_MBps": outcome.total,
                "band": band_text.document(bands.of_total(outcome.total), outcome.total),
                "anchored": anchored_text.document(search.anchored(outcome)),
                "fairness": text.unevenness(outcome.rates),
                "measured": measured_text.document(search.measured(c)),
            }

        return {
            "board": platform.name,
            "simulated": True,
            "objective": search.objective,
            "bottleneck": self.limit.cause,
            "unvalidated": _unvalidated(search, self.ranking),
            "ranking": [one(o) for o in self.ranking],
            "without": {what: one(o) for what, o in self.without},
            "refuted": [
                {
                    "choice": _choice(wanted, candidate),
                    "beside": what,
                    **measured_text.claim_document(claim),
                }
                for candidate, what, claim in search.refuted
            ],
        }


def in_fabric(
    platform: Platform,
    wanted: Sequence[Master],
    objective: str | None,
    choices: Choices,
    say: Say,
) -> FabricAdvice:
    """Advice for `wanted`; without an objective, their rates, or the slowest of them."""
    names = [m.name for m in wanted]
    if len(set(names)) < len(names):
        raise AxiometerError("two masters have the same name", remedy="rename one of them")
    rated = any(m.rate for m in wanted)
    objective = objective_of(objective, fabric.OBJECTIVES, "guarantee" if rated else "minimum")
    if objective == "guarantee" and not rated:
        first = wanted[0]
        raise AxiometerError(
            "no master has a rate to guarantee",
            remedy=f"add a rate: --master {first.name}={first.direction},rate=100",
        )
    tried = assignments.usual_choices(platform)
    fixed = {}
    ports = _ports(platform, choices.get("ports", ()))
    for name, values in choices.items():
        if name == "ports":
            continue
        tried = {other: of for other, of in tried.items() if not _same_setting(name, other)}
        if len(values) > 1:
            tried[name] = [None, *values]
        elif "." in name:
            platform = platform.with_overrides({name: values[0]})
        else:
            fixed[name] = values[0]
    search = Search(platform, wanted, objective, tried, fixed, ports)
    ranking = search.run(say)
    limit = search.limit(ranking[0].candidate)
    return FabricAdvice(search, ranking, search.reasons(ranking[0]), limit)


def _ports(platform: Platform, named: Sequence[object]) -> tuple[str, ...]:
    """The ports that the masters may use; () if none are named."""
    if not named:
        return ()
    try:
        return tuple(ports_of("+".join(map(str, named)), platform))
    except BadValueError as bad:
        raise AxiometerError(bad.message, remedy=bad.remedy) from None


def _same_setting(name: str, other: str) -> bool:
    """Whether two settings set the same: `qos` sets the classes of all ports."""
    return name == other or ("qos" in (name, other) and name.split(".")[0] == other.split(".")[0])


def _each(
    wanted: Sequence[Master], of: Outcome
) -> zip[tuple[Master, str, int, float, float | None]]:
    """Each master with its port, burst, rate and latency."""
    c = of.candidate
    return zip(wanted, c.ports, c.bursts, of.rates, of.latency_ns, strict=True)


def _margin(master: Master, rate: float) -> float | None:
    """What a master gets above its requested rate, as a share of it; None without such a rate."""
    return None if master.rate is None else rate / master.rate - 1


def _choice(wanted: Sequence[Master], candidate: Candidate) -> str:
    places = zip(wanted, candidate.ports, candidate.bursts, strict=True)
    ends = Counter((m.direction, port) for m, port in zip(wanted, candidate.ports, strict=True))
    words = [
        f"{m.name} on {port}{' (multiplexed)' if ends[m.direction, port] > 1 else ''}"
        f" with {burst} B"
        for m, port, burst in places
    ]
    return ", ".join(words + [f"{name} = {value}" for name, value in candidate.settings])


def _same(wanted: Sequence[Master], ports: Sequence[Sequence[str]]) -> list[str]:
    """A line with other ports that give the same rates; no line without such ports."""
    if not ports:
        return []
    equal = [" and ".join(f"{m.name} on {p}" for m, p in zip(wanted, of, strict=True))
            for of in ports[:MOST_SAME]]  # fmt: skip
    more = f"; and {len(ports) - MOST_SAME} more" if len(ports) > MOST_SAME else ""
    return [f"     the same: {'; '.join(equal)}{more}"]


def _unvalidated(search: Search, ranking: Sequence[Outcome]) -> list[str]:
    """The ports, or the memory, of the ranking without a published measurement."""
    ports = dict.fromkeys(port for outcome in ranking for port in outcome.candidate.ports)
    return list(search.platform.unvalidated_in({"ports": list(ports), "background": None}))
