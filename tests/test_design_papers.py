"""The papers' own designs: `expect` gives for each export, without other options, the rate that its
paper measured. A few rows; `lab/validate/designs.py` runs all, for docs/designs.md. Designs and
the Ultra96's dataset are not distributed: skipped where absent."""

import csv

import pytest

import design_kit as kit
import kit as files
from axiometer.base import data
from test_design_masters import PAPERS
from validate import design_rows, designs, marks

# Worst row of docs/accuracy.md, and the row of Table 3 that spreads on the board, in percent.
WORST, SPREADING = 6, 12
# docs/accuracy.md, Zynq UltraScale+: nine of ten totals of this dataset are nearer.
ULTRA96 = 7.6
TABLES = {
    "zybo-hp-bandwidth": "vieira2020-table3.csv",
    "zybo-hp-read-150mhz": "vieira2020-table4.csv",
    "de1-soc-f2s-bandwidth": "vieira2020-table5.csv",
}


def rows(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def published(name, ports):
    """The row that the design measured on `ports`, its printed rate and range."""
    table, mode, width, _ = PAPERS[name]
    found = [
        row
        for row in rows(data.directory("reference") / TABLES[table])
        if (row["mode"], row["width_bits"], row["ports"]) == (mode, str(width), ports)
    ]
    (row,) = found
    return tuple(float(row[f"total_MBps{end}"]) for end in ("", "_min", "_max"))


def expected(cli, name, *arguments):
    return cli.json("expect", kit.reference(name), *arguments)


def of_ports(answer):
    """The rate at each port: of its masters together, or of the one that it has."""
    found = {part["name"]: part["total_MBps"]["mean"] for part in answer["ports"]}
    for part in answer["masters"]:
        found.setdefault(part["loads"][0]["port"], part["total_MBps"]["mean"])
    return found


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_s_design_gets_what_the_paper_measured(name, cli):
    printed = expected(cli, name)
    every = "+".join(dict.fromkeys(load["port"] for load in printed["loads"]))
    rates = {every: printed["total_MBps"]["mean"]}
    if PAPERS[name][3][0] is not None:
        rates |= {"HP0": of_ports(printed)["HP0"]}
    for ports, rate in rates.items():
        mean, low, high = published(name, ports)
        most = SPREADING if high - low > 0.2 * mean else WORST
        assert abs(rate / mean - 1) * 100 <= most, (ports, rate, mean)


def test_the_ultra96_design_gets_what_its_dataset_has(cli):
    printed = expected(cli, "ultra96-memory-test.hdf")
    table = rows(files.reference("zynq_usp_axi_speedtest", "ultra96__base_100mhz.csv"))
    rates = of_ports(printed) | {"HP0+HP1+HP2+HP3": printed["total_MBps"]["mean"]}
    assert len(rates) == 5
    for ports, rate in rates.items():
        (row,) = [
            r for r in table if (r["ports"], r["burst_bytes"], r["port"]) == (ports, "256", "")
        ]
        assert abs(rate / float(row["total_MBps"]) - 1) * 100 <= ULTRA96, (ports, rate)
    anchored = printed["anchored"]  # of its busiest point, all at once
    assert anchored["sources"] == ["Manev 2019, ultra96__base_100mhz.csv"]
    low, high = (anchored["band"][f"{end}_MBps"] for end in ("low", "high"))
    assert low <= printed["measured"][0]["total_MBps"] <= high


# Those whose rows take less than a second or two to simulate.
QUICK = [name for name in PAPERS if "max-performance" in name or "2p" in name or "intel" in name]


@pytest.mark.parametrize("name", QUICK)
def test_every_row_that_a_design_measured_is_expected_of_it(name):
    rows = list(design_rows.measured(kit.reference(name), 2))
    assert len(rows) == (5 if "intel" not in name else 4 if name in design_rows.VARIED else 1)
    for row in rows:
        assert designs.is_near(row), row


def test_the_ultra96_with_bursts_that_its_driver_set():
    path = kit.reference("ultra96-memory-test.hdf")
    design, placed = design_rows.opened(
        path, [f"MemoryTestBlock_{n}.burst_beats=64" for n in (1, 2)]
    )
    found = design_rows.row(path, design, placed, "HP1+HP2")
    if found is None:
        pytest.skip("the dataset is not here: set AXIOMETER_REFERENCE")
    row = design_rows.expected(path.name, "", design, placed, "HP1+HP2", found, 1)
    assert row.published["mean"] == pytest.approx(3216.6582)
    assert abs(row.error) <= ULTRA96


def shown():
    """The rows of docs/designs.md: (design, ports, said) to published, expected, error. Those of
    the Ultra96 are of a dataset that is not distributed."""
    part = marks.claimed("designs", "designs.md")
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in part.splitlines()]
    rows = [cell for cell in cells if len(cell) == 7 and cell[0] in PAPERS]
    return {tuple(row[:3]): tuple(map(float, row[3:6])) for row in rows}


def test_the_page_has_every_row_and_its_errors_are_right():
    found = shown()
    for name in PAPERS:
        path = kit.reference(name)
        for said, design, placed in design_rows.variants(path):
            for ports in design_rows.started(design):
                row = design_rows.row(path, design, placed, ports)
                if row is not None:
                    published, rate, error = found.pop((name, ports, said))
                    assert published == pytest.approx(row.figures["mean"], abs=0.006)
                    assert error == pytest.approx(100 * (rate / published - 1), abs=0.01)
    assert not found
