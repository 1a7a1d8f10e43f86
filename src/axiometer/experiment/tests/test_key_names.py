"""Other words for keys."""

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.designs import changes
from axiometer.experiment import Experiment, key_names, master_keys, settings
from axiometer.experiment.keys import KEYS, Given, checked
from axiometer.experiment.points import single
from axiometer.platform import Platform, limits

ALL = {*KEYS, *master_keys.KEYS, *changes.MASTER_KEYS, *changes.CLOCK_KEYS}


def test_each_word_means_keys_that_exist():
    for word, keys in key_names.table().items():
        assert keys and set(keys) <= ALL, word
        # Other places have the word as a key of their own: it is no other word for the same.
        assert word not in KEYS


@pytest.mark.parametrize(
    ("word", "right"),
    [
        ("bytes", "did you mean 'transfer_bytes' or 'burst_bytes'?"),
        ("Size", "'transfer_bytes' or 'burst_bytes'"),
        ("burst", "'burst_bytes' or 'burst_beats'"),
        ("width", "did you mean 'width_bits'?"),
        ("clock", "did you mean 'pl_mhz'?"),
        ("freq", "did you mean 'pl_mhz'?"),
        ("transfer_byte", "did you mean 'transfer_bytes'"),
        ("colour", "known keys: ports, mode"),
    ],
)
def test_an_unknown_key_of_a_point_suggests_the_right_one(word, right):
    with kit.refuses(match="unknown key", remedy=right):
        checked(word, Given(1, "--set"))


def test_masters_and_designs_have_their_own():
    with pytest.raises(AxiometerError) as caught:
        checked("master.v.freq", Given(1))
    assert caught.value.remedy == "did you mean 'pl_mhz'?"
    assert key_names.remedy("freq", changes.MASTER_KEYS) == "did you mean 'clock_mhz'?"


@pytest.mark.parametrize("value", [8, -1, 0.5, 1e-9, 1e22, True, False, "duplex", "HP0+HP1"])
def test_a_value_is_read_as_it_was_written(value):
    again = settings.literal(settings.written(value))
    assert again == value
    assert type(again) is type(value)


def test_a_list_is_written_as_a_sweep():
    given = settings.choices("burst_beats", settings.written([8, 16]))
    assert [one.value for one in given] == [8, 16]
    assert settings.written((True, "a")) == "true,a"


HEAD = 'name = "e"\ntitle = "E"\nplatform = "tiny"\n'
TINY = Platform(kit.PLATFORM, "tiny.toml")
MASTER = {"kind": "engine", "port": "P0", "direction": "read"}


def points(body, *overlay):
    return Experiment(HEAD + body, "e.toml", overlay, TINY).points()


def test_a_value_with_a_unit_in_a_file_equals_its_number():
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
