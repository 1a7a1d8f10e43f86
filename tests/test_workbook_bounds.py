"""Workbooks that are bombs: told by what they would be, in little time and memory."""

import resource
import subprocess
import sys
import zipfile

import pytest

import kit
from axiometer.base import xml_parts
from axiometer.base.errors import AxiometerError
from axiometer.imports import workbook

SHEET = "xl/worksheets/sheet1.xml"
BOOK = {
    "xl/workbook.xml": '<workbook xmlns:r="x"><sheets><sheet name="S" r:id="a"/></sheets>'
    "</workbook>",
    "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="a" Type="t/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>',
}


def write(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (BOOK | parts).items():
            archive.writestr(name, content)
    return path


def sheet(rows="", more=""):
    return {SHEET: f"<worksheet><sheetData>{rows}</sheetData>{more}</worksheet>"}


def cell(name, value, kind=""):
    return f'<row><c r="{name}"{kind}><v>{value}</v></c></row>'


BOMBS = {
    "a cell at the end": (sheet(cell("XFD1048576", 1)), "reaches over 17179869184 cells"),
    "all cells merged": (
        sheet(
            cell("A1", 1) + cell("BZ9999", 1),
            "<mergeCells>" + '<mergeCell ref="A1:XFD1048576"/>' * 9 + "</mergeCells>",
        ),
        "merges",
    ),
    "a large part": ({SHEET: " " * (300 << 20)}, "is 300 MiB unpacked"),
    "many parts": (
        sheet()
        | {
            "xl/sharedStrings.xml": "<a>" + " " * (15 << 20) + "</a>",
            "xl/workbook.xml": " " * (40 << 20),
        },
        "is 40 MiB unpacked",
    ),
    "many elements": ({SHEET: "<a>" + "<b/>" * 3_000_000 + "</a>"}, "more than 2500000 elements"),
    "deep": ({SHEET: "<a>" * 10_000}, "nested too deeply"),
    "entities": (
        {SHEET: '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>'},
        "defines entities",
    ),
    "a file elsewhere": (
        {SHEET: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'},
        "defines entities",
    ),
    "a document type elsewhere": (
        {SHEET: '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd"><a/>'},
        "defines entities",
    ),
    "a long token": ({SHEET: "<a " + "b" * (8 << 20)}, "unclosed token"),
    "no number": (sheet(cell("A1", "nan")), "an invalid number"),
    "a huge number": (sheet(cell("A1", "9" * 100_000)), "an invalid number"),
    "a text that is not there": (sheet(cell("A1", "7", ' t="s"')), "a missing text"),
    "no cell": (sheet(cell("AAAA1", 1)), "is not the name of a cell"),
    "no sheet": ({"xl/_rels/workbook.xml.rels": "<a/>", "xl/workbook.xml": "<a>"}, "workbook.xml"),
}


@pytest.mark.parametrize(("parts", "message"), BOMBS.values(), ids=BOMBS)
def test_bombs_are_told(parts, message, tmp_path):
    path = write(tmp_path / "bomb.xlsx", parts)
    assert path.stat().st_size < 2**20
    with pytest.raises(AxiometerError, match="cannot be read as a workbook") as caught:
        workbook.load(path)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 600


MEASURED = """
import resource, sys, time
from pathlib import Path
from axiometer.base.errors import AxiometerError
from axiometer.imports import workbook
before = resource.getrusage(resource.RUSAGE_SELF)
try:
    workbook.load(Path(sys.argv[1]))
except AxiometerError:
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(after.ru_utime - before.ru_utime, (after.ru_maxrss - before.ru_maxrss) / 1024)
"""


@pytest.mark.parametrize("name", ["a cell at the end", "all cells merged", "a large part"])
def test_bombs_cost_little(name, tmp_path):
    path = write(tmp_path / "bomb.xlsx", BOMBS[name][0])
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(path)], env=kit.environment(), capture_output=True,
        text=True, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (30, 30)),
    )  # fmt: skip
    seconds, mib = map(float, done.stdout.split())
    assert seconds < 2
    assert mib < 64


def test_a_zip_directory_that_lies_is_told(tmp_path):
    """A part that says that it is small, and is not."""
    path = write(tmp_path / "liar.xlsx", {SHEET: "<a>" + " " * 2**20 + "</a>"})
    data = path.read_bytes()
    size = (2**20 + 7).to_bytes(4, "little")
    assert data.count(size) == 2
    path.write_bytes(data.replace(size, (100).to_bytes(4, "little")))
    with pytest.raises(AxiometerError, match="cannot be read as a workbook"):
        workbook.load(path)


def test_what_is_no_archive_is_told(tmp_path):
    for content in (b"", b"PK\3\4", b"PK\5\6" + b"\0" * 18, b"x" * 1000):
        path = tmp_path / "x.xlsx"
        path.write_bytes(content)
        with pytest.raises(AxiometerError, match="cannot be read as a workbook"):
            workbook.load(path)
    with path.open("wb") as file:
        file.truncate(2**33)
    with pytest.raises(AxiometerError, match="is larger than 32 MiB"):
        workbook.load(path)


def test_a_sound_workbook_with_a_chart_tab_is_read(tmp_path):
    path = tmp_path / "sound.xlsx"
    rows = (
        '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2"><f>1+1</f><v>2</v></c>'
        "<c><v>2.5</v></c></row>"
        '<row><c r="A3" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>'
        '<c r="B3" t="b"><v>1</v></c><c r="C3" t="str"><v>a</v></c><c r="D3"/></row>'
    )
    strings = "<sst><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>no</t></rPh></si></sst>"
    write(path, sheet(rows, '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>') | {
        "xl/sharedStrings.xml": strings,
        "xl/workbook.xml": '<workbook xmlns:r="x"><sheets><sheet name="Chart" r:id="c"/>'
        '<sheet name="S\u202e" r:id="a"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="a" Type="t/worksheet" '
        'Target="/xl/worksheets/sheet1.xml"/><Relationship Id="c" Type="t/chartsheet" '
        'Target="chartsheets/sheet1.xml"/></Relationships>',
    })  # fmt: skip
    (page,) = workbook.load(path)
    assert page.title == "S\\u202e"
    assert page.grid() == [
        [None, None, None, None],
        [None, "two runs", 2, 2.5],
        ["inline", True, "a", None],
    ]
    assert page.areas == [((0, 0), (1, 1))]
    assert page.value("C2") == 2
    assert page.value("D3") is None


def test_the_bounds_leave_room_for_the_published_workbooks():
    """The largest has 29 MiB in 240 parts, 11.5 MiB in one, 620 000 cells."""
    assert workbook.MAX_PARTS > 29 * 2**20
    assert workbook.MAX_PART > 12 * 2**20
    assert workbook.MAX_CELLS > 620_000
    assert xml_parts.MAX_ELEMENTS > 2 * 620_000
