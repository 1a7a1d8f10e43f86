import csv
from functools import cache
from pathlib import Path

import pytest

import kit
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.published import reference, tables
from axiometer.published.reference import Reference

TINY = Platform(kit.PLATFORM, "tiny.toml")
TABLE = """\
# Somebody, 2020.
# Table 1.
ports,mode,width_bits,transfer_bytes,total_MBps,total_MBps_min
P0+P1,duplex,64,64KiB,100.5,99
P0+P1,read,64,64KiB,50,
"""
SOURCES = {
    "vieira2020-table3.csv": "papers/vieira2020_table3_zynq7010_hp_100mhz.csv",
    "vieira2020-table4.csv": "papers/vieira2020_table4_zynq7010_hp_150mhz.csv",
    "vieira2020-table5.csv": "papers/vieira2020_table5_cyclonev_f2s_100mhz.csv",
}
MODES = {
    "Duplex": "duplex",
    "PS to PL": "ps_to_pl",
    "PL to PS": "pl_to_ps",
    "H2F": "ps_to_pl",
    "F2H": "pl_to_ps",
}


def tiny(**more):
    settings = {"ports": "P0+P1", "width_bits": 64, "transfer_bytes": 65536, **more}
    return single(TINY, settings).values


def test_a_row_is_found_by_its_conditions():
    table = Reference(TABLE, "tiny.csv")
    assert table.citation == "Somebody, 2020.\nTable 1."
    assert table.match(tiny()).published() == {
        "mean": 100.5, "min": 99.0, "max": None, "std": None, "expected": None,
    }  # fmt: skip
    assert table.match(tiny(mode="ps_to_pl")).figures == {"mean": 50.0}
    assert table.match(tiny(ports="P1+P0")) is table.match(tiny())


@pytest.mark.parametrize(
    "change",
    [
        {"ports": "P0"},
        {"mode": "write"},
        {"transfer_bytes": 32},
        {"pattern": "random"},
        {"burst_beats": 4},
        {"gap_cycles": 1},
        {"outstanding_read": 2},
        {"skew_us": 0},
    ],
)
def test_other_conditions_are_not_compared(change):
    assert Reference(TABLE, "tiny.csv").match(tiny(**change)) is None


def test_fitted_rows_are_distinguished_from_predictions():
    table = Reference(TABLE, "tiny.csv")
    assert table.role(tiny(), TINY) == "fitted"
    assert table.role(tiny(ports="P1+P0"), TINY) == "fitted"
    assert table.role(tiny(mode="read"), TINY) == "predicted"
    assert Reference(TABLE, "other.csv").role(tiny(), TINY) == "predicted"
    assert reference.selects("tiny.csv", "tiny.csv", tiny(mode="read"))
    with pytest.raises(AxiometerError, match="does not select published rows"):
        reference.selects("tiny.csv: mod=duplex", "tiny.csv", tiny())


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "has no rows"),
        ("# c\nports,total_MBsp\n", 2, "did you mean 'total_MBps'"),
        ("ports\nP0\n", 1, "give total_MBps"),
        ("ports,ports,total_MBps\n", 1, "each column once"),
        ("ports,total_MBps\n\nP0,1,2\n", 3, "one cell per column"),
        ("ports,total_MBps\nP0,fast\n", 2, "give a number"),
        ("mode,total_MBps\nsideways,1\n", 2, "duplex"),
        ("transfer_bytes,total_MBps\n4 cows,1\n", 2, "bytes of each transfer"),
    ],
)
def test_a_table_that_is_not_right(text, line, message):
    with kit.refuses(match=message, line=line):
        Reference(text, "bad.csv")


def test_an_unknown_file_is_reported_with_the_known_ones():
    with pytest.raises(AxiometerError, match="did you mean 'vieira2020-table3.csv'"):
        Reference.load("viera2020-table3.csv")


@pytest.mark.parametrize(
    "name",
    [
        *("zybo-hp-bandwidth", "zybo-hp-read-150mhz", "de1-soc-f2s-bandwidth"),
        *("gobel-hp-bandwidth", "gobel-f2s-bandwidth", "zybo-stream-size"),
    ],
)
def test_every_point_of_a_shipped_table_has_its_row_and_in_order(name):
    experiment = Experiment.load(name)
    table, why = reference.for_experiment(experiment)
    assert why == ""
    assert "Vieira" in table.citation
    assert [table.match(p.values) for p in experiment.points()] == table.rows


def test_the_manual_s_efficiencies_are_shares_of_what_the_memory_could_carry():
    experiment = Experiment.load("zynq-ddr-efficiency")
    table, why = reference.for_experiment(experiment)
    assert why == "" and "UG585" in table.citation
    assert [table.match(p.values) for p in experiment.points()] == table.rows
    shares = [round(100 * row.figures["mean"] / (4 * 1050), 6) for row in table.rows]
    assert shares == [97, 92, 90, 87, 87, 79, 87, 87]
    assert {table.role(p.values, experiment.platform) for p in experiment.points()} == {"predicted"}


# Tables that ship, and those that shipped experiments are compared with, by file name.
MEASURED = {
    t.path.name: f"{t.path.parent.name}/{t.path.name}"
    for t in tables.tables()
    if t.path.parent.name == "measured"
}
SHIPPED = MEASURED | {
    Path(table).name: table
    for name in data.names("experiments")
    if (table := Experiment.load(name).reference)
}


@cache
def is_of_a_row(selector: str) -> bool:
    """Whether a selector selects anything; many boards have the same."""
    file = selector.partition(":")[0].strip()
    table = Reference.load(SHIPPED.get(file, file))
    return any(reference.selects(selector, table.name, r.conditions) for r in table.rows)


@pytest.mark.parametrize("name", data.names("platforms"))
def test_the_selectors_of_shipped_platforms_select_rows(name):
    for path, leaf in Platform.load(name).leaves():
        for selector in leaf.fitted or leaf.selected or ():
            # Manev's dataset: tests/test_usp.py looks at its selectors.
            assert "__" in selector or is_of_a_row(selector), f"{path}: {selector}"


def external(name: str) -> Path:
    path = data.find_external(name)
    if path is None:
        pytest.skip(f"{name} is not here: set AXIOMETER_REFERENCE to the public datasets")
    return path


@pytest.mark.parametrize("name", SOURCES)
def test_shipped_tables_have_the_figures_of_the_transcribed_ones(name):
    with external(SOURCES[name]).open(newline="") as file:
        printed = list(csv.DictReader(file))
    rows = Reference.load(name).rows
    assert len(rows) == len(printed)
    for row, source in zip(rows, printed, strict=True):
        ports = source.get("hp_ports", "F2S")
        width = source.get("port_width_bits") or source["f2s_width_bits"]
        assert row.conditions == {
            "ports": reference.condition("ports", ports),
            "mode": MODES[source["mode"]],
            "width_bits": int(width),
            "pl_mhz": int(source.get("pl_mhz") or source["fpga_mhz"]),
            "transfer_bytes": 2**25,
        }
        columns = ("avg", "min", "max", "sigma", "expected")
        wanted = [float(source[f"{column}_MBps"]) for column in columns]
        assert list(row.published().values()) == wanted
        assert row.figures["efficiency_pct"] == float(source["efficiency_pct"])


@pytest.mark.parametrize(
    ("name", "column", "count"),
    [
        ("gobel.csv", "xilinx_zynq7020_printed", lambda of: len(of["ports"])),
        ("gobel-intel.csv", "intel_cyclonev_se_printed", lambda of: of["width_bits"] // 64),
    ],
)
def test_the_shipped_predictions_have_the_figures_of_the_transcribed_ones(name, column, count):
    with external("papers/vieira2020_table2_gobel_bandwidth.csv").open(newline="") as file:
        printed = {
            (row["group"].split()[0], row["item"][0]): float(row[column])
            for row in csv.DictReader(file)
            if row["item"].endswith("@ 110 MHz")
        }
    rows = Reference.load(f"vieira2020-table2-{name}").rows
    assert [count(row.conditions) for row in rows] == [1, 2, 4]
    for row in rows:
        ports = str(count(row.conditions))
        assert row.figures["mean"] == printed["Real", ports]
        assert row.figures["expected"] == printed["Theoretical", ports]


def test_a_public_dataset_holds_only_for_what_it_measured():
    table = Reference("stream_bytes,avg_MBps\n65536,1500\n", "stress.csv")
    experiment = Experiment.load("zybo-stream-size", ["transfer_bytes=64KiB"])
    values = experiment.points()[0].values
    assert table.match(values).figures["mean"] == 1500
    for other in (
        {"ports": ["HP1"]}, {"width_bits": 32}, {"mode": "ps_to_pl"}, {"pl_mhz": 150},
        {"ports": ["HP0", "HP1"]},
    ):  # fmt: skip
        assert table.match(values | other) is None, other


def test_an_absent_dataset_is_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("AXIOMETER_REFERENCE", str(tmp_path))
    table, why = reference.for_experiment(Experiment.load("zcu102-stride"))
    assert table is None
    assert "AXIOMETER_REFERENCE" in why


def test_what_a_head_says_to_programs_is_no_citation():
    said = reference.for_experiment(Experiment.load("zcu102-mixed"))[0].citation
    assert said.startswith("Manev, Vaishnav, Koch") and " = " not in said


SPEEDTEST = (
    "platform,ports,mode,pl_mhz,burst_bytes,stride_bytes,repeats,port,"
    "total_MBps,total_MBps_min,total_MBps_max,total_MBps_std"
    """
zcu102,HP0+HP3,duplex,299.999997,128,128,10,,9000.5,8999,9001,0.5
zcu102,HP0+HP3,duplex,299.999997,128,128,10,HP0,4500,4499,4501,0.5
zcu102,HP0,read,299.999997,128,8320,10,,4000,3999,4001,0.5
"""
)


def test_the_dataset_of_free_runs_is_understood():
    table = Reference(SPEEDTEST, "speedtest.csv")
    assert len(table.rows) == 2  # a port's row is no configuration
    board = Platform.load("zcu102")
    mixed = {"ports": "HP0+HP3", "mode": "mixed", "burst_bytes": 128, "duration": "5ms"}
    found = table.match(single(board, mixed).values)
    assert found.figures == {"mean": 9000.5, "min": 8999, "max": 9001, "std": 0.5}
    strided = {"ports": "HP0", "mode": "read", "burst_bytes": 128, "pattern": "stride:8320"}
    assert table.match(single(board, strided).values).figures["mean"] == 4000
    assert table.match(single(board, strided | {"pattern": "sequential"}).values) is None
    with pytest.raises(AxiometerError, match=r"speedtest.csv|a row of the dataset"):
        Reference(SPEEDTEST + "zcu102,HP0,read,fast,128,128,10,,1,1,1,1\n", "speedtest.csv")


PARTS = """\
ports,mode,width_bits,transfer_bytes,port,read_MBps,write_MBps,total_MBps,total_MBps_min
P0+P1,duplex,64,64KiB,,60,40.5,100.5,99
P0+P1,duplex,64,64KiB,P1,20,10.5,30.5,30
P0+P1,duplex,64,64KiB,P0,40,30,70,69
"""


def test_rows_of_single_ports_belong_to_their_configuration():
    table = Reference(PARTS, "parts.csv")
    assert len(table.rows) == 1
    found = table.match(tiny())
    assert found.figures == {"mean": 100.5, "min": 99.0}
    published = found.published()
    assert (published["read_MBps"], published["write_MBps"]) == ({"mean": 60}, {"mean": 40.5})
    assert published["by_port"]["P1"] == {
        "total_MBps": {"mean": 30.5, "min": 30},
        "read_MBps": {"mean": 20},
        "write_MBps": {"mean": 10.5},
    }


def test_ports_alone_add_up_to_their_configuration():
    head, _, *ports = PARTS.splitlines()
    table = Reference("\n".join([head, *ports]), "parts.csv")
    assert table.match(tiny()).figures == {"mean": 100.5}
    assert table.match(tiny()).published()["read_MBps"] == {"mean": 60}


@pytest.mark.parametrize(
    ("more", "line", "message"),
    [
        ("P0+P1,duplex,64,64KiB,P2,1,1,2,1", 5, "port is 'P2', but ports are P0"),
        ("P0+P1,duplex,64,64KiB,P1,1,1,2,1", 5, "a second row of P1"),
        ("P0+P1,read,64,64KiB,P1,1,1,2,1", 5, "rows of P1, but none of P0"),
        ("P0+P1,read,64,64KiB,,fast,1,2,1", 5, "read_MBps is 'fast'"),
        ("P0+P1,read,64,64KiB,,nan,1,2,1", 5, "read_MBps is 'nan'"),
        ("P0+P1,read,64,64KiB,,1,2,1", 5, "8 cells under 9 columns"),
    ],
)
def test_rows_of_ports_that_are_not_right(more, line, message):
    with kit.refuses(match=message, line=line):
        Reference(PARTS + more + "\n", "parts.csv")


def test_a_table_that_does_not_say_how_long_holds_for_free_runs():
    table = Reference("ports,mode,burst_bytes,total_MBps\nHP0,mixed,128,8500\n", "mine.csv")
    board = Platform.load("zcu102")
    values = {"ports": "HP0", "mode": "mixed", "burst_bytes": 128}
    assert table.match(single(board, values | {"duration": "1ms"}).values) is table.rows[0]
    assert table.match(single(board, values | {"mode": "read"}).values) is None
