"""The model's settings from a platform and a point: small computed cases."""

from fractions import Fraction

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.experiment import points
from axiometer.experiment.points import Given, single
from axiometer.platform import Platform
from axiometer.simulate import chip, start, transfer, transfer_parts
from axiometer.simulate.placement import laid_out
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.transfer import Transfer

MIB = 2**20


class Figures(dict):
    """The part of a platform that these functions read."""

    def value(self, key, *default):
        return self.get(key, *default) if default else self[key]

    whole = value
    has = dict.__contains__

    @property
    def memory_bytes(self):
        return self["dram.size_MiB"] * MIB


# -- paths and buffers of the memory's side --------------------------------------------------------


@pytest.mark.parametrize(("width", "mhz", "clocks"), [
    (64, 400, 4),  # 32 bytes are 4 beats of 8
    (64, 350, 5),  # 4 x 400 / 350 = 4.57
    (96, 400, 3),  # 2.67 beats are 3
    (256, 100, 4),
])  # fmt: skip
def test_data_of_a_column_command_on_the_path(width, mhz, clocks):
    figures = {"p.width_bits": width, "p.clock_mhz": mhz, "clocks.ddr_mhz": 400}
    assert chip.column_clocks(Figures(figures), "p", 32) == clocks


def test_a_path_without_a_width_is_no_limit():
    assert chip.column_clocks(Figures(), "p", 32) == 0


def test_places_of_a_path_are_column_commands():
    zybo = Platform.load("zybo")
    name = zybo.value("port.HP0.path")
    column = 32 // 8 * 8  # bytes of the bus x burst length
    assert zybo.value("dram.bus_bits") == 32 and zybo.value("dram.burst_length") == 8
    places = chip.path(zybo, name).inflight_read
    assert places == zybo.value(f"path.{name}.inflight_bytes_read") // column
    assert type(places) is int  # a place that is half there would be none


def bases(placement, count, size, **figures):
    platform = Figures({"dram.size_MiB": 512, "dram.row_bytes": 4096} | figures)
    return laid_out(platform, placement, [size] * count, [96] * count)


def test_where_buffers_begin():
    assert bases("aligned", 3, MIB) == [0, MIB, 2 * MIB]
    assert bases("aligned", 3, MIB + 1) == [0, 2 * MIB, 4 * MIB]
    assert bases("packed", 3, 192) == [0, 192, 384]
    assert bases("packed", 3, 193) == [0, 288, 576]


def test_random_places_are_whole_rows_within_64_kib():
    aligned, random = bases("aligned", 4, MIB), bases("random", 4, MIB)
    moved = [a - b for a, b in zip(random, aligned, strict=True)]
    assert all(by % 4096 == 0 and 0 <= by <= 64 * 1024 for by in moved)
    assert moved == sorted(moved) and moved[-1] > 0
    assert bases("random", 4, MIB) == random
    # Where the memory has no room to spare, nothing moves.
    assert bases("random", 4, MIB, **{"dram.size_MiB": 4}) == aligned


def test_halves_of_pairs_are_each_others_partners():
    zybo = Platform.load("zybo")
    point = single(zybo, {"ports": "HP0+HP1+HP2", "mode": "duplex", "transfer_bytes": MIB})
    streams = Scenario.of(zybo, point.values).streams
    assert [s.partner for s in streams] == [1, 0, 3, 2, 5, 4]
    assert [s.direction for s in streams] == ["write", "read"] * 3
    point = single(zybo, {"ports": "HP0+HP1", "mode": "ps_to_pl", "transfer_bytes": MIB})
    streams = Scenario.of(zybo, point.values).streams
    assert [s.partner for s in streams] == [-1, -1]


def test_a_run_by_duration_stops_and_one_by_size_does_not():
    assert start.stop({"transfer_bytes": 64, "duration_s": None, "pl_mhz": 100}) == -1
    assert start.stop({"transfer_bytes": None, "duration_s": 5e-6, "pl_mhz": 100}) == 500


# -- Zynq UltraScale+ ------------------------------------------------------------------------------


def test_address_bits_of_both_mappings():
    # 8 KiB rows are 13 bits of column, 16 banks 4 bits, rows 17 to 31 are 15 bits.
    def other(*figures):
        return tuple(chip.other_mapping(*figures).values())

    high, low = [28, 29, 30, 31], [13, 14, 15, 16]
    assert other("bank-row-column", low, 8192, [17, 31]) == (high, [13, 27])
    assert other("row-bank-column", high, 8192, [13, 27]) == (low, [17, 31])
    # Four bank groups, at the bits 6 and 14, stay among the columns; and there and back again.
    grouped, banks_high = [6, 14, 15, 16], [6, 14, 30, 31]
    assert other("bank-row-column", grouped, 8192, [17, 31], 4) == (banks_high, [15, 29])
    assert other("row-bank-column", banks_high, 8192, [15, 29], 4) == (grouped, [17, 31])


def test_bytes_of_a_dram_burst():
    assert chip.column_bytes(Figures({"dram.bus_bits": 64, "dram.burst_length": 8})) == 64
    assert chip.column_bytes(Figures({"dram.bus_bits": 32, "dram.burst_length": 16})) == 64


def test_a_path_carries_what_its_width_and_clock_allow():
    zcu = Platform.load("zcu102").with_overrides(
        {"path.s3.width_bits": 64, "path.s3.clock_mhz": 400, "clocks.ddr_mhz": 1000}
    )
    path = chip.path(zcu, "s3")
    # 64 bytes are 8 beats at 400 MHz: 20 clocks at 1000; of 2 clocks each, 8 x 0.4 x 2 = 6.4 bytes.
    assert path.column_clocks == 20
    assert path.clock_bytes in (6, 7)


def streams(board, **keys):
    platform = Platform.load(board)
    usual = {"ports": "HP0+HP3", "mode": "mixed", "burst_bytes": 96, "duration": "1ms"}
    return Scenario.of(platform, single(platform, usual | keys).values).streams


def test_regions_are_side_by_side_and_hold_whole_bursts():
    found = streams("zcu102")
    region = Platform.load("zcu102").value("master.region_MiB") * MIB
    assert [s.base for s in found] == [n * region for n in range(4)]
    assert {s.region for s in found} == {region // 96 * 96}
    assert [(s.name, s.direction) for s in found] == [
        ("HP0", "read"), ("HP0", "write"), ("HP3", "read"), ("HP3", "write"),
    ]  # fmt: skip


def test_engines_share_the_limit_of_their_port():
    platform = Platform.load("zcu102")
    [limited] = [p for p in platform.ports if platform.has(f"port.{p}.outstanding_max")][:1]
    most = platform.value(f"port.{limited}.outstanding_max")
    burst = platform.value(f"port.{limited}.burst_bytes", [64])
    keys = {
        "ports": limited, "burst_bytes": burst[0] if isinstance(burst, list) else burst,
        "outstanding_read": 60, "outstanding_write": 60,
    }  # fmt: skip
    assert [s.outstanding for s in streams("zcu102", **keys)] == [most // 2] * 2
    assert [s.outstanding for s in streams("zcu102", outstanding_read=7)][::2] == [7, 7]


# -- the processor's side --------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [50, 100, 142.857])
def test_periods_are_whole_and_those_of_the_clocks(asked):
    platform = Platform.load("zedboard")
    periods, unit = transfer.periods(platform, transfer.pl_mhz(platform, asked))
    for name in ("cpu", "interconnect", "apb"):
        mhz = Fraction(platform.value(f"processor.clocks.{name}"))
        assert periods[name] * unit * mhz * 10**6 == 1
    assert periods["pl"] * unit * transfer.pl_mhz(platform, asked) * 10**6 == 1
    ddr = 1 / (periods["ddr"] * unit)
    assert float(ddr) == pytest.approx(platform.value("clocks.ddr_mhz") * 1e6, rel=1e-4)


def test_microseconds_in_units():
    assert transfer.units(2.5, Fraction(1, 10**9)) == 2500


def spec(**settings):
    platform = Platform.load("zedboard")
    usual = {"ports": "GP1", "mode": "ps_to_pl", "master": "memcpy", "transfer_bytes": 4096}
    return Transfer.of(platform, single(platform, usual | settings).values).document()


def test_the_direction_of_a_transfer():
    assert spec()["transfer"]["to_fabric"] is True
    assert spec(mode="pl_to_ps")["transfer"]["to_fabric"] is False


def test_a_plain_master_waits_for_each_response_and_a_dma_does_not():
    fabric = Platform.load("zedboard").figures_of("fabric.master")
    plain = transfer_parts.fabric(Platform.load("zedboard"), "full")
    assert (plain.outstanding, plain.issue_cycles) == (1, fabric["plain_issue_cycles"])
    assert plain.taken_cycles == fabric["taken_cycles"]
    dma = transfer_parts.fabric(Platform.load("zedboard"), "axi_dma")
    assert (dma.outstanding, dma.issue_cycles) == (fabric["dma_outstanding"], 1)
    assert dma.taken_cycles == dma.hold_cycles == 0
    lite = transfer_parts.fabric(Platform.load("zedboard"), "lite_improved")
    assert (lite.burst_beats, lite.outstanding) == (1, fabric["outstanding_improved"])
    assert lite.issue_cycles == fabric["lite_issue_cycles"]


# -- points ----------------------------------------------------------------------------------------


def test_points_are_counted_before_they_are_made(monkeypatch):
    monkeypatch.setattr(points, "MAX_POINTS", 5)
    zybo = Platform.load("zybo")
    defaults = {"ports": Given("HP0")}
    sweep = {"width_bits": [Given(32), Given(64)], "burst_beats": [Given(8), Given(16)]}
    one = {"burst_beats": Given(4)}
    assert len(points.expand(defaults, sweep, [one], zybo)) == 5
    with pytest.raises(AxiometerError, match="6 points"):
        points.expand(defaults, sweep, [one, one], zybo)
