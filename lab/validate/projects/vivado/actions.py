"""What each of Vivado's commands does to the record: a method a command, `(line, options, words)`.

Objects are their paths: `/axm` a cell, `/axm/aclk` a pin or interface, `/ps/Data` an address space.
A name that is not there is refused at once; Vivado warns, and fails a command later.
"""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path

from axiometer.base import clocks
from axiometer.platform import pl_clock
from validate.projects import facts
from validate.projects.vivado import component
from validate.projects.vivado.catalogue import Cell, kinds
from validate.projects.vivado.recorded import Assigned, Recorded, RefusedError

_PROJECT, _FILESET, _RUNS, _PATH = "axiometer", "sources_1", ("synth_1", "impl_1"), "timing_path"
Options = dict[str, str]
_STEPS = {"synth_1": "synthesised", "impl_1": "implemented"}


@cache
def _properties() -> dict[str, dict[str, str | list[str]]]:
    file = Path(__file__).with_name("properties.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


class Actions:
    """Does what commands say to `recorded`."""

    def __init__(self, recorded: Recorded) -> None:
        self.it = recorded

    def aside(self, words: list[str]) -> str:
        """`puts` says nothing, `file copy` copies nothing: but what is copied must be there."""
        if words[:2] == ["file", "copy"] and any(word.endswith(".bit") for word in words):
            if "bitstream" not in self.it.done:
                raise RefusedError("there is no bitstream yet")
            self.it.reports.append(words[-1])
        if words[:2] == ["file", "copy"] and words[-2].endswith(".hdf"):
            if words[-2] not in self.it.reports:
                raise RefusedError(f"there is no {words[-2]}")
            self.it.reports.append(words[-1])
        return ""

    # ---- project --------------------------------------------------------------------------

    def version(self, line: int, options: Options, words: list[str]) -> str:
        return self.it.version

    def create_project(self, line: int, options: Options, words: list[str]) -> str:
        if "part" in options:
            self._set("project", "part", options["part"])
        return _PROJECT

    def current_project(self, line: int, options: Options, words: list[str]) -> str:
        return _PROJECT

    def current_fileset(self, line: int, options: Options, words: list[str]) -> str:
        return _FILESET

    def get_board_parts(self, line: int, options: Options, words: list[str]) -> str:
        # One version of each board is installed here.
        return words[0].replace("*", "1.0") if words else ""

    def update_ip_catalog(self, line: int, options: Options, words: list[str]) -> str:
        for path in self.it.properties.get(("project", "ip_repo_paths"), "").split():
            for file in sorted(Path(path.strip("{}")).glob("*/component.xml")):
                try:
                    found = component.read(file)
                except component.ComponentError as error:
                    raise RefusedError(f"{file}: {error}") from None
                self.it.components[found.vlnv] = found
        return ""

    def add_files(self, line: int, options: Options, words: list[str]) -> str:
        fileset = options.get("fileset", _FILESET)
        for path in words:
            if path != "system_wrapper.v" and not Path(path).is_file():
                raise RefusedError(f"there is no file {path}")
            self.it.files.setdefault(fileset, []).append(path)
        return " ".join(words)

    def get_files(self, line: int, options: Options, words: list[str]) -> str:
        if words and words[0] == "system.bd" and "block design" in self.it.done:
            return "system.bd"
        raise RefusedError(f"there is no file {' '.join(words)}")

    # ---- properties -----------------------------------------------------------------------

    def set_property(self, line: int, options: Options, words: list[str]) -> str:
        if "dict" in options:
            pairs, target = _list(words[0]), words[-1]
        elif "name" in options:
            pairs, target = [options["name"], options["value"]], options["objects"]
        else:
            pairs, target = words[:2], words[-1]
        if len(words) < 2 or len(pairs) % 2:
            raise RefusedError("a property without a value, or without an object")
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            self._set_one(target, key, value)
        return ""

    def _set_one(self, target: str, key: str, value: str) -> None:
        if target.startswith("/"):
            cell = self._cell(target)
            if not key.upper().startswith("CONFIG."):
                raise RefusedError(f"a cell has no property {key}")
            why = cell.refused(key[len("CONFIG.") :], value)
            if why:
                raise RefusedError(why)
            cell.values[key[len("CONFIG.") :]] = value
            return
        self._set(self._class(target), key.lower(), value)
        if (self._class(target), key.lower()) == ("fileset", "top"):
            if "wrapper" not in self.it.done or "system_wrapper.v" not in self._sources():
                raise RefusedError(f"there is no module {value}")
            self.it.done.add("top")

    def _sources(self) -> list[str]:
        return self.it.files.get(_FILESET, [])

    def _set(self, kind: str, key: str, value: str) -> None:
        known = _properties()[kind]
        if key not in known or not facts.seen("property", kind, key):
            raise RefusedError(f"a {kind} has no property {key}, or no project uses it")
        allowed = known[key]
        if not (value in allowed if isinstance(allowed, list) else re.fullmatch(allowed, value)):
            raise RefusedError(f"{key} cannot be {value!r}")
        self.it.properties[kind, key] = value

    def _class(self, target: str) -> str:
        names = {_PROJECT: "project", _FILESET: "fileset", _PATH: "path"}
        if target in _RUNS:
            return "run"
        if target not in names:
            raise RefusedError(f"there is no object {target!r}")
        return names[target]

    def get_property(self, line: int, options: Options, words: list[str]) -> str:
        key, target = words[0].lower(), words[1]
        if target.startswith("/"):
            known = facts.seen("property", "pin", key)
            if key != "config.freq_hz" or not known or target not in self._pins():
                raise RefusedError(f"{target} has no property {words[0]}")
            return self._frequency(target)
        kind = self._class(target)
        if key not in _properties()[kind] or not facts.seen("property", kind, key):
            raise RefusedError(f"a {kind} has no property {words[0]}")
        if kind == "run":
            there = _STEPS[target] in self.it.done
            told = {"progress": "100%" if there else "0%", "directory": f"runs/{target}"}
            return told.get(key, "")
        return "0.1" if kind == "path" else self.it.properties.get((kind, key), "")

    def _frequency(self, target: str) -> str:
        """What the PLL makes of the rate that is asked for, in Hz."""
        cell = self._cell(target.rpartition("/")[0])
        clock = cell.kind.facts.get("clock")
        if clock is None or target.rpartition("/")[2] != clock["pin"]:
            raise RefusedError(f"{target} makes no clock")
        asked = clocks.exact(float(cell.value(clock["setting"])))
        if self.it.pll_mhz is None:
            return str(round(asked * 10**6))
        made = pl_clock.makes(self.it.pll_mhz, 2, 63, asked, Fraction(1000)).nearest
        assert made is not None  # a PLL makes some clock
        return str(round(made.mhz * 10**6))

    # ---- block design ---------------------------------------------------------------------

    def create_bd_design(self, line: int, options: Options, words: list[str]) -> str:
        if "block design" in self.it.done:
            raise RefusedError("there is a block design already")
        return words[0]

    def create_bd_cell(self, line: int, options: Options, words: list[str]) -> str:
        name = words[0]
        if name in self.it.cells:
            raise RefusedError(f"there is a cell {name} already")
        vlnv = options.get("vlnv", "")
        kind = kinds().get(vlnv) if facts.seen("core", vlnv) else None
        if kind is None and vlnv in self.it.components:
            kind = self.it.components[vlnv].kind
        if options["type"] != "ip" or kind is None:
            raise RefusedError(f"the catalogue has no {vlnv or options['type']}")
        self.it.cells[name] = Cell(name, kind, line)
        return f"/{name}"

    def apply_bd_automation(self, line: int, options: Options, words: list[str]) -> str:
        cell = self._cell(words[0])
        if cell.kind.facts.get("rule") != options["rule"]:
            raise RefusedError(f"{words[0]} has no rule {options['rule']}")
        values = _list(options.get("config", ""))
        config = dict(zip(values[::2], values[1::2], strict=True))
        for key in config:
            if not facts.seen("rule", options["rule"], key):
                raise RefusedError(f"no project gives {options['rule']} a {key}")
        if config.get("apply_board_preset") == "1":
            if ("project", "board_part") not in self.it.properties:
                raise RefusedError("the project has no board part, so there is no preset")
            self.it.preset = True
        wanted = [name.strip() for name in config.get("make_external", "").split(",")]
        cell.external = set(cell.kind.facts.get("external", [])) <= set(wanted)
        return ""

    def get_bd_cells(self, line: int, options: Options, words: list[str]) -> str:
        return f"/{self._cell('/' + words[0].lstrip('/')).name}"

    def get_bd_pins(self, line: int, options: Options, words: list[str]) -> str:
        return self._one(words[0], self._pins(), "pin")

    def get_bd_intf_pins(self, line: int, options: Options, words: list[str]) -> str:
        return self._one(words[0], self._interfaces(), "interface")

    def get_bd_addr_spaces(self, line: int, options: Options, words: list[str]) -> str:
        return self._one(words[0], self._spaces(), "address space")

    def get_bd_addr_segs(self, line: int, options: Options, words: list[str]) -> str:
        return self._one(words[0], self._segments(), "address segment")

    def _one(self, name: str, known: set[str], what: str) -> str:
        path = "/" + name.lstrip("/")
        if path not in known:
            raise RefusedError(f"there is no {what} {name}")
        cell, _, own = path.strip("/").partition("/")
        core = self.it.cells[cell].kind.vlnv
        if core in kinds() and not facts.seen(what.rpartition(" ")[2], core, own):
            raise RefusedError(f"no project has the {what} {own} of {core}")
        return path

    def _cell(self, path: str) -> Cell:
        name = path.lstrip("/")
        if name not in self.it.cells:
            raise RefusedError(f"there is no cell {name}")
        return self.it.cells[name]

    def _pins(self) -> set[str]:
        return {f"/{cell.name}/{pin}" for cell in self.it.cells.values() for pin in cell.pins()}

    def _interfaces(self) -> set[str]:
        return {f"/{c.name}/{bus}" for c in self.it.cells.values() for bus in c.interfaces()}

    def _spaces(self) -> set[str]:
        found = {f"/{c.name}/{c.kind.facts['space']}" for c in self.it.cells.values()
                 if c.kind.facts.get("space")}  # fmt: skip
        return found | {
            f"/{cell.name}/{bus['space']}"
            for cell in self.it.cells.values()
            for bus in cell.interfaces().values()
            if "space" in bus
        }

    def _segments(self) -> set[str]:
        return {
            f"/{cell.name}/{segment}"
            for cell in self.it.cells.values()
            for bus in cell.interfaces().values()
            for segment in bus.get("segments", {})
        }

    def connect_bd_net(self, line: int, options: Options, words: list[str]) -> str:
        joined = set(words)
        for path in words:
            if path not in self._pins():
                raise RefusedError(f"{path} is no pin")
        kept = []
        for net in self.it.nets:
            if net & joined:
                joined |= net
            else:
                kept.append(net)
        self.it.nets = [*kept, joined]
        return "/net"

    def connect_bd_intf_net(self, line: int, options: Options, words: list[str]) -> str:
        for path in words:
            if path not in self._interfaces():
                raise RefusedError(f"{path} is no interface")
            if any(path in bus[:2] for bus in self.it.buses):
                raise RefusedError(f"{path} is connected already")
        self.it.buses.append((words[0], words[1], line))
        return "/bus"

    def assign_bd_address(self, line: int, options: Options, words: list[str]) -> str:
        space = options.get("target_address_space", "")
        if not words or space not in self._spaces() or words[0] not in self._segments():
            raise RefusedError("it names no address space, or no segment")
        if "offset" not in options or "range" not in options:
            raise RefusedError("offset and range are left to the tool")
        return self._assign(line, options, space, words[0])

    def create_bd_addr_seg(self, line: int, options: Options, words: list[str]) -> str:
        if words[0] not in self._spaces() or words[1] not in self._segments():
            raise RefusedError("it names no address space, or no segment")
        return self._assign(line, options, words[0], words[1])

    def _assign(self, line: int, options: Options, space: str, segment: str) -> str:
        base, size = int(options["offset"], 0), int(options["range"], 0)
        if size < 4096 or size & (size - 1):
            raise RefusedError(f"a range of {size:#x} is no power of two from 4 KiB")
        if base % size:
            raise RefusedError(f"{base:#x} is no multiple of its range {size:#x}")
        self.it.addresses.append(Assigned(space, segment, base, size, line))
        return "/segment"

    def validate_bd_design(self, line: int, options: Options, words: list[str]) -> str:
        return ""

    def save_bd_design(self, line: int, options: Options, words: list[str]) -> str:
        if "validated" not in self.it.done:
            raise RefusedError("the block design was not validated")
        return ""

    # ---- runs and what they leave ---------------------------------------------------------

    def generate_target(self, line: int, options: Options, words: list[str]) -> str:
        return ""

    def make_wrapper(self, line: int, options: Options, words: list[str]) -> str:
        if options.get("files") != "system.bd" or "top" not in options:
            raise RefusedError("-files SYSTEM.BD -top is what makes the wrapper of a block design")
        return "system_wrapper.v"

    def update_compile_order(self, line: int, options: Options, words: list[str]) -> str:
        return ""

    def launch_runs(self, line: int, options: Options, words: list[str]) -> str:
        for run in words:
            if run not in _RUNS:
                raise RefusedError(f"there is no run {run}")
            if run == "impl_1" and "synthesised" not in self.it.done:
                raise RefusedError("synthesis was not waited for")
            self.it.runs[run] = options.get("to_step", "")
        self.it.done.add("launched")
        return ""

    def wait_on_run(self, line: int, options: Options, words: list[str]) -> str:
        if words[0] not in self.it.runs:
            raise RefusedError(f"{words[0]} was not launched")
        self.it.done.add(_STEPS[words[0]])
        if self.it.runs.get("impl_1") == "write_bitstream" and words[0] == "impl_1":
            self.it.done.add("bitstream")
        return ""

    def get_runs(self, line: int, options: Options, words: list[str]) -> str:
        if not words or words[0] not in _RUNS:
            raise RefusedError(f"there is no run {' '.join(words)}")
        return words[0]

    def open_run(self, line: int, options: Options, words: list[str]) -> str:
        return "design"

    def get_timing_paths(self, line: int, options: Options, words: list[str]) -> str:
        return _PATH

    def _report(self, line: int, options: Options, words: list[str]) -> str:
        if "file" not in options:
            raise RefusedError("it goes to no file")
        self.it.reports.append(options["file"])
        return ""

    report_utilization = report_timing_summary = report_clocks = report_drc = _report
    write_hw_platform = write_hwdef = write_sysdef = _report


def _list(text: str) -> list[str]:
    """The words of a Tcl list of words in braces, quotes or neither."""
    found = re.findall(r'\{([^{}]*)\}|"([^"]*)"|(\S+)', text)
    return [next((part for part in parts if part), "") for parts in found]
