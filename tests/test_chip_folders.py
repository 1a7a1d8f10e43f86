"""Folders of chips: the permitted content of files, and named things exist. No code names a
chip."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

import kit
from axiometer.base import chip_files, data
from axiometer.designs import ps_facts
from axiometer.platform.registers import usable_chips
from axiometer.platform.registers.rules import expression, formulas
from axiometer.platform.registers.tables import load

CHIPS = data.names("chips")
FILES = {
    "structure", "registers", "figures", "exports", "doctor", "project", "boot", "board_file",
    "host",
}  # fmt: skip
SOURCE = kit.ROOT / "src" / "axiometer"


@pytest.mark.parametrize("chip", CHIPS)
def test_a_folder_has_no_unread_file(chip):
    folder = data.directory("chips") / chip
    modules = set((chip_files.read(chip, "registers") or {"modules": []})["modules"])
    for path in folder.rglob("*"):
        if path.parent == folder:
            assert path.is_dir() or path.stem in FILES | {"README"}, path.name
        else:
            assert path.parent.name == "registers" and path.stem in modules, path.name


@pytest.mark.parametrize("chip", CHIPS)
def test_what_a_chip_takes_is_there(chip):
    for like in (chip_files.read(chip, "structure") or {}).get("like", []):
        for file in like.get("files", ()):
            assert file in FILES - {"structure"}
            assert chip_files.read(like["chip"], file) is not None, file


def unknown(chip: str, found: formulas.Formulas) -> list[str]:
    """Names in a chip's formulas that are no part, field, register or figure of it."""
    table = load(chip)
    fields = {f"{key}.{name}" for key, r in table.registers.items() for name in r.fields}
    figures = {
        field.makes["figure"].replace("{instance}", str(register.instance))
        for register in table.registers.values()
        for field in register.fields.values()
        if "figure" in field.makes
    }
    known = {*found.parts, *fields, *table.registers, *found.figures, *figures, "value"}
    lost = []
    for node in expressions(found):
        lost += [name for name in expression.names_in(node) if name not in known]
        for call in (c for c in ast.walk(node) if isinstance(c, ast.Call)):
            if call.func.id == "chosen":
                prefix, field = map(expression.dotted, call.args)
                codes = table.field(field)[1].makes["selects"].values()
                lost += [f"{prefix}.{code}" for code in codes if f"{prefix}.{code}" not in known]
            if call.func.id == "bits" and call.args[0].id not in table.address_fields:
                lost.append(ast.unparse(call))
    return lost


def expressions(found):
    yield from found.parts.values()
    for figure in found.figures.values():
        yield figure.value
        yield from (note.when for note in (figure.before, figure.after) if note)


@pytest.mark.parametrize("chip", usable_chips())
def test_formulas_name_what_there_is(chip):
    found = formulas.load(chip)
    assert unknown(chip, found) == []
    first = next(iter(found.figures))
    for wrong in ("SLCR.NOT_THERE.FIELD", "clocks.no_such_mhz", "bits(no_kind)"):
        spoilt = formulas.Formulas(found.figures, {"wrong.part": formulas.parsed(wrong)})
        assert wrong in unknown(chip, spoilt), first


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("open('x')", "not an operation"),
        ("a.b()", "not an expression"),
        ("(lambda: 1)", "not an expression"),
    ],
)
def test_an_expression_is_no_program(text, why):
    with pytest.raises(ValueError, match=why):
        expression.evaluate(formulas.parsed(text), None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 / 3 * 3", 1),
        ("7 // 2 + 7 % 2", 4),
        ("[10, 20][1] >> 2 & 3 | 8", 9),
        ("None + 1 if 2 > 1 else 5", None),
        ("not 0 and 4 or 3", 4),
        ("only({'a': 0, 'b': 2})", "b"),
        ("only({'a': 1, 'b': 2})", None),
        ("length([1, 2]) * -2", -4),
    ],
)
def test_expressions(text, value):
    assert expression.evaluate(formulas.parsed(text), None) == value


def names() -> re.Pattern[str]:
    """What chips are called."""
    every = {*CHIPS, *data.aliases("chips")}
    every |= {re.sub(r"\W", "_", name) for name in every}
    return re.compile(rf"(?<![\w-])({'|'.join(sorted(map(re.escape, every)))})(?![\w-])")


def of_a_chip(text: str) -> list[str]:
    """Strings and names of a program that are a chip's name; what it says of itself is none."""
    programs = ast.parse(text)
    documents = {
        node.body[0].value.lineno
        for node in ast.walk(programs)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)
    }
    return [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type in (tokenize.NAME, tokenize.STRING)
        and token.start[0] not in documents
        and names().search(token.string)
    ]


def test_no_code_names_a_chip():
    found = {
        str(path.relative_to(SOURCE)): its
        for path in kit.code(SOURCE)
        if (its := of_a_chip(path.read_text(encoding="utf-8")))
    }
    assert found == {}
    planted = f'"""Of {CHIPS[0]}."""\nif chip == "{CHIPS[-1]}":\n    pass\n'
    assert of_a_chip(planted) == [f'"{CHIPS[-1]}"']


@pytest.mark.parametrize("system", ps_facts.all_systems(), ids=lambda system: system.chip)
def test_a_core_and_a_part_tell_the_chip(system):
    for core in system.cores:
        for part in system.parts or ("", "some-part"):
            found = ps_facts.of_core(core, part.replace("*", "clg225-1").upper())
            assert found is system
    assert ps_facts.of_core("no:such:core", "") is None


RESET = re.compile(r"reset value (0x[0-9A-F]+) of (\w+)(?:\[(\d+):(\d+)\])?")


def other_resets(text: str, chip: str) -> list[str]:
    """Reset values that origins cite and that are not those of the chip's registers."""
    named = {register.name: register for register in load(chip).registers.values()}
    return [
        found[0]
        for found in RESET.finditer(text)
        if found[2] in named
        and int(found[1], 16)
        != (named[found[2]].reset or 0) >> int(found[4] or 0)
        & ((1 << int(found[3] or 31) - int(found[4] or 0) + 1) - 1)
    ]


def test_origins_cite_the_reset_values_of_the_registers():
    cited = 0
    for chip in set(usable_chips()) & set(CHIPS):
        text = data.path_of("chips", chip).read_text(encoding="utf-8")
        cited += len(RESET.findall(text))
        assert other_resets(text, chip) == [], chip
        register = next(r for r in load(chip).registers.values() if r.name.isidentifier())
        planted = f"reset value 0x{(register.reset or 0) + 1:X} of {register.name}"
        assert other_resets(planted, chip) == [planted]
    assert cited


LEAST = 1 << 16
"""Numbers from here on are addresses, reset values of whole registers and masks; below, too many
are alike by chance."""
_C = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|^[ \t]*#(?![ \t]*define)[^\n]*", re.S | re.M
)


def numbers(path: Path, text: str) -> set[int]:
    """The numbers that a file types, but for those in its words."""
    if path.suffix == ".py":
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        written = [t.string for t in tokens if t.type == tokenize.NUMBER]
        found = {int(n, 0) for n in written if n[:2].lower() == "0x"}
    else:
        if path.suffix == ".toml":
            # Ranges `elsewhere` say what a dump may have of no weight, not where anything is.
            tables = re.split(r"(?m)^(?=\[)", text)
            text = "".join(of for of in tables if not of.startswith("[[elsewhere]]"))
            text = re.sub(r"\"[^\"\n]*\"|#[^\n]*", " ", text)
        else:
            text = _C.sub(" ", text)
        found = {int(n, 16) for n in re.findall(r"\b0[xX]([0-9a-fA-F_]+)", text)}
    return {number for number in found if number >= LEAST and number != 0xFFFFFFFF}


def made_of(chip: str) -> set[int]:
    """Addresses that a chip's folder gives by a base and an offset."""
    registers = load(chip).registers.values() if chip in usable_chips() else ()
    made = {register.address for register in registers}
    if host := chip_files.read(chip, "host"):
        header = kit.ROOT / "host" / "include" / "axm" / f"{host['header']}.h"
        made |= numbers(header, header.read_text(encoding="utf-8"))
    return made


def repeated(texts: dict[Path, str]) -> list[str]:
    """What a chip's folder states and another file of it, of src/ or of host/ types again."""
    typed = {path: numbers(path, text) for path, text in texts.items()}
    found = []
    for chip in CHIPS:
        own = {path: typed[path] for path in typed if path.parts[:2] == ("chips", chip)}
        made = made_of(chip)
        beside = {path: typed[path] for path in typed if path.parts[0] != "chips"}
        for path, of in {**own, **beside}.items():
            other = set().union(*(its for place, its in own.items() if place != path))
            again = of & (other if path in own else other | made)
            found += [f"{path}: 0x{number:08X} of {chip}" for number in sorted(again)]
    return found


def sources() -> dict[Path, str]:
    """Data and programs that know chips. Not: what is made of them, and fakes of C's tests."""
    places = [
        *kit.ROOT.glob("chips/**/*.toml"), *kit.code(kit.ROOT / "src"),
        *kit.code(kit.ROOT / "lab" / "machines"),
        *kit.ROOT.glob("src/**/*.toml"),
        *(p for s in ("c", "h", "S", "ld") for p in kit.ROOT.glob(f"host/**/*.{s}")),
        *kit.ROOT.glob("host/**/Makefile"),
    ]  # fmt: skip
    texts = {p.relative_to(kit.ROOT): p.read_text(encoding="utf-8") for p in places}
    return {
        path: text
        for path, text in texts.items()
        if path.parts[:2] != ("host", "tests") and "do not edit it" not in text[:400]
    }


def test_an_address_or_a_reset_value_is_typed_once():
    texts = sources()
    assert repeated(texts) == []
    for path, planted in (
        ("host/bare/uart_cadence.c", "#define AXM_UART 0xE0001000u\n"),  # a block's
        ("host/bare/armv7/cache.c", "enum { L2C_RAM = 0xF8000A1C };\n"),  # a register's
        ("host/freertos/main.c", "#define AXM_BASE 0x43C00000u\n"),
        ("lab/machines/bare.py", "BASE = 0x43C0_0000\n"),
        ("chips/zynq-7000/project.toml", "\n[again]\nbase = 0xF8000000\n"),
        ("chips/zynq-7000/doctor.toml", "\n[again]\nreset = 0x0001_A008\n"),
    ):
        spoilt = {**texts, Path(path): texts[Path(path)] + planted}
        assert any(said.startswith(f"{path}: ") for said in repeated(spoilt)), planted
