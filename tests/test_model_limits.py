"""Figures of the model have limits: a figure at the limit is accepted, beyond it refused.

Of the memory's side, of Zynq UltraScale+, of the accelerators and of the processor's side. That no
number overflows is in model/tests/config_limits.cpp.
"""

import re
from copy import deepcopy

import pytest

from axiometer import _model as model
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.transfer import Transfer
from law_cases import one_reader


def put(spec, place, value):
    """A copy with one figure changed. A place is keys and indices, with dots."""
    changed = deepcopy(spec)
    table = changed
    *path, last = (int(key) if key.isdigit() else key for key in place.split("."))
    for key in path:
        table = table.setdefault(key, {}) if isinstance(table, dict) else table[key]
    table[last] = value
    return changed


def takes(spec) -> bool:
    try:
        model.Simulator(spec)
    except ValueError as error:  # which begins with the value's name
        assert str(error).partition(":")[0].partition(".")[0].partition("[")[0] in spec, error
        return False
    return True


def held(take, spec, place, least, most):
    """Both limits, from both sides. None: there is no such limit, or another test has it."""
    for limit, beyond in ((least, -1), (most, 1)):
        if limit is not None:
            assert take(put(spec, place, limit)), f"{place} = {limit} is refused"
            assert not take(put(spec, place, limit + beyond)), f"{place} = {limit + beyond}"


# -- the memory's side ----------------------------------------------------------------------------


@pytest.fixture
def reader():
    return one_reader()[0]


@pytest.fixture
def of_zynq(reader):
    stores = {key: reader["controller"][key] for key in ("read_entries", "write_entries")}
    own = {"starve_clocks": 8, "run_length": 8, "min_non_critical_clocks": 8}
    return put(reader, "controller", {"policy": "zynq-ddrc"} | stores | own)


def described(spec, rows):
    """Place, least and most of each whole number that a specification has, of the first entry where
    there are several. The processor's side has defaults of all."""
    chip = "controller" in spec
    for row in rows:
        policy = spec["controller"]["policy"] if chip else ""
        there = row["table"].partition(".")[0].removesuffix("[]") in spec or not chip
        if row["type"] == "whole number" and row["only"] in ("", policy) and there:
            place = f"{row['table'].replace('[]', '.0')}.{row['key']}".lstrip(".")
            yield place + ("_write" if row["pair"] else ""), row["least"], row["most"]


def test_what_is_beyond_the_description_is_refused_by_name(reader, of_zynq):
    """And what is at a limit by nothing that the description says."""
    for spec, rows, made, ends in (
        (of_zynq, model.describe(), model.Simulator, 2),
        (reader, model.describe(), model.Simulator, 2),
        (usp("zcu102"), model.describe(), model.Simulator, 2),
        (usp("ultra96", master="convolution"), model.describe(), model.Simulator, 2),
        # The most of the processor's side would run for ever.
        ({"transfer": {"bytes": 64}}, model.describe_processor(), model.run_processor, 1),
    ):
        for place, least, most in described(spec, rows):
            says = f"{place.replace('.0', '[0]', 1)}: must be "
            for number in (least - 1, most + 1):
                with pytest.raises(ValueError, match=f"^{re.escape(says)}"):
                    made(put(spec, place, number))
            for number in (least, most)[:ends]:
                try:
                    made(put(spec, place, number))
                except ValueError as error:
                    assert not str(error).startswith(f"{says}{least} to {most}")


@pytest.mark.parametrize(("place", "least", "most"), [
    ("controller.read_entries", 4, 48), ("controller.write_entries", 4, 48),  # a part is 4 commands
    ("controller.starve_clocks", 1, None),
    ("controller.run_length", 1, None), ("paths.0.inflight_read", 4, 64),
    ("ports.0.fifo_bytes_write", 8, None), ("ports.0.path", 0, 0), ("streams.0.port", 0, 0),
])  # fmt: skip
def test_what_hangs_on_another_figure(of_zynq, place, least, most):
    held(takes, of_zynq, place, least, most)


@pytest.mark.parametrize(("key", "most"), [
    # tREFI 4000 must be above 4 (tRFC + tRC + tRP), tRFC 70 above tFAW and above CWL + 4 + tWTR.
    ("tRFC", 4000 // 4 - 26 - 7 - 1), ("tRC", 4000 // 4 - 70 - 7 - 1),
    ("tRP", 4000 // 4 - 70 - 26 - 1),
    ("tFAW", 69), ("CWL", 70 - 4 - 4 - 1), ("tWTR", 70 - 6 - 4 - 1),
])  # fmt: skip
def test_after_a_refresh_all_else_is_past(reader, key, most):
    held(takes, reader, f"dram.timing.{key}", None, most)


@pytest.mark.parametrize(("place", "good", "bad"), [
    ("dram.banks", (1, 2, 16), (0, 3, 6)),
    ("dram.row_bytes", (128, 8192), (0, 3000)),
    ("dram.column_bytes", (32, 64), (0, 24, 8192)),
    ("dram.bytes", (2**16,), (100_000,)),
    ("ports.0.width_bytes", (1, 16, 128), (12, 256)),
    ("ports.0.part_bytes", (8, 64), (4, 96, 8192)),
 ])  # fmt: skip
def test_powers_of_two(reader, place, good, bad):
    for value in good:
        assert takes(put(reader, place, value)), value
    for value in bad:
        assert not takes(put(reader, place, value)), value


@pytest.mark.parametrize(("table", "place", "bad"), [
    ("paths", "inflight_read", 65), ("paths", "release_clocks_write", -1),
    ("ports", "width_bytes", 12), ("streams", "outstanding", 64),
])  # fmt: skip
def test_each_of_several_is_checked(reader, table, place, bad):
    spec = put(reader, table, [deepcopy(reader[table][0]) for _ in range(3)])
    assert takes(spec)
    for number in range(3):
        assert not takes(put(spec, f"{table}.{number}.{place}", bad)), number


def test_a_part_is_at_most_a_row(reader):
    small = put(put(reader, "dram.row_bytes", 128), "streams.0.bytes", 128)
    assert takes(small)
    assert not takes(put(small, "ports.0.part_bytes", 256))


def test_a_buffer_ends_where_the_dram_ends(reader):
    at_the_end = put(reader, "streams.0.base", 2**22 - 1024)
    held(takes, at_the_end, "streams.0.bytes", None, 1024)


def test_a_region_holds_a_burst(reader):
    strided = put(put(reader, "streams.0.pattern", "stride"), "streams.0.stride", 128)
    held(takes, strided, "streams.0.region", 128, None)
    assert takes(put(reader, "streams.0.region", 0))  # sequential: the whole buffer


@pytest.mark.parametrize(("place", "bad"), [
    ("controller.batch", 0), ("paths", []), ("streams", []), ("controller.policy", "first-come"),
    ("streams.0.pace_cycles", 2**40), ("streams.0.address_cycles", 1),  # of a read
])  # fmt: skip
def test_what_there_is_none_of(reader, place, bad):
    assert not takes(put(reader, place, bad))


def pair(reader):
    spec = deepcopy(reader)
    read = spec["streams"][0] | {"partner": 1, "loopback_bursts": 2}
    spec["streams"] = [read, read | {"direction": "write", "partner": 0, "base": 2048}]
    return spec


def test_the_halves_of_a_loop_back_are_alike(reader):
    good = pair(reader)
    assert takes(good)
    for key, value in {
        "partner": 1, "direction": "read", "bytes": 2048, "burst_bytes": 64, "loopback_bursts": 3,
        "loopback_cycles": 1,
    }.items():  # fmt: skip
        for half in (0, 1):
            other = "write" if key == "direction" and half == 0 else value
            other = half if key == "partner" else other
            assert not takes(put(good, f"streams.{half}.{key}", other)), (key, half)
    assert not takes(put(good, "streams.0.partner", 2))


@pytest.mark.parametrize(("key", "least", "most"), [("bursts", 1, 31), ("cycles", 0, None)])
def test_the_distance_of_a_loop_back(reader, key, least, most):
    def both(spec):
        value = spec["streams"][0][f"loopback_{key}"]
        return takes(put(spec, f"streams.1.loopback_{key}", value))

    held(both, pair(reader), f"streams.0.loopback_{key}", least, most)


# -- Zynq UltraScale+ and the accelerators ---------------------------------------------------------


def usp(board, **keys):
    platform = Platform.load(board)
    usual = {"ports": "HP0", "mode": "read", "burst_bytes": 64, "duration": "1ms"}
    if "master" in keys:
        usual = {"ports": "HP0", "duration": "1ms"}
    values = points.single(platform, usual | keys).values
    return Scenario.of(platform, values).document()


def test_ultrascale_stores_and_ranks():
    good = usp("zcu102")
    low = good["controller"]["low_latency_entries"]
    held(takes, good, "controller.read_entries", None, 64 - low)
    held(takes, good, "controller.write_entries", None, 64)
    held(takes, good, "streams.0.region", 1, None)
    for place, value in {
        "dram.bank_groups": 0, "dram.ranks": 0, "dram.banks": 8, "streams.0.partner": 0,
        "dram.bank_address_bits": [6, 14, 15], "dram.row_address_bits": [17],
    }.items():  # fmt: skip
        assert not takes(put(good, place, value)), place
    assert not takes(put(good, "dram.row_address_bits", [31, 17]))
    two = usp("ultra96")
    assert takes(two)
    assert not takes(put(two, "dram.rank_address_bit", -1))
    assert not takes(put(two, "dram.ranks", 3))


@pytest.mark.parametrize(("place", "good", "bad"), [
    ("convolution.lanes", (1, 8), (9,)),
    ("convolution.buffer_bytes", (1024, 2048, 4096), (512, 3072, 8192)),
    ("convolution.turn", (1, 2, 16), (0, 3, 32)),  # 16 bursts of 256 bytes are a buffer
    ("streams.0.burst_bytes", (64, 128, 4096), (32, 0, 96, 8192)),
    ("streams.1.burst_bytes", (64, 128, 4096), (32, 0, 96, 8192)),
    ("streams.0.region", (4 * 2 * 4096,), (4 * 2 * 4096 - 1,)),
    ("streams.0.direction", ("read",), ("write",)), ("streams.1.port", (0,), (1,)),
    ("ports.0.width_bytes", (16, 64), (128,)),
])  # fmt: skip
def test_accelerators(place, good, bad):
    spec = usp("ultra96", master="convolution")
    for value in good:
        assert takes(put(spec, place, value)), value
    for value in bad:
        assert not takes(put(spec, place, value)), value


def test_accelerators_have_two_streams_at_each_port():
    spec = usp("ultra96", master="convolution")
    spec["streams"].pop()
    assert not takes(spec)


# -- the processor's side --------------------------------------------------------------------------


def runs(spec) -> bool:
    try:
        model.run_processor(spec)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(("place", "good", "bad"), [
    ("cache.line_bytes", (1, 16, 64), (0, 24)),
    ("cache.l1_bytes", (4 * 32,), (4 * 32 - 1,)), ("cache.l2_bytes", (8 * 32,), (8 * 32 - 1,)),
    ("memory.refresh_interval", (8,), (7,)),
])  # fmt: skip
def test_caches_and_refreshes(place, good, bad):
    spec = {"transfer": {"bytes": 64}, "memory": {"refresh_clocks": 7, "refresh_interval": 100}}
    for value in good:
        assert runs(put(spec, place, value)), value
    for value in bad:
        assert not runs(put(spec, place, value)), value


def test_a_platform_gives_what_the_model_takes():
    platform = Platform.load("zedboard")
    keys = {"ports": "GP1", "mode": "ps_to_pl", "master": "memcpy", "transfer_bytes": 64}
    transfer = Transfer.of(platform, points.single(platform, keys).values)
    assert runs(transfer.start(0, 0).document())
