"""Each room lists its own files once; what it needs of others it names as rooms."""

import re

import pytest
from flow import tools

LISTS = sorted(tools.RTL.glob("*/*sources.txt"))


def name_of(path):
    design = path.stem.removesuffix("sources").removesuffix("_")
    return f"{path.parent.name}/{design}" if design else path.parent.name


NAMES = [name_of(path) for path in LISTS]


def lines(room):
    return tools.source_list(room).read_text().split("\n")[:-1]


def plain(path):
    return re.sub(r"//[^\n]*", "", path.read_text())


def modules(paths):
    return {
        name
        for path in paths
        for name in re.findall(r"^(?:module|package) (\w+)", plain(path), re.M)
    }


def used(paths):
    """Modules that are instantiated and packages that are named; `axm_error_...` is none."""
    found = set()
    for path in paths:
        found |= set(re.findall(r"^ *(axm_\w+|\w+_regs) (?:#\(|u_\w+ \()", plain(path), re.M))
        found |= set(re.findall(r"\b(\w+_pkg)::", plain(path)))
    return {name for name in found if not name.startswith("axm_error_")}


def test_every_file_is_in_a_list():
    listed = {path for name in NAMES for path in tools.sources(name)}
    other = {"tests", "checks"}
    files = {path for path in tools.RTL.rglob("*.sv") if not other & {*path.parts}}
    files |= set((tools.ROOT / "regs" / "generated").glob("*.sv"))
    assert sorted(path.name for path in files - listed) == []
    assert len(files) > 80


@pytest.mark.parametrize("name", NAMES)
def test_a_list_has_only_files_of_its_room(name):
    own = [line for line in lines(name) if not line.startswith("@")]
    room = name.partition("/")[0]
    assert [line for line in own if not line.startswith((f"{room}/", "../regs/generated/"))] == []
    assert len(set(own)) == len(own)


@pytest.mark.parametrize("name", NAMES)
def test_a_list_is_whole_and_names_no_room_in_vain(name):
    files = tools.sources(name)
    assert used(files) - modules(files) == set()
    own = [(tools.RTL / line).resolve() for line in lines(name) if not line.startswith("@")]
    for line in lines(name):
        if line.startswith("@"):
            assert used(own) & modules(tools.sources(line[1:])), line


def test_no_file_is_owned_twice():
    owned = [line for name in NAMES for line in lines(name) if not line.startswith("@")]
    assert sorted({line for line in owned if owned.count(line) > 1}) == []


def test_packages_come_first():
    stems = [path.stem for path in tools.sources("tops/dma")]
    packages = [stem for stem in stems if stem.endswith("_pkg")]
    assert len(packages) > 5 and stems[: len(packages)] == packages
