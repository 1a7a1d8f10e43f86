"""No path of logic from a pin to a pin, and no memory that only one vendor's tool makes of RAM."""

import re

import pytest
from flow import fault, readers, structure, tools

# Beside the parameters of DESIGNS, those that leave out other logic.
VARIANTS: dict[str, list[dict[str, object]]] = {
    "axm_dma_top": [{"MODE": 1}, {"MODE": 2, "RINGS": 1}, {"MODE": 3}],
    "axm_master_top": [{"FULL": 0}],
    "axm_slave_top": [{"FULL": 0}],
}
CASES = [(top, values) for top, (_, values) in readers.DESIGNS.items() if top != "axm_dma"] + [
    (top, values) for top, variants in VARIANTS.items() for values in variants
]


def looked(top, values):
    return structure.look(top, readers.DESIGNS[top][0], values)


@pytest.mark.parametrize(("top", "values"), CASES)
def test_every_path_has_a_register(top, values):
    """AXI: no combinational path from inputs to outputs. An interrupt comes of a register."""
    found = looked(top, values)
    assert found["paths"] == {}
    assert found.get("irq", True)


@pytest.mark.parametrize(("top", "values"), CASES)
def test_unclocked_memories_are_mlabs(top, values):
    """Quartus makes registers of a memory that is read without a clock, but for this attribute; if
    a register is its address, Quartus can make it as it is written (docs/rtl-results.md)."""
    assert bare(looked(top, values)) == []


def bare(found):
    return [
        memory["place"] for memory in found["memories"]
        if memory["ramstyle"] != "MLAB, no_rw_check"
        and not (memory["at_register"] and memory["ramstyle"] == "MLAB")
    ]  # fmt: skip


MUTANTS = {
    "ready follows valid": (
        "axm_vendor_top", "axm_axil_demux", "s_axil_arready = read_ready",
        "s_axil_arready = take_read",
        lambda found: found["paths"].keys() == {"s_axil_arready"},
    ),
    "ready follows the other side's": (
        "axm_slave_top", "axm_ram_full", "s_axi_wready = aw_valid",
        "s_axi_wready = s_axi_bready && aw_valid",
        lambda found: found["paths"] == {"s_axi_wready": ["s_axi_bready"]},
    ),
    "interrupt of logic": (
        "axm_vendor_top", "axm_vendor_top", "always_ff @(posedge clk) irq <= |port_irq;",
        "assign irq = |port_irq;",
        lambda found: found["paths"] == {"irq": ["engine_irq"]} and not found["irq"],
    ),
    "memory without attribute": (
        "axm_vendor_top", "axm_small_ram", ', ramstyle = "MLAB, no_rw_check"', "",
        lambda found: len(bare(found)) == len(found["memories"]) > 0,
    ),
    "a register is its address, without attribute": (
        "axm_dma_top", "axm_dma_list", ', ramstyle = "MLAB"', "",
        lambda found: any("u_queue.u_done" in place for place in bare(found)),
    ),
    "an address of logic": (
        "axm_dma_top", "axm_dma_list", "memory[tail[COUNT_W", "memory[tail_next[COUNT_W",
        lambda found: len(bare(found)) > 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_seen(name):
    top, module, old, new, seen = MUTANTS[name]
    sources, values = readers.DESIGNS[top]
    folder = tools.ROOT / "build" / "structure" / re.sub(r"\W+", "-", name)
    folder.mkdir(parents=True, exist_ok=True)
    changed = fault.put(sources, module, old, new, folder)
    assert seen(structure.look(top, changed, values))
