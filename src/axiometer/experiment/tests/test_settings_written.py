"""`settings.written` writes what `settings.literal` reads."""

import pytest

from axiometer.experiment import settings


@pytest.mark.parametrize("value", [8, -1, 0.5, 1e-9, 1e22, True, False, "duplex", "HP0+HP1"])
def test_a_value_is_read_as_it_was_written(value):
    again = settings.literal(settings.written(value))
    assert again == value
    assert type(again) is type(value)


def test_a_list_is_written_as_a_sweep():
    given = settings.choices("burst_beats", settings.written([8, 16]))
    assert [one.value for one in given] == [8, 16]
    assert settings.written((True, "a")) == "true,a"
