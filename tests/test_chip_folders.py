"""Folders of chips: the permitted content of files, and named things exist. No code names a
chip."""

import ast
import io
import re
import tokenize

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


"""Numbers from here on are addresses, reset values of whole registers and masks; below, too many
are alike by chance."""
