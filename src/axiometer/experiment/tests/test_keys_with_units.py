"""Values with units, as people write them, in files, on the command line and in Python."""

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.experiment.points import single
from axiometer.platform import Platform, limits

HEAD = 'name = "e"\ntitle = "E"\nplatform = "tiny"\n'
TINY = Platform(kit.PLATFORM, "tiny.toml")
MASTER = {"kind": "engine", "port": "P0", "direction": "read"}


def points(body, *overlay):
    return Experiment(HEAD + body, "e.toml", overlay, TINY).points()


def test_a_unit_in_a_file_means_what_its_number_means():
    (written,) = points('[defaults]\nports = "P0"\npl_mhz = "0.1GHz"\ntransfer_bytes = "4K"\n')
    (plain,) = points('[defaults]\nports = "P0"\npl_mhz = 100\ntransfer_bytes = 4096\n')
    assert written.values == plain.values


def test_a_swept_clock_is_a_number_and_a_swept_size_its_text():
    found = points(
        '[defaults]\nports = "P0"\n[sweep]\npl_mhz = ["50MHz", 100]\ntransfer_bytes = ["4K"]\n'
    )
    assert [point.key for point in found] == [
        {"pl_mhz": 50, "transfer_bytes": "4K"},
        {"pl_mhz": 100, "transfer_bytes": "4K"},
    ]


def test_settings_of_the_command_line_have_units():
    body = '[defaults]\nports = "P0"\n'
    for setting, key, value in (
        ("pl_mhz=100MHz", "pl_mhz", 100),
        ("transfer_bytes=1M", "transfer_bytes", 2**20),
        ("skew_us=1ms", "skew_us", 1000),
    ):
        (point,) = points(body, setting)
        assert point.values[key] == value
    assert len(points(body, "pl_mhz=50MHz,100MHz")) == 2


def test_masters_have_units_in_tables_and_settings():
    found = single(TINY, {"masters": [{**MASTER, "rate_mbs": "0.1GB/s", "stop_us": "2ms"}]})
    (master,) = found.values["masters"]
    assert (master["rate_mbs"], master["stop_us"]) == (100, 2000)
    body = '[[master]]\nname = "v"\nkind = "engine"\nport = "P0"\ndirection = "read"\n'
    (point,) = points(body, "master.v.rate_mbs=0.2GB/s")
    assert point.values["masters"][0]["rate_mbs"] == 200
    (point,) = points(body + '[sweep]\nmaster.v.rate_mbs = ["300MB/s"]\n')
    assert point.key == {"master.v.rate_mbs": 300}


@pytest.mark.parametrize(
    ("key", "value", "right"),
    [
        ("pl_mhz", "4KiB", "Hz, kHz, MHz or GHz"),
        ("transfer_bytes", "4MHz", "B, K, M or G (1K is 1024)"),
        ("skew_us", "4MHz", "ns, us, ms or s"),
        ("burst_beats", "64B", "give a number of beats"),
        ("repeats", "5x", "a whole number"),
    ],
)
def test_a_unit_of_another_kind_is_an_error_with_the_right_ones(key, value, right):
    with pytest.raises(AxiometerError) as caught:
        points(f'[defaults]\nports = "P0"\n{key} = "{value}"\n')
    error = caught.value
    assert (error.file, error.line) == ("e.toml", 6) and right in error.remedy
    assert repr(value) in error.message


def test_a_figure_of_the_platform_has_a_unit():
    path = next(p for p, _ in TINY.leaves() if (of := limits.of_figure(p)) and of.unit == "MHz")
    number = TINY.value(path)
    assert TINY.with_overrides({path: f"{number * 1000}kHz"}).value(path) == number
    with pytest.raises(AxiometerError, match="is '4KiB'"):
        TINY.with_overrides({path: "4KiB"})


def test_each_unit_of_the_table_of_keys_that_people_write_is_known():
    for limit in limits.table("key"):
        if limit.kind == "number" and limit.unit:
            assert limit.without_unit("key", f"7{limit.unit}") == 7
