"""A check of designs in a job of GitHub Actions: annotations, a summary in Markdown, outputs.

Names in a design are a stranger's: `annotation` and `cell` escape what a runner or Markdown would
read as a command. Not for: the files that a job names (`cli/commands/github.py`).
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from axiometer.answer.verdicts.cost import Cost
from axiometer.answer.verdicts.designed import Answer
from axiometer.answer.verdicts.needs import Met
from axiometer.base import harmless
from axiometer.base.errors import AxiometerError
from axiometer.base.units import short_rate
from axiometer.designs import Design
from axiometer.designs.checks.finding import MISTAKE, Finding
from axiometer.present import design_limit, needs_text
from axiometer.present.text import Style

ERROR, WARNING = "error", "warning"
# Runners read a percent sign, line ends and, in properties, these as their own.
_IN_TEXT = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = {**_IN_TEXT, ":": "%3A", ",": "%2C"}


@dataclass(frozen=True)
class Checked:
    """A checked design: its findings with costs (empty: unknown), the sentence on their board, the
    answer of all masters at once (None: not simulated) and the needs."""

    file: str
    design: Design
    found: Sequence[Finding]
    costs: Sequence[Cost]
    on: str
    answer: Answer | None
    met: Sequence[Met]

    @property
    def mistakes(self) -> int:
        return sum(finding.level == MISTAKE for finding in self.found)

    @property
    def advice(self) -> int:
        return len(self.found) - self.mistakes

    @property
    def MBps(self) -> float | None:  # noqa: N802 - MB/s, as in JSON
        """The simulated rate of all masters at once, MB/s."""
        return self.answer.together.outcome.rate() if self.answer else None


def annotated(of: Checked) -> list[str]:
    """A command of the runner for each finding and each need that is not met or not sure."""
    out = [
        annotation(
            ERROR if finding.level == MISTAKE else WARNING,
            of.file,
            finding.code,
            f"{finding.says} {finding.change}",
        )
        for finding in of.found
    ]
    unsure = [met for met in of.met if not (met.is_met and met.is_sure)]
    out += [
        annotation(WARNING if met.is_met else ERROR, of.file, "need", needs_text.line(met).strip())
        for met in unsure
    ]
    return out


def of_error(file: str, error: AxiometerError) -> str:
    """The annotation of a design that cannot be checked."""
    return annotation(ERROR, file, "not checked", str(error))


def annotation(level: str, file: str, title: str, text: str) -> str:
    """`::error file=...,title=...::text`, with escapes."""
    where = f"file={_escaped(file, _IN_PROPERTY)},title={_escaped(title, _IN_PROPERTY)}"
    return f"::{level} {where}::{_escaped(harmless.text(text), _IN_TEXT)}"


def summary(of: Checked) -> list[str]:
    """Markdown: needs, rates of the masters, findings with their change and cost."""
    out = [f"### {cell(of.design.name)} ({cell(of.file)})", ""]
    if of.met:
        out += [*(f"- {cell(line.strip())}" for line in needs_text.lines(of.met, Style())), ""]
    if of.answer is not None:
        out += [*_rates(of.answer), ""]
    out += [f"{_count(of.mistakes, 'mistake')}, {of.advice} advice.", ""]
    if of.found:
        out += _row("", "check", "what", "change", "cost") + _row(*["---"] * 5)
    for number, finding in enumerate(of.found):
        cost = of.costs[number].says if of.costs else ""
        out += _row(finding.level, finding.code, finding.says, finding.change, cost)
    return [*out, "", *([cell(of.on), ""] if of.on else [])]


def outputs(all_of: Iterable[Checked], passed: bool) -> dict[str, str]:
    """The outputs of the step: counts, the least total of the designs in MB/s, the verdict."""
    checked = list(all_of)
    rates = [rate for of in checked if (rate := of.MBps) is not None]
    return {
        "mistakes": str(sum(of.mistakes for of in checked)),
        "advice": str(sum(of.advice for of in checked)),
        "total-mbps": f"{min(rates):.1f}" if rates else "",
        "passed": str(passed).lower(),
    }


def cell(text: str) -> str:
    """`text` for a cell of a table: on one line, without Markdown or HTML of its own."""
    plain = html.escape(harmless.line(text), quote=False)
    return "".join(f"\\{c}" if c in "\\`*_[]#|~!" else c for c in plain)


def _rates(answer: Answer) -> list[str]:
    together = answer.together
    limit = design_limit.name(answer.design, together)
    out = _row("master", "port", "", "MB/s (simulated)") + _row("---", "---", "---", "---:")
    for share in together.outcome.shares:
        name = answer.names.get(share.load.master, share.load.master)
        out += _row(name, share.load.port, share.load.direction, short_rate(share.MBps))
    out += _row("all at once", "", "", short_rate(together.outcome.rate()))
    return [*out, "", cell(f"Limit: {limit}. Simulated on {answer.placed.why}.")]


def _row(*cells: str) -> list[str]:
    return [f"| {' | '.join(c if set(c) <= set('-:') else cell(c) for c in cells)} |"]


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _escaped(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(character, character) for character in text)
