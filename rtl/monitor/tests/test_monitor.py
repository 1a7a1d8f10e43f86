import pytest
from flow import cocotb_run, mlab, tools

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
