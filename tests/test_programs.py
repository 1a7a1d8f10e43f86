"""The start of a transfer is a property of the program: chosen by name, equal on all boards of a
chip, and named in each answer that depends on it."""

from __future__ import annotations

import pytest

import kit
from axiometer import expect
from axiometer.base import data
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate import program

MEASURED = {"zcu102": {"free-running"}, "ultra96": {"free-running"}}
"""Boards on which a named program was measured."""
SMALL = {"ports": "F2S", "mode": "read", "transfer_bytes": "4KiB", "width_bits": 64}


@pytest.mark.parametrize("name", data.names("platforms"))
def test_every_board_has_every_program_and_states_only_what_was_measured_on_it(name):
    platform = Platform.load(name)
    assert platform.programs == data.names("programs")
    own = {
        path.split(".")[1]
        for path, leaf in platform.leaves()
        if path.startswith("program.") and "/boards/" in leaf.file
    }
    assert own == MEASURED.get(name, set())
    assert not platform.has("host.launch_us")


def of(board, **keys):
    platform = Platform.load(board)
    return single(platform, {"ports": platform.ports[0], **keys}).values["program"]


def test_the_usual_program_follows_the_system_and_the_engines():
    assert of("pynq-z2") == "bare-metal-polling"
    assert of("pynq-z2", os="linux") == "linux-driver-interrupt"
    assert of("zcu104") == "free-running"
    assert of("zedboard", ports="GP1") is None  # the processor moves the data itself


def test_a_start_is_so_many_accesses_of_the_chip():
    nano = Platform.load("de10-nano")
    values = single(nano, SMALL).values
    slow = nano.with_overrides({"host.access_us": 1})
    assert program.of(slow, values).launch == 4
    assert program.of(slow.with_overrides({"program.launch_us": 2}), values).launch == 2
    assert program.of(nano.with_overrides({"program.ring.launch_us": 2}), values).launch == 0.5
    with kit.refuses(match="a figure of a program", remedy="program.launch_us"):
        nano.with_overrides({"host.launch_us": 2})


def test_a_board_may_have_a_program_of_its_own(tmp_path):
    board = data.path_of("boards", "de10-nano").read_text(encoding="utf-8")
    mine = '\n[program.mine]\nlaunch_us = { value = 7, source = "a logic analyser" }\n'
    path = tmp_path / "mine.toml"
    path.write_text(board + mine, encoding="utf-8")
    platform = Platform.load(str(path))
    assert program.of(platform, single(platform, SMALL | {"program": "mine"}).values).launch == 7
    kept = Platform.kept(platform.text, path)
    assert kept.leaves() == platform.leaves()


def said(**keys):
    return " ".join(expect("de10-nano", **SMALL, **keys).text.split())


def test_the_answer_says_which_program_it_assumed_and_the_rate_without_its_start():
    assert "Program bare-metal-polling (assumed): starting an engine takes 0.5 us" in said()
    chosen = said(program="linux-driver-sleep")
    assert "(assumed)" not in chosen and "then every 60 us" in chosen
    assert "with its start by linux-driver-sleep" in chosen and "without" in chosen
    assert "(assumed)" not in said(set={"program.launch_us": 3})
    assert "Program" not in expect("pynq-z1", ports="HP0", duration="100us").text


def test_programs_differ_by_their_start_alone():
    """In the order of the time of a start; without the start the rate is the same."""
    names = ("ring", "bare-metal-polling", "linux-polling", "linux-driver-interrupt")
    little = SMALL | {"transfer_bytes": "256B"}
    answers = [expect("de10-nano", **little, program=name) for name in names]
    rates = [answer.total for answer in answers]
    assert rates == sorted(rates, reverse=True)
    free = [answer.small.without_start for answer in answers if answer.small]
    assert len(free) > 1 and max(free) < 1.03 * min(free)


def test_a_short_transfer_does_not_sleep_unless_its_program_does():
    slow = expect("de1-soc", **SMALL, program="linux-driver-sleep").total
    for board in ("de10-nano", "de1-soc"):
        assert expect(board, **SMALL).total > 8 * slow
