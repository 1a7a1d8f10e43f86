"""Commands of Vivado that build a block design, and commands without effect on it.

An object is its path. Any pin that a script names exists, because scripts do not list pins.
"""

from __future__ import annotations

import re

from axiometer.designs import core_facts
from axiometer.designs.tcl import expression
from axiometer.designs.tcl.block_design import (
    CORE,
    HIERARCHY,
    MODULE,
    Assigned,
    BlockDesign,
    Cell,
    Joined,
    Pin,
    is_clock,
    size,
)
from axiometer.designs.tcl.interpreter import UNKNOWN, Function, Interpreter, known
from axiometer.designs.tcl.parser import TclError, items, listed

PROJECT = "the_project"
_TAKES_NONE = {
    "-quiet", "-verbose", "-force", "-hierarchical", "-regexp", "-nocase", "-all", "-short",
    "-external", "-no_script", "-reset", "-norecurse", "-auto",
}  # fmt: skip
_WILD = re.compile(r"[*?]")
_BUS = re.compile(r"(?:^|_)s\d*_?axi(?!s)", re.I)


def split(words: list[str], *flags: str) -> tuple[dict[str, str], list[str]]:
    """Options with their values, and the other words. `flags`: more options without a value."""
    options: dict[str, str] = {}
    alone, left = [], list(words)
    while left:
        word = left.pop(0)
        if re.fullmatch(r"-[A-Za-z_]\w*", word):
            takes = word not in _TAKES_NONE and word not in flags and left
            options[word[1:]] = left.pop(0) if takes else "1"
        else:
            alone.append(word)
    return options, alone


class Commands:
    """The commands, acting on one block design."""

    def __init__(self, design: BlockDesign) -> None:
        self.design = design

    def functions(self) -> dict[str, Function]:
        """The commands by their names in Tcl, which are the names of the methods."""
        own = {name: getattr(self, name) for name in dir(self) if name.startswith(_OWN)}
        ignored = dict.fromkeys(_IGNORED, lambda tcl, words: "")
        return {**ignored, **dict.fromkeys(_ASKED, lambda tcl, words: UNKNOWN), **own}

    # The project

    def create_project(self, tcl: Interpreter, words: list[str]) -> str:
        options, _ = split(words, "-in_memory")
        self.design.part = options.get("part", self.design.part)
        return PROJECT

    def get_projects(self, tcl: Interpreter, words: list[str]) -> str:
        return self.design.project

    def current_project(self, tcl: Interpreter, words: list[str]) -> str:
        return PROJECT

    current_fileset = current_project

    def version(self, tcl: Interpreter, words: list[str]) -> str:
        """The version that the script requires."""
        name = "scripts_vivado_version"
        return tcl.get(f"::{name}") if tcl.has(f"::{name}") else ""

    def create_bd_design(self, tcl: Interpreter, words: list[str]) -> str:
        _, alone = split(words)
        self.design.name = alone[0] if alone else self.design.name
        return self.design.name

    def current_bd_design(self, tcl: Interpreter, words: list[str]) -> str:
        _, alone = split(words)
        return alone[0] if alone else self.design.name

    def get_bd_designs(self, tcl: Interpreter, words: list[str]) -> str:
        return self.design.name

    def get_ipdefs(self, tcl: Interpreter, words: list[str]) -> str:
        """The requested cores: every full name is treated as present in the catalogue."""
        options, alone = split(words)
        found = re.search(
            r"VLNV\s*(?:==|=~)\s*\"?([\w.*]+(?::[\w.*]+){2,3})", options.get("filter", "")
        )
        name = alone[0] if alone else found[1].replace("*", "") if found else ""
        bare = re.fullmatch(r"\*:(\w+):\*", name)
        if bare is not None:  # a core by its bare name
            every = (core.vlnv for core in core_facts.all_cores())
            named = (vlnv for vlnv in every if vlnv.endswith(f":{bare[1]}"))
            return f"{next(named, f'xilinx.com:ip:{bare[1]}')}:1.0"
        if name.count(":") < 2:
            raise TclError("which core get_ipdefs finds depends on the installation")
        return name

    def can_resolve_reference(self, tcl: Interpreter, words: list[str]) -> str:
        return "1"

    # Cells

    def create_bd_cell(self, tcl: Interpreter, words: list[str]) -> str:
        options, alone = split(words)
        kind = options.get("type", CORE)
        what = options.get("vlnv", "")
        if kind in ("module", "container"):
            reference = options.get("reference", alone[0] if alone else "")
            library = "module_ref" if kind == "module" else "bd_container"
            kind, what = MODULE, f"xilinx.com:{library}:{reference}:1.0"
        elif kind != HIERARCHY and what.count(":") < 2:
            raise TclError("create_bd_cell without the -vlnv of a core")
        name = options.get("name") or (alone[0] if alone else what.split(":")[2] if what else "")
        if not name:
            raise TclError("create_bd_cell without a name")
        path = self.design.absolute(name)
        if path in self.design.cells:
            raise TclError(f"the cell {path} exists already")
        self.design.add(Cell(path, kind, what, tcl.line))
        return path

    def current_bd_instance(self, tcl: Interpreter, words: list[str]) -> str:
        _, alone = split(words)
        if alone and alone[0] not in (".", ""):
            self.design.here = self.design.absolute(alone[0])
        elif not alone:
            self.design.here = "/"
        return self.design.here

    def get_bd_cells(self, tcl: Interpreter, words: list[str]) -> str:
        options, alone = split(words)
        names = [name for word in alone for name in items(word)]
        if "of_objects" in options:
            owners = (self.design.owner(p) for p in items(options["of_objects"]))
            return listed(list(dict.fromkeys(cell.path for cell in owners if cell is not None)))
        if names == ["/"]:
            return "/"
        everywhere = "hierarchical" in options
        if (
            len(names) == 1
            and not everywhere
            and self.design.absolute(names[0]) in self.design.cells
        ):
            return listed([self.design.absolute(names[0])])
        tcl.spend(len(self.design.cells) * max(1, len(names)))
        here = self.design.here.rstrip("/") + "/"
        found = [
            path
            for path in self.design.cells
            if any(self._is_called(path, name, everywhere) for name in names)
            or (not names and path.startswith(here))
            and (everywhere or "/" not in path[len(here) :])
        ]
        if "filter" in options:
            found = [path for path in found if self._fits(path, options["filter"])]
        if names and not found and "quiet" not in options and "filter" not in options:
            tcl.problem(tcl.line, f"there is no cell {names[0][:80]!r}")
        return listed(found)

    def _is_called(self, path: str, name: str, everywhere: bool) -> bool:
        if not _WILD.search(name):
            return path == self.design.absolute(name) or (
                everywhere and path.endswith(f"/{name.lstrip('/')}")
            )
        whole = f"*/{name.lstrip('/')}" if everywhere else self.design.absolute(name)
        return expression.matches(whole, path)

    def _fits(self, path: str, condition: str) -> bool:
        cell = self.design.cells[path]
        values = {
            "VLNV": cell.vlnv,
            "NAME": path.rpartition("/")[2],
            "PATH": path,
            "TYPE": cell.kind,
        }
        for part in re.split(r"&&", condition):
            found = re.fullmatch(
                r"\s*\(?\s*(\w+)\s*(==|=~|!=)\s*[\"{]?([^\"{}]*?)[\"}]?\s*\)?\s*", part
            )
            if found is None or found[1].upper() not in values:
                raise TclError(f"the filter {condition[:60]!r} is not supported")
            value = values[found[1].upper()]
            same = expression.matches(found[3], value) if found[2] == "=~" else value == found[3]
            if same == (found[2] == "!="):
                return False
        return True

    def delete_bd_objs(self, tcl: Interpreter, words: list[str]) -> str:
        for path in (name for word in words for name in items(word)):
            tcl.spend(len(self.design.cells))
            if path in self.design.cells:
                below = [p for p in self.design.cells if p == path or p.startswith(f"{path}/")]
                for each in below:
                    del self.design.cells[each]
            else:
                raise TclError(f"{path[:80]!r} is not deleted")
        return ""

    # Pins and ports

    def create_bd_intf_pin(self, tcl: Interpreter, words: list[str]) -> str:
        options, alone = split(words)
        return self._pin(alone, options.get("mode") == "Master", options.get("vlnv", ""), "")

    create_bd_intf_port = create_bd_intf_pin

    def create_bd_pin(self, tcl: Interpreter, words: list[str]) -> str:
        options, alone = split(words)
        path = self._pin(alone, options.get("dir") == "O", "", options.get("type", ""))
        if "freq_hz" in options:
            self._settings(path)["FREQ_HZ"] = options["freq_hz"]
        return path

    create_bd_port = create_bd_pin

    def _pin(self, alone: list[str], drives: bool, vlnv: str, kind: str) -> str:
        if not alone:
            raise TclError("a pin without a name")
        path = self.design.absolute(alone[0])
        self.design.pins[path] = Pin(path, drives, vlnv, kind)
        return path

    def make_bd_intf_pins_external(self, tcl: Interpreter, words: list[str]) -> str:
        return self._make_external(tcl, self.design.interfaces, words)

    def make_bd_pins_external(self, tcl: Interpreter, words: list[str]) -> str:
        return self._make_external(tcl, self.design.nets, words)

    def _make_external(self, tcl: Interpreter, joined: Joined, words: list[str]) -> str:
        """Create a port for each pin. By its name it is a bus that RTL drives, or a clock."""
        options, alone = split(words)
        made = []
        for path in (name for word in alone for name in items(word)):
            pin = path.rpartition("/")[2]
            port = f"/{options.get('name', f'{pin}_0')}"
            vlnv = "xilinx.com:interface:aximm_rtl:1.0" if _BUS.search(pin) else ""
            self.design.pins[port] = Pin(port, False, vlnv, "clk" if is_clock(pin) else "")
            joined.join([port, self.design.absolute(path)])
            made.append(port)
        return listed(made)

    def get_bd_pins(self, tcl: Interpreter, words: list[str]) -> str:
        options, alone = split(words)
        names = [name for word in alone for name in items(word)]
        found = []
        if "of_objects" in options or "filter" in options:
            raise TclError("the script does not list the pins of a core (-of_objects, -filter)")
        for name in names:
            path = self.design.absolute(name)
            if _WILD.search(name):
                raise TclError(f"the script does not list the pins that {name[:60]!r} selects")
            owner = self.design.owner(path)
            exists = path in self.design.pins or (owner is not None and owner.kind != HIERARCHY)
            if exists:
                found.append(path)
            elif "quiet" not in options:
                tcl.problem(tcl.line, f"there is no pin {name[:80]!r}")
        return listed(found)

    get_bd_intf_pins = get_bd_pins

    def get_bd_ports(self, tcl: Interpreter, words: list[str]) -> str:
        _, alone = split(words)
        names = [f"/{name.lstrip('/')}" for word in alone for name in items(word)]
        return listed([name for name in names if name in self.design.pins])

    get_bd_intf_ports = get_bd_ports

    def get_bd_nets(self, tcl: Interpreter, words: list[str]) -> str:
        _, alone = split(words)
        return listed([name for word in alone for name in items(word)])

    get_bd_intf_nets = get_bd_nets

    # Connections

    def connect_bd_intf_net(self, tcl: Interpreter, words: list[str]) -> str:
        return self._connect(tcl, self.design.interfaces, words)

    def connect_bd_net(self, tcl: Interpreter, words: list[str]) -> str:
        return self._connect(tcl, self.design.nets, words)

    def _connect(self, tcl: Interpreter, joined: Joined, words: list[str]) -> str:
        options, alone = split(words)
        ends = [path for word in alone for path in items(word)]
        if not ends:
            raise TclError("a connection without ends")
        tcl.spend(len(ends))
        joined.join([end if end.startswith("/") else self.design.absolute(end) for end in ends])
        return options.get("net") or options.get("intf_net") or ends[0]

    # Settings

    def set_property(self, tcl: Interpreter, words: list[str]) -> str:
        options, alone = split([w for w in words if w != "-dict"])
        if "-dict" in words:
            if len(alone) < 2:
                raise TclError("set_property without an object")
            pairs, objects = items(alone[0]), alone[1:]
        elif "name" in options:
            pairs = [options["name"], options.get("value", alone[0] if alone else "")]
            objects = [options["objects"]] if "objects" in options else alone[-1:]
        else:
            if len(alone) < 3:
                raise TclError("set_property without an object")
            pairs, objects = alone[:2], alone[2:]
        # An object that only the tool knows, as a file set, is a part of the project.
        for target in (name for each in objects for name in items(known(each) or PROJECT)):
            for key, value in zip(pairs[::2], pairs[1::2], strict=False):
                guess = known(value)
                if guess != value:
                    taken = f"taken as {guess[:40]!r}" if guess else "left out"
                    tcl.problem(tcl.line, f"{key[:60]} depends on what is unknown here: {taken}")
                if guess or guess == value:
                    self._set(target, key, guess)
        return ""

    def _set(self, target: str, key: str, value: str) -> None:
        name = key.upper()
        if target == PROJECT or not target.startswith("/"):
            if name == "BOARD_PART":
                self.design.board = value
            elif name == "PART":
                self.design.part = value
            elif name == "IP_REPO_PATHS" and self.design.library is not None:
                self.design.library.folders += items(value)
            return
        if not name.startswith("CONFIG."):
            return
        key = key[len("CONFIG.") :]
        cell = self.design.cells.get(target)
        if cell is not None:
            cell.parameters[key] = value
        else:
            self._settings(target)[key] = value

    def _settings(self, path: str) -> dict[str, str]:
        return self.design.settings.setdefault(path, {})

    def get_property(self, tcl: Interpreter, words: list[str]) -> str:
        _, alone = split(words)
        if len(alone) < 2:
            raise TclError("get_property needs a name and an object")
        key, target = alone[0].upper(), alone[1]
        if target == "/":
            return {"TYPE": HIERARCHY, "PATH": "/", "NAME": ""}.get(key, "")
        cell = self.design.cells.get(target)
        values = {"NAME": target.rpartition("/")[2], "PATH": target}
        if cell is not None:
            values |= {"TYPE": cell.kind, "VLNV": cell.vlnv}
            values |= {f"CONFIG.{name.upper()}": value for name, value in cell.parameters.items()}
        elif target == PROJECT:
            values |= {"PART": self.design.part, "BOARD_PART": self.design.board, "DIRECTORY": "."}
        return values.get(key, UNKNOWN)

    # Addresses

    def get_bd_addr_spaces(self, tcl: Interpreter, words: list[str]) -> str:
        _, alone = split(words)
        return listed([self.design.absolute(name) for word in alone for name in items(word)])

    get_bd_addr_segs = get_bd_addr_spaces

    def assign_bd_address(self, tcl: Interpreter, words: list[str]) -> str:
        options, alone = split(words)
        spaces = items(options.get("target_address_space", ""))
        for segment in (path for word in alone for path in items(word)):
            self._assign(spaces[0] if spaces else "", segment, options)
        return ""

    def create_bd_addr_seg(self, tcl: Interpreter, words: list[str]) -> str:
        options, alone = split(words)
        if len(alone) < 2:
            raise TclError("create_bd_addr_seg needs a space and a segment")
        self._assign(alone[0], alone[1], options)
        return ""

    def _assign(self, space: str, segment: str, options: dict[str, str]) -> None:
        place = [size(options[key]) if key in options else None for key in ("offset", "range")]
        found = [self.design.absolute(path) if path else "" for path in (space, segment)]
        self.design.addresses.append(Assigned(found[0], found[1], place[0], place[1]))

    # Vivado's automation

    def apply_bd_automation(self, tcl: Interpreter, words: list[str]) -> str:
        options, alone = split(words)
        pairs = items(options.get("config", ""))
        config = dict(zip(pairs[::2], pairs[1::2], strict=False))
        config["rule"] = options.get("rule", "")
        objects = [path for word in alone for path in items(word)]
        self.design.automated.append((tcl.line, config, objects))
        return ""


_OWN = ("create_", "get_", "current_", "connect_", "set_property", "assign_", "apply_bd", "delete_",
        "version", "can_resolve", "make_bd")  # fmt: skip
# Commands without effect on the masters of a design.
_IGNORED = (
    "puts", "common::send_msg_id", "common::send_gid_msg", "send_msg_id", "regenerate_bd_layout",
    "validate_bd_design", "save_bd_design", "close_bd_design", "open_bd_design", "startgroup",
    "endgroup", "update_ip_catalog", "update_compile_order", "make_wrapper", "add_files",
    "import_files", "set_param", "generate_target", "close_project",
    "open_project", "exclude_bd_addr_seg", "include_bd_addr_seg", "launch_runs", "flush",
    "wait_on_run", "write_hw_platform", "write_bd_tcl", "upgrade_ip", "reset_run", "set_msg_config",
    "cd", "create_fileset", "set_units", "config_ip_cache", "update_module_reference",
    "report_ip_status", "export_ip_user_files", "create_ip_run", "after", "write_hwdef", "package",
    "rename", "unset_param", "create_run", "close", "open_run",
)  # fmt: skip
# Queries whose answers only the tool has.
_ASKED = (
    "get_files", "get_filesets", "get_runs", "get_ips", "get_msg_config", "pwd", "get_boards",
    "get_board_parts", "get_parts", "get_lib_cells", "get_param", "clock",
)  # fmt: skip
