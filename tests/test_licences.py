"""Licences of all dependencies: known, allowed, and as the page has them."""

import tomllib
from importlib import metadata

import pytest

import dependencies
import licences

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


def spoken(name: str) -> set[str]:
    """What the licence of an installed package may be, as its own metadata say."""
    about = metadata.metadata(name)
    if expression := about.get("License-Expression"):
        return {expression}
    head = "License :: "
    said = [c.removeprefix(head) for c in about.get_all("Classifier", []) if c.startswith(head)]
    said = said or [about.get("License") or ""]
    return set().union(*(SPOKEN.get(text, {text}) for text in said))


def test_page_is_up_to_date():
    assert licences.PAGE.read_text(encoding="utf-8") == licences.page(), "tools/licences.py --write"


def test_every_licence_is_allowed():
    assert not dependencies.refused()


@pytest.mark.parametrize(
    "name, licence, says",
    [
        ("altair", "AGPL-3.0-only", "altair: AGPL-3.0-only is not on the list for user"),
        ("jinja2", "LGPL-3.0-only", "jinja2: LGPL-3.0-only is not on the list for user"),
        ("zipp", "MIT AND GPL-3.0-only", "zipp: MIT AND GPL-3.0-only is not"),
        ("pytest", "SSPL-1.0", "pytest: SSPL-1.0 is not on the list for development"),
    ],
)
def test_other_licence_is_refused(monkeypatch, name, licence, says):
    table = dependencies.licences()
    table["packages"][name] = licence
    monkeypatch.setattr(dependencies, "licences", lambda: table)
    assert [fault for fault in dependencies.refused() if fault.startswith(says)]


def test_choice_of_licences():
    assert dependencies.allowed("MIT OR GPL-3.0-only", {"MIT"})
    assert not dependencies.allowed("MIT AND GPL-3.0-only", {"MIT"})
    assert not dependencies.allowed("Apache-2.0 WITH LLVM-exception", {"Apache-2.0"})


def test_unknown_licence_is_an_error(monkeypatch):
    table = dependencies.licences()
    del table["packages"]["altair"]
    monkeypatch.setattr(dependencies, "licences", lambda: table)
    with pytest.raises(SystemExit, match="the licence of altair is unknown"):
        dependencies.refused()


def test_no_line_too_many():
    assert set(dependencies.licences()["packages"]) == set(dependencies.everything())


def test_packages_say_the_same():
    table = dependencies.licences()
    compared = 0
    for package in dependencies.locked("development").values():
        try:
            said = spoken(package.name)
        except metadata.PackageNotFoundError:
            continue  # not for this system
        if package.name not in table["noted"] and not said & {table["packages"][package.name]}:
            # Some paste the licence's text or a copyright line instead of its name.
            assert not said & {"MIT", "Apache-2.0", *BSD}, (package.name, said)
            pasted = str(metadata.metadata(package.name).get("License"))
            assert table["packages"][package.name].partition("-")[0] in pasted, (package.name, said)
        compared += 1
    assert compared > 70


def test_a_package_needs_what_its_requirements_need(monkeypatch):
    """Without an extra the package needs one; what it would need comes with its own needs."""
    project = {"dependencies": ["jinja2>=3"], "name": "x", "version": "1"}
    assert dependencies.required() == {"argcomplete"}
    monkeypatch.setattr(tomllib, "loads", lambda text: {"project": project})
    assert dependencies.required() == {"jinja2", "markupsafe"}
