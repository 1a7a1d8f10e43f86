"""A list of masters that says the same as keys has the same measured rows, band and best
change."""

import pytest

import axiometer as axm

SAME = [
    ("zybo", {"ports": "HP0+HP1", "mode": "duplex", "width_bits": 32}, "pair"),
    ("zybo", {"ports": "HP0+HP2", "mode": "read"}, "read"),
    ("ultra96", {"ports": "HP0+HP3", "mode": "write", "pl_mhz": 300, "burst_bytes": 64}, "write"),
    ("zcu102", {"ports": "HP1", "mode": "read", "pl_mhz": 300, "gap_cycles": 24}, "read"),
]


@pytest.mark.parametrize(("board", "keys", "direction"), SAME)
def test_a_list_has_the_measured_rows_of_keys(board, keys, direction):
    kept = {k: v for k, v in keys.items() if k not in ("ports", "mode")}
    point = axm.expect(board, **keys)
    length = {k: v for k in ("transfer_bytes",) if (v := point.point.values[k])}
    masters = [
        {"kind": "engine", "name": f"m{port}", "port": port, "direction": direction, **kept}
        for port in keys["ports"].split("+")
    ]
    as_list = axm.expect(board, masters=masters, **length)
    found, its = ([(m.table.path.name, m.rate) for m in of.measured] for of in (point, as_list))
    assert its == found
    assert as_list.total == pytest.approx(point.total, rel=1e-9)
    assert as_list.band == pytest.approx(point.band, rel=1e-9)
    # One more port is another list of masters; every other change is offered in both forms.
    best, its_best = (of.answer.remedy.trials for of in (point, as_list))
    gains = [trial.gain for trial in best if "ports" not in trial.keys]
    assert [trial.gain for trial in its_best][: len(gains)] == pytest.approx(gains, rel=1e-3)


def test_rows_are_there_to_be_found():
    assert sum(bool(axm.expect(board, **keys).measured) for board, keys, _ in SAME) >= 3
