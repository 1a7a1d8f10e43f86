import pytest
from flow import cocotb_run, fault, mlab, tools

SOURCES = tools.sources("monitor")


def run(values, testcase, sources=SOURCES, **env):
    width = str(values.get("DATA_W", 64) // 8)
    cocotb_run.run(
        "axm_monitor",
        sources,
        "cocotb_monitor",
        values,
        testcase=testcase,
        env={"WIDTH_BYTES": width, **env},
    )


def test_counts():
    run(
        {},
        [
            "counts_exactly",
            "extremes_exactly",
            "pins_and_clear",
            "long_latency",
            "out_of_order",
            "capabilities",
        ],
    )


@pytest.mark.parametrize("width", [32, 128, 256])
def test_widths(width):
    run({"DATA_W": width, "ID_W": 4}, ["counts_exactly", "capabilities"], SEED=str(width))


def test_narrow():
    run({"DATA_W": 64, "NARROW": 1}, ["counts_exactly", "capabilities"], NARROW="1", SEED="7")


def test_in_mlabs(tmp_path):
    tests = ["counts_exactly", "extremes_exactly", "out_of_order"]
    run({}, tests, mlab.sources(SOURCES, tmp_path))


def test_saturation():
    run({"COUNT_W": 9}, "saturates")


def test_few_outstanding():
    run({"OUTSTANDING": 8, "ORDER": 0}, "too_many")


MUTANTS = {
    # what is wrong: file, right text, wrong text, test that notices
    "class order": (
        "axm_monitor_track.sv",
        "else if (due) class_index <= 3'd3;",
        "else if (1'b0) class_index <= 3'd3;",
        "counts_exactly",
    ),
    "latency off by one": (
        "axm_monitor_track.sv",
        "age = now - oldest_stamp;",
        "age = now - oldest_stamp + 1'b1;",
        "counts_exactly",
    ),
    "bank late": (
        "axm_monitor_core.sv",
        "sum <= rst || exchange ? '1 : sum_next;",
        "sum <= rst ? '1 : sum_next;",
        "counts_exactly",
    ),
    "extremes not of the snapshot's clock": (
        "axm_monitor_core.sv",
        "if (d == 0) begin : g_now",
        "if (d != 2) begin : g_now",
        "extremes_exactly",
    ),
    "clear forgotten": (
        "axm_monitor_gather.sv",
        "drop     <= dropping;",
        "drop     <= fresh;",
        "pins_and_clear",
    ),
    "long latency not cut": (
        "axm_monitor_track.sv",
        "over ? '1 : age",
        "1'b0 ? '1 : age",
        "long_latency",
    ),
}


@pytest.mark.parametrize("number, name", list(enumerate(MUTANTS)))
def test_mutant_is_found(number, name):
    """The checks can fail: a wrong line in the RTL trips them."""
    file, right, wrong, testcase = MUTANTS[name]
    build = tools.ROOT / "build/mutants" / f"monitor-{number}"
    build.mkdir(parents=True, exist_ok=True)
    sources = fault.put(SOURCES, file.removesuffix(".sv"), right, wrong, build)
    # Another width of the counters gives another build folder.
    with cocotb_run.fault_noticed():
        run({"COUNT_W": 46 - number}, testcase, sources)
