"""F2H of Cyclone V and Arria V: a master of the L3 interconnect, which reaches the memory through
the 32-bit port that the interconnect has at the controller. Nothing of it is validated.
With the coherent port as its target it passes lines one after another."""

from pathlib import Path

import pytest

import kit
from axiometer.advice.assignments import usual_ports
from axiometer.answer.relax import workload as relax
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.runs.backends.model import run_repeats
from axiometer.simulate.scenario import Scenario

BOARDS = ("de1-soc", "arria5-socdk", "socrates", "secu1")
TABLE = {"kind": "engine", "port": "F2H", "direction": "read"}


def board(name="de1-soc", **figures):
    return Platform.load(name).with_overrides({k.replace("__", "."): figures[k] for k in figures})


def record(platform, **keys):
    return kit.record(platform, **{"ports": "F2H", "transfer_bytes": "1MiB", **keys})


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("mode", ["read", "write", "duplex"])
def test_no_rate_exceeds_what_interconnect_and_port_carry(name, mode):
    platform = board(name)
    l3 = platform.value("clocks.l3_main_mhz")
    for width, mhz in ((32, 100), (64, 200), (128, 100), (128, 200)):
        found = record(platform, mode=mode, width_bits=width, pl_mhz=mhz)
        for way in ("read_MBps", "write_MBps"):
            assert found[way] <= min(width / 8 * mhz, 4 * l3) * (1 + 1e-9)


@pytest.mark.parametrize("mode", ["read", "write"])
def test_the_interconnects_width_and_clock_decide_where_the_fabric_offers_more(mode):
    keys = {"mode": mode, "width_bits": 128, "pl_mhz": 200}
    as_it_is = record(board(), **keys)[f"{mode}_MBps"]
    slow = record(board(clocks__l3_main_mhz=100), **keys)[f"{mode}_MBps"]
    assert slow == pytest.approx(400, rel=0.01)
    assert 1600 >= as_it_is > 3 * slow
    # The mutant that the test above is for: a port of 64 bits carries more than the chip's.
    wide = {"path__l3__width_bits": 64, "path__l3__inflight_bytes_read": 1024}
    wide |= {"path__l3__inflight_bytes_write": 1024, "port__F2H__fifo_bytes_write": 2048}
    assert record(board(**wide), **keys)[f"{mode}_MBps"] > 1600


def test_a_record_that_is_faster_than_the_interconnects_port_breaks_a_law():
    fast, chip = board(path__l3__width_bits=64, path__l3__inflight_bytes_read=1024), board()
    keys = {"ports": "F2H", "mode": "read", "width_bits": 128, "pl_mhz": 200}
    point = single(fast, {**keys, "transfer_bytes": "1MiB"})
    found = run_repeats(fast, point, 0, 0, 1)[0]
    assert not list(laws.broken(fast, point, found))
    assert any("no faster than the path" in law for law in laws.broken(chip, point, found))


def test_the_bridge_is_slower_to_answer_than_the_direct_port():
    keys = {"mode": "read", "width_bits": 64, "outstanding_read": 1}
    bridge, direct = (record(board(), **keys, ports=port) for port in ("F2H", "F2S"))
    assert bridge["latency_cycles"]["min"] > direct["latency_cycles"]["min"]
    assert bridge["read_MBps"] < direct["read_MBps"]


def test_the_bridge_accepts_sixteen_bursts_in_each_direction():
    keys = {"mode": "duplex", "width_bits": 32, "burst_bytes": 16}
    keys |= {"outstanding_read": 40, "outstanding_write": 40}
    platform = board()
    values = single(platform, {"ports": "F2H", **keys}).values
    assert [s.outstanding for s in Scenario.of(platform, values).streams] == [16, 16]
    direct = single(platform, {"ports": "F2S", **keys}).values
    streams = Scenario.of(platform, direct).streams
    assert {s.direction: s.outstanding for s in streams} == {"write": 40, "read": 14}
    found = record(platform, **keys)
    for stream in found["streams"]:
        cycles = (stream["end_s"] - stream["start_s"]) * 100e6
        assert stream["latency_cycles"]["n"] * stream["latency_cycles"]["mean"] <= 16 * cycles
    loose = board(port__F2H__acceptance_read=63, port__F2H__acceptance_write=63)
    assert [s.outstanding for s in Scenario.of(loose, values).streams] == [40, 40]


def test_more_in_flight_is_no_way_out_where_the_bridge_accepts_no_more():
    def relaxed(outstanding):
        values = single(
            board(), {"ports": "F2H", "mode": "read", "outstanding_read": outstanding}
        ).values
        made = relax.outstanding(Scenario.of(board(), values), [])
        return made and [s.outstanding for s in made.streams]

    assert (relaxed(4), relaxed(10), relaxed(16)) == ([8], [16], None)


@pytest.mark.parametrize("mode", ["read", "write", "duplex"])
def test_the_plain_model_agrees_to_the_bit(mode):
    keys = {"ports": "F2H+F2S", "mode": mode, "width_bits": 128, "transfer_bytes": 8192}
    kit.assert_plain_agrees(board(), **keys)


def test_it_meets_the_direct_port_at_the_controller():
    """Together they get no more than the DRAM has, and each less than alone."""
    both = {**TABLE, "name": "bridge", "width_bits": 128}
    direct = {**both, "name": "direct", "port": "F2S", "width_bits": 256}
    keys = {"duration": "200us", "pl_mhz": 150}
    platform = board()
    alone = [kit.record(platform, **keys, masters=[m])["read_MBps"] for m in (both, direct)]
    met = kit.record(platform, **keys, masters=[both, direct])
    assert met["read_MBps"] <= 3200
    assert met["by_port"]["F2H"]["read_MBps"] <= alone[0]
    assert met["by_port"]["F2S"]["read_MBps"] < alone[1]


def test_every_view_says_that_it_is_not_validated(cli):
    of = ["--board", "arria5-socdk", "--ports", "f2h_axi_slave", "--mode", "read"]
    assert cli.json("expect", *of, "--repeats", "1")["unvalidated"] == ["F2H"]


def test_a_board_that_does_not_tell_the_interconnects_clock_has_no_bridge(tmp_path):
    text = Path(Platform.load("de1-soc").file).read_text(encoding="utf-8")
    given = text.replace('name = "de1-soc"', 'name = "own"').splitlines(keepends=True)
    own = tmp_path / "own.toml"
    own.write_text("".join(line for line in given if "l3_main_mhz" not in line), encoding="utf-8")
    assert "F2H" not in Platform.load(str(own)).ports
    assert Platform.load("de1-soc").ports == ["F2S", "F2H", "H2F", "LWH2F"]


def test_advice_names_a_port_that_was_measured_if_there_is_one():
    assert usual_ports(Platform.load("de1-soc")) == ["F2S"]
    assert usual_ports(Platform.load("arria5-socdk")) == ["F2S", "F2H"]
    assert usual_ports(Platform.load("zybo")) == ["HP0", "HP1", "HP2", "HP3"]


SYSTEM = """<?xml version="1.0"?><system name="x"><parameter name="device" value="5CSEBA6U23I7"/>
<module name="clk" kind="clock_source" version="20.1">
<parameter name="clockFrequency" value="100000000"/></module>
<module name="hps" kind="altera_hps" version="20.1"><parameter name="F2SDRAM_Width" value="128"/>
<parameter name="F2SDRAM_Type">AXI-3</parameter><parameter name="F2S_Width" value="2"/></module>
<module name="near" kind="altera_msgdma" version="20.1"><parameter name="DATA_WIDTH" value="128"/>
<parameter name="MAX_BURST_COUNT" value="16"/><parameter name="DATA_FIFO_DEPTH" value="256"/>
</module>
<module name="far" kind="altera_msgdma" version="20.1"><parameter name="DATA_WIDTH" value="64"/>
<parameter name="MAX_BURST_COUNT" value="16"/><parameter name="DATA_FIFO_DEPTH" value="256"/>
</module>
<connection kind="avalon" start="near.mm_read" end="hps.f2h_sdram0_data"/>
<connection kind="avalon" start="far.mm_read" end="hps.f2h_axi_slave"/>
<connection kind="clock" start="clk.clk" end="hps.f2h_sdram0_clock"/>
<connection kind="clock" start="clk.clk" end="hps.f2h_axi_clock"/>
<connection kind="clock" start="clk.clk" end="near.clock"/>
<connection kind="clock" start="clk.clk" end="far.clock"/></system>"""


def test_a_design_with_a_master_at_the_bridge_is_simulated_there(tmp_path, cli):
    file = tmp_path / "x.qsys"
    file.write_text(SYSTEM, encoding="utf-8")
    found = cli.json("expect", file, "--board", "de1-soc")
    assert found["unvalidated"] == ["F2H"]
    by_name = {m["name"]: m for m in found["masters"]}
    assert by_name["far"]["read_MBps"]["mean"] == pytest.approx(799, abs=2)
    assert by_name["near"]["read_MBps"]["mean"] > 1500


WINDOW_BOARDS = ("de10-nano", "de1-soc", "arria5-socdk")
FAST = {"pl_mhz": 200, "width_bits": 128}
SINGLE_BEATS = {**FAST, "burst_bytes": 16, "outstanding_read": 16, "outstanding_write": 16}


def window(name="de10-nano", **figures):
    own = {path.replace("__", "."): value for path, value in figures.items()}
    return Platform.load(name).with_overrides({"memory.target": "acp"}).with_overrides(own)


def rate(platform, **keys):
    return kit.record(platform, ports="F2H", duration="200us", **keys)["total_MBps"]


def test_one_burst_at_a_time_takes_as_long_as_was_published():
    """truhy/fpga_to_hps, DE10-Nano: 775 MiB/s from 4 MiB on, 63 clocks for 256 bytes."""
    found = rate(window(), **FAST, mode="write", burst_bytes=256, outstanding_write=1)
    assert found == pytest.approx(775 * 1.048576, rel=0.05)


@pytest.mark.parametrize("name", WINDOW_BOARDS)
@pytest.mark.parametrize("mode", ["read", "write"])
def test_no_more_than_a_line_passes_at_a_time(name, mode):
    lines = 32 / 25 * float(window(name).number("processor.clocks.cpu"))  # MB/s
    found = rate(window(name), **FAST, mode=mode, burst_bytes=256)
    assert 0.98 * lines < found <= lines


@pytest.mark.parametrize("mode", ["read", "write"])
def test_beats_of_a_line_are_gathered(mode):
    bursts = rate(window(), **FAST, mode=mode, burst_bytes=256)
    assert rate(window(), **SINGLE_BEATS, mode=mode) > 0.9 * bursts


@pytest.mark.parametrize("mode", ["read", "write", "duplex"])
def test_the_plain_model_agrees_to_the_bit_in_the_window(mode):
    keys = {**SINGLE_BEATS, "ports": "F2H", "mode": mode, "transfer_bytes": 2048}
    kit.assert_plain_agrees(window(), **keys)
    kit.assert_plain_agrees(window(), **{**keys, "burst_bytes": 256})


def test_the_port_of_the_controller_is_not_in_the_window():
    with pytest.raises(AxiometerError, match="no port 'F2S'"):
        single(window(), {"ports": "F2S"})
