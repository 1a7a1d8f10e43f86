"""Options of commands: one declaration is what argparse reads and what the command gets."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

import kit
from axiometer.cli import command_line, options
from axiometer.cli.commands import console


class Base:
    subject: str | None = options.word("what", metavar="SUBJECT")
    later: str | None


@options.last
class Shown:
    json: bool = options.option("for programs")


class Options(Base, Shown):
    pl_mhz: str | None = options.option("clock")
    set: list[str] = options.option("keys")
    backend: str = options.option("where", "-b", "--backend", default="model")
    svg: Path | None = options.option("picture", alone="picture")
    png: Path | None = options.option("picture", alone="picture")


def test_a_declaration_is_an_argument_of_its_type():
    parser = argparse.ArgumentParser()
    options.add(parser, Options)
    assert vars(parser.parse_args([])) == {
        "subject": None, "later": None, "pl_mhz": None, "set": [], "backend": "model",
        "svg": None, "png": None, "json": False,
    }  # fmt: skip
    words = [
        "zybo",
        "--pl-mhz",
        "150",
        "--set",
        "a=1",
        "--set",
        "b=2",
        "-b",
        "rtl",
        "--svg",
        "a.svg",
        "--json",
    ]
    found = parser.parse_args(words)
    assert (found.subject, found.pl_mhz, found.set) == ("zybo", "150", ["a=1", "b=2"])
    assert (found.backend, found.svg, found.json) == ("rtl", Path("a.svg"), True)
    assert [action.dest for action in parser._actions][-1] == "json"
    assert options.names(Base) == ["subject"]
    with pytest.raises(SystemExit):
        parser.parse_args(["--svg", "a.svg", "--png", "a.png"])


@pytest.mark.parametrize("name", command_line.COMMANDS)
def test_every_argument_of_a_command_has_words(name):
    assert all(action.help for action in command_line.parser([name])[1][name]._actions)


def test_a_quantity_of_an_option_has_its_unit_or_none():
    for text in ("150MHz", "150", "0.15GHz"):
        assert console.quantity("--pl-mhz", text, "MHz") == 150
    with kit.refuses(match="--pl-mhz is '4KiB'", remedy="Hz, kHz, MHz or GHz"):
        console.quantity("--pl-mhz", "4KiB", "MHz")
