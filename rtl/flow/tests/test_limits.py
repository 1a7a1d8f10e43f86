"""No block can be built that may have no burst in flight: it would wait for ever."""

import pytest
from flow import tools

BLOCKS = [
    ("dma", "axm_dma", "MAX_OUTSTANDING", {}),
    ("dma", "axm_dma_read", "MAX_OUTSTANDING", {}),
    ("dma", "axm_dma_write", "MAX_OUTSTANDING", {}),
    ("traffic", "axm_traffic", "OUTSTANDING", {}),
    ("monitor", "axm_monitor", "OUTSTANDING", {}),
    ("convolution", "axm_convolution", "OUTSTANDING", {}),
    ("masters", "axm_master_full", "OUTSTANDING", {"IMPROVED": 1}),  # the plain form has one
    ("masters", "axm_master_lite", "OUTSTANDING", {"IMPROVED": 1}),
    ("mux", "axm_mux", "LIMIT", {}),
    ("mux", "axm_mux", "ORDER_DEPTH", {}),
    ("tops/dma", "axm_dma_top", "MAX_OUTSTANDING", {}),
    ("tops/traffic", "axm_traffic_top", "OUTSTANDING", {}),
    ("tops/master", "axm_master_top", "OUTSTANDING", {"IMPROVED": 1}),
    ("tops/convolution", "axm_convolution_top", "OUTSTANDING", {}),
]


@pytest.mark.parametrize(("room", "top", "name", "values"), BLOCKS)
def test_none_in_flight_is_refused(room, top, name, values):
    said = tools.fault(top, tools.sources(room), {name: 0, **values})
    assert f"{name}_must_be" in said
