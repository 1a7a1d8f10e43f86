"""The memory that every board's file describes is one of JEDEC's: speed bin, timing in ns, size.

tests/jedec/test_boards.py runs all ports of each and checks the commands. Decoded registers, where
they are at hand, have tests of their own (test_registers_boards.py).
"""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from axiometer.base import data
from axiometer.platform import Platform
from axiometer.platform.registers import speed_bins

# What boards' registers say that no bin of JEDEC's has, and why it is left as it stands.
OUT_OF_BINS = {
    "zc1254": ["tRCD is 92.50 ns"],  # t_rcd 19 at 400 MHz: as it is written
    "secu1": ["tWTR is 6.67 ns"],  # DDR2 at 300 MHz: 2 clocks where 3 are due
    "zcu102": ["tRFC is 258.8 ns"],  # 260 ns, rounded down to a controller clock
}


def problems(platform):
    """What is out of JEDEC's bins in the figures of a platform."""

    def value(path):  # as registers give it: a rate is no float
        found = platform.value(path, None)
        return Fraction(found) if isinstance(found, float) else found

    return speed_bins.problems(SimpleNamespace(chip=platform.family, value=value))


@pytest.mark.parametrize("name", data.names("boards"))
def test_the_memory_of_a_board_is_one_of_jedecs(name):
    out, known = problems(Platform.load(name)), OUT_OF_BINS.get(name, [])
    assert len(out) == len(known), out
    assert all(any(text.startswith(start) for text in out) for start in known), out


@pytest.mark.parametrize("name", data.names("boards"))
def test_peak_and_size_are_those_of_a_board(name):
    platform = Platform.load(name)
    bits, clock = platform.value("dram.bus_bits"), platform.value("clocks.ddr_mhz")
    assert bits in (16, 32, 64)
    assert 1600 <= 2 * clock * bits / 8 <= 19200, "MB/s: from DDR3-800 x16 to DDR4-2400 x64"
    rows = platform.value("dram.size_MiB") * 2**20 // platform.value("dram.row_bytes")
    assert rows % (platform.value("dram.banks") * (platform.value("dram.ranks", None) or 1)) == 0


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("dram.timing.tRCD", 4, "no speed bin"),
        ("dram.timing.tRFC", 60, "tRFC is"),
        ("dram.timing.tREFI", 1500, "tREFI is"),
        ("dram.timing.tFAW", 5, "tFAW is"),
        ("dram.size_MiB", 500, "is not a size of a memory"),
    ],
)
def test_a_wrong_figure_is_out_of_the_bins(path, value, told):
    changed = Platform.load("pynq-z1").with_overrides({path: value})
    assert any(told in text for text in problems(changed))
