"""Parts of a release: workflows, templates, citation, changelog, container."""

from __future__ import annotations

import re
import shutil

import pytest
import yaml

import kit
import release_notes
import requirements

GITHUB = kit.ROOT / ".github"
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))
PROJECT = requirements.project()["project"]


def targets() -> set[str]:
    """What make can be asked for."""
    text = (kit.ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    return set(re.search(r"^\.PHONY:(.*)$", text, re.MULTILINE)[1].split())


def faults(workflow: dict, known: set[str]) -> list[str]:
    """What is wrong with a workflow: rights that it does not need, no end, targets that make has
    not, another's steps without a version."""
    found = [] if workflow["permissions"] == {"contents": "read"} else ["it may do more than read"]
    for name, job in workflow["jobs"].items():
        if "uses" in job:
            continue
        if "timeout-minutes" not in job:
            found.append(f"{name} may run for ever")
        for step in job["steps"]:
            if "uses" in step and not re.fullmatch(r"[\w/-]+@v\d+", step["uses"]):
                found.append(f"{name}: {step['uses']} has no version")
            script = re.sub(r"\$\{\{.*?\}\}", "x", step.get("run", ""))
            for words in re.findall(r"^make (.*?)(?: > .*)?$", script, re.MULTILINE):
                asked = [w for w in words.split() if not w.startswith("-") and "=" not in w]
                found += [f"make has no {w}" for w in asked if w not in known]
    return found


def loaded(path) -> dict:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_is_whole(path):
    assert not faults(loaded(path), targets())
    assert loaded(path)["name"] == path.stem


def test_workflows_do_what_a_release_needs():
    needed = {"tests": "make test", "lint": "make lint", "wheels": "make wheels",
              "docs": "make docs", "release": "release-notes"}  # fmt: skip
    said = {path.stem: path.read_text(encoding="utf-8") for path in WORKFLOWS}
    assert said.keys() == needed.keys()
    assert [name for name, target in needed.items() if target not in said[name]] == []
    used = loaded(GITHUB / "workflows" / "release.yml")["jobs"]["wheels"]["uses"]
    assert (kit.ROOT / used).is_file()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda w: w["permissions"].update(contents="write"), "more than read"),
        (lambda w: w["jobs"]["lint"].pop("timeout-minutes"), "for ever"),
        (lambda w: w["jobs"]["lint"]["steps"].append({"run": "make linnt"}), "no linnt"),
        (lambda w: w["jobs"]["lint"]["steps"].append({"uses": "a/b"}), "no version"),
    ],
)
def test_a_broken_workflow_is_found(change, says):
    workflow = loaded(GITHUB / "workflows" / "lint.yml")
    change(workflow)
    assert any(says in fault for fault in faults(workflow, targets()))


def test_one_version_and_its_part_of_the_changelog():
    said = set(release_notes.versions().values())
    assert said == {PROJECT["version"]}
    assert said <= set(release_notes.parts((kit.ROOT / "CHANGELOG.md").read_text("utf-8")))


def copy(tmp_path, changelog: str):
    """A source tree of this version with another changelog."""
    for name in ("pyproject.toml", "CITATION.cff", "src/axiometer/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(kit.ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    return tmp_path


def test_release_notes(tmp_path):
    version = PROJECT["version"]
    dated = (
        f"# Changelog\n\n## [{version}] - 2030-01-02\n\n- This.\n\n## [0.0.1] - 2029-01-01\n- Old\n"
    )
    root = copy(tmp_path, dated)
    assert release_notes.notes(f"v{version}", root) == "- This."
    for tag in ("v9.9.9", version):
        with pytest.raises(SystemExit, match=f"the tag is {tag}"):
            release_notes.notes(tag, root)
    for text, says in (
        (dated.replace("2030-01-02", "not released yet"), "has no date"),
        (dated.replace("- This.", ""), "has no text"),
        ("# Changelog\n", "has no date"),
    ):
        with pytest.raises(SystemExit, match=says):
            release_notes.notes(f"v{version}", copy(tmp_path, text))


def test_the_container_copies_what_is_there():
    text = (kit.ROOT / "Containerfile").read_text(encoding="utf-8")
    for source in re.findall(r"^COPY (?!--from)(\S+)", text, re.MULTILINE):
        assert (kit.ROOT / source).exists()
    assert 'ENTRYPOINT ["axiometer"]' in text
    assert '"run", "zybo-hp-bandwidth"' in text  # the main job: that of `make run`
