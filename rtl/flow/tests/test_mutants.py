"""The checks of the RTL can fail: each fault of a room's mutants.toml is caught (lab/mutation)."""

import re

import pytest
from flow import tools

from mutation import catch, lists

MUTANTS = lists.of_rooms()
CHECKS = {path.stem: path for path in sorted(tools.RTL.glob("*/checks/*_checks.sv"))}
ASSERTIONS = {(mutant.room, mutant.catcher.get("assertion")) for mutant in MUTANTS}


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_is_caught(mutant):
    assert catch.caught(mutant)


@pytest.mark.parametrize("mutant", [*MUTANTS, *lists.of_proofs()], ids=str)
def test_can_be_put_in(mutant):
    """Its text stands once in one file of the design."""
    changed = catch.sources(mutant)
    assert sum(path.is_relative_to(mutant.folder) for path in changed) == 1


def test_a_text_that_is_not_there_once_is_refused():
    with pytest.raises(ValueError, match="is 0 times in"):
        MUTANTS[0].changed(tools.RTL / MUTANTS[0].file, "")
    with pytest.raises(ValueError, match="is 0 times among the sources"):
        MUTANTS[0].put_into([])


@pytest.mark.parametrize(
    "path", sorted(tools.RTL.glob("*/checks/*_checks.sv")), ids=lambda p: p.stem
)
def test_every_assertion_has_a_mutant(path):
    """Of the DMA engines each one, elsewhere one of each room."""
    room = path.parts[-3]
    if room != "dma":
        assert any(of == room and assertion for of, assertion in ASSERTIONS)
        return
    part = path.stem.removesuffix("_checks").rpartition("_")[2]
    for name in re.findall(r"(\w+) :\s*assert property", path.read_text()):
        assert (room, f"{part}.{name}") in ASSERTIONS
