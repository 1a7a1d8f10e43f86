"""The RTL backend: the design and the agent as on a board, against the model of the chip.

Records have the form that the model's have. What the chip does (commands, classes of time) is
told by the chip's model; bytes come from the engines; and every repeat fails unless the
monitors in the design and the chip agree about bursts, beats and latencies. `rtl_tops.py` says
which points run on DMA engines, which on traffic generators, which on simple masters.
"""

from __future__ import annotations

import atexit
import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from axiometer.base import streams
from axiometer.base.errors import AxiometerError
from axiometer.experiment import master_keys
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.runs.backends import rtl_tops
from axiometer.runs.backends.rtl_tops import choose as design
from axiometer.runs.cosim import build
from axiometer.runs.cosim.convolution_bench import ConvolutionBench
from axiometer.runs.cosim.dma_bench import DmaBench
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.traffic_bench import TrafficBench
from axiometer.simulate import records
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.transfer import Transfer

# The co-simulation of the point at hand: name, process, bench.
_current: tuple[str, Cosim, Any] | None = None


def prepare(platform: Any, points: Iterable[Any]) -> None:
    """Builds what `points` need, before any worker waits for it."""
    points = list(points)
    for point in points:
        master_keys.refuse(point.values, "the RTL")
    for wanted in dict.fromkeys(design(platform, point.values) for point in points):
        build.executable(wanted, say=streams.tell)


def run_repeats(
    platform: Any, point: Any, seed: int, first: int, count: int
) -> list[dict[str, Any]]:
    """Records of repeats `first` to `first + count - 1`; starts are those of the model backend."""
    values = point.values
    master_keys.refuse(values, "the RTL")
    if values["master"] not in AT_MEMORY:
        return _masters(platform, point, seed, first, count)
    scenario = Scenario.of(platform, values)
    bench = _bench(platform, values, scenario, values["pl_mhz"])
    made = []
    try:
        for repeat in range(first, first + count):
            found = bench.run(scenario.start(seed, repeat))
            made.append(records.record(scenario, repeat, found, seed))
    except AxiometerError:
        close()  # whatever state it is in, nobody goes on with it
        raise
    return made


def _masters(platform: Any, point: Any, seed: int, first: int, count: int) -> list[dict[str, Any]]:
    design(platform, point.values)  # or it says why there is none
    side = rtl_tops.side(platform, point.values)
    transfer = Transfer.of(platform, point.values)
    bench = _bench(platform, point.values, transfer, transfer.pl_mhz)
    try:
        return side.run_repeats(bench, transfer, seed, first, count)
    except AxiometerError:
        close()
        raise


def _bench(
    platform: Any,
    values: dict[str, Any],
    simulated: Scenario | Transfer,
    pl_mhz: Fraction | float,
) -> Any:
    global _current
    wanted, beats = design(platform, values), rtl_tops.beats(values)
    side = rtl_tops.side(platform, values) if isinstance(simulated, Transfer) else None
    stop = None if side else simulated.stop
    # A bench serves one scenario: its accelerators too, which the chip knows nothing of.
    told = side.document(simulated) if side else simulated.document()
    name = json.dumps([repr(wanted), told, beats, str(pl_mhz), stop], sort_keys=True)
    if _current is None or _current[0] != name:
        close()
        # Whatever masters the chip's ports, the chip is the same.
        document = told if side else simulated.chip_document()
        cosim = Cosim(build.executable(wanted), document, float(pl_mhz))
        try:
            if side is not None:
                bench: Any = side.bench(cosim, simulated)
            elif wanted.top == rtl_tops.DMA_TOP:
                bench = DmaBench(cosim, simulated.streams, beats)
            elif wanted.top == rtl_tops.CONVOLUTION_TOP:
                bench = ConvolutionBench(cosim, simulated)
            else:
                bench = TrafficBench(cosim, simulated.streams, beats, stop)
            _current = (name, cosim, bench)
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
