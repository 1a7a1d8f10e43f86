"""What `make coverage` makes of Verilator's points."""

from flow import coverage

FILE = coverage.RTL / "lib" / "axm_skid.sv"


def point(kind, line, what, count, column=3, lines=""):
    fields = {"f": FILE, "l": line, "n": column, "page": f"v_{kind}/m", "o": what, "h": "top.u"}
    fields |= {"S": lines} if lines else {}
    text = "".join(f"\x01{key}\x02{value}" for key, value in fields.items())
    return f"C '{text}' {count}"


def test_a_line_needs_all_that_stands_there():
    points = (
        point("line", 37, "block", 9, lines="37,50"),
        point("branch", 38, "if", 3, 7, lines="38-40"),
        point("branch", 38, "else", 0, 8),
        point("branch", 40, "cond_then", 0, 9, lines="40"),
        point("toggle", 20, "valid:0->1", 1),
        point("toggle", 20, "valid:1->0", 0),
    )
    files = coverage.by_file(["\n".join(points)])
    assert coverage.counted(files.values()) == [(4, 5), (1, 3), (1, 2)]
    assert "- `lib/axm_skid.sv`: 38, 40" in coverage.page(files, [])


def test_less_than_the_bar_fails(tmp_path, monkeypatch, capsys):
    """95 of 100 lines pass, 94 do not; neither does a file that was in no simulation."""
    monkeypatch.setattr(coverage.sys, "argv", ["coverage.py", str(tmp_path)])
    for reached, others, status in ((95, [], 0), (94, [], 1), (100, ["axm_fifo.sv"], 1)):
        wanted = {FILE, *map(FILE.with_name, others)}
        monkeypatch.setattr(coverage, "HAND_WRITTEN", wanted)
        lines = [point("line", n, "block", int(n < reached), lines=str(n)) for n in range(100)]
        (tmp_path / "coverage-1.dat").write_text("\n".join(lines))
        assert coverage.main() == status
        assert f"{reached}.0 % (bar 95 %)" in capsys.readouterr().out
