"""properties.toml: a template gives a rule for each channel; the names are those that are known."""

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import properties  # noqa: E402

RULES = {rule.name: rule for rule in properties.load()}
# How many rules each part of a checker has; one more is written here too, so that none goes unseen.
COUNTS = {
    "axi.aw": 25, "axi.ar": 25, "axi.w": 7, "axi.b": 5, "axi.r": 7, "axi.write": 14, "axi.read": 6,
    "axil.aw": 6, "axil.ar": 6, "axil.w": 6, "axil.b": 7, "axil.r": 7, "stream": 14, "sniffer": 12,
}  # fmt: skip


def part(name: str) -> str:
    checker, _, rest = name.partition(".")
    if checker == "axi":
        return f"axi.{rest.partition('.')[0]}"
    return f"axil.{rest.partition('_')[0]}" if checker == "axil" else checker


def test_the_names_are_those_that_are_known():
    assert Counter(map(part, RULES)) == COUNTS


def test_a_template_is_filled_in_for_each_channel():
    held = RULES["axi.b.held"]
    assert (held.by, held.rule) == ("slave", "BVALID, once high, stays high until BREADY")
    assert RULES["axi.ar.ready_wait.in_time"].by == "slave"
    assert RULES["axi.r.ready_wait.in_time"].by == "master"
    user = RULES["axi.aw.stable_user"]
    assert user.rule == "AWUSER does not change while AWVALID waits for AWREADY"
    stable = {name for name in RULES if name.startswith("axi.w.stable_")}
    assert stable == {f"axi.w.stable_{signal}" for signal in ("id", "data", "strb", "last")}
    assert RULES["stream.stable_keep"].rule == "TKEEP does not change while TVALID waits"


def test_what_is_said_of_a_rule_is_whole():
    """No placeholder is left, and all that keep rules are known."""
    sides = {"master", "slave", "sender", "taker", "sniffer"}
    for rule in RULES.values():
        assert "{" not in "".join((rule.name, rule.by, rule.rule, rule.source)), rule
        assert rule.by in sides and rule.rule and rule.source, rule


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('of = ["write", "read"]', 'of = ["write", "snoop"]', "no channel snoop; there are aw, ar"),
        ('name = "stream.held"', 'name = "stream.reset_quiet"', "two rules are named stream.reset"),
    ],
)
def test_a_mistake_is_named(old, new, message, tmp_path):
    text = properties.FILE.read_text()
    assert old in text
    file = tmp_path / "properties.toml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        properties.load(file)
