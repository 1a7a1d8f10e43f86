"""The GitHub Action and the pre-commit hook: their steps run as a runner would run them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import design_kit
import kit

ACTION = kit.ROOT / "action.yml"
HOOKS = kit.ROOT / ".pre-commit-hooks.yaml"
EXPRESSION = re.compile(r"\$\{\{ (inputs\.[\w-]+)( \|\| github\.action_path)? \}\}")


def action():
    return yaml.safe_load(ACTION.read_text(encoding="utf-8"))


class Job:
    """A job with a workspace: `run` does the steps of the action with its inputs."""

    def __init__(self, folder):
        self.folder = folder
        self.workspace = folder / "workspace"
        self.workspace.mkdir()
        self.bin = folder / "bin"
        self.bin.mkdir()
        # pip is not run: it would need the network. `axiometer` is the installed one.
        self.replace("python", "pip")

    def replace(self, program, log):
        """A program that only writes its arguments, one a line, to the file `log`."""
        stub = self.bin / program
        stub.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{self.folder / log}"\n')
        stub.chmod(0o755)

    def log(self, name):
        return (self.folder / name).read_text().splitlines()

    def run(self, **inputs):
        """Exit status and output of the last step that ran."""
        of = action()
        known = {name: spec.get("default", "") for name, spec in of["inputs"].items()}
        known |= {name.replace("_", "-"): value for name, value in inputs.items()}
        for number, step in enumerate(of["runs"]["steps"]):
            if "run" not in step:
                continue
            assert step["shell"] == "bash"
            script = self.folder / f"step{number}.sh"
            script.write_text(step["run"])
            done = subprocess.run(
                [shutil.which("bash"), "--noprofile", "--norc", "-eo", "pipefail", str(script)],
                cwd=self.workspace,
                env=self._environment(step.get("env", {}), known),
                capture_output=True,
                text=True,
                timeout=120,
            )
            if done.returncode:
                break
        return done

    def _environment(self, given, inputs):
        tools = [str(self.bin), str(Path(sys.executable).parent), "/usr/bin", "/bin"]
        found = {
            "PATH": os.pathsep.join(tools),
            "HOME": os.environ.get("HOME", "/"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
        }
        for name, value in given.items():
            first, other = EXPRESSION.fullmatch(value).groups()
            found[name] = inputs[first.removeprefix("inputs.")] or ("/the/action" if other else "")
        return found

    def outputs(self):
        lines = (self.folder / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)


@pytest.fixture
def job(tmp_path):
    job = Job(tmp_path)
    block = design_kit.module("dma", design_kit.DMA, design_kit.reads("M_AXI_MM2S", "d", 32))
    asked = {"PCW_FPGA1_PERIPHERAL_FREQMHZ": "142.857132"}
    system = design_kit.zynq(("S_AXI_HP0", "d"), parameters=asked)
    design_kit.saved(job.workspace, block, system, name="a b.hwh")
    (job.workspace / "deep" / "er").mkdir(parents=True)
    shutil.copy(job.workspace / "a b.hwh", job.workspace / "deep" / "er" / "c.hwh")
    return job


def test_a_need_that_is_not_met_fails_the_job(job):
    done = job.run(design="a b.hwh", need="900MB/s", board="zybo")
    assert done.returncode == 1 and "::error file=a b.hwh,title=need::" in done.stdout, done.stderr
    assert job.outputs()["passed"] == "false" and float(job.outputs()["total-mbps"]) < 900
    assert "too slow" in (job.folder / "summary").read_text()
    assert job.log("pip")[-2:] == ["--", "/the/action"]


def test_patterns_and_more_arguments(job):
    done = job.run(design="**/*.hwh\n", arguments="--no-costs\n-v", install="axiometer==1.0.0")
    assert done.returncode == 0, done.stderr
    assert job.outputs()["advice"] == "2" and "deep/er/c.hwh" in done.stdout
    assert job.log("pip")[-1] == "axiometer==1.0.0"
    assert job.run(design="**/*.hwh", fail_on="advice").returncode == 1
    # A pattern among the arguments is none.
    assert "there is no file *.hwh" in job.run(design="a b.hwh", arguments="*.hwh").stderr


def test_without_a_file_the_job_fails(job):
    done = job.run(design="*.xsa")
    assert done.returncode == 2 and "names no file" in done.stdout


def test_each_output_is_that_of_the_step():
    for name, output in action()["outputs"].items():
        assert output["value"] == f"${{{{ steps.check.outputs.{name} }}}}"


HOSTILE = ["$(touch HIT)", '"; touch HIT; "', "'`touch HIT`; touch HIT; '", "--help", "x y"]


OPTIONS = {"need": "--need=", "board": "--board=", "fail_on": "--fail-on=", "arguments": ""}


@pytest.mark.parametrize("name", ["design", "install", *OPTIONS])
def test_an_input_is_no_command(job, name):
    job.replace("axiometer", "asked")
    assert not [step for step in action()["runs"]["steps"] if "${{" in step.get("run", "")]
    for text in HOSTILE:
        assert job.run(**{"design": "a b.hwh", name: text}).returncode == 0
        assert not list(job.workspace.rglob("HIT*")), text
        words = job.log("asked")
        options, files = words[: words.index("--")], words[words.index("--") + 1 :]
        # It arrives as it is, as one word.
        if name in OPTIONS:
            assert f"{OPTIONS[name]}{text}" in options and files == ["a b.hwh"]
        else:
            assert (files if name == "design" else job.log("pip"))[-1:] == [text]


def test_the_hook_checks_designs_and_no_other_files():
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert hook["id"] == "axiometer-check" and hook["language"] == "python"
    taken = re.compile(hook["files"])
    for name in ("a.xsa", "b/c.hwh", "d.hwh.xz", "e.hdf", "f.qsys"):
        assert taken.search(name)
    for name in ("pyproject.toml", "a.xsa.md", "build.tcl", "xsa", "a.xz"):
        assert not taken.search(name)
    program, command, *options = hook["entry"].split()
    assert (program, command) == ("axiometer", "check")
    from axiometer.cli.command_line import parser

    arguments, unknown = parser(["check"])[0].parse_known_args(
        [command, *options, "a.xsa", "b.xsa"]
    )
    assert not unknown and [str(file) for file in arguments.files] == ["a.xsa", "b.xsa"]
