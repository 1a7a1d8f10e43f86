"""Mistakes in a design, what each costs, and whether the design carries the needed rates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from axiometer import designs
from axiometer.advice import costs as of_findings
from axiometer.answer.verdicts import needs
from axiometer.answer.verdicts.cost import Cost
from axiometer.answer.verdicts.designed import Answer
from axiometer.answer.verdicts.needs import Met
from axiometer.api import design_answers, file_kinds, fit
from axiometer.api.design import Design
from axiometer.api.file_kinds import BOARD, EXPERIMENT, ROWS
from axiometer.api.frames import Rows
from axiometer.base.errors import AxiometerError
from axiometer.designs import Design as Read
from axiometer.designs import checks
from axiometer.designs.checks import MISTAKE, Finding
from axiometer.designs.platform import Placed, platform_of
from axiometer.present import design as words
from axiometer.present import design_answer, needs_text
from axiometer.present.text import Style


class Check(Rows):
    """The findings of a design, mistakes first. `costs` has the simulated cost of each finding
    (empty: not simulated), `met` each need with its carried rate (None: nothing was needed),
    `answer` the rates of all masters (None: not simulated)."""

    def __init__(
        self,
        design: Read,
        findings: Sequence[Finding],
        costs: Sequence[Cost] = (),
        on: str = "",
        met: Sequence[Met] | None = None,
        answer: Answer | None = None,
    ) -> None:
        """on: a sentence on the board of the costs, or why there are none."""
        self.design, self.findings, self.costs, self.met = design, findings, costs, met
        self.on, self.answer = on, answer

    @property
    def mistakes(self) -> list[Finding]:
        """The findings that are mistakes; the others are advice."""
        return [finding for finding in self.findings if finding.level == MISTAKE]

    @property
    def passed(self) -> bool:
        """Whether there is no mistake and all needs are met: exit status 0 of the command."""
        return not self.mistakes and all(of.is_met for of in self.met or ())

    def rows(self) -> list[dict[str, object]]:
        """One mapping a finding, with the rates of all masters with and without it, MB/s."""
        every = self.costs or [Cost("")] * len(self.findings)
        return [
            {
                "code": finding.code,
                "level": finding.level,
                "where": finding.where,
                "says": finding.says,
                "change": finding.change,
                "now_MBps": cost.now_MBps,
                "mended_MBps": cost.mended_MBps,
            }
            for finding, cost in zip(self.findings, every, strict=True)
        ]

    def lines(self, style: Style, detailed: bool) -> list[str]:
        """The output of `axiometer check`, or with `detailed` of `axiometer check -v`."""
        listed = words.findings(self.design, self.findings, style, self.costs, self.on, detailed)
        return [*needs_text.lines(self.met, style), "", *listed] if self.met else listed

    @property
    def text(self) -> str:
        """The output of `axiometer check -v`."""
        style = Style()
        return style.fit(self.lines(style, detailed=True))

    def to_dict(self) -> dict[str, object]:
        """The output of `axiometer check --json`."""
        found = words.findings_document(self.design, self.findings, self.costs, self.on)
        if self.answer is not None:
            found = {**design_answer.document(self.answer), **found}
        more = {} if self.met is None else {"needs": needs_text.document(self.met)}
        return {**found, **more}

    @property
    def caption(self) -> str:
        count = words.count(self.findings)
        short = "" if self.met is None else f"; {needs_text.verdict(self.met)}"
        simulated = " (simulated)" if self.costs or self.met else ""
        return f"{self.design.name}: {count}{short}{simulated}"

    def __repr__(self) -> str:
        return f"<Check {self.caption}>"


def check(
    design: str | Path | Design,
    *,
    need: str | float | Mapping[str, object] | None = None,
    platform: str | None = None,
    costs: bool = True,
    rates: bool = False,
) -> Check:
    """Find mistakes in a design before synthesis.

    `design` is a file (as of `axm.Design.load`) or an `axm.Design`. `need` is what it must carry:
    MB/s of all masters together, a text as of `--need` ("vin=373,HP1.write=2x1080p60"), or a
    mapping ({"vin": 373, "HP1.write": "2x1080p60"}). Needs, and the cost of each finding (unless
    `costs` is false), are simulated on `platform`, a board or its file (None: the design's own).
    `rates` simulates the rates of all masters without a need too, if the board is known.
    AxiometerError for a bad file or need, and for an unknown board.
    """
    if isinstance(design, Design):
        if platform is not None:
            raise AxiometerError(
                "the design has a platform", remedy="give another to axm.Design.load"
            )
        read = design.read
    else:
        path = Path(design)
        kind = file_kinds.kind(str(path))
        if kind in (EXPERIMENT, ROWS) or (kind == BOARD and path.is_file()):
            raise file_kinds.other(str(path), kind)
        read = designs.load(path)

    @cache
    def placed() -> Placed:
        if isinstance(design, Design):
            return design.placed
        return platform_of(read, Path(design), platform)

    found = checks.check(read)
    met = answer = None
    if need is not None:
        answer = design_answers.answer(read, placed())
        met = fit.of_design(answer, needs.parse(_written(need)))
    elif rates:
        answer = _rates(read, placed, platform is None)
    priced = _costs(read, found, placed, platform is None, answer) if costs and found else None
    prices, on = priced or ([], "")
    worth = [of for of in zip(found, prices, strict=False) if _is_worth(*of)]
    if prices and len(worth) < len(found):
        less = len(found) - len(worth)
        on += f" Left out, as it gains nothing there: {less} advice."
        found, prices = [of for of, _ in worth], [cost for _, cost in worth]
    return Check(read, found, prices, on, met, answer)


def _rates(read: Read, placed: Callable[[], Placed], may_lack: bool) -> Answer | None:
    """The rates of all masters; None if it `may_lack` a board, or no master can be simulated."""
    try:
        return design_answers.answer(read, placed())
    except AxiometerError:
        if not may_lack:
            raise
        return None


def _costs(
    design: Read,
    found: Sequence[Finding],
    placed: Callable[[], Placed],
    may_lack: bool,
    answer: Answer | None,
) -> tuple[Sequence[Cost], str]:
    """The cost of each finding, and a sentence with the board of the simulation, or why there is
    none if it `may_lack` one."""
    try:
        at = placed()
    except AxiometerError as error:
        if not may_lack:
            raise
        return [], f"No costs: {error.message}. {error.remedy or ''}".strip()
    total = design_answers.total(design, at) if answer is None else answer.together.outcome.rate()
    prices = of_findings.costs(design, at.platform, found, total)
    return prices, f"Costs are simulated on {at.why}."


def _is_worth(finding: Finding, cost: Cost) -> bool:
    """Whether a finding is true on the board: advice for a higher rate has to give one."""
    return not finding.is_for_rate or cost.now_MBps is None or cost.is_loss


def _written(need: str | float | Mapping[str, object]) -> str:
    """The needs as text of `--need`."""
    if isinstance(need, Mapping):
        return ",".join(f"{name}={rate}" for name, rate in need.items())
    return str(need)
