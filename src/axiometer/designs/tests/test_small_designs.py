"""The small designs of the reference data: each is read with the facts that its file has."""

import pytest

import design_kit
from axiometer.designs import load
from axiometer.designs.model import Design


def masters(design: Design) -> dict:
    """Port, directions, bits and MHz (None: unknown) of each master."""
    return {
        m.name: (*m.ports, "+".join(m.directions), m.width_bits, mhz(design, m.clock))
        for m in design.masters
    }


def mhz(design: Design, name: str | None) -> float | None:
    found = design.clock(name)
    return None if found is None else round(found.mhz, 3)


def port_mhz(design: Design) -> dict:
    return {p.name: mhz(design, p.clock) for p in design.ports}


# File, what is read from its design, and what that must be.
ROWS = [
    ("r12_query_guard.tcl", masters, {"dma.M_AXI_S2MM": ("HP0", "write", 32, 100)}),
]


@pytest.mark.parametrize(("file", "read", "right"), ROWS, ids=[row[0] for row in ROWS])
def test_facts_of_a_small_design(file, read, right):
    assert read(load(design_kit.reference(f"small/{file}"))) == right
