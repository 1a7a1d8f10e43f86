"""Figures from register contents, each with the registers and figures that it was made from.

A formula (of the chip's `figures.toml`) reads fields and other figures through the sheet, which
records each reading as the source of the figure.
"""

from __future__ import annotations

import re

from axiometer.platform.registers.contents import Contents
from axiometer.platform.registers.results import Figure, Value
from axiometer.platform.registers.rules.expression import evaluate
from axiometer.platform.registers.rules.formulas import Formula, Formulas, Note
from axiometer.platform.registers.rules.reference import NotKnown
from axiometer.platform.registers.tables import Field, Register

_NAME = re.compile(r"\{([\w.]+)\}")


class Sheet:
    """Figures of one initialisation. `given` has values that no register has (`reference_mhz`)."""

    def __init__(self, contents: Contents, formulas: Formulas, given: dict[str, Value]) -> None:
        self.contents = contents
        self.given = given
        self.notes: list[str] = []
        self._formulas = formulas
        self._figures: dict[str, Figure | None] = {}
        self._why: dict[str, str] = {}  # of missing figures
        self._cited: list[dict[str, tuple[list[str], bool]]] = []
        self._fields = {
            _path(register, field): (register, field)
            for register in contents.chip.registers.values()
            for field in register.fields.values()
            if "figure" in field.makes
        }

    def all(self) -> dict[str, Figure]:
        """All figures that the registers give, by path."""
        paths = dict.fromkeys([*self._fields, *self._formulas.figures])
        figures = {path: self._figure(path) for path in paths}
        return {path: figure for path, figure in figures.items() if figure is not None}

    def one(self, path: str) -> Figure | None:
        """The figure at `path`; None if the registers do not give it."""
        return self._figure(path)

    def field(self, name: str) -> int:
        """The value of MODULE.REGISTER.FIELD or MODULE.INSTANCE.REGISTER.FIELD."""
        return self._read(*self.contents.chip.field(name))

    def named(self, name: str) -> Value | None:
        """The value of the part of an expression, the field or the figure with that name."""
        if name in self._formulas.parts:
            return evaluate(self._formulas.parts[name], self)
        if name.rpartition(".")[0] in self.contents.chip.registers:
            return self.field(name)
        return self.figure(name)

    def code(self, name: str) -> str | None:
        """The name that the value of a field selects; None if its data have no such value."""
        _, field = self.contents.chip.field(name)
        selects: dict[str, str] = field.makes["selects"]
        return selects.get(str(self.field(name)))

    def bits(self, kind: str) -> list[int]:
        """Used address bits of the kind ("row"), from the lowest field's: a field's value, plus its
        base; a field of ones has none."""
        fields = self.contents.chip.address_fields.get(kind, ())
        read = [(self._read(register, field), base, field) for base, register, field in fields]
        return [value + base for value, base, field in read if value != field.mask >> field.low]

    def written(self, key: str) -> bool:
        """Whether the register MODULE.REGISTER was written at all."""
        return self.contents.written(self.contents.chip.registers[key])

    def figure(self, path: str) -> Value:
        """The value of another figure; NotKnown if the registers do not give it."""
        figure = self._figure(path)
        if figure is None:
            raise NotKnown(self._why.get(path, f"it needs {path}, which is missing"))
        self._cite(f"{path} = {figure.value}", "", figure.reset)
        return figure.value

    def figure_or_none(self, path: str) -> Value | None:
        """The value of another figure, or None."""
        return None if self._figure(path) is None else self.figure(path)

    def note(self, text: str) -> None:
        """Add a message, once."""
        if text not in self.notes:
            self.notes.append(text)

    def cite(self, text: str) -> None:
        """Add a source other than registers: a given or an assumed value."""
        self._cite(text, "", False)

    def _figure(self, path: str) -> Figure | None:
        if path not in self._figures:
            self._cited.append({})
            try:
                self._figures[path] = self._made(path)
            except NotKnown as missing:
                self._figures[path] = None
                self._why[path] = str(missing)
                self.note(f"{path} is left out: {missing}")
            finally:
                self._cited.pop()
        return self._figures[path]

    def _made(self, path: str) -> Figure | None:
        formula = self._formulas.figures.get(path)
        if formula is None and path not in self._fields:
            raise NotKnown("the chip's data have no such figure")
        if formula is not None:
            unit, tail, head = formula.unit, "", formula.how
            try:
                value = self._evaluated(formula)
            except ZeroDivisionError:
                raise NotKnown("the registers divide a clock by 0") from None
        else:
            register, field = self._fields[path]
            if register.written_only and not self.contents.written(register, field):
                return None
            number = self._read(register, field)
            value, tail = _scaled(number, field)
            unit, head = field.makes.get("unit"), ""
        if value is None:
            return None
        cited = self._cited[-1]
        texts = [f"{name}{', '.join(parts)}" for name, (parts, _) in cited.items()]
        source = ": ".join(part for part in (head, "; ".join(texts)) if part) + tail
        return Figure(value, unit, source, bool(cited) and all(r for _, r in cited.values()))

    def _evaluated(self, formula: Formula) -> Value | None:
        if formula.before:
            self._tell(formula.before, None)
        value = evaluate(formula.value, self)
        if formula.after:
            self._tell(formula.after, value)
        return value

    def _tell(self, note: Note, value: Value | None) -> None:
        if evaluate(note.when, self, {"value": value}):
            self.note(
                _NAME.sub(lambda n: str(value if n[1] == "value" else self.figure(n[1])), note.text)
            )

    def _read(self, register: Register, field: Field) -> int:
        if not self.contents.known(register, field):
            raise NotKnown(
                f"{register.shown} {field.name} is not written, and no reset value is known"
            )
        value, written = (
            self.contents.field(register, field),
            self.contents.written(register, field),
        )
        bits = f"[{field.high}:{field.low}]" if field.high > field.low else f"[{field.low}]"
        word = f"0x{self.contents.word(register):08X}"
        state = f"= {word}" if written else f"not written, reset value {word}"
        self._cite(
            f"{register.shown} {state}: ", f"{bits} {field.name} = {_number(value)}", not written
        )
        return value

    def _cite(self, head: str, part: str, reset: bool) -> None:
        """Record a source: a register once, with all of its fields that were read."""
        if self._cited:
            parts, _ = self._cited[-1].setdefault(head, ([], reset))
            if part and part not in parts:
                parts.append(part)


def _path(register: Register, field: Field) -> str:
    path: str = field.makes["figure"]
    return path.replace("{instance}", register.instance or "")


def _number(value: int) -> str:
    """A field's value for a person: packed fields and mode registers in hex."""
    return str(value) if value < 1024 else f"0x{value:X}"


def _scaled(number: int, field: Field) -> tuple[Value | None, str]:
    """The figure for a field's number, and the conversion in words."""
    makes = field.makes
    if "values" in makes:
        return makes["values"].get(str(number)), ""
    if "flag" in makes:
        return bool(number) != (makes["flag"] == "inverted"), ""
    value, words = number, ""
    if "times" in makes:
        value, words = value * makes["times"], f", times {makes['times']}"
    if "plus" in makes:
        value, words = value + makes["plus"], f"{words}, plus {makes['plus']}"
    return value, words
