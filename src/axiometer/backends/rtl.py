"""The RTL backend: the design and the agent as on a board, against the model of the chip.

Records have the form that the model's have. What the chip does (commands, classes of time) is
told by the chip's model; bytes come from the DMA engines; and every repeat fails unless the
monitors in the design and the chip agree about bursts, beats and latencies.
"""

from __future__ import annotations

import atexit
import json
import sys
from collections.abc import Iterable
from typing import Any

from axiometer.backends import model_records, model_spec
from axiometer.cosim import build
from axiometer.cosim.bench import Bench
from axiometer.cosim.design import Design
from axiometer.cosim.process import Cosim
from axiometer.errors import AxiometerError

MODES = {"duplex": 0, "ps_to_pl": 1, "pl_to_ps": 2}
MOST_PORTS = 4
MOST_OUTSTANDING = 16

# The co-simulation of the point at hand: name, process, bench.
_current: tuple[str, Cosim, Bench] | None = None


def design(platform: Any, values: dict[str, Any]) -> Design:
    """The design on which a point runs: it has all ports of the platform, so that points that
    differ in ports share it. AxiometerError if the RTL cannot do what the point asks for."""
    for key, usual in (("pattern", "sequential"), ("gap_cycles", 0), ("master", "dma")):
        if values[key] != usual:
            raise _cannot(f"{key} = {values[key]!r}", f"the RTL's DMA engines do {usual!r}")
    if values["transfer_bytes"] is None:
        raise _cannot("a run by duration", "give transfer_bytes")
    limits = [platform.value(f"master.outstanding_{d}") for d in ("read", "write")]
    limits += [values.get(f"outstanding_{d}") or 0 for d in ("read", "write")]
    if max(limits) > MOST_OUTSTANDING:
        raise _cannot(f"{max(limits)} bursts outstanding", f"give at most {MOST_OUTSTANDING}")
    axi3 = all(platform.value(f"port.{port}.axi", 3) == 3 for port in values["ports"])
    beat = values["width_bits"] // 8
    # The realigner is built in only where a transfer needs it.
    parameters = {
        "MODE": MODES[values["mode"]],
        "UNALIGNED": int(values["transfer_bytes"] % beat != 0),
        "CLOCK_HZ": round(values["pl_mhz"] * 1e6),
    }
    return Design(
        top="axm_dma_top",
        ports=max(min(len(platform.ports), MOST_PORTS), len(values["ports"])),
        width_bits=values["width_bits"],
        axi3=axi3,
        parameters=tuple(parameters.items()),
    )


def prepare(platform: Any, points: Iterable[Any]) -> None:
    """Builds what `points` need, before any worker waits for it."""
    for wanted in dict.fromkeys(design(platform, point.values) for point in points):
        build.executable(wanted, say=lambda text: print(text, file=sys.stderr))


def run_repeats(
    platform: Any, point: Any, seed: int, first: int, count: int
) -> list[dict[str, Any]]:
    """Records of repeats `first` to `first + count - 1`; starts are those of the model backend."""
    values = point.values
    spec = model_spec.build(platform, values)
    bench = _bench(platform, values, spec)
    records = []
    try:
        for repeat in range(first, first + count):
            start = model_spec.start(platform, values, spec, seed, repeat)
            result = bench.run(start)
            records.append(model_records.record(platform, values, spec, repeat, result))
    except AxiometerError:
        close()  # whatever state it is in, nobody goes on with it
        raise
    return records


def _bench(platform: Any, values: dict[str, Any], spec: dict[str, Any]) -> Bench:
    global _current
    wanted = design(platform, values)
    beat = values["width_bits"] // 8
    beats = -(-values["burst_bytes"] // beat)
    name = json.dumps([repr(wanted), spec, beats, values["pl_mhz"]], sort_keys=True)
    if _current is None or _current[0] != name:
        close()
        cosim = Cosim(build.executable(wanted), spec, values["pl_mhz"])
        try:
            _current = (name, cosim, Bench(cosim, spec, beats))
        except BaseException:
            cosim.close()
            raise
    return _current[2]


@atexit.register
def close() -> None:
    """Ends the co-simulation that is kept, if there is one."""
    global _current
    if _current is not None:
        _current[1].close()
        _current = None


def _cannot(what: str, remedy: str) -> AxiometerError:
    return AxiometerError(f"the RTL backend cannot run {what}", remedy=remedy)
