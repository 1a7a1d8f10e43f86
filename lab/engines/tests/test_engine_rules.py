"""Each rule of the documents (rules.hpp): what breaks it, and nothing else."""

from __future__ import annotations

import re

import pytest
import test_axi_cdma
import test_axi_dma
import test_axi_traffic_gen
import test_msgdma
from engine_model import ROOM

ENGINES = (test_axi_dma, test_axi_cdma, test_msgdma, test_axi_traffic_gen)
BROKEN = [row for engine in ENGINES for row in engine.BROKEN]
BEFORE = {name: steps for engine in ENGINES for name, steps in engine.BEFORE.items()}
WRONG = ("axi-vdma", "axi-dma,data", "axi-dma,data=65", "msgdma,depth=0", "axi-dma,length=27",
         "axi-cdma,burst=1")  # fmt: skip


@pytest.mark.parametrize(("name", "rule", "steps"), BROKEN)
def test_a_broken_rule_is_told_alone_with_its_document(made, name, rule, steps):
    engine = made(name)
    engine.do(*BEFORE.get(name, []))
    assert engine.broken() == {}
    engine.do(*steps, 20_000)
    (told,) = engine.broken().items()
    assert told[0] == rule and told[1]


def test_every_rule_is_broken():
    rules = (ROOM / "rules.hpp").read_text(encoding="utf-8")
    assert {rule for _, rule, _ in BROKEN} == set(re.findall(r'RuleText\{\s*"(.*?)"', rules))


@pytest.mark.parametrize("name", WRONG)
def test_a_name_or_parameter_that_is_none_is_refused(made, name):
    with pytest.raises(ValueError, match=name):
        made(name)
