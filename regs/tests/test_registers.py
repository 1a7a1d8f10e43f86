"""The register maps: generated files are up to date, compile, and follow the contract."""

import importlib.util
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

BLOCKS = generate.blocks()
TYPES = dict(block[:2] for block in generate.block_types.types_of(generate.compile_block("id")))


@pytest.fixture(scope="module")
def wanted():
    files = {}
    for block in BLOCKS:
        files |= generate.generate(block)
    return files | generate.generate_types()


def module(block):
    spec = importlib.util.spec_from_file_location(block, generate.GENERATED / f"{block}.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_generated_files_are_up_to_date(wanted):
    assert generate.stale(wanted) == [], "run regs/generate.py"


def test_check_sees_a_change(wanted, tmp_path, monkeypatch):
    for name, text in wanted.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(generate, "GENERATED", tmp_path)
    assert generate.stale(wanted) == []
    (tmp_path / "id.h").write_text(wanted["id.h"] + "\n")
    (tmp_path / "id.py").unlink()
    (tmp_path / "gone.h").write_text("")
    assert generate.stale(wanted) == ["id.h", "id.py", "gone.h"]
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
        "block_types.md": r"\| (?P<n>\d+) \| `(?P<name>\w+)`",
    }
    for name, pattern in patterns.items():
        found = re.findall(pattern, wanted[name], re.M)
        pairs = [pair[::-1] for pair in found] if name.endswith(".md") else found
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
def test_views_agree(block):
    """C and Python name the same offsets, masks and shifts."""
    prefix = f"AXM_{block.upper()}_"
    header = (generate.GENERATED / f"{block}.h").read_text()
    pairs = re.findall(rf"#define {prefix}(\w+) (0x[0-9A-F]+|\d+)u", header)
    in_c = {name: int(value, 0) for name, value in pairs}
    python = module(block)
    found = 0
    for name, value in vars(python).items():
        if isinstance(value, type) and hasattr(value, "OFFSET"):
            assert in_c[name] == value.OFFSET
            for attribute, number in vars(value).items():
                if attribute.endswith(("_MASK", "_SHIFT")):
                    assert in_c[f"{name}__{attribute}"] == number
                    found += 1
    assert found > 4
