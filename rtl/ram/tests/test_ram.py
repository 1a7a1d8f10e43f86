import pytest
from flow import cocotb_run, fault, tools

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


MUTANTS = {
    "wrap stays in its block": ("axm_ram_address.sv", "(stepped & in_block)", "stepped"),
    "strobes": ("axm_ram_full.sv", "w_legal ? s_axi_wstrb", "w_legal ? '1"),
    "narrow step": ("axm_ram_address.sv", "aligned + (ADDR_W'(1) << size)", "aligned + ADDR_W'(1)"),
    "latency": ("axm_ram_delay.sv", "age > {1'b0, extra}", "age >= {1'b0, extra}"),
    "illegal write": ("axm_ram_full.sv", "w_moved && w_legal", "w_moved"),
    "back-pressure": (
        "axm_ram_full.sv",
        "wire r_fetch = ar_valid && r_free",
        "wire r_fetch = ar_valid",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name, tmp_path):
    file, old, new = MUTANTS[name]
    changed = fault.put(SOURCES, file.removesuffix(".sv"), old, new, tmp_path)
    values = {"DATA_W": 64, "ID_W": 4, "BYTES": 4096, "QUEUE": 9 - 1}
    with cocotb_run.fault_noticed():
        cocotb_run.run(
            "axm_ram_full",
            changed,
            "cocotb_ram_full",
            values,
            env={"AXI3": "0", "BYTES": "4096"},
        )
