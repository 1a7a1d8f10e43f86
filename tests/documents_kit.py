"""The commands in README and docs, and the files that a reader who runs them has."""

from __future__ import annotations

import csv
import itertools
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import design_kit
import hls_kit
import kit
import tcl_kit
import test_own_board
import test_quartus_handoff

COMMAND = re.compile(r" {4,}(?:\$ )?((?:[A-Z_]+=\S+ )*axiometer .*)")
OUTSIDE = (".venv", "build", "node_modules")

# What a command needs that a test has not: each is tried elsewhere, and its options are read here.
ELSEWHERE = {
    r"--dask|--dask-jobqueue": "a cluster: test_cluster.py",
    r"axiometer measure\b|--backend board": "a board: test_board.py, lab/machines/measure.py",
    r"axiometer doctor\b": "a board, or a design that is built: test_doctor*.py",
}
LONG = {r"--backend rtl": "builds a design: test_rtl_*.py, and lab/validate/documents.py"}
# What makes long commands short in a test; as written they run in lab/validate/documents.py.
SHORTER = {
    r"run zybo-hp-bandwidth": "--repeats 1",
    r"run zybo-hp-bandwidth --set controller": "--set ports=HP0+HP1,HP0+HP2",
    r"advise --from ultra96-convolution": "--set ports=HP0+HP3 --set fill=buffer "
    "--set mapping=row-bank-column --set outstanding_read=16",
    r"run zcu102-(mixed|read)": "--set ports=HP0,HP0+HP1 --set burst_bytes=64,256 "
    "--set duration=100us",
    r"selftest .*--points": "--points 50",
    # Processes of its own cost a short run more than they give.
    r"^axiometer run [^&]*$": "--jobs 1",
}


@dataclass(frozen=True)
class Shown:
    """A command as a page shows it: `line` is where, `text` has no comment and is one line;
    `prints` are the lines shown below a command that follows a `$`."""

    page: Path
    line: int
    text: str
    why_not: str = field(default="", compare=False)
    prints: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"{self.page.relative_to(kit.ROOT)}:{self.line}: {self.text}"


def pages() -> list[Path]:
    """Every Markdown page of the project that shows a command."""
    found = [p for p in kit.ROOT.rglob("*.md") if not set(OUTSIDE) & set(p.parts)]
    return sorted(page for page in found if commands(page))


def commands(page: Path) -> list[Shown]:
    """The commands of a page, in their order; those of one line joined by && are one."""
    found = []
    lines = page.read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        match = COMMAND.fullmatch(line)
        if match is None:
            continue
        text, after = match[1], at + 1
        while text.endswith("\\"):
            text, after = text[:-1] + lines[after].strip(), after + 1
        text = joined(shlex.split(text, comments=True))
        prints = tuple(_block(lines[after:])) if line.lstrip().startswith("$") else ()
        found.append(Shown(page, at + 1, text, _why_not(text), prints))
    return found


def _block(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a block of code that follow a command, without their margin."""
    for line in lines:
        if (line and not line.startswith("    ")) or line.startswith("    $ "):
            return
        yield line[4:].rstrip()


def not_printed(shown: Sequence[str], printed: str) -> list[str]:
    """The lines of a page that a command did not print, in their order. A line that ends with …
    is the beginning of one; … alone stands for any lines."""
    whole = iter([line.rstrip() for line in printed.splitlines()])
    wanted = [(line, line.removesuffix("…").rstrip()) for line in shown if line.strip("… ")]
    for at, (line, words) in enumerate(wanted):
        if not any(got.startswith(words) if line != words else got == words for got in whole):
            return [line for line, _ in wanted[at:]]
    return []


def _why_not(text: str) -> str:
    return next((why for words, why in ELSEWHERE.items() if re.search(words, text)), "")


def shorter(text: str) -> str:
    """The command as a test runs it; "" where it takes too long however short."""
    if any(re.search(words, text) for words in LONG):
        return ""
    return " ".join([text, *(more for words, more in SHORTER.items() if re.search(words, text))])


def saved_files(page: Path) -> Iterator[tuple[str, str]]:
    """Files that a page says to save: name and text."""
    text = page.read_text(encoding="utf-8")
    for match in re.finditer(r"Save this as `(\S+)`:\n+```(?:toml|csv)\n(.*?)```", text, re.S):
        yield match[1], match[2]


def set_stage(folder: Path, page: Path, design: str = "vieira-duplex-64bit.hdf") -> None:
    """The files that the reader of a page has; `design` is the reader's own. The test is skipped
    where published ones are not at hand."""
    export = kit.reference("designs", design)
    for name in ("system.xsa", "design.xsa"):
        shutil.copy(export, folder / name)
    shutil.copy(kit.ROOT / "docs" / "examples" / "camera.tcl", folder)
    shutil.copy(kit.ROOT / "contrib" / "zybo-emulated.csv", folder / "my-zybo.csv")
    (folder / "dump.txt").write_text(test_own_board.DUMPS["devmem"])
    test_quartus_handoff.saved(folder / "hps_isw_handoff")
    _preloader(folder / "u-boot" / "board" / "NAME" / "qts")
    tcl_kit.saved(folder, tcl_kit.simple())
    (folder / "scripts").mkdir()
    tcl_kit.saved(folder / "scripts", tcl_kit.simple())
    core(folder)
    for name, text in saved_files(page):
        (folder / name).write_text(text)


def core(folder: Path) -> None:
    """The report of an HLS core, and an export with the core."""
    bursts = [hls_kit.burst("m_axi_in"), hls_kit.burst("m_axi_out", "write")]
    ports = [hls_kit.interface("m_axi_in"), hls_kit.interface("m_axi_out", "WRITE_ONLY")]
    hls_kit.saved(folder, hls_kit.tables(ports, bursts))
    given = {"MAX_READ_BURST_LENGTH": 64, "NUM_READ_OUTSTANDING": 16}
    block = design_kit.module("scale", design_kit.HLS, design_kit.reads("m_axi_in", "d", **given))
    members = {"bd.hwh": design_kit.hwh(block, design_kit.zynq(("S_AXI_HP0", "d")))}
    design_kit.export(folder / "core.xsa", members)


def _preloader(folder: Path) -> None:
    """The headers of a board's registers, as U-Boot has them."""
    folder.mkdir(parents=True)
    table = kit.reference("registers", "cyclone-v", "de1-soc.csv")
    rows = list(csv.reader(table.read_text().splitlines()[1:]))
    for header, part in (("sdram_config.h", "_SDR_"), ("pll_config.h", "PLL")):
        lines = [f"#define {name} ({value})\n" for _, name, _, value in rows if part in name]
        (folder / header).write_text("".join(lines))


def real(text: str, runs: Sequence[str]) -> str:
    """The command with the names that a reader puts in the place of the page's: RUN and RUN2 are
    the first and the last of an experiment."""
    same = [run for run in runs if run.rpartition("-")[0] == runs[-1].rpartition("-")[0]]
    words = {"RUN": same[0], "RUN2": same[-1]} if same else {}
    return joined(words.get(word, word) for word in shlex.split(text))


def joined(words: Iterable[str]) -> str:
    """Words as a shell reads them, && between commands."""
    return shlex.join(words).replace("'&&'", "&&")


def written(text: str) -> list[str]:
    """The files that a command says it writes."""
    words = shlex.split(text)
    return [after for word, after in itertools.pairwise(words)
            if word in ("-o", "--out", "--png", "--svg")]  # fmt: skip
