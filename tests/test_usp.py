"""Zynq UltraScale+ on the model: laws, settings, and the paper's simplest figures."""

import json

import pytest

from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.published import tables
from axiometer.published.reference.table import selects
from axiometer.runs.backends import model
from axiometer.simulate import traffic
from axiometer.simulate.scenario import Scenario

BOARDS = ["zcu102", "ultra96"]


def record(board, ports, mode, burst, *, sets=None, seed=0, **more):
    platform = Platform.load(board).with_overrides(sets or {})
    keys = {"ports": ports, "mode": mode, "burst_bytes": burst, "duration": "1ms", **more}
    return model.run_repeats(platform, points.single(platform, keys), seed, 0, 1)[0]


@pytest.mark.parametrize("gap", [0, 40, 700])
def test_the_longest_time_without_data_is_that_of_a_gap_or_of_a_refresh(gap):
    """Between bursts with a gap nothing moves; without one, reads wait for a refresh at most
    about as long as it takes, and for what is before them."""
    streams = record("zcu102", "HP0", "read", 256, gap_cycles=gap)["streams"]
    (longest,) = (stream["inactivity_cycles"] for stream in streams)
    platform = Platform.load("zcu102")
    refresh = platform.value("dram.timing.tRFC") / platform.value("clocks.ddr_mhz") * 300
    latency = streams[0]["latency_cycles"]["max"]
    assert gap <= longest <= gap + max(refresh, latency) + 16
    idle = record("zcu102", "HP0", "write", 256, gap_cycles=gap)["streams"][0]
    assert idle["inactivity_cycles"] >= gap
    if gap == 0:  # a writing port alone is never kept waiting for long
        assert idle["inactivity_cycles"] < refresh


def test_a_run_until_it_has_settled_ends_early():
    steady = record("zcu102", "HP0", "write", 256, duration="settled")
    assert steady["steady"]["simulated_s"] < 0.001
    longer = record("zcu102", "HP0", "write", 256, duration="settled:50ms")
    assert longer == steady
    shorter = record("zcu102", "HP0", "write", 256, duration="settled:400us")
    assert shorter["steady"]["simulated_s"] == pytest.approx(400e-6)


def test_a_rate_that_is_steady_for_milliseconds_and_then_changes_is_waited_for():
    """HP1 and HP3 read at 3.54 GB/s while they drift apart, and after 4 ms at 3.66; three ports
    are not done with that after 20 ms."""
    keys = {"pl_mhz": 300, "duration": "settled"}
    late = record("zcu102", "HP1+HP3", "read", 32, **keys)
    steady = late["steady"]
    assert steady["settled"] and 0.004 < steady["start_up_s"] < steady["simulated_s"] < 0.02
    first = record("zcu102", "HP1+HP3", "read", 32, **keys | {"duration": "settled:3ms"})
    assert late["total_MBps"] > 1.02 * first["total_MBps"]
    assert not record("zcu102", "HP0+HP1+HP3", "read", 32, **keys)["steady"]["settled"]


def test_answers_say_how_sure_they_are(cli):
    def said(*more):
        keys = ["--ports", "HP0", "--mode", "write", "--set", "burst_bytes=256", "--plain"]
        return cli("expect --board zcu102", *keys, *more)

    one = said("--repeats", "1")
    assert "The rate has settled" in one and "19.2 MB/s, 0.4 % (95 %)" in one
    assert "is too short to show" in said("--repeats", "1", "--set", "duration=100us")
    answer = json.loads(said("--repeats", "3", "--json"))["steady"]
    assert answer["settled"] and answer["unsettled"] == 0
    assert 0 < answer["half_width_MBps"] <= 19.2
    assert answer["start_up_s"] < answer["simulated_s"] < 0.01


def test_a_single_port_is_as_fast_as_published():
    # Manev 2019: 99 % of 16 B x 300 MHz for reads, exactly 4800 MB/s for writes from 48 B up.
    assert record("zcu102", "HP1", "write", 64)["total_MBps"] == pytest.approx(4800, rel=1e-4)
    assert record("zcu102", "HP0", "read", 128)["total_MBps"] == pytest.approx(4756, rel=0.01)
    # HP1 to HP3 of the Ultra96 balance reads and writes and reach 3200 MB/s at 100 MHz.
    balanced = record("ultra96", "HP1", "mixed", 256)
    assert balanced["read_MBps"] == pytest.approx(1600, rel=0.001)
    assert balanced["write_MBps"] == pytest.approx(1600, rel=0.001)


def test_three_reading_ports_fall_at_208_bytes_and_writes_do_not():
    """Manev 2019: parts of four DRAM bursts occupy the arbiter so long that the next parts are
    late, too, in any bank."""
    ports = "HP0+HP1+HP3"
    mapping = {"mapping": "bank-row-column"}
    for more in ({}, mapping):
        at = {b: record("zcu102", ports, "read", b, **more)["total_MBps"] for b in (128, 208)}
        assert at[208] < 0.6 * at[128]
    assert record("zcu102", ports, "write", 256)["total_MBps"] > 13_000


@pytest.mark.parametrize("burst", [64, 128, 256, 512])
def test_paths_take_turns_at_writing(burst):
    """Without a class before others each path gets the same; HP1 and HP2 halve theirs. A port
    that has no place in the write store must not use up its turn."""
    r = record("ultra96", "HP1+HP2+HP3", "mixed", burst)
    hp1, hp2, hp3 = (r["by_port"][p]["write_MBps"] for p in ("HP1", "HP2", "HP3"))
    assert hp1 == pytest.approx(hp2, rel=0.03)
    assert hp3 == pytest.approx(hp1 + hp2, rel=0.03)


def test_a_shared_path_makes_the_others_wait():
    """Manev 2019: three paths write at the PL's limit, but with HP1 and HP2 on one of them four
    ports write less than HP0, HP1 and HP3 alone. A path that fills ahead does not show it."""
    three = record("zcu102", "HP0+HP1+HP3", "write", 256)["total_MBps"]
    four = "HP0+HP1+HP2+HP3"
    assert record("zcu102", four, "write", 256)["total_MBps"] < 0.9 * three
    filled = record("zcu102", four, "write", 256, sets={"path.s4.buffers": True})
    assert filled["total_MBps"] > three


def test_classes_follow_the_qos_settings():
    ultra = Platform.load("ultra96")
    assert traffic.traffic_class(ultra, "HP0", "read") == "video"
    assert traffic.traffic_class(ultra, "HP1", "write") == "best_effort"
    raised = ultra.with_overrides({"qos.HP1.read": 7})
    assert traffic.traffic_class(raised, "HP1", "read") == "video"
    forced = ultra.with_overrides({"qos.HP0.mode": "best_effort"})
    assert traffic.traffic_class(forced, "HP0", "read") == "best_effort"

    def share(**sets):
        r = record("ultra96", "HP0+HP3", "mixed", 256, sets=sets)
        return r["by_port"]["HP0"]["total_MBps"] / r["total_MBps"]

    assert share() > 0.55  # published: 0.79
    assert share(**{"qos.HP0.mode": "best_effort"}) == pytest.approx(0.5, abs=0.02)
    low = share(**{"qos.HP0.mode": "best_effort", "qos.HP3.mode": "low_latency"})
    assert low < 0.5


def test_the_arbiter_goes_by_qos_value_before_turns():
    """UG1085, Port Arbiter: below time-outs and classes, by AXI QoS value, then in turn."""

    def reads(**sets):
        r = record("ultra96", "HP1+HP3", "read", 256, pl_mhz=300, sets=sets)
        return [r["by_port"][port]["read_MBps"] for port in ("HP1", "HP3")]

    equal, raised = reads(), reads(**{"qos.HP3.read": 2, "qos.HP1.read": 3})
    assert equal[0] == pytest.approx(equal[1], rel=0.02)
    assert raised[0] > 2 * raised[1]
    lowered = reads(**{"qos.HP1.read": 2})
    assert lowered[1] > 2 * lowered[0]


def test_the_nearest_qos_value_of_a_class_is_the_arbiters():
    ultra = Platform.load("ultra96")  # HP0: read 7, write 15; the others 3; video from 4 on

    def value(port, direction, given):
        return traffic.qos_value(ultra, port, direction, {port: {direction: given}})

    assert traffic.qos_value(ultra, "HP0", "write") == 15
    assert value("HP0", "read", "best_effort") == value("HP1", "read", "best_effort") == 3
    assert value("HP0", "read", "video") == 7 and value("HP1", "read", "video") == 4
    assert value("HP1", "read", "low_latency") == 12
    assert value("HP1", "write", "low_latency") == 3  # writes have no such class
    assert value("HP1", "read", 9) == 9


def test_late_reads_take_the_bus_from_the_writes():
    """Manev 2019: HP0 of the Ultra96 writes 1600 MB/s with bursts of 64 B and 615 with 256 B,
    whose reads wait in the port longer than the time-out. Where the time-out is longer, or
    the port holds all that the fabric has not taken, writes keep more."""

    def written(burst, **sets):
        return record("ultra96", "HP0", "mixed", burst, sets=sets)["write_MBps"]

    late = written(256)
    assert written(64) > 1300 and late == pytest.approx(615, rel=0.3)
    assert written(256, **{"path.s3.timeout_clocks_read": 800}) > 1.5 * late
    assert written(256, **{"port.HP0.passed_commands": 128}) > 1.5 * late


def test_reads_that_wait_for_the_fabric_end_writing():
    """Manev 2019, ZCU102 at 100 MHz: two ports write 3178 MB/s with bursts of 64 B and 352 with
    128 B, though the DRAM carries four times as much; one port writes 1600 with either, and two
    3190 with 256 B, whose reads come seldom enough for the bus to turn between them."""

    def written(ports, burst):
        return record("zcu102", ports, "mixed", burst, pl_mhz=100)["write_MBps"]

    assert written("HP0", 64) > 1590 and written("HP0", 128) > 1590
    assert written("HP0+HP3", 64) > 3100 and written("HP0+HP3", 256) > 3100
    assert written("HP0+HP3", 96) < 800 and written("HP0+HP3", 128) < 1600


@pytest.mark.parametrize(("board", "port", "mhz", "burst", "published"), [
    ("zcu102", "HP0", 300, 256, 46.64), ("zcu102", "HP0", 300, 4096, 38.54),
    ("zcu102", "HP0", 100, 320, 44.01), ("zcu102", "HP0", 100, 1024, 40.19),
    ("ultra96", "HP1", 300, 64, 47.25), ("ultra96", "HP1", 300, 128, 47.20),
    ("ultra96", "HP1", 300, 272, 42.22), ("ultra96", "HP1", 300, 1152, 39.71),
])  # fmt: skip
def test_reads_in_flight_are_the_published_ones(board, port, mhz, burst, published):
    """An interface of either board accepts 38 bursts before it has issued them, keeps 2048 bytes of
    parts and one more behind, and no more than nine parts that are not back."""
    of = record(board, port, "read", burst, pl_mhz=mhz, duration="2ms")
    bursts_a_cycle = of["read_MBps"] / mhz / burst
    assert of["latency_cycles"]["mean"] * bursts_a_cycle == pytest.approx(published, abs=0.3)


def test_others_write_between_a_preferred_ports_turns():
    """Manev 2019: beside HP0 the other port of the Ultra96 writes about a fifth, and alone a port
    writes what the DRAM takes; without a limit to HP0's turns the other would write nothing."""

    def share(**sets):
        of = record("ultra96", "HP0+HP3", "write", 256, pl_mhz=300, sets=sets)["by_port"]
        return of["HP3"]["write_MBps"] / (of["HP0"]["write_MBps"] + of["HP3"]["write_MBps"])

    assert share() == pytest.approx(834 / (2909 + 834), abs=0.05)
    assert share(**{"controller.write_turns": 0}) < 0.03
    alone = record("ultra96", "HP0", "write", 256, pl_mhz=300)
    assert alone["total_MBps"] == pytest.approx(3945, rel=0.02)


def test_starved_writes_turn_the_bus_where_the_platform_says_so():
    """Manev 2019: all ports of the Ultra96 move 3060 MB/s with bursts of 256 B. Writes that starve
    turn the bus often; did they not, its turns would cost less than they do."""

    def error(turn):
        sets = {"controller.starved_writes_turn": turn}
        of = record("ultra96", "HP0+HP1+HP2+HP3", "mixed", 256, sets=sets)
        return of["total_MBps"] / 3060 - 1

    assert abs(error(True)) < 0.05 and error(False) > 0.08


def test_a_wider_stride_costs_rows():
    near = record("zcu102", "HP0+HP1+HP3", "read", 64)
    far = record("zcu102", "HP0+HP1+HP3", "read", 64, pattern="stride:8256")
    ratio = [r["dram"]["counts"]["activates"] / r["dram"]["counts"]["reads"] for r in (near, far)]
    assert ratio[1] > 4 * ratio[0]


def test_the_qos_controller_holds_back_the_ports_that_it_throttles():
    def rates(places):
        sets = {"path.s5.throttled_read": True, "controller.throttle_entries_read": places}
        found = record("ultra96", "HP0+HP3", "read", 256, pl_mhz=300, sets=sets)["by_port"]
        return [found[port]["read_MBps"] for port in ("HP0", "HP3")]

    free, held = rates(0), rates(14)  # of 20 places
    assert held[1] < 0.8 * free[1]
    assert held[0] > free[0]


def test_mappings_move_banks_and_rows():
    platform = Platform.load("zcu102")
    keys = {"ports": "HP0", "burst_bytes": 64, "mapping": "bank-row-column"}
    dram = Scenario.of(platform, points.single(platform, keys).values).dram
    assert dram.row_address_bits == (15, 29)
    assert dram.bank_address_bits == (6, 14, 30, 31)  # bank groups stay


@pytest.mark.parametrize("board", BOARDS)
def test_fitted_and_selected_figures_name_rows_of_the_dataset(board):
    leaves = [leaf for _, leaf in Platform.load(board).leaves()]
    fitted = {row for leaf in leaves for row in leaf.fitted or ()}
    selected = {row for leaf in leaves for row in leaf.selected or ()}
    assert fitted and selected
    for row in fitted | selected:
        name = row.partition(":")[0]
        (table,) = (table for table in tables.tables() if table.path.name == name)
        chosen = [of for of in tables.every(table) if selects(row, name, of.conditions)]
        assert chosen and (len(chosen) <= 12 or row not in fitted), row
