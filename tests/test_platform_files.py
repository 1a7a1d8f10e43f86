"""The files that a platform is made of: where they are found, what a store keeps, their hash."""

import json

import pytest

import kit
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.platform import Platform


@pytest.fixture
def board(tmp_path):
    (tmp_path / "tiny-chip.toml").write_text(kit.CHIP)
    (tmp_path / "tiny-board.toml").write_text(kit.BOARD)
    return tmp_path / "tiny-board.toml"


@pytest.mark.parametrize("name", data.names("boards"))
def test_what_a_store_keeps_makes_the_same_platform(name):
    platform = Platform.load(name)
    again = Platform.kept(platform.text, platform.file)
    assert again.leaves() == platform.leaves()
    assert (again.sha256, again.text, again.name) == (platform.sha256, platform.text, name)


def test_the_hash_covers_the_board_its_chip_and_what_they_take_from(board):
    first = Platform.load(str(board)).sha256
    chip = board.with_name("tiny-chip.toml")
    chip.write_text(kit.CHIP.replace("value = 4", "value = 5"))
    assert Platform.load(str(board)).sha256 != first
    chip.write_text(kit.CHIP)
    assert Platform.load(str(board)).sha256 == first
    board.write_text(kit.BOARD + "# more\n")
    assert Platform.load(str(board)).sha256 != first
    files = json.loads(Platform.load("zynq7000-650").text)
    kinds = [file["kind"] for file in files if file["kind"] != "programs"]
    assert kinds == ["boards", "chips", "boards", "boards"]
    like = [file for file in files if file["kind"] == "boards"][1]
    like["text"] += "# more\n"
    other = Platform.kept(json.dumps(files), "x.toml")
    assert other.sha256 != Platform.load("zynq7000-650").sha256


def test_the_hash_of_a_moved_board_is_the_same(board, tmp_path_factory):
    there = tmp_path_factory.mktemp("there")
    for name in ("tiny-board.toml", "tiny-chip.toml"):
        (there / name).write_text(board.with_name(name).read_text())
    assert Platform.load(str(there / board.name)).sha256 == Platform.load(str(board)).sha256


def test_a_chip_is_looked_for_beside_the_board_and_among_the_shipped(board, tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    assert Platform.load(str(board)).family == "tiny-chip"
    own = tmp_path / "mine.toml"
    own.write_text((data.directory("boards") / "zybo.toml").read_text())
    assert (
        Platform.load("mine.toml", tmp_path)
        .leaf("port.HP0.axi")
        .file.endswith("zynq-7000/structure.toml")
    )


def test_an_experiment_beside_a_board_runs_on_it(board, tmp_path):
    text = kit.EXPERIMENT.replace("tiny.toml", board.name).replace(', "P0+P1+P2"', "")
    experiment = Experiment(text, str(tmp_path / "small.toml"), ["controller.starve_clocks=32"])
    assert experiment.platform.value("controller.starve_clocks") == 32
    assert experiment.points()


def test_kept_text_is_read_without_a_look_at_any_file(board):
    kept = Platform.load(str(board)).text
    for file in board.parent.glob("*.toml"):
        file.unlink()
    assert Platform.kept(kept, str(board)).family == "tiny-chip"
    with pytest.raises(AxiometerError, match="not saved with it") as caught:
        Platform.kept(kit.BOARD.replace("tiny-chip.toml", "zynq-7000"), "b.toml")
    assert caught.value.line == 3


def test_text_of_a_store_from_before_chips_is_still_read():
    assert Platform.kept(kit.PLATFORM, "tiny.toml").name == "tiny"


@pytest.mark.parametrize(
    "text",
    ["[{", "[{}]", '[{"kind": 1}]', "[{" * 100_000, '[{"kind":"boards","name":"","file":"f"}]'],
)
def test_kept_text_that_is_damaged_is_an_error(text):
    with pytest.raises(AxiometerError, match="cannot be read"):
        Platform.kept(text, "x.toml")


def test_what_is_kept_must_be_what_is_named(board):
    files = json.loads(Platform.load(str(board)).text)
    for wrong in (files[:1], [files[0], {**files[1], "name": "other"}]):
        with pytest.raises(AxiometerError, match="not saved with it"):
            Platform.kept(json.dumps(wrong), "x.toml")


def test_files_that_are_too_large_together_are_refused(board):
    filler = "#" + "x" * (2 * 2**20 + 100) + "\n"
    board.write_text(kit.BOARD + filler)
    board.with_name("tiny-chip.toml").write_text(kit.CHIP + filler)
    with pytest.raises(AxiometerError, match="larger than 4 MiB together") as caught:
        Platform.load(str(board))
    assert caught.value.line == 3
