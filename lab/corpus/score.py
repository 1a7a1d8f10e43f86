"""The product's answer beside the facts of `designs.toml`.

A fact is a port's width or clock, or a master's port, directions, width, clock, burst or stream.
Right: as the file says, or said to be assumed where the file says nothing. Assumed: another figure
than the file's, but said to be assumed. Missing: of a master or port that the product does not see.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatch

from corpus import judge
from corpus.product import Answer

CLOSE = 0.004  # of a rate: what dividers make of the rate asked for
PORT = ("bits", "mhz")
MASTER = ("port", "does", "bits", "mhz", "beats", "stream")
SAID = {  # the words of a phrase that says this figure to be assumed
    "port": "port",
    "does": "direction|both|is unknown",
    "bits": "width",
    "mhz": "clock|mhz",
    "beats": "burst|beats",
    "stream": "stream",
}
DIRECTIONS = {"read": {"read"}, "write": {"write"}, "both": {"read", "write"}}


@dataclass
class Score:
    """Counts of facts and findings, and a line for each that is not right."""

    facts: Counter = field(default_factory=Counter)
    findings: Counter = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)
    tracebacks: int = 0
    slow: list[float] = field(default_factory=list)

    def add(self, other: Score) -> None:
        self.facts += other.facts
        self.findings += other.findings
        self.tracebacks += other.tracebacks
        self.slow += other.slow

    def row(self, answers: dict[str, Answer]) -> str:
        document = answers["import"].document
        facts = "/".join(str(self.facts[k]) for k in ("right", "wrong", "assumed", "missing"))
        found = "/".join(str(self.findings[k]) for k in ("true", "false", "?"))
        says = "TRACEBACK " * self.tracebacks
        says += "" if document else answers["import"].says.strip().splitlines()[0][-90:]
        counts = f"{len(document.get('masters', []))} | {len(document.get('ports', []))}"
        return f"{counts} | {facts} | {found} | {max(self.slow):.1f} | {says}"

    def summary(self, designs: int, repositories: int, seconds: float) -> str:
        every = sum(self.facts.values()) or 1
        judged = self.findings["true"] + self.findings["false"] or 1
        return (
            f"{designs} designs of {repositories} repositories: {every} facts,"
            f" {self.facts['right'] / every:.1%} right, {self.facts['wrong']} wrong,"
            f" {self.facts['assumed']} assumed otherwise, {self.facts['missing']} missing;"
            f" findings true {self.findings['true'] / judged:.1%} of {judged},"
            f" {self.findings['?']} not judged; {self.tracebacks} tracebacks;"
            f" slowest {max(self.slow, default=0):.1f} s CPU,"
            f" {sum(each > seconds for each in self.slow)} designs above {seconds:g} s"
        )


def of(design: dict, answers: dict[str, Answer]) -> Score:
    """The score of one design."""
    score = Score()
    score.tracebacks = sum(answer.traceback for answer in answers.values())
    score.slow = [max(answer.seconds for answer in answers.values())]
    document = answers["import"].document
    clocks = {each["name"]: each["mhz"] for each in document.get("clocks", [])}
    ports = {each["interface"]: each for each in document.get("ports", [])}
    free = {each["interface"]: each for each in document.get("free_ports", [])}
    masters = {each["name"]: each for each in document.get("masters", [])}
    named = {each["name"]: each["interface"] for each in ports.values()}
    for text in design.get("ports", []):
        name, *truth = text.split()
        got = ports.pop(name, None) or free.get(name)
        said = got and (got["width_bits"], clocks.get(got["clock"]))
        _figures(score, name, PORT, truth, said, [])
    for text in design.get("masters", []):
        name, *truth = text.split()
        got = masters.pop(next((own for own in masters if _named(own, name)), ""), None)
        said = got and _master(got, clocks, named)
        unknown = [*got.get("assumed", ()), *got.get("unknown", ())] if got else []
        _figures(score, name, MASTER, truth, said, unknown)
    for name in [*ports, *masters]:
        score.facts["wrong"] += 1
        score.lines.append(f"{name}: is not in the file")
    _findings(score, design, answers["check"].document)
    return score


def _named(own: str, name: str) -> bool:
    """Whether the product's name is that of the list: a pattern, or a port brought out."""
    return fnmatch(own, name) or own.partition(".")[0] == name


def _master(got: dict, clocks: dict, named: dict) -> tuple:
    beats = {way["burst_beats"] for way in (got["read"], got["write"]) if way}
    stream = got.get("stream_bits") or {
        way.get("stream_bits") for way in (got["read"], got["write"]) if way
    }
    port = {named.get(route["port"], route["port"]) for route in got["routes"]}
    does = {way for way in ("read", "write") if got[way]}
    return port, does, got["width_bits"], clocks.get(got["clock"]), beats, stream


def _figures(score: Score, name: str, figures, truth, said, unknown) -> None:
    for figure, true, value in zip(figures, truth, said or [None] * len(figures), strict=False):
        if true == "-":
            continue
        found = "missing" if said is None else _judge(figure, true, value, unknown)
        score.facts[found] += 1
        if found != "right":
            score.lines.append(f"{name} {figure}: {found}, says {value}, the file says {true}")


def _judge(figure: str, true: str, value, unknown: list[str]) -> str:
    words = {
        "bits": "width",
        "does": "direction|both|is unknown",
        "beats": "burst|beats",
        "stream": "stream",
    }
    word = words.get(figure, "clock|mhz")
    guess = any(re.search(word, text, re.I) for text in unknown)
    if true == "?":
        return "right" if guess or value in (None, 0, {None}) else "wrong"
    return "right" if _same(figure, true, value) else "assumed" if guess else "wrong"


def _same(figure: str, true: str, value) -> bool:
    if figure == "does":
        return value == DIRECTIONS[true]
    values = value if isinstance(value, set) else {value}
    true = true.partition("@")[0]
    if figure == "port":
        return values == set(true.split("+"))
    if None in values:
        return False
    return all(abs(float(each) - float(true)) <= CLOSE * float(true) for each in values)


def _findings(score: Score, design: dict, document: dict) -> None:
    for each in document.get("findings", []):
        verdict = judge.of(design, each)
        score.findings[verdict] += 1
        if verdict != "true":
            name = f"{each['code']} {each['where']}"
            score.lines.append(f"finding {verdict}: {name}: {each['says']}")
