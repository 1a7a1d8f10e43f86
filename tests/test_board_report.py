"""The report of a board: its figures are those of the run and the published table."""

import json
import re
import shlex

import pytest

import browser_kit
from axiometer.__main__ import main
from axiometer.answer.analysis.configuration_figures import Figures
from axiometer.experiment import question_link
from axiometer.present import board, board_charts
from axiometer.records.store import opened

BURSTS = (64, 256, 512)
SETS = ("HP0", "HP1+HP2", "HP1+HP2+HP3")
# A published table with ports, at rates that no model gives; HP0 at 64 B is a row that figures of
# the platform were fitted on if the file has the dataset's name.
HEAD = (
    "platform,ports,mode,pl_mhz,burst_bytes,stride_bytes,repeats,port,"
    "read_MBps,write_MBps,total_MBps,read_latency_avg_cycles,max_read_inactivity_cycles"
)


def published():
    lines = [HEAD]
    for ports in SETS:
        names = ports.split("+")
        for burst in BURSTS:
            key = f"zcu102,{ports},duplex,299.999997,{burst},{burst},10"
            each = [(n, 1000 * (1 + int(n[-1])), 500) for n in names]
            read, write = sum(r for _, r, _ in each), 500 * len(each)
            lines.append(f"{key},,{read},{write},{read + write},777,")
            lines += [f"{key},{n},{r},{w},{r + w},700,{90 + int(n[-1])}" for n, r, w in each]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("board")
    path = folder / "runs.sqlite"
    table = folder / "zcu102__base_300mhz.csv"
    table.write_text(published())
    words = ["run", "zcu102-mixed", "--store", str(path), "--jobs", "1"]
    words += ["--set", "ports=" + ",".join(SETS), "--set", "duration=600us"]
    assert main([*words, "--set", "burst_bytes=" + ",".join(map(str, BURSTS))]) == 0
    words = ["run", "zcu102-random", "--store", str(path), "--jobs", "1"]
    assert main([*words, "--set", "burst_bytes=64,128", "--set", "duration=400us"]) == 0
    return path, table


@pytest.fixture(scope="module")
def runs(store):
    path, table = store
    kept = opened.of_experiments(board.experiments("zcu102"), path)
    return board.of_runs(kept, [str(table)])


def test_runs_of_a_board_are_found_and_its_main_ones_are_named(runs):
    assert [(run.view.name, run.whole) for run in runs] == [
        ("zcu102-mixed", True),
        ("zcu102-random", False),
    ]
    assert len(runs[0].spots) == len(SETS) * len(BURSTS)


def test_figures_are_those_of_the_run_and_of_the_table(runs):
    for spot in runs[0].spots:
        own, theirs = spot.own, spot.published
        assert own.total == pytest.approx(spot.row.mean)
        assert sum(map(sum, own.by_port.values())) == pytest.approx(own.total)
        assert own.write_share == pytest.approx(own.write / own.total * 100)
        assert sum(own.share(port) for port in spot.ports) == pytest.approx(100)
        assert own.latency > 60
        rates = [1000 * (1 + int(port[-1])) + 500 for port in spot.ports]
        assert theirs.total == sum(rates)
        assert theirs.latency == 777
        assert theirs.inactivity == 90 + int(spot.ports[-1][-1])
        if len(rates) > 1:
            assert theirs.spread == pytest.approx(max(rates) / min(rates))
    fitted = {(s.name, s.burst) for s in runs[0].spots if s.row.role == "fitted"}
    assert ("HP0", 64) in fitted
    assert ("HP1+HP2", 512) not in fitted


def test_the_spread_of_a_starved_port_is_no_number():
    assert Figures(10, 5, 5, {"HP0": (5, 5), "HP1": (0, 0)}).spread is None
    assert Figures(10, 5, 5, {"HP0": (5, 5)}).spread is None
    assert Figures(15, 5, 10, {"HP0": (5, 5), "HP1": (0, 5)}).spread == 2


def test_charts_keep_fitted_and_predicted_points_apart(runs):
    for kind in board_charts.KINDS[:4]:
        shapes = {}
        for _, chart in board_charts.panels(runs[0], kind):
            for layer in chart.to_dict()["layer"]:
                if "datum.role" in str(layer.get("transform")):
                    role = layer["transform"][0]["filter"].rsplit("'", 2)[1]
                    shapes.setdefault(role, set()).add(layer["mark"]["shape"])
        assert shapes == {"predicted": {"diamond"}, "fitted": {"square"}}
    captions = [caption for caption, _ in board_charts.shares(runs[0])]
    assert captions == ["HP1+HP2", "HP1+HP2+HP3"]  # published shares are uneven in both


def test_the_page_has_every_point_and_asks_for_nothing(store, tmp_path, capsys):
    path, table = store
    page = tmp_path / "board.html"
    words = ["report", "--board", "zcu102", "--store", str(path), "--with", str(table)]
    assert main([*words, "-o", str(page)]) == 0
    text = page.read_text()
    specs = json.loads(re.search(r'id="specs">(.*?)</script>', text, re.S)[1])
    assert all(entry["lazy"] and f'id="{entry["id"]}"' in text for entry in specs)
    rates = [row for row in _rows(specs[0]) if row["ports"] == "HP0"]
    assert [(row["x"], row["published"]) for row in rates] == [(b, 1500) for b in BURSTS]
    assert {row["role"] for row in rates} == {"fitted", "predicted"}
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=.?http", text)
    for words in ("Fairness", "Share of writes", "Mean read latency", "Bottleneck of each"):
        assert words in text
    assert "Truly random bursts" in text
    address = f"{question_link.ADDRESS}#board=zcu102&amp;ports="
    links = re.findall(rf'{address}([^&]+)[^"]+" aria-label="\d+ MB/s, (\S+) at', text)
    assert links == [(ports.replace("+", ","), ports) for ports in SETS]


def _rows(entry):
    spec = entry["spec"]
    return spec["data"]["values"] if "data" in spec else spec["layer"][0]["data"]["values"]


def test_without_a_table_the_page_has_the_figures_that_ship(store, tmp_path):
    path, _ = store
    page = tmp_path / "board.html"
    assert main(["report", "--board", "zcu102", "--store", str(path), "-o", str(page)]) == 0
    text = page.read_text()
    assert "Published: Manev, Vaishnav, Koch" in text
    assert "datum.role" in text
    assert "zcu102-random names no published figures" in text


def test_it_draws_in_a_browser_as_one_scrolls(store, tmp_path, browser, cli):
    path, table = store
    page = tmp_path / "board.html"
    cli("report --board zcu102 --store", path, "--with", table, "-o", page)
    for width in (1280, 400):
        tab = browser_kit.opened(browser, page, viewport={"width": width, "height": 900})
        tab.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        browser_kit.draw_all(tab)
        tab.locator(".chart.grid").first.locator(".mark-rect path").nth(4).click(force=True)
        command = tab.locator(".picked code").first
        command.wait_for(timeout=5_000)
        cli(*shlex.split(command.inner_text())[1:], "--store", path)
        assert tab.said == []
        assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        tab.context.close()
