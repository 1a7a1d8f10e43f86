"""Tables of measurements: the rows of a point, the nearest rows, and the tables' sources."""

import pickle
import random
import subprocess
import sys

import pytest

import kit
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment.keys import KEYS
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.present import measured_text
from axiometer.published import measured, tables
from axiometer.published.reference import Reference
from axiometer.published.reference.table import ANY, as_keys
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.transfer import Transfer

PAIR = {"ports": "HP0+HP1"}


def rows(board, settings, overrides=None, find=measured.of_point):
    platform = Platform.load(board).with_overrides(overrides or {})
    return find(platform, single(platform, settings).values)


def test_a_row_that_is_the_point_is_found_with_what_was_published():
    (row,) = rows("zybo", PAIR)
    assert (row.rate, row.figures["total_MBps_min"], row.differs) == (2236.12, 2212.38, ())
    assert (row.table.cite, row.table.board) == ("Vieira 2020, Table 3", "zybo")


def test_rates_of_each_port_come_with_it():
    settings = {"ports": "HP0+HP1", "pl_mhz": 300, "burst_bytes": 128}
    (row,) = rows("zcu102", settings)
    assert sum(of["total_MBps"] for of in row.by_port.values()) == pytest.approx(row.rate, 1e-4)


@pytest.mark.parametrize(
    ("board", "settings", "overrides"),
    [
        ("zybo", {**PAIR, "gap_cycles": 8}, None),  # a condition that the table takes for granted
        ("zybo", PAIR, {"controller.starve_clocks": 8}),  # not the board that was measured
        ("zybo-z7", PAIR, None),
        ("zcu102", {"ports": "HP0", "pl_mhz": 300, "width_bits": 64, "burst_bytes": 128}, None),
        ("zedboard", {"ports": "HP0", "master": "ring", "os": "linux", "transfer_bytes": 64}, None),
    ],
)
def test_nothing_is_measured_of_a_point_that_differs(board, settings, overrides):
    assert rows(board, settings, overrides) == []


OTHER = {
    "ports": ["HP1", "HP0+HP1", "GP1"],
    "mode": ["read", "write", "both"],
    "width_bits": [32, 64, 128],
    "pl_mhz": [90, 150],
    "burst_beats": [5, 8],
    "burst_bytes": [64, 96],
    "transfer_bytes": [640, "1MiB"],
    "duration": ["20us", "5ms"],
    "pattern": ["stride:8192", "random"],
    "outstanding_read": [1, 3],
    "outstanding_write": [1, 3],
    "masters_per_port": [2],
    "through": ["smartconnect", "clock_converter"],
    "background": ["DisplayPort=300"],
    "gap_cycles": [5],
    "skew_us": [7.0],
    "placement": ["random"],
    "mapping": ["bank-row-column", "row-bank-column"],
    "qos": ["best_effort"],
    "accelerators": [2],
    "fill": ["beat"],
    "master": ["memcpy", "loop", "ps_dma"],
    "os": ["linux", "bare-metal"],
    "cache": ["off"],
    "memory_type": ["cached", "device", "strongly_ordered"],
    "dma_program": ["included"],
    "cache_control": ["none"],
    "io": ["copy"],
    "ring_depth": [4],
    "dma_burst_bytes": [16],
    "copy_bytes": [1],
    "program": ["linux-driver-sleep", "linux-polling", "bare-metal-interrupt"],
    "slave": ["register", "axi_bram"],
}
DRAWN = 6  # rows of a table


def simulated(platform, values):
    """All that the model is told of a point."""
    if values["master"] in AT_MEMORY:
        of = Scenario.of(platform, values)
        return of.document(), of.source_documents(), [of.start(0, n).document() for n in range(2)]
    return [Transfer.of(platform, values).start(0, n).document() for n in range(2)]


def test_every_key_chooses_another_question():
    """But samples: a key that is added to an experiment gets values here."""
    assert {*OTHER, "repeats", "seed"} == set(KEYS)


@pytest.mark.parametrize(
    "table", [t for t in tables.tables() if t.board in Platform.boards()], ids=lambda t: t.path.stem
)
def test_a_key_that_changes_the_simulation_is_another_question(table):
    """Whether or not the row's table has a column for it."""
    platform = Platform.load(table.board)
    if table.memory:
        platform = platform.with_overrides({"memory.target": table.memory.lower()})

    def is_of(values):
        return line.number in {
            row.line for row in measured.of_point(platform, values) if row.table == table
        }

    lines = list(tables.every(table))
    for line in random.Random(table.path.stem).sample(lines, min(DRAWN, len(lines))):
        keys = as_keys(line.conditions)
        if keys.get("master") == "processor":
            keys["masters"] = [{"kind": keys.pop("master"), "operation": keys.pop("operation")}]
        try:
            values = single(platform, keys).values
        except AxiometerError:
            assert table.memory == "OCM"  # engines of this board do not work so
            continue
        assert is_of(values)
        told, tried = simulated(platform, values), 0
        for key, others in OTHER.items():
            rest = {name: its for name, its in keys.items() if name != KEYS[key].excludes}
            for other in others:
                try:
                    changed = single(platform, {**rest, key: other}).values
                    differs = simulated(platform, changed) != told
                except AxiometerError:  # no such point
                    continue
                tried += differs
                assert not (differs and is_of(changed)), (line.conditions, key, other)
        assert tried > 5


@pytest.mark.parametrize("other", [{"rate_mbs": 100}, {"gap_cycles": 9}])
def test_a_processor_that_is_slowed_was_not_measured(other):
    copy = {"masters": [{"kind": "processor", "operation": "from_buffer", **other}]}
    assert rows("zcu102", {**copy, "transfer_bytes": "4KiB"}) == []


def test_a_run_is_as_long_as_the_measured_one_or_settles():
    keys = {"ports": "HP0", "pl_mhz": 300, "burst_bytes": 128}
    found = {length: len(rows("zcu102", {**keys, "duration": length}))
             for length in ("settled", "settled:2ms", "20ms", "1s", "19ms", "20us")}  # fmt: skip
    assert list(found.values()) == [1, 1, 1, 1, 0, 0]


def test_the_nearest_rows_state_their_differences():
    near = rows("zcu102", {"ports": "HP0", "pl_mhz": 300, "burst_bytes": 136 * 16 + 16},
                find=measured.nearest)  # fmt: skip
    assert len(near) == measured.NEAREST
    assert near[0].differs == (("burst_bytes", 2176, 2192),)
    far = [measured.distance(row.differs) for row in near]
    assert far == sorted(far)


def test_another_board_of_the_chip_is_near_and_another_chip_is_not():
    boards = {row.table.board for row in rows("zybo-z7", PAIR, find=measured.nearest)}
    assert boards == {"zybo"}
    assert rows("de10-nano", {"ports": "F2S"}, find=measured.nearest)[0].table.board == "de1-soc"


ENGINE = {"kind": "engine", "port": "HP0", "direction": "both", "burst_bytes": 128}
LONE = {"ports": "HP0", "pl_mhz": 200, "width_bits": 64, "burst_bytes": 128, "outstanding_read": 1,
        "mode": "read", "through": "smartconnect"}  # fmt: skip


def test_masters_that_keys_can_say_are_looked_up_as_keys():
    same = rows("zcu102", {"masters": [ENGINE], "pl_mhz": 300})
    assert same and same == rows("zcu102", {"ports": "HP0", "pl_mhz": 300, "burst_bytes": 128})
    twice = rows("ultra96", {"masters": [{**ENGINE, "port": "HP3"}] * 2, "pl_mhz": 100})
    keys = {"ports": "HP3", "pl_mhz": 100, "burst_bytes": 128, "masters_per_port": 2}
    assert twice and twice == rows("ultra96", keys)


@pytest.mark.parametrize("other", [{"rate_mbs": 100}, {"burst_bytes": 256}, {"direction": "read"}])
def test_masters_that_differ_were_not_measured(other):
    masters = [ENGINE, {**ENGINE, "port": "HP1", **other}]
    for find in (measured.of_point, measured.nearest):
        assert rows("zcu102", {"masters": masters, "pl_mhz": 300}, find=find) == []


def test_a_copy_by_a_processor_is_measured_in_the_direction_that_was_printed():
    copy = {"masters": [{"kind": "processor", "operation": "from_buffer"}]}
    (row,) = rows("zcu102", {**copy, "transfer_bytes": "4KiB"})
    assert (row.way, round(row.rate, 1), row.table.source) == ("read", 138.4, "tapasco")


def test_another_memory_is_what_differs():
    first, *_ = rows("zcu106", LONE, find=measured.nearest)
    assert first.table.source == "resbi"
    assert first.differs[1:] == (("memory", "DDR4-2400, 64 bit", "DDR4-2133, 64 bit"),)
    said = measured_text.differences(first)
    assert said == "memory DDR4-2400, 64 bit, not DDR4-2133, 64 bit"


def test_a_lone_master_behind_a_smartconnect_is_measured_as_such():
    alone = {"ports": "HP3", "pl_mhz": 100, "burst_bytes": 64}
    (own,) = rows("ultra96", alone)
    (through,) = rows("ultra96", {**alone, "through": "smartconnect"})
    assert "smartconnect" in through.table.cite and "smartconnect" not in own.table.cite


F2H = {"ports": "F2H", "mode": "pl_to_ps", "pl_mhz": 200, "width_bits": 128, "burst_bytes": 256,
       "transfer_bytes": "4KiB", "outstanding_write": 1,
       "program": "bare-metal-interrupt"}  # fmt: skip


def test_what_was_measured_through_the_coherent_port_is_of_it():
    (row,) = rows("de10-nano", F2H, {"memory.target": "acp"})
    assert (row.table.source, row.rate) == ("truhy", 659.921)
    assert rows("de10-nano", F2H) == []


def test_the_on_chip_memory_is_not_the_dram():
    ports = {"ports": "HP0+HP1+HP2+HP3", "gap_cycles": 9}
    ocm = rows("zc702", ports, {"memory.target": "ocm"}, measured.nearest)
    assert ocm[0].table.source == "amd-spm"
    assert "memory" not in {key for key, *_ in ocm[0].differs}
    assert all(row.table.source != "amd-spm" for row in rows("zc702", ports, find=measured.nearest))


def test_every_table_is_of_a_board_that_there_is_and_says_who_measured():
    boards = Platform.boards()
    assert len(tables.tables()) > 20
    for table in tables.tables():
        assert table.like in boards, table.path.name
        assert table.source and table.cite, table.path.name


def test_every_row_can_be_compared_with():
    """Read as any table of figures is, which checks each row."""
    for table in tables.tables():
        assert Reference.load(table.path).rows


@pytest.mark.skipif(
    data.find_external("README.md") is None, reason="the datasets are not here: AXIOMETER_REFERENCE"
)
def test_the_tables_are_what_the_datasets_give():
    command = [sys.executable, "-m", "validate", "measured"]
    done = subprocess.run(command, cwd=kit.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_row_is_the_same_in_another_process():
    table = next(t for t in tables.tables() if t.path.stem == "zcu102__write_only_300mhz")
    line = next(tables.every(table))
    again = pickle.loads(pickle.dumps(line))
    assert line.conditions["duration_s"] is ANY is again.conditions["duration_s"]
