"""`expect` and `advise` search the same changes: they name the same best one, and each gain that is
shown is what the point has when asked again with the change."""

import random
import re
from dataclasses import replace

import pytest

import axiometer as axm
from axiometer.advice.assignments import usual_ports
from axiometer.advice.of_point import PointStart
from axiometer.advice.search import Search
from axiometer.answer.trials.trial import ranked
from axiometer.api import expectation
from axiometer.published.claims import WORTH

BOARDS = ("de1-soc", "ultra96", "zcu102", "zybo")
FIRST, COUNT = 1, 12
NEAR = 0.01
"""Share of a rate within which two answers agree, beside what random starts differ by."""


def question(seed):
    rng = random.Random(seed)
    board = BOARDS[seed % len(BOARDS)]
    platform = axm.Platform.load(board)
    ports = usual_ports(platform)
    few = sorted(rng.sample(ports, min(len(ports), rng.choice((1, 1, 2, 4)))))
    keys = {"ports": "+".join(few), "mode": rng.choice(("read", "write", "mixed"))}
    keys["burst_bytes"] = rng.choice((32, 64, 128)) if board != "de1-soc" else 64
    if rng.random() < 0.5:
        keys["pl_mhz"] = rng.choice((75, 100, 150))
    if rng.random() < 0.3:
        keys["pattern"] = "random"
    if board in ("zybo", "de1-soc"):
        keys["transfer_bytes"] = rng.choice((64 << 10, 1 << 20))
    return board, keys


def spread(trial):
    """How far the rates of random starts are apart, without and with the change, as a share."""
    low = [min(of.totals) for of in (trial.before, trial.after)]
    high = [max(of.totals) for of in (trial.before, trial.after)]
    return sum(h / max(n, 1e-9) - 1 for n, h in zip(low, high, strict=True))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_expect_and_advise_name_one_change(seed):
    board, keys = question(seed)
    found = axm.expect(board, **keys).answer
    own = [trial for trial in found.remedy.trials if trial.keys]
    search = Search(PointStart(found.platform, found.row.values)).run()
    if own and search.trials:
        tried = [dict(trial.keys) for trial in found.verdict.found.trials]
        first = search.trials[0]
        if first.keys in tried or not first.keys:
            best = found.best
            assert best.keys == first.keys or abs(best.gain - first.gain) <= (
                2 * NEAR * (1 + best.gain) + spread(best) + spread(first)
            ), (board, keys, best.keys, best.gain, first.keys, first.gain)
    if own and not search.refuted:
        assert search.trials, (board, keys, own[0].keys, own[0].gain)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_each_shown_gain_is_that_of_asking_again(seed):
    board, keys = question(seed)
    found = axm.expect(board, **keys)
    trials = found.answer.remedy.trials
    assert list(trials) == list(ranked(trials))
    for trial in trials:
        assert trial.gain > WORTH
        if trial.keys:
            again = axm.expect(found.platform, **{**keys, "set": trial.keys})
            gives = again.total / found.total - 1
            starts = (found.sampling.half or 0) + (again.sampling.half or 0)
            within = (1 + trial.simulated) * (NEAR + starts)
            assert gives == pytest.approx(trial.simulated, abs=within), (board, keys, trial.keys)
    text = " ".join(found.text.split())
    assert not ("Nothing that was tried gives more" in text and "→" in text)
    assert not re.search(r"(?<![\d.])0(\.0)? % of the time", found.to_dict()["sentence"]), text
    best = found.answer.best
    assert ("Best change:" in text) == (best is not None)


def test_a_gain_that_is_not_kept_is_noticed(monkeypatch):
    usual = expectation._with

    def more(*asked):
        outcome = usual(*asked)
        return replace(outcome, totals=tuple(1.1 * of for of in outcome.totals))

    monkeypatch.setattr(expectation, "_with", more)
    with pytest.raises(AssertionError):
        test_each_shown_gain_is_that_of_asking_again(FIRST)
