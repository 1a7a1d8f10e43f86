"""A design as a TOML file: written files are read back, and mistakes are reported."""

import pytest

import design_kit as kit
from axiometer.base.errors import AxiometerError
from axiometer.designs import design_file, load

NAMES = [
    "pynq-z2-base.hwh.xz",
    "pynqcv-zcu104-xv2remapstereobm.hwh.xz",
    "ultra96-memory-test.hdf",
    "vieira-duplex-32bit.hdf",
    "vieira-intel-duplex-64bit.qsys.xz",
]


def test_a_name_of_two_lines_is_written_on_one(tmp_path):
    """It broke the table that it stood in, and the file that was written of it."""
    tables = '<MODULE FULLNAME="/dma"', '<MODULE FULLNAME="/d&#10;m&#9;a"'
    block = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d"))
    text = kit.hwh(block, kit.zynq(("S_AXI_HP0", "d")), name="b&#10;d").replace(*tables)
    (tmp_path / "bd.hwh").write_text(text)
    design = load(tmp_path / "bd.hwh")
    assert (design.name, design.masters[0].name) == ("b\\x0ad", "d\\x0am\\x09a.M_AXI_MM2S")
    (tmp_path / "d.toml").write_text(design_file.dumps(design))
    assert load(tmp_path / "d.toml") == design


def sample(tmp_path):
    block = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d"))
    return load(kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "d"))))


@pytest.mark.parametrize("name", NAMES)
def test_a_design_is_the_same_after_its_file(tmp_path, name):
    design = load(kit.reference(name))
    path = tmp_path / "design.toml"
    path.write_text(design_file.dumps(design), encoding="utf-8")
    assert load(path) == design


def test_names_of_any_kind_are_written(tmp_path):
    text = kit.hwh(
        kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d")), kit.zynq(("S_AXI_HP0", "d"))
    ).replace('FULLNAME="/dma"', 'FULLNAME="/a &quot;b\\c&quot; é #=\'"')
    (tmp_path / "bd.hwh").write_text(text, encoding="utf-8")
    design = load(tmp_path / "bd.hwh")
    (tmp_path / "d.toml").write_text(design_file.dumps(design), encoding="utf-8")
    assert load(tmp_path / "d.toml") == design
    assert design.masters[0].name.startswith('a "b\\c" é #=\'')


READS = "read = { burst_beats = 16, outstanding = 5, cache = 3 }"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('chip = "zynq-7000"', 'chip = "zynq-7"', "chip = ", "there is no chip 'zynq-7'"),
        ("width_bits = 64", 'width_bits = "64"', "width_bits = ", "is not a whole number"),
        ("width_bits = 64", "widht_bits = 64", "widht_bits", "unknown key 'widht_bits'"),
        ("burst_beats = 16", "beats = 16", "read = ", "unknown key 'beats'"),
        ('\nport = "HP0"', '\nport = "HP1"', None, "has a route to port 'HP1'"),
        ('"S_AXI_HP0"\nkind', '"S_AXI_HP9"\nkind', None, "has no port S_AXI_HP9"),
        ("mhz = 100\n", "mhz = nan\n", "mhz = ", "is out of range"),
        ('"0x1fffffff"', '"much"', None, "is not an address"),
        (
            READS,
            "",
            None,
            "neither reads nor writes",
        ),
    ],
)
def test_mistakes_in_a_file_are_reported(tmp_path, old, new, line, message):
    block = kit.module(
        "dma", kit.DMA, kit.reads("M_AXI_MM2S", "d"), parameters={"C_MM2S_BURST_SIZE": 16},
        ranges=[("M_AXI_MM2S", "ps", "S_AXI_HP0")],
    )  # fmt: skip
    design = load(kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "d"))))
    text = design_file.dumps(design)
    assert old in text
    path = tmp_path / "design.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(AxiometerError) as caught:
        load(path)
    assert message in str(caught.value)
    assert caught.value.remedy
    if line:
        assert path.read_text().splitlines()[caught.value.line - 1].startswith(line)


def test_a_user_s_changes_count(tmp_path):
    design = sample(tmp_path)
    text = design_file.dumps(design).replace("outstanding = 5", "outstanding = 12")
    (tmp_path / "d.toml").write_text(text)
    assert load(tmp_path / "d.toml").masters[0].read.outstanding == 12
