"""A user's tables: their formats; impossible rows are reported with their line."""

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.published.reference import Reference

TINY = Platform(kit.PLATFORM, "tiny.toml")
HEAD = "ports,mode,transfer_bytes,total_MBps,total_MBps_min,total_MBps_max,read_MBps\n"


def tiny(**more):
    return single(TINY, {"ports": "P0", "transfer_bytes": 65536, **more}).values


def test_a_table_as_european_spreadsheets_save_it(tmp_path):
    path = tmp_path / "mine.csv"
    text = "# mine\nports;transfer_bytes;total_MBps;total_MBps_std\nP0;64KiB;1599,84;2,5e-3\n;;;\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    (row,) = Reference.load(path).rows
    assert row.figures == {"mean": 1599.84, "std": 0.0025}
    assert row.line == 3
    assert Reference.load(path).match(tiny()) == row


def test_a_table_with_semicolons_may_have_decimal_points():
    (row,) = Reference("ports;total_MBps\nP0,P1;1599.84\n", "x.csv").rows
    assert (row.conditions["ports"], row.figures["mean"]) == (["P0", "P1"], 1599.84)


@pytest.mark.parametrize(
    ("row", "message", "remedy"),
    [
        ("P0,read,1KiB,-5,,,", "total_MBps is -5, below zero", "the measured rate"),
        ("P0,read,1KiB,0,,,", "total_MBps is 0, so no data moved", "remove the row"),
        ("P0,read,1KiB,5,,,-1", "read_MBps is -1, below zero", "the measured rate"),
        ("P0,read,1KiB,5,6,4,", "total_MBps_min is 6, above total_MBps_max, 4", "exchanged"),
        ("P0,read,1KiB,5,5.1,6,", "total_MBps is 5, below total_MBps_min, 5.1", "between"),
        ("P0,read,1KiB,7,5,6,", "total_MBps is 7, above total_MBps_max, 6", "between"),
        ('P0,read,1KiB,"5,5",,,', "a decimal comma in a table with commas", "write ; between|or ;"),
        ("P0,read,1KiB,5,5,,,", "8 cells under 7 columns", "decimal commas need ;"),
        ('P0,read,1KiB,"1,599.84",,,', "marks between thousands", "remove them"),
        ("P0,read,1KiB,inf,,,", "total_MBps is 'inf'", "give a number"),
    ],
)
def test_impossible_rows_are_reported_with_their_line(row, message, remedy):
    good = "P0,read,2KiB,5,4.995,5,5\n"
    with pytest.raises(AxiometerError, match=message) as caught:
        Reference(HEAD + good + row + "\n" + good, "bad.csv")
    assert caught.value.line == 3
    assert any(part in caught.value.remedy for part in remedy.split("|"))


def test_two_decimal_marks_are_reported_with_both_lines():
    text = "ports;total_MBps\nP0;1599,84\nP1;1.599\n"
    with pytest.raises(AxiometerError, match="another decimal mark than line 2") as caught:
        Reference(text, "bad.csv")
    assert caught.value.line == 3


def test_all_unusable_lines_are_reported_together():
    text = HEAD + "P0,read,1KiB,-1,,,\nP0,read,1KiB,1,,,\nP0,read,2KiB,1,3,2,\n"
    with pytest.raises(AxiometerError, match="2 lines cannot be used") as caught:
        Reference(text, "bad.csv")
    printed = str(caught.value).splitlines()
    assert printed[1].startswith("  line 2: total_MBps is -1, below zero: give the")
    assert printed[2].startswith("  line 4: total_MBps_min is 3, above")
    with pytest.raises(AxiometerError, match="many lines") as caught:
        Reference(HEAD + "P0,read,1KiB,-1,,,\n" * 1000, "bad.csv")
    assert len(str(caught.value)) < 2500


def test_contradicting_rows_are_reported_with_both_lines():
    row = "P0,read,1KiB,{},,,{}\n"
    table = Reference(HEAD + row.format(5, 5) + row.format("5.0", ""), "x.csv")
    assert len(table.rows) == 2  # the same twice
    for second, name in (((6, 5), "mean"), ((5, 4), "read_MBps mean")):
        text = HEAD + row.format(5, 5) + row.format(*second)
        with kit.refuses(
            match=f"{name}.*but line 2 has 5 under", remedy="delete one of the two rows", line=3
        ):
            Reference(text, "x.csv")


def test_a_port_may_get_nothing():
    text = "ports,port,total_MBps\nP0+P1,,5\nP0+P1,P0,5\nP0+P1,P1,0\n"
    (row,) = Reference(text, "x.csv").rows
    assert row.parts["by_port"]["P1"]["total_MBps"] == {"mean": 0.0}


def test_why_no_row_is_of_a_run_is_said():
    table = Reference(HEAD + "P0,read,1KiB,5,,,\nP0+P1,read,64KiB,5,,,\n", "mine.csv")
    assert table.why_none([tiny(mode="read"), tiny(ports="P0+P1", mode="duplex")]) == (
        "no row of mine.csv has its points: the nearest row, line 2, has transfer_bytes 1024 "
        "where the run has 65536"
    )
    assert "line 3, has mode ps_to_pl where the run has duplex" in table.why_none(
        [tiny(ports="P0+P1", mode="duplex", transfer_bytes=65536)]
    )
    assert (
        "has gap_cycles 0 (assumed: the table has no column for it) where the run has 7"
        in table.why_none([tiny(mode="read", transfer_bytes=1024, gap_cycles=7)])
    )
    assert "and 1 more" in table.why_none(
        [tiny(mode="write", transfer_bytes=32, gap_cycles=7, burst_beats=4)]
    )
    assert table.why_none([]) == "no row of mine.csv has its points: the run has no points"


def test_only_so_much_of_long_tables_is_looked_at(monkeypatch):
    from axiometer.published.reference import nearest

    monkeypatch.setattr(nearest, "MOST_PAIRS", 2)
    rows = "".join(f"P0,read,{size}KiB,5,,,\n" for size in (1, 2, 64))
    table = Reference(HEAD + rows, "mine.csv")
    reason = table.why_none([tiny(mode="read", transfer_bytes=32), tiny(mode="duplex")])
    assert "line 2, has transfer_bytes 1024 where the run has 32" in reason
