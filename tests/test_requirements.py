"""requirements/: the lock has the pins of pyproject.toml and all that these need, with hashes; the
licence of each package is known and allowed."""

import re
from importlib import metadata

import pytest
from packaging.requirements import Requirement

import kit
import licences
import requirements

TEXT = requirements.LOCK.read_text(encoding="utf-8")
PINS = requirements.pinned(list(requirements.sets()))


def test_the_lock_holds_the_pins():
    """That nothing is missing in it, and that each package has a hash, pip itself says."""
    packages = requirements.parse(TEXT)
    for name, line in PINS.items():
        assert re.search(rf"=={re.escape(packages[name].version)}($|[ ;])", line), "run `make lock`"
    assert "://" not in TEXT
    for name, package in packages.items():
        assert name in PINS or package.parents & set(packages), f"{name} is needed by nothing"


def test_a_pin_must_be_exact(monkeypatch):
    content = requirements.project()
    content["tool"]["axiometer"]["pins"]["plot"] = ["altair>=6"]
    monkeypatch.setattr(requirements, "project", lambda: content)
    with pytest.raises(SystemExit, match="altair>=6 has no exact version"):
        requirements.pinned(["run"])


def test_a_user_without_an_extra_gets_one_package(capsys):
    names = {Requirement(line).name for line in requirements.project()["project"]["dependencies"]}
    packages = requirements.parse(TEXT)
    assert requirements.needed(names, packages).keys() == {"argcomplete"}
    assert {"jinja2", "markupsafe"} <= requirements.needed({"jinja2"}, packages).keys()
    assert requirements.main(["lint"]) == 0
    assert requirements.parse(capsys.readouterr().out).keys() == requirements.locked("lint").keys()
    assert requirements.main(["lnt"]) == 2


def test_make_installs_only_hashed_packages():
    text = (kit.ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if "pip install" in line]
    assert lines
    assert [x for x in lines if "--require-hashes" not in x and "--no-deps" not in x] == []


@pytest.mark.parametrize("group", ["run", "plot", "parquet", "cluster"])
def test_users_get_a_range_that_holds_what_is_tested(group):
    content = requirements.project()
    project, tested = content["project"], content["tool"]["axiometer"]["pins"][group]
    ranges = {"run": project["dependencies"], **project["optional-dependencies"]}[group]
    pins = dict(line.split("==") for line in tested)
    assert len(ranges) == len(pins)
    for needed in map(Requirement, ranges):
        assert needed.specifier.contains(pins[requirements.normal(needed.name)])
        signs = {each.operator for each in needed.specifier}
        assert signs == {">=", "<"} or needed.name == "distributed"  # which counts by dates


def test_every_licence_is_allowed_and_no_line_is_too_many():
    known = licences.table()
    assert not licences.refused(known)
    assert known["packages"].keys() == requirements.parse(TEXT).keys()


@pytest.mark.parametrize(
    ("name", "licence", "audience"),
    [
        ("jinja2", "LGPL-3.0-only", "user"),
        ("pytest", "SSPL-1.0", "development"),
        ("altair", "unknown: look it up and add it", "user"),
    ],
)
def test_another_licence_is_refused(name, licence, audience):
    known = licences.table()
    known["packages"][name] = licence
    assert licences.refused(known) == [f"{name}: {licence} is not on the list for {audience}"]


def test_a_choice_of_licences():
    assert licences.allowed("MIT OR GPL-3.0-only", {"MIT"})
    assert not licences.allowed("MIT AND GPL-3.0-only", {"MIT"})
    assert not licences.allowed("Apache-2.0 WITH LLVM-exception", {"Apache-2.0"})


# What packages write where an SPDX expression is not usual yet -> what it may mean.
BSD = {"BSD-2-Clause", "BSD-3-Clause"}
SPOKEN = {
    "OSI Approved :: Apache Software License": {"Apache-2.0"},
    "OSI Approved :: BSD License": BSD,
    "OSI Approved :: GNU Lesser General Public License v3 (LGPLv3)": {"LGPL-3.0-only"},
    "OSI Approved :: MIT License": {"MIT"},
    "OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": {"MPL-2.0"},
    "Apache 2.0": {"Apache-2.0"},
    "Apache License 2.0": {"Apache-2.0"},
    "BSD": BSD,
    "BSD 3-Clause": {"BSD-3-Clause"},
    "MIT License": {"MIT"},
}


def spoken(about) -> set[str]:
    """What the licence of an installed package may be, as its own metadata say."""
    if expression := about.get("License-Expression"):
        return {expression}
    head = "License :: "
    said = [c.removeprefix(head) for c in about.get_all("Classifier", []) if c.startswith(head)]
    return set().union(*(SPOKEN.get(x, {x}) for x in said or [about.get("License") or ""]))


def test_packages_say_the_same():
    known, compared = licences.table(), 0
    for name in requirements.locked("development"):
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue  # not for this system
        said, own = spoken(about), known["packages"][name]
        if name not in known["noted"] and own not in said:
            # Some paste the licence's text or a copyright line instead of its name.
            assert not said & {"MIT", "Apache-2.0", *BSD}, (name, said)
            assert own.partition("-")[0] in str(about.get("License")), (name, said)
        compared += 1
    assert compared > 70
