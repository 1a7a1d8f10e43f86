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
LINE = re.compile(r"#|[a-z0-9][a-z0-9.-]*==\S+|    #|    --hash=sha256:[0-9a-f]{64}( \\)?$")


def faults(text: str, pins: dict[str, str]) -> list[str]:
    """Mistakes in a lock's text, compared with the pins that it was made from."""
    packages = requirements.parse(text)
    found = [f"unexpected line: {x}" for x in text.splitlines() if not LINE.match(x) or "://" in x]
    for name, line in pins.items():
        version = packages[name].version if name in packages else "nothing"
        if not re.search(rf"=={re.escape(version)}($|[ ;])", line):
            found.append(f"{name} is locked at {version}, pinned as {line}")
    for name, package in packages.items():
        if not any("--hash" in line for line in package.lines):
            found.append(f"{name} has no hash")
        if name not in pins and not package.parents & set(packages):
            found.append(f"{name} is needed by nothing")
    return found


def test_the_lock_holds_the_pins():
    assert not faults(TEXT, PINS), "run `make lock`"
    for name in requirements.sets():
        assert requirements.locked(name)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda text: text.replace("pytest==", "pytest==1"), "pytest is locked at 1"),
        (lambda text: re.sub(r"^ninja==.*?\n(?=\S)", "", text, flags=re.M | re.S), "ninja is"),
        (lambda text: re.sub(r"    # via jinja2\n", "", text), "markupsafe is needed by nothing"),
        (lambda text: re.sub(r"    --hash.*\n", "", text), "altair has no hash"),
        (lambda text: "--index-url https://example.org/simple\n" + text, "unexpected line"),
    ],
)
def test_a_damaged_lock_is_found(damage, says):
    assert any(says in fault for fault in faults(damage(TEXT), PINS))


def test_a_pin_must_be_exact(monkeypatch):
    content = requirements.project()
    content["tool"]["axiometer"]["pins"]["plot"] = ["altair>=6"]
    monkeypatch.setattr(requirements, "project", lambda: content)
    with pytest.raises(SystemExit, match="altair>=6 has no exact version"):
        requirements.pinned(["run"])


def test_nothing_that_is_needed_is_missing():
    """The dependencies of the installed packages are locked, at versions that they accept."""
    packages = requirements.locked("run", "development")
    asked = 0
    for name, package in packages.items():
        if package.marker and not Requirement(f"x; {package.marker}").marker.evaluate():
            continue
        assert metadata.version(name) == package.version, "run `make build`"
        for line in metadata.requires(name) or ():
            child = Requirement(line)
            if child.marker is None or child.marker.evaluate({"extra": ""}):
                asked += 1
                own = packages[requirements.normal(child.name)]
                assert child.specifier.contains(own.version, prereleases=True), line
                assert name in own.parents, line
    assert asked > 50


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


def outside(ranges: list[str], tested: list[str]) -> list[str]:
    """Requirements of users whose range the version that we test is not in, or that end nowhere;
    distributed counts by dates, and no date is known to break it."""
    pins = dict(line.split("==") for line in tested)
    found = []
    for needed in map(Requirement, ranges):
        version = pins.get(requirements.normal(needed.name))
        if version is None or not needed.specifier.contains(version):
            found.append(f"{needed}: {version} is tested")
        signs = {each.operator for each in needed.specifier}
        if "==" in signs or ">=" not in signs or not ("<" in signs or needed.name == "distributed"):
            found.append(f"{needed} is no range")
    return found


@pytest.mark.parametrize("group", ["run", "plot", "parquet", "cluster"])
def test_users_get_a_range_that_holds_what_is_tested(group):
    content = requirements.project()
    project, tested = content["project"], content["tool"]["axiometer"]["pins"][group]
    ranges = {"run": project["dependencies"], **project["optional-dependencies"]}[group]
    assert len(ranges) == len(tested) and not outside(ranges, tested)


@pytest.mark.parametrize(
    "line", ["altair==6.3.0", "altair>=6.4,<7", "altair>=5", "altair<7", "other>=1,<2"]
)
def test_a_range_that_is_none_is_found(line):
    assert outside([line], ["altair==6.3.0"])


def test_every_licence_is_allowed_and_no_line_is_too_many():
    known = licences.table()
    assert not licences.refused(known)
    assert known["packages"].keys() == requirements.parse(TEXT).keys()


@pytest.mark.parametrize(
    ("name", "licence", "audience"),
    [
        ("altair", "AGPL-3.0-only", "user"),
        ("jinja2", "LGPL-3.0-only", "user"),
        ("zipp", "MIT AND GPL-3.0-only", "user"),
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
