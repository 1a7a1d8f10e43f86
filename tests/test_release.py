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
    """What is wrong with a workflow: no jobs, rights that it does not need, targets that make has
    not, a step that neither runs nor uses anything."""
    found = []
    if workflow.get("permissions") != {"contents": "read"}:
        found.append("it may do more than read")
    if not workflow.get("jobs"):
        found.append("no jobs")
    for name, job in (workflow.get("jobs") or {}).items():
        if "uses" in job:
            continue
        if "timeout-minutes" not in job:
            found.append(f"{name} may run for ever")
        for step in job.get("steps", ()):
            if ("run" in step) == ("uses" in step):
                found.append(f"{name}: a step runs nothing")
            for line in str(step.get("run", "")).splitlines():
                line = re.sub(r"\$\{\{.*?\}\}", "x", line).partition(" > ")[0]
                words = line.split()
                if words and words[0] == "make":
                    asked = [w for w in words[1:] if not w.startswith("-") and "=" not in w]
                    found += [f"make has no {w}" for w in asked if w not in known]
            if "uses" in step and not re.fullmatch(r"[\w/-]+@v\d+", step["uses"]):
                found.append(f"{name}: {step['uses']} has no version")
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
        (lambda w: w.pop("permissions"), "more than read"),
        (lambda w: w.pop("jobs"), "no jobs"),
        (lambda w: w["jobs"]["lint"].pop("timeout-minutes"), "for ever"),
        (lambda w: w["jobs"]["lint"]["steps"].append({"run": "make linnt"}), "no linnt"),
        (lambda w: w["jobs"]["lint"]["steps"].append({"uses": "a/b"}), "no version"),
        (lambda w: w["jobs"]["lint"]["steps"].append({"name": "x"}), "runs nothing"),
    ],
)
def test_a_broken_workflow_is_found(change, says):
    workflow = loaded(GITHUB / "workflows" / "lint.yml")
    change(workflow)
    assert any(says in fault for fault in faults(workflow, targets()))


@pytest.mark.parametrize("path", sorted(GITHUB.glob("ISSUE_TEMPLATE/*.yml")), ids=lambda p: p.stem)
def test_issue_template_is_one(path):
    form = loaded(path)
    if path.stem == "config":
        assert form == {"blank_issues_enabled": True}
        return
    assert form["name"] and form["description"]
    ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    assert len(set(ids)) == len(ids) > 0
    for part in form["body"]:
        assert part["type"] in {"textarea", "input", "checkboxes", "dropdown", "markdown"}
        assert part["attributes"]["label"]
    assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_citation_is_one():
    """The keys that the format (1.2.0) requires, and the project's own facts."""
    said = loaded(kit.ROOT / "CITATION.cff")
    assert said["cff-version"] == "1.2.0"
    assert said["message"] and said["title"] and said["authors"]
    assert all(set(a) & {"name", "family-names"} for a in said["authors"])
    assert said["type"] == "software"
    assert said["version"] == PROJECT["version"]
    assert said["license"] == PROJECT["license"]


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


def test_a_version_has_at_most_60_lines_in_the_changelog():
    text = (kit.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert all(part.count("\n") <= 60 for part in text.split("\n## [")[1:])


def test_the_changelog_says_each_thing_once():
    """Two entries of nearly the same words are one that was edited and kept."""
    text = (kit.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    entries = [set(re.findall(r"\w+", entry)) for entry in re.split(r"\n(?=- |#)", text)]
    entries = [words for words in entries if len(words) > 5]
    for number, one in enumerate(entries):
        for other in entries[:number]:
            assert len(one & other) < 0.65 * len(one | other), sorted(one & other)
