"""Every rule has a mutant that breaks it and nothing else, in simulation and in formal use."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import proofs  # noqa: E402, F401  (finds flow)
from mutants import faults, replay  # noqa: E402


@pytest.fixture(scope="module")
def broken():
    exchanges = {**faults.LEGAL, **faults.MUTANTS}
    found = replay.run(replay.build(), [exchange for _, exchange in exchanges.values()])
    return dict(zip(exchanges, found, strict=True))


@pytest.mark.parametrize("name", faults.LEGAL)
def test_legal(broken, name):
    checkers = faults.LEGAL[name][0].split()
    assert [rule for _, rule in broken[name] if rule.split(".")[0] in checkers] == []


@pytest.mark.parametrize("rule", faults.MUTANTS)
def test_mutant(broken, rule):
    checker = faults.MUTANTS[rule][0]
    seen = [(t, name) for t, name in broken[rule] if name.split(".")[0] == checker]
    assert seen, "nothing broke"
    first = min(t for t, _ in seen)
    kind = rule.split(".")[0]
    names = {name.replace(checker, kind, 1) for t, name in seen if t == first}
    assert names == {rule}
