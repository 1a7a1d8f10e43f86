"""Files of rows that somebody measured: what `measure --rows` writes is accepted, damage is not."""

import re

import pytest

import kit
from axiometer.api.calibration import calibrate
from axiometer.base.errors import AxiometerError
from axiometer.published import contributed

SHIPPED = sorted((kit.ROOT / "contrib").glob("*.csv"))
EMULATED = kit.ROOT / "contrib" / "zybo-emulated.csv"


@pytest.mark.parametrize("file", SHIPPED, ids=lambda path: path.name)
def test_what_ships_is_accepted(file):
    assert contributed.check(file)


def signed(text):
    """The text with the right sum of its table."""
    head, _, body = text.partition("\n# sum = ")
    body = body.partition("\n")[2]
    return f"{head}\n# sum = {contributed.sum_of(body)}\n{body}"


def changed(tmp_path, *changes, sign=True):
    text = EMULATED.read_text()
    for old, new in changes:
        text, count = re.subn(old, new, text, count=1, flags=re.M)
        assert count, old
    file = tmp_path / "rows.csv"
    file.write_text(signed(text) if sign else text)
    return file


def test_what_is_signed_again_is_accepted(tmp_path):
    assert changed(tmp_path).read_text() == EMULATED.read_text()


MEASURED = (r"emulated \(simulated\)$", "measured")
ROW = r"^(64,duplex,HP0,100,128,1024,\d+,,,),[^,]+,[^,]+,[^,]+,[^,]+$"


@pytest.mark.parametrize(
    ("change", "message", "sign"),
    [
        ((r"^(64,duplex,HP0,.*)\.\d", r"\1.0"), "its sum differs", False),
        ((r"^64,duplex,HP0,.*\n", ""), "its sum differs", False),
        ((r"^# board = .*\n", ""), "lacks board", True),
        ((r"^# board = .*", "# board = zyybo"), "did you mean", True),
        ((r"^# design = .*", "# design 5"), "is not a line of the head", True),
        ((r"^# form = .*", "# form = rows-9"), "has the form", True),
        ((r"^# figures = .*", "# figures = guessed"), "figures are 'guessed'", True),
        ((",total_MBps_std$", ",spread"), "lacks the columns total_MBps_std", True),
        ((ROW, r"\1,nan,1,2,0"), "total_MBps is 'nan'", True),
        ((ROW, r"\1,5,6,7,0.1"), "out of order", True),
        ((ROW, r"\1,5,4,6,3"), "σ is 3", True),
        ((ROW, r"\1,1601,1600,1602,1"), "1 ports have 1600", True),
        ((ROW, r"\1,5,4,6"), "cells", True),
        ((r"^64,duplex,HP0,", "64,duplex,HP7,"), "HP7", True),
        ((r"^64,duplex,HP0,", "64,both,HP0,"), "mode cannot be 'both'", True),
    ],
)
def test_what_is_damaged_is_refused(tmp_path, change, message, sign):
    file = changed(tmp_path, change, sign=sign)
    with pytest.raises(AxiometerError, match=message) as refused:
        contributed.check(file)
    assert str(file) in str(refused.value) or "zyybo" in message or "did you mean" in message


def test_a_board_is_no_faster_than_its_memory(tmp_path):
    row = r"^(64,duplex,HP0\+HP1\+HP2\+HP3,100,128,1024,\d+,,,),.*$"
    fast = (row, r"\1,5000,4990,5010,5")
    assert contributed.check(changed(tmp_path, fast))
    with pytest.raises(AxiometerError, match="the DRAM's bus has 4200"):
        contributed.check(changed(tmp_path, MEASURED, fast))


def test_only_what_was_measured_calibrates(tmp_path, monkeypatch):
    monkeypatch.setenv("AXIOMETER_CALIBRATION", str(tmp_path / "kept"))
    with pytest.raises(AxiometerError, match="not measured"):
        calibrate(EMULATED, "zybo")
    found = calibrate(changed(tmp_path, MEASURED), "zybo")
    assert [row.point.values["ports"] for row in found][:2] == [["HP0"], ["HP0", "HP1"]]
    assert EMULATED.read_text().splitlines()[found[0].line - 1].startswith("64,duplex,HP0,")
