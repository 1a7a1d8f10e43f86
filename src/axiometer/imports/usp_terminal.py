"""Reads the published sheet of counters, `TerminalOut`, the measuring program's output, as samples.

Its first row names the ports, its second the counters of each, with a column for each repeat. Below
are blocks: a title such as `Test_HP0_HP1`, then a row for each burst size with the beats of a
write, the bytes from one write to the next, and the same for reads. The counter `Latency` is the
sum over all reads, in PL clocks; `Max Latency` is the program's name for the greatest inactivity.
Cells beside and below the blocks, and sheets of charts, are the authors' calculations.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from axiometer.base.errors import AxiometerError
from axiometer.imports.usp_sheet import Sample, cell_name, is_number
from axiometer.imports.workbook import Page

TITLE = "TerminalOut"
_COUNTERS = {
    "Write": "write_ops",
    "Read": "read_ops",
    "Runtime": "runtime",
    "Latency": "latency",
    "Max Latency": "inactivity",
}
_BLOCK = re.compile(r"Test((?:_HP[0-3])+)")
_PORT = re.compile(r"HP[0-3]")
_BEATS, _STRIDE = (2, 4), (3, 5)  # columns, of writes and of reads
_FIRST = 6
BEAT_BYTES = 16

Counters = dict[str, dict[str, range]]  # columns of each repeat, by port and counter


class Terminal:
    """A sheet of counters. `skipped_bytes`: bytes that its experiment skips after each burst."""

    def __init__(self, file: object, page: Page, skipped_bytes: int) -> None:
        self.file, self.cells, self.skipped = file, page.cells, skipped_bytes
        self.rows, self.columns = page.size

    @staticmethod
    def knows(page: Page) -> bool:
        """Whether the page is a sheet of counters, from its name and a block."""
        return page.title == TITLE and any(
            isinstance(value, str) and _BLOCK.fullmatch(value)
            for (_, column), value in page.cells.items()
            if column == 0
        )

    def samples(self) -> Iterator[Sample]:
        """Operations, runtime, mean latency and inactivity of each port, burst and repeat."""
        counters = self._counters()
        row = 0
        while row < self.rows:
            found = _BLOCK.fullmatch(str(self.cells.get((row, 0), "")))
            row += 1
            if not found:
                continue
            ports = tuple(found[1].strip("_").split("_"))
            first = row
            while self.cells.get((row, 1)) == found[1]:
                yield from self._row(row, ports, counters)
                row += 1
            if row == first:
                raise self._wrong(row, 1, f"{found[1]!r} as in the title above")

    def _counters(self) -> Counters:
        """The columns of each port's counters, from the first two rows."""
        starts = [c for c in range(_FIRST, self.columns) if self.cells.get((1, c))]
        # The last counter has no neighbour: cells beyond its repeats do not belong to it.
        width = starts[1] - starts[0] if len(starts) > 1 else self.columns
        last = starts[-1] + width if starts else self.columns
        port = ""
        found: Counters = {}
        for start, end in itertools.pairwise([*starts, last]):
            port = str(self.cells.get((0, start)) or port)
            name = _COUNTERS.get(str(self.cells[1, start]))
            if name is None:
                raise self._wrong(1, start, f"one of {', '.join(_COUNTERS)}")
            if name in found.setdefault(port, {}):
                raise self._wrong(1, start, f"a new counter of {port}")
            found[port][name] = range(start, end)
        used = {port: of for port, of in found.items() if _PORT.fullmatch(port)}
        repeats = {len(columns) for of in used.values() for columns in of.values()}
        if len(repeats) != 1 or not used or any(len(of) != len(_COUNTERS) for of in used.values()):
            raise self._error(
                f"sheet {TITLE!r} lacks one of {', '.join(_COUNTERS)} for a port, or repeats differ"
            )
        return used

    def _row(self, row: int, ports: tuple[str, ...], counters: Counters) -> Iterator[Sample]:
        burst = self._burst(row)
        for port, of in counters.items():
            # Non-zero counters of unused ports belong to another configuration.
            if port not in ports:
                for column in (*of["write_ops"], *of["read_ops"]):
                    if self.cells.get((row, column)):
                        raise self._wrong(row, column, f"0: {port} is none of {'+'.join(ports)}")
                continue
            for repeat in range(len(of["runtime"])):
                at = {name: columns[repeat] for name, columns in of.items()}
                value = {name: self._count(row, column) for name, column in at.items()}
                if value["runtime"] <= 0:
                    raise self._wrong(row, at["runtime"], "a runtime in PL clocks, above 0")
                if value["read_ops"]:
                    value["latency"] /= value["read_ops"]
                else:
                    del value["latency"]
                for name, number in value.items():
                    yield Sample(
                        ports=ports,
                        burst=burst,
                        port=port,
                        repeat=repeat + 1,
                        quantity=name,
                        statistic=None,
                        value=number,
                        line=(TITLE, row),
                        where=f"sheet {TITLE!r}, cell {cell_name(row, at[name])}",
                    )

    def _burst(self, row: int) -> int:
        """Bytes of a burst, for reads and writes. AxiometerError if the distance of bursts is not
        the experiment's: the workbook is then of another experiment."""
        writes, reads = (self._beats(row, column) for column in _BEATS)
        burst = writes * BEAT_BYTES
        if reads != writes:
            raise self._wrong(row, _BEATS[1], "as many beats as a write has")
        for column in _STRIDE:
            if self.cells.get((row, column)) != burst + self.skipped:
                raise self._wrong(row, column, f"{burst + self.skipped} B from burst to burst")
        return burst

    def _beats(self, row: int, column: int) -> int:
        beats = self.cells.get((row, column))
        if not is_number(beats) or beats != int(beats) or not 1 <= beats <= 256:
            raise self._wrong(row, column, "a burst of 1 to 256 beats")
        return int(beats)

    def _count(self, row: int, column: int) -> float:
        value = self.cells.get((row, column))
        if not is_number(value) or value < 0:
            raise self._wrong(row, column, "a count")
        return float(value)

    def _wrong(self, row: int, column: int, expected: str) -> AxiometerError:
        found = self.cells.get((row, column))
        where = f"sheet {TITLE!r}, cell {cell_name(row, column)}"
        return self._error(
            f"{where} is {'empty' if found is None else repr(found)}, not {expected}"
        )

    def _error(self, message: str) -> AxiometerError:
        return AxiometerError(
            message,
            file=self.file,
            remedy="use the workbook as published, saved with its values",
        )
