"""Every room's blocks take the area that its area.toml states."""

import pytest
from flow import area, tools

# Of tops there are too many for each run: test_dma_top.py counts one of each family.
ROOMS = sorted({path.parent.name for path in tools.RTL.glob("*/area.toml")} - {"tops"})


@pytest.mark.parametrize("room", ROOMS)
def test_area(room):
    assert area.deviations(room) == []
