"""The coherent port of Cyclone V and Arria V as a target of masters behind F2H: it passes lines one
after another, and nothing else is reached by it."""

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.runs.backends.model import run_repeats

BOARDS = ("de10-nano", "de1-soc", "arria5-socdk")
FAST = {"pl_mhz": 200, "width_bits": 128}
SINGLE_BEATS = {**FAST, "burst_bytes": 16, "outstanding_read": 16, "outstanding_write": 16}


def window(name="de10-nano", **figures):
    own = {path.replace("__", "."): value for path, value in figures.items()}
    return Platform.load(name).with_overrides({"memory.target": "acp"}).with_overrides(own)


def rate(platform, **keys):
    point = single(platform, {"ports": "F2H", "duration": "200us", **keys})
    (found,) = run_repeats(platform, point, 0, 0, 1)
    laws.check(platform, point, [found])
    return found["total_MBps"]


def test_one_burst_at_a_time_takes_as_long_as_was_published():
    """truhy/fpga_to_hps, DE10-Nano: 775 MiB/s from 4 MiB on, 63 clocks for 256 bytes."""
    found = rate(window(), **FAST, mode="write", burst_bytes=256, outstanding_write=1)
    assert found == pytest.approx(775 * 1.048576, rel=0.05)


@pytest.mark.parametrize("name", BOARDS)
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
def test_the_plain_model_agrees_to_the_bit(mode):
    keys = {**SINGLE_BEATS, "ports": "F2H", "mode": mode, "transfer_bytes": 2048}
    kit.assert_plain_agrees(window(), **keys)
    kit.assert_plain_agrees(window(), **{**keys, "burst_bytes": 256})


def test_the_port_of_the_controller_is_not_in_the_window():
    with pytest.raises(AxiometerError, match="no port 'F2S'"):
        single(window(), {"ports": "F2S"})
