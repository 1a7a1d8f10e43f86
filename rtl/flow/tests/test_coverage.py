"""What `make coverage` makes of Verilator's points."""

from flow import coverage

FILE = coverage.RTL / "lib" / "axm_skid.sv"


def point(file, kind, line, what, count, column=3, lines=""):
    fields = {"f": file, "l": line, "n": column, "page": f"v_{kind}/m", "o": what, "h": "top.u"}
    if lines:
        fields["S"] = lines
    text = "".join(f"\x01{key}\x02{value}" for key, value in fields.items())
    return f"C '{text}' {count}"


def reached(*points):
    return coverage.by_file(coverage.points(["\n".join(points)]))


def test_a_line_needs_all_that_stands_there():
    files = reached(
        point(FILE, "line", 37, "block", 9, lines="37,50"),
        point(FILE, "branch", 38, "if", 3, 7, lines="38-40"),
        point(FILE, "branch", 38, "else", 0, 8),
        point(FILE, "branch", 40, "cond_then", 0, 9, lines="40"),
        point(FILE, "toggle", 20, "valid:0->1", 1),
        point(FILE, "toggle", 20, "valid:1->0", 0),
    )
    sums = coverage.Sums.of(files.values())
    assert (sums.lines, sums.branches, sums.toggles) == ((4, 5), (1, 3), (1, 2))
    assert coverage.unreached(files) == ["lib/axm_skid.sv: 38, 40"]
    assert coverage.rooms(files).keys() == {"lib"}


def status(tmp_path, monkeypatch, *points):
    (tmp_path / "coverage-1.dat").write_text("\n".join(points))
    monkeypatch.setattr(coverage.sys, "argv", ["coverage.py", str(tmp_path)])
    return coverage.main()


def test_less_than_the_bar_fails(tmp_path, monkeypatch, capsys):
    """95 of 100 lines pass, 94 do not; neither does a file that was in no simulation."""
    monkeypatch.setattr(coverage, "HAND_WRITTEN", {FILE})
    lines = [point(FILE, "line", n, "block", int(n >= 5), lines=str(n)) for n in range(100)]
    assert status(tmp_path, monkeypatch, *lines) == 0
    lines[50] = point(FILE, "line", 50, "block", 0, lines="50")
    assert status(tmp_path, monkeypatch, *lines) == 1
    assert "94.0 % (bar 95 %)" in capsys.readouterr().out
    lines[50] = point(FILE, "line", 50, "block", 1, lines="50")
    monkeypatch.setattr(coverage, "HAND_WRITTEN", {FILE, FILE.with_name("axm_fifo.sv")})
    assert status(tmp_path, monkeypatch, *lines) == 1
    assert "in no simulation: lib/axm_fifo.sv" in capsys.readouterr().err
