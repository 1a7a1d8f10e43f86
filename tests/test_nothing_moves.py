"""Points without data movement, and points that the model cannot run: the answer gives the reason
in the user's words and a remedy, no rate of 0 without a limit, and no names of the model's
tables."""

import re
from dataclasses import replace

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate import run
from axiometer.simulate.model_errors import in_words
from axiometer.simulate.scenario import Scenario

SLOW = ["--set", "master.a.port=HP0", "--set", "master.a.gap_cycles=50000"]
INTERNAL = re.compile(r"\b(streams|ports|paths)\[")


def told(words, capsys):
    status = main(words)
    printed = capsys.readouterr()
    assert (status, printed.out) in ((1, ""), (2, ""))
    assert not INTERNAL.search(printed.err)
    return kit.flat(printed.err)


def test_a_run_in_which_no_burst_ends_has_no_rate(cli, capsys):
    words = ["expect", "--board", "zcu102", *SLOW, "--repeats", "2", "--set", "duration={}"]
    short = [word.format("10us") for word in words]
    said = told(short, capsys)
    assert "no burst ends in 10 us, so there is no rate" in said
    longer = re.search(r"give a longer duration: (\w+),", said)[1]
    assert "About 0 MB/s" not in cli(*[word.format(longer) for word in words])


def test_a_run_in_which_nothing_moved_is_explained_so(tmp_path, cli):
    path = tmp_path / "slow.toml"
    path.write_text(
        'name = "slow"\ntitle = "Slow"\nplatform = "zcu102"\n[defaults]\nduration = "10us"\n'
        'repeats = 2\n[[master]]\nname = "a"\nkind = "engine"\nport = "HP0"\n'
        'direction = "read"\ngap_cycles = 50000\n'
    )
    store = ["--store", str(tmp_path / "runs.db")]
    cli("run", path, "--quiet", "--jobs", "1", *store)
    said = kit.flat(cli("explain", *store))
    assert "No burst ended in the measured time" in said
    assert "No one thing limits" not in said


def test_what_the_model_refuses_is_named_as_the_user_names_it():
    zybo = Platform.load("zybo")
    scenario = Scenario.of(zybo, single(zybo, {"ports": "HP0", "mode": "read"}).values)
    slow = tuple(replace(stream, gap_cycles=2**21) for stream in scenario.streams)
    with pytest.raises(AxiometerError) as caught:
        run.simulator(replace(scenario, streams=slow))
    said = caught.value.message
    assert "of the reads of HP0: must be 0 to" in said and not INTERNAL.search(said)


@pytest.mark.parametrize(
    ("model", "user"),
    [
        ("streams[1].gap_cycles: must", "gap between bursts, in PL clocks (gap_cycles, or what"),
        (
            "streams[1].base: outside",
            "address of the buffer (base, placement) of the reads of HP0",
        ),
        ("streams[0].job_bursts: bad", "job bursts of the writes of HP0: bad"),
        ("ports[1].fifo_bytes: must", "port.HP2.fifo_bytes: must"),
        ("paths[0].inflight_read: must", "path.hp01.inflight_read: must"),
        ("streams[7].stop: beyond", "streams[7].stop: beyond"),
        ("dram.banks: must", "dram.banks: must"),
    ],
)
def test_names_of_the_model_become_the_users(model, user):
    zybo = Platform.load("zybo")
    scenario = Scenario.of(zybo, single(zybo, {"ports": "HP0+HP2"}).values)
    assert user in in_words(model, scenario)
