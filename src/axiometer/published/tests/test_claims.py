"""Claimed gains compared with measurements."""

from types import SimpleNamespace

import pytest

from axiometer.published import claims
from axiometer.published.claims import Claim


def row(total, source="a", **by_port):
    """A measured row with the columns that a claim reads."""
    ports = {name: {"total_MBps": rate} for name, rate in by_port.items()}
    return SimpleNamespace(
        figures={"total_MBps": total},
        by_port=ports,
        conditions={"ports": list(by_port)},
        table=SimpleNamespace(source=source, path=source),
        line=total,
    )


def test_without_measurements_a_claim_is_the_model_s():
    claim = claims.claim(1000, 1610, [])
    assert claim.gain == claim.simulated == pytest.approx(0.61)
    assert not (claim.is_judged or claim.is_refuted or claim.is_other)


@pytest.mark.parametrize(
    ("now", "then", "gain", "refuted"),
    [
        (1610, None, 0.0, True),  # the rate is there already
        (1400, None, 0.15, False),
        (900, None, 0.61, False),  # no more than the model says
        (None, 990, -0.01, True),
        (None, 1200, 0.2, False),
        (1000, 1800, 0.8, False),  # measured against measured
        (2000, 1900, -0.05, True),
    ],
)
def test_what_was_measured_is_what_counts(now, then, gain, refuted):
    claim = Claim(1000, 1610, now, then)
    assert claim.gain == pytest.approx(gain)
    assert claim.is_refuted is refuted


def test_a_gain_that_is_none_is_not_refuted():
    assert not Claim(1000, 900, 2000).is_refuted


def test_rows_of_one_source_are_compared_with_each_other():
    now, then = [row(1000, "a"), row(2000, "b")], [row(3000, "b")]
    claim = claims.claim(1000, 1100, now, then)
    assert (claim.now, claim.then) == (2000, 3000)


def test_one_row_is_never_both_sides_of_a_claim():
    claim = claims.claim(1000, 1600, [row(1100)], [row(1100)])
    assert (claim.now, claim.then, len(claim.rows)) == (1100, None, 1)
    other = claims.claim(1000, 1600, [row(1100)], [row(1100), row(1500)])
    assert (other.now, other.then) == (1100, 1500)


def test_the_slowest_port_is_that_of_the_row():
    both = row(300, HP0=200, HP1=100)
    assert claims.slowest(both) == 100
    assert claims.slowest(row(300, HP0=300)) == 300
    unknown = SimpleNamespace(
        figures={"total_MBps": 5}, by_port={}, conditions={"ports": ["a", "b"]}
    )
    assert claims.slowest(unknown) is None
