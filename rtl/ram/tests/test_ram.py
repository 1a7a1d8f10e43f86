import pytest
from flow import cocotb_run, tools

ROOM = tools.RTL / "ram"
SOURCES = tools.sources("ram")


@pytest.mark.parametrize(
    ("data_w", "axi3", "id_w", "size", "queue"),
    [(32, 0, 1, 1024, 64), (64, 1, 4, 4096, 8), (128, 0, 6, 2048, 16), (256, 1, 8, 2048, 4)],
)
def test_ram_full(data_w, axi3, id_w, size, queue):
    cocotb_run.run(
        "axm_ram_full",
        SOURCES,
        "cocotb_ram_full",
        {"DATA_W": data_w, "AXI3": axi3, "ID_W": id_w, "BYTES": size, "QUEUE": queue},
        env={"AXI3": str(axi3), "BYTES": str(size)},
    )


@pytest.mark.parametrize("data_w", [32, 64])
def test_ram_lite(data_w):
    cocotb_run.run("axm_ram_lite", SOURCES, "cocotb_ram_lite", {"DATA_W": data_w})
