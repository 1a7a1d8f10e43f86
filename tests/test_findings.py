"""Findings of the publications: when results confirm one, and that the publications confirm their
own."""

import tomllib
from pathlib import Path

import pytest

from axiometer.base import data
from axiometer.published.reference import Reference
from validate import findings, marks
from validate.findings import Check, Finding, not_asked, read

FINDINGS = findings.load()
FOLDERS = ("", "zynq_usp_axi_speedtest/", "dma_stress/")


def table(name):
    if (data.directory("reference") / name).is_file():
        return Reference.load(name)
    found = next((p for f in FOLDERS if (p := data.find_external(f + name))), None)
    if found is None:
        pytest.skip(f"{name} is not here: set AXIOMETER_REFERENCE to the public datasets")
    return Reference.load(found)


def published(finding):
    """The figures of its points in the table that it names."""
    rows, out = table(finding.file), {}
    for name, keys in finding.points.items():
        # Tables 2 of the two makers are two files.
        of = rows if keys["platform"] != "de1-soc" else table(_of_cyclone(finding.file))
        row = of.match(findings._point(keys)[1].values)
        assert row is not None, of.why_none([findings._point(keys)[1].values])
        ways = {way: row.parts[f"{way}_MBps"]["mean"] for way in ("read", "write")
                if f"{way}_MBps" in row.parts}  # fmt: skip
        ports = {p: f["total_MBps"]["mean"] for p, f in row.parts.get("by_port", {}).items()}
        out[name] = {"total": row.figures["mean"]} | ways | ports
    return out


def _of_cyclone(file):
    return file.replace("gobel.csv", "gobel-intel.csv")


@pytest.mark.parametrize("finding", [f for f in FINDINGS if f.file], ids=lambda f: f.says[:60])
def test_the_published_rows_confirm_their_findings(finding):
    """So no figure of a finding is mistyped, and no comparison says what the board did not do."""
    figures = published(finding)
    assert finding.verdict(figures) == "confirmed"
    for check in finding.checks:
        if check.published is not None:
            off = abs(check.value(figures) / check.published - 1)
            assert off < 0.02, (check, check.value(figures))


SLOW = ("a third and a fourth", "reads use the memory best", "bursts of 4 to 16")  # seconds each
QUICK = [
    f
    for f in FINDINGS
    if not any(part in f.says for part in SLOW)
    and ("Manev" not in f.source or "+" not in "".join(k["ports"] for k in f.points.values()))
]


@pytest.mark.parametrize("finding", QUICK, ids=lambda f: f.says[:60])
def test_the_page_has_what_the_model_says_today(finding):
    page = marks.claimed("findings", "findings.md")
    lines = findings.lines(finding, findings.figures(finding), findings.role(finding))
    assert "\n".join(lines[1:]) in page


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.says[:60])
def test_every_finding_can_fail(finding):
    """A model that gives every point and port the same confirms no figure; one that gives far too
    little in one point, or far too much, confirms no bound."""
    same = {n: dict.fromkeys(("total", "read", "write", "HP0", "HP1", "HP2", "HP3"), 1.0)
            for n in finding.points}  # fmt: skip
    if any(check.published is not None for check in finding.checks):
        assert finding.verdict(same) == "not confirmed"
    else:
        less = same | {"a": dict.fromkeys(same["a"], 0.5)}
        more = same | {"a": dict.fromkeys(same["a"], 1e6)}
        assert "not confirmed" in (finding.verdict(less), finding.verdict(more))


@pytest.mark.parametrize(
    ("check", "value", "holds"),
    [
        (Check("a.total", published=100), 109.9, True),
        (Check("a.total", published=100), 110.1, False),
        (Check("a.total", published=100), 89.9, False),
        (Check("a.total", least=100), 99.9, False),
        (Check("a.total", most=100), 100.1, False),
        (Check("a.total", least=90, most=100), 95, True),
        (Check("a.total", over="b.total", most=0.5), 101, False),
        (Check("a.total", over="b.total", least=0.5), 100, True),
    ],
)
def test_a_check(check, value, holds):
    assert check.holds({"a": {"total": value}, "b": {"total": 200}}) is holds


def test_invalid_findings():
    with pytest.raises(ValueError, match="give published, or least and most"):
        Check("a.total")
    with pytest.raises(ValueError, match="give published, or least and most"):
        Check("a.total", published=1, most=2)
    document = tomllib.loads(findings.FILE.read_text())
    document["finding"][0]["checks"] = [{"of": "z.total", "published": 1}]
    with pytest.raises(ValueError, match=r"z.total is of no point"):
        read(document)


def test_the_model_confirms_one_and_not_its_opposite():
    finding = next(f for f in FINDINGS if "single words" in f.says)
    found = findings.figures(finding)
    printed = findings.lines(finding, found, findings.role(finding))
    assert "Confirmed (fitted)" in printed[1]
    assert "(master lite)" in printed[3]
    swapped = Finding(finding.says, finding.source, finding.file, finding.points,
                      (Check("a.total", over="b.total", least=5),))  # fmt: skip
    printed = findings.lines(swapped, found, "predicted")
    assert "Not confirmed (predicted)" in printed[1]
    assert printed[3].endswith("**off**")


def test_the_page_has_every_finding():
    page = Path(__file__).parents[1].joinpath("docs", "findings.md").read_text()
    for finding in FINDINGS:
        assert f"**{finding.says}.**" in page
        assert f"## {finding.source}" in page
    left = not_asked(tomllib.loads(findings.FILE.read_text()))
    assert left
    for each in left:
        assert f"- **{each.says}** ({each.source}): {each.why}." in page
