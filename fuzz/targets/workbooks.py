"""Workbooks that a stranger gave: bytes of a zip archive, and parts within a sound one."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path

import python_fuzz

TITLE = "published workbooks (.xlsx): bytes, and their parts"
WORDS = [
    *b'<row r="1"> <c r="A1" t="s"> <v>1</v> </c> </row> <mergeCell ref="A1:XFD1048576"/>'.split(),
    *b"XFD1048576 inlineStr <is> <t> </is> nan 1e999 <!DOCTYPE <!ENTITY &a; ]> <![CDATA[".split(),
    *b"Burst Read Write MB/s HP0 HP1 Run Port Latency <sheetData> Avg. HP0-3 Total".split(),
]
MAX_BYTES = 6000
needs = python_fuzz.needs
command = python_fuzz.command(__file__)
_PARTS = ("xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml",
          "xl/_rels/workbook.xml.rels")  # fmt: skip
_SOUND = {
    "xl/workbook.xml": b'<workbook xmlns:r="r"><sheets><sheet name="Speed HP0" sheetId="1" '
    b'r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": b'<Relationships><Relationship Id="rId1" Type="x/worksheet" '
    b'Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/sharedStrings.xml": b"<sst><si><t>Burst size (B)</t></si><si><t>HP0 Read Speed MB/s</t>"
    b"</si><si><t>HP0 Write Speed MB/s</t></si></sst>",
    "xl/worksheets/sheet1.xml": b'<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c>'
    b'<c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row><row r="2"><c r="A2"><v>64</v>'
    b'</c><c r="B2"><v>100.5</v></c><c r="C2"><v>99</v></c></row></sheetData>'
    b'<mergeCells><mergeCell ref="A1:A1"/></mergeCells></worksheet>',
}


def _archive(parts: dict[str, bytes], packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packed) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def seeds() -> list[bytes]:
    """The first byte selects the rest: a part of a valid workbook, or all of its bytes."""
    found = [bytes([i]) + _SOUND[name] for i, name in enumerate(_PARTS)]
    bomb = {**_SOUND, _PARTS[0]: b"<a>" + b"<b/>" * 1000 + b"</a>"}
    for parts in (_SOUND, bomb):
        found.append(b"\xff" + _archive(parts))
        found.append(b"\xff" + _archive(parts, zipfile.ZIP_STORED))
    return found


def one(data: bytes) -> None:
    from axiometer.imports import zynq7000, zynq_usp

    kind, rest = data[0] if data else 255, data[1:]
    content = _archive({**_SOUND, _PARTS[kind]: rest}) if kind < len(_PARTS) else rest
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "AXI_ZCU102_Base_300MHZ.xlsx"
        path.write_bytes(content)
        conditions = zynq_usp.WORKBOOKS["AXI_ZCU102_Base_300MHZ"][1]
        if len(data) % 8:
            zynq_usp.read(path, conditions)
        else:
            path.rename(path.with_name(zynq7000.WORKBOOK))
            zynq7000.read(Path(folder))
