"""`decode`: from a chip's writes to figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.platform.registers.contents import Contents
from axiometer.platform.registers.derived_figures import Sheet
from axiometer.platform.registers.results import Decoded, Figure, Value, Write
from axiometer.platform.registers.rules import formulas
from axiometer.platform.registers.tables import Chip, chips, first, load

# Without these figures, registers describe no memory.
_MEMORY = (
    "clocks.ddr_mhz", "dram.type", "dram.bus_bits", "dram.burst_length", "dram.size_MiB",
    "dram.banks", "dram.row_bytes", "dram.ranks",
    *(f"dram.timing.{name}" for name in (
        "CL", "CWL", "tRCD", "tRP", "tRAS", "tRC", "tRRD", "tFAW", "tCCD", "tWTR", "tRTP", "tWR",
        "tRFC", "tREFI", "read_to_write",
    )),
)  # fmt: skip


def usable_chips() -> list[str]:
    """Names of the chips that `decode` supports."""
    return list(chips())


def decode(
    chip: str, writes: Iterable[Write], given: dict[str, Value] | None = None, file: object = None
) -> Decoded:
    """The figures of a platform from the writes of an initialisation.

    chip: one of `usable_chips()`. given: values that no register has, by name: `reference_mhz`, the
    rate of the crystal (a number, or a Fraction); the default is the usual rate that gives the
    DRAM's refresh interval, with a note. file: for errors.
    AxiometerError for an unknown chip, if registers are missing that every initialisation writes (a
    part of a dump does not describe a memory), or if they have values that no memory has.
    """
    sheet = _sheet(chip, writes, given)
    _check_whole(sheet.contents.chip, sheet.contents, file)
    figures = sheet.all()
    _check_memory(figures, sheet, file)
    unknown, notes = sheet.contents.sorted_out()
    return Decoded(chip, figures, unknown, [*sheet.notes, *notes])


def decode_some(
    chip: str, writes: Iterable[Write], given: dict[str, Value], paths: Iterable[str]
) -> dict[str, Figure]:
    """Like `decode`, but only the figures at `paths` that the writes give: they need not describe a
    memory. An unwritten register has its reset value."""
    sheet = _sheet(chip, writes, given)
    return {path: found for path in paths if (found := sheet.one(path)) is not None}


def chip_of(writes: Sequence[Write], file: object = None) -> str:
    """The chip whose memory controller the writes set up; of several with the same registers, the
    first in `chips`. AxiometerError if the writes fit no known chip, or several."""
    counts = {name: len(_needed_and_written(name, writes)) for name in _one_a_kind()}
    found = [name for name, count in counts.items() if count]
    if len(found) != 1:
        said = f"registers of {' and '.join(found)}" if found else "no registers"
        raise AxiometerError(
            f"the file has {said} that describe a memory",
            file=file,
            remedy="give the initialisation of one chip, or a dump of its DDR controller: "
            + "; ".join(f"{name}: {load(name).needed_where}" for name in counts),
        )
    return found[0]


def check_chip(chip: str, writes: Sequence[Write], file: object = None) -> None:
    """AxiometerError if the writes set up the memory controller of another chip than `chip`."""
    if chip in chips() and not _needed_and_written(chip, writes):
        of = chip_of(writes, file)
        raise AxiometerError(
            f"the registers belong to {of}, not to {chip}",
            file=file,
            remedy=f"give --chip {of}, or the file of the other chip",
        )


def _one_a_kind() -> list[str]:
    """The first chip of each set of chips with the same registers."""
    return [name for name in chips() if first(name) == name]


def _needed_and_written(chip: str, writes: Sequence[Write]) -> list[str]:
    table = load(chip)
    contents = Contents(table, writes)
    return [key for key in table.about["needed"] if contents.written(table.registers[key])]


def _sheet(chip: str, writes: Iterable[Write], given: dict[str, Value] | None) -> Sheet:
    if chip not in chips():
        raise AxiometerError(
            f"no register decoder for the chip {chip!r}",
            remedy=did_you_mean(chip, chips(), "chips with one"),
        )
    return Sheet(Contents(load(chip), writes), formulas.load(chip), given or {})


def _check_whole(table: Chip, contents: Contents, file: object) -> None:
    needed = [table.registers[key] for key in table.about["needed"]]
    missing = [register for register in needed if not contents.written(register)]
    if missing:
        raise AxiometerError(
            f"{len(missing)} of {len(needed)} registers that describe the memory of "
            f"{table.name} are missing, first {missing[0].shown}",
            file=file,
            remedy="give the whole initialisation, or a dump of the whole DDR controller "
            f"({table.needed_where})",
        )


def _check_memory(figures: dict[str, Figure], sheet: Sheet, file: object) -> None:
    missing = [path for path in _MEMORY if path not in figures]
    if missing:
        why = next((note for note in sheet.notes if note.startswith(missing[0])), missing[0])
        raise AxiometerError(
            f"the registers describe no memory: {why}",
            file=file,
            remedy="give registers of a board whose memory works, and of this chip",
        )
    values = {path: figures[path].value for path in _MEMORY}
    odd = next((p for p, v in values.items() if isinstance(v, int | Fraction) and v <= 0), None)
    if odd is not None:
        raise AxiometerError(
            f"the registers describe no memory: {odd} is {values[odd]} ({figures[odd].source})",
            file=file,
            remedy="give registers of a board whose memory works, and of this chip",
        )
