"""No path of logic from a pin to a pin, and no memory that only one vendor's tool makes of RAM."""

import pytest
from flow import readers, structure

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
    assert structure.bare(looked(top, values)) == []
