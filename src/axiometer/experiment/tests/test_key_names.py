"""Other words for keys."""

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.designs import changes
from axiometer.experiment import key_names, master_keys
from axiometer.experiment.keys import KEYS, Given, checked

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
    with pytest.raises(AxiometerError, match="unknown key") as caught:
        checked(word, Given(1, "--set"))
    assert right in caught.value.remedy


def test_masters_and_designs_have_their_own():
    with pytest.raises(AxiometerError) as caught:
        checked("master.v.freq", Given(1))
    assert caught.value.remedy == "did you mean 'pl_mhz'?"
    assert key_names.remedy("freq", changes.MASTER_KEYS) == "did you mean 'clock_mhz'?"
