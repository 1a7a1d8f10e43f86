"""The lock files in requirements/ hold the pins of pyproject.toml and all their dependencies."""

import re
import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement

import dependencies
import kit
import lock

NAMES = list(lock.groups())
ALL_HASHED = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def faults(pinned: list[str], text: str) -> list[str]:
    """Mistakes in a lock file's text, compared with the pins that it was made from."""
    packages = dependencies.parse(text)
    pins = dependencies.pins(pinned)
    found = []
    for name, version in pins.items():
        if name not in packages:
            found.append(f"{name} is not locked")
        elif packages[name].version != version:
            found.append(f"{name} is locked at {packages[name].version}, pinned at {version}")
    for name, package in packages.items():
        if not package.hashes:
            found.append(f"{name} has no hash")
        if name not in pins and not set(package.parents) & set(packages):
            found.append(f"{name} is needed by nothing")
    for line in text.splitlines():
        known = re.match(
            r"#|[a-z0-9][a-z0-9.-]*==\S+|    #|    --hash=sha256:[0-9a-f]{64}( \\)?$", line
        )
        if not known or "://" in line:
            found.append(f"unexpected line: {line}")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_lock_holds_the_pins(name):
    text = lock.path(name).read_text(encoding="utf-8")
    assert not faults(lock.pinned(name), text), "run `make lock`"


@pytest.mark.parametrize(
    "damage, says",
    [
        (lambda text: text.replace("pytest==", "pytest==1"), "pytest is locked at 1"),
        (lambda text: re.sub(r"^ninja==.*?\n(?=\S)", "", text, flags=re.M | re.S), "ninja is not"),
        (lambda text: re.sub(r"    # via jinja2\n", "", text), "markupsafe is needed by nothing"),
        (lambda text: re.sub(r"    --hash.*\n", "", text), "altair has no hash"),
        (lambda text: "--index-url https://example.org/simple\n" + text, "unexpected line"),
    ],
)
def test_damaged_lock_is_found(damage, says):
    text = lock.path("development").read_text(encoding="utf-8")
    assert any(says in fault for fault in faults(lock.pinned("development"), damage(text)))


def test_changed_pin_is_found():
    text = lock.path("development").read_text(encoding="utf-8")
    changed = [line.replace("altair==", "altair==9") for line in lock.pinned("development")]
    assert [fault for fault in faults(changed, text) if fault.startswith("altair is locked at")]


def test_pin_must_be_exact():
    with pytest.raises(SystemExit, match="has no exact version"):
        dependencies.pins(["altair>=6"])


def test_one_version_everywhere():
    seen = {}
    for name in NAMES:
        for package in dependencies.locked(name).values():
            assert seen.setdefault(package.name, package.version) == package.version, package


def test_nothing_that_is_needed_is_missing():
    """The dependencies of the installed packages are locked, at versions that they accept."""
    packages = dependencies.locked("development")
    asked = 0
    for package in packages.values():
        if package.marker and not Requirement(f"x; {package.marker}").marker.evaluate():
            continue
        assert metadata.version(package.name) == package.version, "run `make build`"
        for line in metadata.requires(package.name) or ():
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                asked += 1
                child = packages[dependencies.normal(needed.name)]
                assert needed.specifier.contains(child.version, prereleases=True), line
                assert package.name in child.parents or package.name in map(
                    dependencies.normal, child.parents
                ), line
    assert asked > 50


def test_make_installs_only_hashed_packages():
    text = (kit.ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if "pip install" in line]
    assert lines
    for line in lines:
        assert "--require-hashes" in line or "--no-deps" in line, line


def outside(ranges: list[str], pinned: list[str]) -> list[str]:
    """Requirements of users whose range the version that we test is not in, or that end nowhere;
    distributed counts by dates, and no date is known to break it."""
    pins = dependencies.pins(pinned)
    found = []
    for line in ranges:
        needed = Requirement(line)
        version = pins.get(dependencies.normal(needed.name))
        if version is None or not needed.specifier.contains(version):
            found.append(f"{line}: {version} is tested")
        signs = {each.operator for each in needed.specifier}
        if "==" in signs or ">=" not in signs or not (signs & {"<"} or needed.name in BY_DATE):
            found.append(f"{line} is no range")
    return found


BY_DATE = ("distributed",)


@pytest.mark.parametrize("group", ["run", "plot", "parquet", "cluster"])
def test_users_get_a_range_that_holds_what_is_tested(group):
    content = tomllib.loads((kit.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = content["project"]
    ranges = {"run": project["dependencies"], **project["optional-dependencies"]}[group]
    pinned = content["tool"]["axiometer"]["pins"][group]
    assert len(ranges) == len(pinned)
    assert not outside(ranges, pinned)


@pytest.mark.parametrize(
    "ranges",
    [["altair==6.3.0"], ["altair>=6.4,<7"], ["altair>=5"], ["altair<7"], ["other>=1,<2"]],
)
def test_a_range_that_is_none_is_found(ranges):
    assert outside(ranges, ["altair==6.3.0"])
