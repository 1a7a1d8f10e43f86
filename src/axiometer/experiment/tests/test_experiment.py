import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kit
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment, keys_processor, run_length
from axiometer.experiment.keys import Given
from axiometer.experiment.points import normalise, single
from axiometer.platform import Platform

TINY = Platform(kit.PLATFORM, "tiny.toml")
# What the keys of the processor's side are where none is given.
PROCESSOR = {name: usual for name, (_, _, usual) in keys_processor.CHOICES.items()} | {
    "ring_depth": 1, "dma_burst_bytes": None, "copy_bytes": None, "slave": None, "program": None
}  # fmt: skip
HEAD = 'name = "e"\ntitle = "E"\nplatform = "tiny"\n'


def experiment(body: str, *overlay: str) -> Experiment:
    return Experiment(HEAD + body, "e.toml", overlay, TINY)


def values(body: str, *overlay: str) -> dict:
    (point,) = experiment(body, *overlay).points()
    return point.values


def test_points_are_the_product_with_the_first_key_slowest():
    points = Experiment(kit.EXPERIMENT, "small.toml", (), TINY).points()
    assert [p.index for p in points] == list(range(6))
    assert [list(p.key.items()) for p in points][:4] == [
        [("mode", "duplex"), ("ports", "P0")],
        [("mode", "duplex"), ("ports", "P0+P1")],
        [("mode", "duplex"), ("ports", "P0+P1+P2")],
        [("mode", "ps_to_pl"), ("ports", "P0")],
    ]
    assert points[2].values["ports"] == ["P0", "P1", "P2"]
    assert points[0].values["transfer_bytes"] == 65536


def test_missing_keys_have_defaults():
    assert values('[defaults]\nports = "P2"\ntransfer_bytes = 64') == {
        "ports": ["P2"], "mode": "duplex", "width_bits": 128, "pl_mhz": 100, "burst_beats": 16,
        "burst_bytes": 256, "transfer_bytes": 64, "duration_s": None, "repeats": 20,
        "pattern": "sequential", "outstanding_read": None, "outstanding_write": None,
        "masters_per_port": 1, "through": None, "background": None, "gap_cycles": 0,
        "skew_us": None, "placement": "aligned", "mapping": "row-bank-column", "qos": None,
        "accelerators": 4, "fill": "burst", "seed": 0, **PROCESSOR,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        ("P0+P1", ["P0", "P1"]),
        ("P1+P0", ["P0", "P1"]),
        ("P0,1,2", ["P0", "P1", "P2"]),
        ("P0, P2", ["P0", "P2"]),
        ("AXI_P0", ["P0"]),
        ("p0 + p1", ["P0", "P1"]),
    ],
)
def test_spellings_of_ports(text, ports):
    body = f'[defaults]\nports = "{text}"\nwidth_bits = 64\ntransfer_bytes = 64'
    assert values(body)["ports"] == ports


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('mode = "read"', {"mode": "ps_to_pl"}),
        ('mode = "write"', {"mode": "pl_to_ps"}),
        ("burst_bytes = 64", {"burst_beats": 8, "burst_bytes": 64}),
        ('burst_bytes = "128B"', {"burst_beats": 16}),
        ("burst_beats = 4", {"burst_bytes": 32}),
        ('pattern = "stride:4KiB"', {"pattern": "stride:4096"}),
        ("pl_mhz = 133.5", {"pl_mhz": 133.5}),
        ("skew_us = 2", {"skew_us": 2.0}),
        ('mapping = "bank-row-column"', {"mapping": "bank-row-column"}),
    ],
)
def test_normalised_values(line, found):
    got = values(f'[defaults]\nports = "P0"\ntransfer_bytes = 64\n{line}')
    assert found.items() <= got.items()


def test_a_duration_takes_the_place_of_a_size():
    got = values('[defaults]\nports = "P0"\nduration = "10ms"')
    assert (got["transfer_bytes"], got["duration_s"]) == (None, 0.01)


def test_of_two_that_exclude_each_other_the_one_in_a_file_is_shown():
    """The other, from a command's option, has no line."""
    options = {"burst_beats": Given(1), "ports": Given("P0"), "transfer_bytes": Given(64)}
    with pytest.raises(AxiometerError, match="exclude each other") as error:
        normalise({**options, "burst_bytes": Given(64, "e.toml", 1)}, TINY)
    assert (error.value.file, error.value.line) == ("e.toml", 1)


def test_a_point_that_is_there_twice_is_shown_at_the_key_that_changes_fastest():
    with pytest.raises(AxiometerError, match="is the same point as") as error:
        experiment(
            '[sweep]\ntransfer_bytes = [64]\nburst_beats = [1]\nports = ["P0+P1", "P1+P0"]'
        ).points()
    assert error.value.line == (HEAD + "[sweep]\n\n\nports").count("\n") + 1


def test_listed_points_follow_the_sweep():
    points = experiment(
        '[defaults]\ntransfer_bytes = 64\nports = "P0"\n'
        '[sweep]\nburst_beats = [1, 2]\n[[point]]\nports = "P1"\nburst_bytes = 32'
    ).points()
    assert [p.key for p in points] == [
        {"burst_beats": 1},
        {"burst_beats": 2},
        {"ports": "P1", "burst_bytes": 32},
    ]
    assert [p.values["burst_beats"] for p in points] == [1, 2, 4]


def test_overlay_replaces_defaults_and_sweeps():
    def points(*overlay):
        return Experiment(kit.EXPERIMENT, "small.toml", overlay, TINY).points()

    assert {p.values["repeats"] for p in points("repeats=3")} == {3}
    assert [p.key["ports"] for p in points("ports=P0+P1,P2", "mode=read")] == ["P0+P1", "P2"]
    assert points("ports=P0,1", "mode=duplex")[0].values["ports"] == ["P0", "P1"]
    assert [p.key for p in points("burst_beats=2,4", "mode=read", "ports=P0")] == [
        {"mode": "read", "ports": "P0", "burst_beats": 2},
        {"mode": "read", "ports": "P0", "burst_beats": 4},
    ]
    assert {p.values["duration_s"] for p in points("duration=1ms")} == {0.001}


def test_platform_figures_can_be_set_in_file_and_overlay():
    body = 'set."controller.starve_clocks" = 32\n[defaults]\nports = "P0"'
    assert experiment(body).platform.value("controller.starve_clocks") == 32
    body = '[defaults]\nports = "P0"\nset.controller.starve_clocks = 16'
    assert experiment(body).platform.value("controller.starve_clocks") == 16
    for setting in ("platform.controller.starve_clocks=8", "controller.starve_clocks=8"):
        assert experiment(body, setting).platform.value("controller.starve_clocks") == 8
    assert TINY.value("controller.starve_clocks") == 64


def test_a_single_point_needs_no_file():
    point = single(TINY, {"ports": "P0", "transfer_bytes": "4KiB"})
    assert point.values["transfer_bytes"] == 4096
    with pytest.raises(AxiometerError, match="did you mean 'ports'"):
        single(TINY, {"prots": "P0"})


_widths = st.lists(st.sampled_from([32, 64]), min_size=1, unique=True)
_modes = st.lists(st.sampled_from(["duplex", "read", "write"]), min_size=1, unique=True)
_bursts = st.lists(st.integers(1, 16), min_size=1, max_size=5, unique=True)


@given(st.permutations(["width_bits", "mode", "burst_beats"]), _widths, _modes, _bursts)
def test_expansion_is_the_product_in_the_order_of_the_file(order, widths, modes, bursts):
    lists = {"width_bits": widths, "mode": modes, "burst_beats": bursts}
    body = '[defaults]\nports = "P0"\ntransfer_bytes = 64\n[sweep]\n'
    for name in order:
        items = ", ".join(f'"{v}"' if isinstance(v, str) else str(v) for v in lists[name])
        body += f"{name} = [{items}]\n"
    points = experiment(body).points()
    expected = list(itertools.product(*(lists[name] for name in order)))
    assert [tuple(p.key.values()) for p in points] == expected
    assert all(list(p.key) == order for p in points)
    for p in points:
        again = {k: v for k, v in p.values.items() if v is not None and k not in run_length.NAMES}
        del again["burst_bytes"]
        again["ports"] = "+".join(again["ports"])
        assert single(TINY, again).values == p.values


POINTS = {
    "de1-soc-f2s-bandwidth": 12, "de1-soc-stream-size": 96, "gobel-f2s-bandwidth": 3,
    "gobel-hp-bandwidth": 3, "zybo-hp-bandwidth": 30, "zybo-hp-read-150mhz": 5,
    "zybo-stream-size": 24,
    "zedboard-best-master": 84, "zedboard-frequency-effect": 40, "zedboard-gp1-linux": 672,
    "zedboard-gp1-linux-dma": 294, "zedboard-gp1-transfer": 840, "zedboard-masters": 3,
    "zedboard-masters-fabric": 6, "zedboard-masters-jobs": 9, "zedboard-zero-copy": 24,
    "zynq-ddr-efficiency": 8, "zynq-interfaces": 22, "zynq-masters": 20,
    **{f"{board}-{of}": count for board in ("zcu102", "ultra96") for of, count in (
        ("stride", 36), ("random", 36), ("mapping", 72), ("multiplexer", 80), ("neighbours", 60))},
}  # fmt: skip


@pytest.mark.parametrize("name", data.names("experiments"))
def test_shipped_experiments(name):
    shipped = Experiment.load(name)
    points = shipped.points()
    assert (shipped.name, len(points)) == (name, POINTS.get(name, len(points)))
    if name not in POINTS and not name.endswith("convolution"):  # swept over ports and bursts
        assert len(points) == 15 * 60


def test_shipped_rows_stand_in_the_order_of_the_paper():
    points = Experiment.load("zybo-hp-bandwidth").points()
    assert points[16].key == {"width_bits": 64, "mode": "duplex", "ports": "HP0+HP1"}
    points = Experiment.load("de1-soc-f2s-bandwidth").points()
    assert points[4].key == {"mode": "ps_to_pl", "width_bits": 32}


@pytest.mark.parametrize(
    ("board", "port", "mode"), [("zybo", "HP0", "duplex"), ("zcu102", "HP0", "mixed")]
)
def test_both_directions_are_what_the_engines_of_a_board_do(board, port, mode):
    platform = Platform.load(board)
    assert single(platform, {"ports": port, "mode": "both"}).values["mode"] == mode
    for each in ("duplex", "mixed"):  # either can be asked of any board
        assert single(platform, {"ports": port, "mode": each}).values["mode"] == each
