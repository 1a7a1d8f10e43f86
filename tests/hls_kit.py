"""Synthesis reports of Vitis HLS for tests: the same tables as text and as XML, written here."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

NEW, OLD = "2025.1", "2022.2"
# Headings with their lines, as they are in the text.
M_AXI = [
    "Interface|",
    "Read/Write|",
    "Data Width|(SW->HW)",
    "Address Width|",
    "Latency|",
    "Offset|",
    "Register|",
    "Max Widen|Bitwidth",
    "Max Read|Burst Length",
    "Max Write|Burst Length",
    "Num Read|Outstanding",
    "Num Write|Outstanding",
    "Resource Estimate|",
]
SUMMARY = ["HW Interface", "Direction", "Length", "Width", "Loop", "Loop Location"]
ACCESSES = [
    *("HW Interface", "Variable", "Access Location", "Direction", "Burst Status", "Length"),
    *("Loop", "Loop Location", "Resolution", "Problem"),
]
MISSED = ["HW Interface", "Variable", "Loop", "Problem", "Resolution", "Location"]
ARGUMENTS = ["Argument", "Direction", "Datatype"]
MAPPING = ["Argument", "HW Interface", "HW Type", "HW Usage", "HW Info"]
NARROW = "Could not widen since type i32 size is greater than the max_widen_bitwidth threshold of 0"


def interface(name, way="READ_ONLY", width=64, beats=64, outstanding=16, sw=32):
    """A row of the table of m_axi interfaces."""
    return [
        *(name, way, f"{sw} -> {width}", "64", "0", "slave", "0", "512"),
        *(str(beats), str(beats), str(outstanding), str(outstanding), "BRAM=8"),
    ]


def burst(name, way="read", length="variable"):
    """A row of the summary of inferred bursts."""
    return [name, way, str(length), "64", "LOOP", "f.cpp:9:1"]


def access(name, variable, status="Inferred", way="read", length="", guide="", problem=""):
    """A row of all accesses (2023 and newer)."""
    place = "f.cpp:10:2"
    return [name, variable, place, way, status, str(length), "LOOP", "f.cpp:9:1", guide, problem]


def tables(interfaces, bursts=(), accesses=(), missed=(), arguments=(), mapping=(), version=NEW):
    """The tables of a report by section and title: (heading, rows)."""
    shown = [
        n for n in range(len(M_AXI)) if version == NEW or M_AXI[n] not in (M_AXI[1], M_AXI[-1])
    ]
    return {
        "HW Interfaces": {
            "M_AXI": ([M_AXI[n] for n in shown], [[row[n] for n in shown] for row in interfaces]),
            "S_AXILITE Interfaces": (["Interface", "Data Width"], [["s_axi_control", "32"]]),
        },
        "SW I/O Information": {
            "Top Function Arguments": (ARGUMENTS, [[*row, "int*"] for row in arguments]),
            "SW-to-HW Mapping": (MAPPING, [[*row, "interface", "", ""] for row in mapping]),
        },
        "M_AXI Burst Information": {
            "Inferred Burst Summary": (SUMMARY, list(bursts)),
            **({"All M_AXI Variable Accesses": (ACCESSES, list(accesses))} if accesses else {}),
            **({"Inferred Bursts and Widening Missed": (MISSED, list(missed))} if missed else {}),
        },
    }


def text(of, top="scale", part="xc7z020-clg400-1", family="zynq", version=NEW):
    """csynth.rpt."""
    bar = "=" * 64
    out = [bar, f"== Synthesis Summary Report of '{top}'", bar, "+ General Information: "]
    facts = {"Version": f"{version} (Build 1 on May 1)", "Product family": family}
    out += [f"    * {name + ':':15} {value}" for name, value in facts.items()]
    out += [f"    * Target device:  {part}", "", "    +---+", "    | a |", "    +---+", ""]
    for section, inner in of.items():
        out += [bar, f"== {section}", bar]
        for title, (heading, rows) in inner.items():
            out += [f"* {title}", *_grid(heading, rows), ""]
    return "\n".join(out)


def xml(of, top="scale", part="xc7z020-clg400-1", family="zynq", version=NEW, period="6.67"):
    """csynth.xml."""
    out = [
        f"<profile><ReportVersion><Version>{version}</Version></ReportVersion><UserAssignments>"
        f"<ProductFamily>{family}</ProductFamily><Part>{part}</Part><TopModelName>{top}"
        f"</TopModelName><TargetClockPeriod>{period}</TargetClockPeriod></UserAssignments>"
        "<ModuleInformation><Module><TargetClockPeriod>9</TargetClockPeriod></Module>"
        "</ModuleInformation>"
    ]
    for section, inner in of.items():
        out.append(f'<Report><section name="{section}" level="0">')
        for title, (heading, rows) in inner.items():
            keys = ", ".join(" ".join(key.split("|")).strip() for key in heading)
            out.append(f'<item name="{title}"><table><keys size="{len(heading)}">')
            out.append(f"{escape(keys)}</keys>")
            for name, *cells in rows:
                # The tool writes "m_axi_a,b" without its comma here.
                name = quoteattr(name.replace(",", ""))
                out.append(f"<column name={name}>{escape(', '.join(cells))}</column>")
            out.append("</table></item>")
        out.append("</section></Report>")
    return "".join([*out, "</profile>"])


def saved(folder: Path, of, **more) -> Path:
    """csynth.xml on disk."""
    path = folder / "csynth.xml"
    path.write_text(xml(of, **more), encoding="utf-8")
    return path


def _grid(heading, rows):
    lines = [key.split("|") for key in heading]
    high = max(map(len, lines))
    head = [[key[n] if n < len(key) else "" for key in lines] for n in range(high)]
    wide = [max(len(row[n]) for row in [*head, *rows]) for n in range(len(heading))]
    border = "+" + "+".join("-" * (w + 2) for w in wide) + "+"
    shown = [
        f"| {' | '.join(c.ljust(w) for c, w in zip(row, wide, strict=True))} |" for row in head
    ]
    body = [f"| {' | '.join(c.ljust(w) for c, w in zip(row, wide, strict=True))} |" for row in rows]
    return [border, *shown, border, *body, border]
