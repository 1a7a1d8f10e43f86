"""Reads proofs.toml and makes the binding of rules to a design from it.

A proof names a design, its parameters, its ports and what may be assumed. The rules are bound into
the design (`bind`), so that the design is the top, all its inputs are free, and expressions in
proofs.toml may use its internal signals.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FORMAL = Path(__file__).resolve().parent
RTL = FORMAL.parent / "rtl"
sys.path.insert(0, str(RTL))

from flow import tools  # noqa: E402

from axiometer.bringup.projects import module  # noqa: E402

RULES = FORMAL / "rules"
RULE_FILES = [
    RULES / f"{name}.sv"
    for name in (
        "axm_rules_wait",
        "axm_rules_request",
        "axm_rules_data",
        "axm_rules_read",
        "axm_rules_write",
        "axm_axi_rules",
        "axm_axil_rules",
        "axm_stream_rules",
        "axm_sniffer_rules",
        "axm_helpers",
    )
]

CHECKERS = {
    "axi": "axm_axi_rules",
    "axil": "axm_axil_rules",
    "stream": "axm_stream_rules",
    "sniffer": "axm_sniffer_rules",
}
# Who is assumed when the design is the ...
ASSUMED = {
    "master": "SLAVE_ASSUMED",
    "slave": "MASTER_ASSUMED",
    "sender": "TAKER_ASSUMED",
    "taker": "SENDER_ASSUMED",
    "watcher": "",  # drives nothing: there is no other side
}
# Parts of axm_axi_rules that belong to each direction.
PARTS = {"r": ("ar", "r", "read"), "w": ("aw", "w", "b", "write")}


@dataclass
class Port:
    """A port of the design and the checker beside it."""

    rules: str
    name: str
    prefix: str
    side: str
    channels: str = "rw"
    index: str = ""
    parts: int = 0  # of several masters whose signals lie side by side in one vector: how many
    parameters: dict[str, object] = field(default_factory=dict)
    signals: dict[str, str] = field(default_factory=dict)  # where names differ

    def bind(self, top: str, text: str, clock: str, reset: str) -> str:
        """The `bind` statement; signals that the design does not have are tied to 0."""
        wanted = _ports(RULES / f"{CHECKERS[self.rules]}.sv")
        links = [f".clk({clock})", f".rst({reset})"]
        for signal in wanted:
            there = f"{self.prefix}{signal}"
            index = self.index
            if self.parts:
                width = f"$bits({there})/{self.parts}"
                index = f"[{width}*{index.strip('[]')}+:{width}]"
            value = f"{there}{index}" if re.search(rf"\b{there}\b", text) else "'0"
            links.append(f".{signal}({self.signals.get(signal, value)})")
        assumed = ASSUMED[self.side]
        values = {**({assumed: 1} if assumed else {}), **self.parameters}
        settings = ", ".join(f".{key}({value})" for key, value in values.items())
        return (
            f"bind {top} {CHECKERS[self.rules]} #({settings}) {self.name} ({', '.join(links)});\n"
        )

    def has(self, rule: str) -> bool:
        """Whether the port has the channel that a rule (without the checker's name) is about."""
        if self.rules == "axi":
            return any(rule.split(".")[0] in PARTS[channel] for channel in self.channels)
        return True


@dataclass
class Proof:
    """One entry of proofs.toml."""

    name: str
    top: str
    sources: list[str]  # rooms as flow.tools.sources takes them, or files of the project
    port: list[Port]
    parameters: dict[str, object] = field(default_factory=dict)
    constants: list[str] = field(default_factory=list)
    stays_up: list[str] = field(default_factory=list)
    steady: list[list[str]] = field(
        default_factory=list
    )  # when, what: does not change while `when`
    held: list[list[str]] = field(
        default_factory=list
    )  # valid, ready, payload: a requester's manners
    assume: list[str] = field(default_factory=list)
    # up, down, zero, and its bits if not 16: invariants and assumptions may speak of `<name>.count`
    counters: dict[str, list[str]] = field(default_factory=dict)
    invariants: dict[str, str] = field(default_factory=dict)
    inside: dict[str, str] = field(default_factory=dict)  # path of a block: the proof of its own
    clock: str = "clk"
    reset: str = "rst"
    depth: int = 20
    together: bool = False  # a large design: what is left is searched as one, not rule by rule
    quick: bool = True  # its first clocks are searched in `make test` too
    note: str = ""
    skip: list[str] = field(
        default_factory=list
    )  # rules that the design breaks on purpose; see note
    mutant: list[dict[str, str]] = field(default_factory=list)

    def files(self) -> list[Path]:
        found: list[Path] = []
        for item in self.sources:
            if item.endswith(".sv"):
                found.append(FORMAL.parent / item)
            else:
                found += tools.sources(item)
        return list(dict.fromkeys(found))

    def missing(self) -> str:
        """What is not there yet; empty if the proof can be run."""
        try:
            gone = [str(path) for path in self.files() if not path.exists()]
        except ValueError as error:  # no such room
            return str(error)
        return ", ".join(gone)

    def binding(self) -> str:
        """The SystemVerilog text that binds the checkers, assumptions and invariants."""
        top = self.top
        text = text_of(next(path for path in self.files() if path.stem == top))
        lines = [
            f"bind {top} axm_first_reset first_reset (.clk({self.clock}), .rst({self.reset}));\n"
        ]
        lines += [port.bind(top, text, self.clock, self.reset) for port in self.port]
        for n, name in enumerate(self.constants):
            lines.append(
                f"bind {top} axm_constant #(.WIDTH($bits({name}))) constant_{n} "
                f"(.clk({self.clock}), .x({name}));\n"
            )
        for n, name in enumerate(self.stays_up):
            lines.append(
                f"bind {top} axm_stays_up stays_up_{n} (.clk({self.clock}), .rst({self.reset}), "
                f".x({name}));\n"
            )
        for n, (when, what) in enumerate(self.steady):
            lines.append(
                f"bind {top} axm_steady #(.WIDTH(256)) steady_{n} (.clk({self.clock}), "
                f".rst({self.reset}), .when_({when}), .x({what}));\n"
            )
        for n, (valid, ready, payload) in enumerate(self.held):
            lines.append(
                f"bind {top} axm_held #(.WIDTH($bits({payload}))) held_{n} (.clk({self.clock}), "
                f".rst({self.reset}), .valid({valid}), .ready({ready}), .payload({payload}));\n"
            )
        for name, (up, down, zero, *width) in self.counters.items():
            size = f"#(.WIDTH({width[0]})) " if width else ""
            lines.append(
                f"bind {top} axm_count {size}{name} (.clk({self.clock}), .rst({self.reset}), "
                f".up({up}), .down({down}), .zero({zero}));\n"
            )
        for n, expression in enumerate(self.assume):
            lines.append(
                f"bind {top} axm_assume assume_{n} (.rst({self.reset}), .x({expression}));\n"
            )
        for name, expression in self.invariants.items():
            lines.append(
                f"bind {top} axm_invariant {name} (.rst({self.reset}), .x({expression}));\n"
            )
        if unknown := self.unknown(text):
            raise ValueError(
                f"formal/proofs.toml, {self.name}: {top} has no {', '.join(unknown)}; name "
                "signals that it has (one that it has not would be a free wire: nothing assumed)"
            )
        return "".join(lines)

    def expressions(self) -> list[str]:
        """Everything that is said in terms of the design's own names."""
        return [
            *self.constants,
            *self.stays_up,
            *(part for when_what in self.steady for part in when_what),
            *(part for request in self.held for part in request),
            *self.assume,
            *(part for counter in self.counters.values() for part in counter),
            *self.invariants.values(),
            *(value for port in self.port for value in port.signals.values()),
        ]

    def unknown(self, text: str) -> list[str]:
        """Names in the entry that are not in the text of the design, nor those of its checkers.

        A path (`u_core.busy`) is looked at to its first point; the compiler resolves the rest.
        """
        code = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
        known = {*re.findall(r"[A-Za-z_]\w*", re.sub(r"\.\s*\w+", "", code))}
        known |= {port.name for port in self.port} | set(self.counters)
        used: list[str] = []
        for expression in self.expressions():
            used += re.findall(r"(?<![\w.'$])[A-Za-z_]\w*", expression)
        return [name for name in dict.fromkeys(used) if name not in known]

    def wanted(self, path: str) -> bool:
        """Whether an assertion (m.aw.held) is about something that the design has."""
        if path in self.skip:
            return False
        first, _, rule = path.partition(".")
        return all(port.name != first or port.has(rule) for port in self.port)


def text_of(path: Path) -> str:
    """A source of the RTL with its bundles' pins written out."""
    return module.expanded(path.read_text(), (RTL / module.BUNDLES).read_text())


def _ports(path: Path) -> list[str]:
    """Names of a checker's ports, without clk and rst."""
    header = path.read_text().partition(");\n")[0]
    names = re.findall(r"^\s*(?:input|output) +logic\s*(?:\[[^\]]*\])?\s*(\w+)", header, re.M)
    return [name for name in names if name not in ("clk", "rst")]


def _variant(entry: dict, entries: dict[str, dict]) -> dict:
    """An entry that is `like` another: that one, with its own keys instead.

    Its parameters and invariants are added to those of the other; `axi` are parameters of the AXI
    checkers.
    """
    if "like" not in entry:
        return entry
    base = _variant(entries[entry["like"]], entries)
    added = {
        key: {**base.get(key, {}), **entry.get(key, {})} for key in ("parameters", "invariants")
    }
    whole = {**base, **entry, **added}
    whole["port"] = [
        {**port, "parameters": {**port.get("parameters", {}), **entry.get("axi", {})}}
        if port["rules"] == "axi"
        else port
        for port in whole["port"]
    ]
    # Variants share the sources: a fault is put into them once, and `make test` looks at one.
    whole["mutant"] = entry.get("mutant", [])
    whole["quick"] = entry.get("quick", False)
    return {key: value for key, value in whole.items() if key not in ("like", "axi")}


def load() -> list[Proof]:
    """All proofs of proofs.toml."""
    with (FORMAL / "proofs.toml").open("rb") as file:
        entries = {entry["name"]: entry for entry in tomllib.load(file)["proof"]}
    whole = [_variant(entry, entries) for entry in entries.values()]
    found = [
        Proof(**{**entry, "port": [Port(**port) for port in entry["port"]]}) for entry in whole
    ]
    known = {proof.name: proof for proof in found}
    for proof in found:
        for path, name in proof.inside.items():
            proof.invariants = {**proof.invariants, **_moved(known[name], path)}
    return found


def _moved(proof: Proof, path: str) -> dict[str, str]:
    """The invariants of a proof, said of the same block at `path` in a larger design.

    The larger design's checkers of its ports have the names that the block's have.
    """
    checkers = {port.name for port in proof.port}
    moved = {}
    for name, expression in proof.invariants.items():
        text = re.sub(
            r"(?<![\w.'$])[A-Za-z_]\w*",
            lambda word: word[0] if word[0] in checkers else f"{path}.{word[0]}",
            expression,
        )
        moved[f"{proof.name}_{name}"] = text
    return moved
