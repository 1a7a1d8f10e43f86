"""The register maps: generated files are up to date, compile, and follow the contract."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "regs"), str(ROOT / "rtl")]

import generate  # noqa: E402
from flow import tools  # noqa: E402
from views import leaves  # noqa: E402

from axiometer.runs.cosim.registers import of_header  # noqa: E402

BLOCKS = generate.blocks()
TYPES = dict(block[:2] for block in generate.block_types.types_of(generate.compile_block("id")))


@pytest.fixture(scope="module")
def wanted():
    files = {}
    for block in BLOCKS:
        files |= generate.generate(block)
    return files | generate.generate_types()


def module(block):
    return of_header(generate.GENERATED / f"{block}.h")


def test_generated_files_are_up_to_date(wanted):
    assert generate.stale(wanted) == [], "run regs/generate.py"


def test_check_sees_a_change(wanted, tmp_path, monkeypatch):
    for name, text in wanted.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(generate, "GENERATED", tmp_path)
    assert generate.stale(wanted) == []
    (tmp_path / "id.h").write_text(wanted["id.h"] + "\n")
    (tmp_path / "id_regs.sv").unlink()
    (tmp_path / "gone.h").write_text("")
    assert generate.stale(wanted) == ["id.h", "id_regs.sv", "gone.h"]
    assert generate.main(["--check", "id"]) == 1
    assert generate.main(["id"]) == 0
    assert generate.main(["--check", "id"]) == 0


def test_an_error_names_file_and_line(tmp_path, monkeypatch, capsys):
    for name in ("common.rdl", "id.rdl"):
        shutil.copy(generate.HERE / name, tmp_path)
    path = tmp_path / "id.rdl"
    path.write_text(path.read_text().replace("@ 0x00C", "@ 0x008"))
    monkeypatch.setattr(generate, "HERE", tmp_path)
    monkeypatch.setattr(generate, "GENERATED", tmp_path / "generated")
    assert generate.main(["id"]) == 1
    assert re.search(r"id\.rdl:\d+.*overlap", capsys.readouterr().err, re.S)


@pytest.mark.parametrize("block", BLOCKS)
def test_begins_as_every_block(block):
    top = generate.compile_block(block)
    map_ = dict(leaves(top))
    assert [map_[name].raw_absolute_address for name in ("ID", "CAPS", "CAPS2")] == [0, 4, 8]
    assert module(block).BLOCK_TYPE in TYPES.values()
    for name, node in map_.items():
        high = name.removesuffix("_LO") + "_HI"
        if name.endswith("_LO") and not node.is_array:
            assert map_[high].raw_absolute_address == node.raw_absolute_address + 4, name


def test_block_types_differ():
    kinds = [module(block).BLOCK_TYPE for block in BLOCKS]
    assert len(set(kinds)) == len(kinds)


def test_block_types_are_the_same_in_every_language(wanted):
    """Each view names all types with their numbers; only RAM has no map of its own."""
    patterns = {
        "block_types_pkg.sv": r"localparam logic \[15:0\] (\w+) = 16'd(\d+);",
        "block_types.h": r"AXM_BLOCK_(\w+) = (\d+),",
        "block_types.py": r"^(\w+) = (\d+)  #",
    }
    for name, pattern in patterns.items():
        pairs = re.findall(pattern, wanted[name], re.M)
        assert {key: int(number) for key, number in pairs} == TYPES, name
    assert len(set(TYPES.values())) == len(TYPES)
    with_map = {module(block).BLOCK_TYPE for block in BLOCKS}
    assert set(TYPES.values()) - with_map == {TYPES["NONE"], TYPES["RAM"]}


def test_numbers_of_block_types_stay():
    """Software in use depends on them."""
    assert list(TYPES.values()) == list(range(len(TYPES)))
    assert (TYPES["ID"], TYPES["COUNTER"], TYPES["CONVOLUTION"]) == (1, 9, 13)


@pytest.mark.parametrize("block", BLOCKS)
def test_rtl_is_clean_with_the_waiver(block):
    files = [generate.GENERATED / f"{block}_regs{kind}.sv" for kind in ("_pkg", "")]
    assert tools.lint(f"{block}_regs", files) == ""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_headers_compile_together(tmp_path):
    source = tmp_path / "all.c"
    includes = "".join(f'#include "{block}.h"\n' for block in BLOCKS)
    source.write_text(
        f"{includes}\n"
        '_Static_assert(AXM_ID_MAGIC == 0x00Cu, "offset");\n'
        '_Static_assert(AXM_GET(0x00020001u, AXM_ID_ID__MAP_VERSION) == 2u, "field");\n'
        '_Static_assert(AXM_PUT(2u, AXM_ID_ID__MAP_VERSION) == 0x00020000u, "field");\n'
        "int main(void) { return 0; }\n"
    )
    strict = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
    done = subprocess.run(
        ["gcc", *strict, "-fsyntax-only", f"-I{generate.GENERATED}", str(source)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", BLOCKS)
def test_python_reads_what_the_description_says(block):
    """From the header: offsets, masks and shifts of every field, and the members of every enum."""
    python, names = module(block), {"BLOCK_TYPE", "MAP_VERSION"}
    for name, node in leaves(generate.compile_block(block)):
        names.add(name)
        register = getattr(python, name)
        assert node.raw_absolute_address == register.OFFSET
        for field in node.fields() if hasattr(node, "fields") else ():
            shift = getattr(register, f"{field.inst_name}_SHIFT")
            mask = getattr(register, f"{field.inst_name}_MASK")
            assert (shift, mask >> shift) == (field.low, (1 << field.width) - 1)
            if encode := field.get_property("encode"):
                enum = encode.type_name.removeprefix(f"{block}_").removesuffix("_e")
                names.add(enum := enum.title().replace("_", ""))
                members = {m.name.upper(): m.value for m in encode}
                assert dict(getattr(python, enum).__members__) == members
    assert {name for name in vars(python) if not name.startswith("_")} == names
