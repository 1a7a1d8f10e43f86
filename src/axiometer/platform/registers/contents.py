"""Register values after an initialisation: its writes over the reset values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from axiometer.base.chip_files import Table
from axiometer.platform.registers.results import Unknown, Write
from axiometer.platform.registers.tables import Chip, Field, Register


class Contents:
    """Values of a chip's registers, with masks of known and of written bits."""

    def __init__(self, chip: Chip, writes: Iterable[Write]) -> None:
        """Apply `writes` in order. Writes to unknown registers are counted."""
        self.chip = chip
        self._value = {r.key: r.reset or 0 for r in chip.registers.values()}
        self._written = dict.fromkeys(chip.registers, 0)
        self._elsewhere: Counter[int | str] = Counter()
        self._on_board: list[str] = []
        for write in writes:
            self._apply(write)

    def _apply(self, write: Write) -> None:
        mask, value = write.mask, write.value
        if write.name is not None:
            known = self.chip.by_macro.get(write.name)
            if known is None:
                self._elsewhere[write.name] += 1
                return
            register, field = known
            mask, value = field.mask, write.value << field.low
        elif write.address is None:
            raise ValueError("a write of neither an address nor a name")
        elif write.address in self.chip.by_address:
            register = self.chip.by_address[write.address]
        else:
            self._elsewhere[write.address] += 1
            return
        key = register.key
        if not mask:
            self._on_board.append(register.shown)
        self._value[key] = self._value[key] & ~mask | value & mask
        self._written[key] |= mask

    def written(self, register: Register, field: Field | None = None) -> bool:
        """Whether any bit of the register, or of its field, was written."""
        return bool(self._written[register.key] & (field.mask if field else ~0))

    def known(self, register: Register, field: Field) -> bool:
        """Whether every bit of the field was written, or has a documented reset value."""
        return register.reset is not None or not field.mask & ~self._written[register.key]

    def word(self, register: Register) -> int:
        """The whole register, with unknown bits as 0."""
        return self._value[register.key]

    def field(self, register: Register, field: Field) -> int:
        """The field's value; check `known` first."""
        return field.take(self._value[register.key])

    def sorted_out(self) -> tuple[list[Unknown], list[str]]:
        """Unknown registers, by address, and notes on writes to ranges without figures (pins, PHY,
        peripherals)."""
        ranges = self.chip.about.get("elsewhere", [])
        unknown: list[Unknown] = []
        inside: Counter[int] = Counter()
        for where, count in sorted(self._elsewhere.items(), key=lambda item: str(item[0])):
            part = next((i for i, r in enumerate(ranges) if _within(where, r)), None)
            if part is None:
                unknown.append(Unknown(where, count))
            else:
                inside[part] += count
        notes = [
            f"{ranges[i]['what']}: {n} write{'s' * (n > 1)}, no figure"
            for i, n in sorted(inside.items())
        ]
        notes += [
            f"{name} is written with a value that only the board has" for name in self._on_board
        ]
        return unknown, notes


def _within(where: int | str, part: Table) -> bool:
    if isinstance(where, str):
        return where.startswith(tuple(part.get("macros", ())))
    return "first" in part and int(part["first"]) <= where <= int(part["last"])
