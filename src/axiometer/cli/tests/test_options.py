"""Options of commands: the declared types of each command are those of its parser."""

import argparse
import importlib

import pytest

import kit
from axiometer.cli import command_line
from axiometer.cli.commands import console


def kind(action: argparse.Action) -> str:
    """The type of the parser's value for an argument."""
    if action.nargs == 0:
        return "bool"
    named = getattr(action.type, "__name__", "str")
    one = {"path": "Path", "place": "Path", "_name": "str"}.get(named, named)
    if isinstance(action, argparse._AppendAction) or action.nargs in ("*", "+"):
        return f"list[{one}]"
    always = action.required or action.default is not None
    return one if always else f"{one} | None"


def asked(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Name and type of all that a parser stores."""
    found = {
        action.dest: kind(action)
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction)
    }
    return found | {name: "str | None" for name, of in parser._defaults.items() if of is None}


def said(options: type) -> dict[str, str]:
    """The same as a class says it, with those that it takes over."""
    found: dict[str, str] = {}
    for one in reversed(options.__mro__):
        found |= {n: t for n, t in vars(one).get("__annotations__", {}).items() if n[0] != "_"}
    return found


@pytest.mark.parametrize("name", command_line.COMMANDS)
def test_options_have_the_types_that_the_parser_gives(name):
    module = importlib.import_module(f"axiometer.cli.commands.{name}")
    assert said(module.Options) == asked(command_line.parser([name])[1][name])


def test_an_option_of_another_type_is_found():
    class Options:
        __annotations__ = {"store": "str", "plain": "bool"}

    parser = argparse.ArgumentParser()
    parser.add_argument("--store")
    parser.add_argument("--plain", action="store_true")
    assert said(Options) != asked(parser) == {"store": "str | None", "plain": "bool"}


def test_a_quantity_of_an_option_has_its_unit_or_none():
    for text in ("150MHz", "150", "0.15GHz"):
        assert console.quantity("--pl-mhz", text, "MHz") == 150
    with kit.refuses(match="--pl-mhz is '4KiB'", remedy="Hz, kHz, MHz or GHz"):
        console.quantity("--pl-mhz", "4KiB", "MHz")
