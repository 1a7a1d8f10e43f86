"""Results of `validate.others` on errors of other benches."""

from validate.others import Asked, median, summary


def asked(name, source, ratio, assumes=""):
    return Asked(name, source, 100.0, 100.0 * ratio, assumes)


FOUND = [
    *(asked(f"many-{i}", "many", 2.0, "the slave") for i in range(9)),
    asked("few", "few", 1.01),
    asked("other", "other", 1.1),
]


def test_sources_weigh_the_same_however_many_rows_they_have():
    assert abs(median(FOUND) - FOUND[-1].error) < 1e-12


def test_far_rows_are_counted_and_those_that_nothing_explains_are_named():
    lines = list(summary([*FOUND, asked("mute", "few", 0.5)]))
    assert "above 40%: 10 rows, 1 of them without a sentence" in lines
    assert any(line.endswith(": the slave") and line.startswith("many-0, ") for line in lines)
    assert lines[-1].startswith("mute: no cause is given")
    assert not any(line.startswith("mute") for line in summary(FOUND))


def test_no_rows_no_lines():
    assert list(summary([])) == []
