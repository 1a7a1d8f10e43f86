"""The RTL backend: the design and the agent as on a board, against the model of the chip.

Records have the form of the model's. The chip's model supplies commands and classes of time; the
engines supply the bytes. Every repeat fails unless the monitors in the design and the chip agree
about bursts, beats and latencies. `rtl_tops.py` decides which points run on DMA engines, traffic
generators or simple masters.
"""

from __future__ import annotations

import atexit
import json
from collections.abc import Iterable
from fractions import Fraction

from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.experiment import master_keys
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.points import Point
from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.runs.backends import rtl_masters, rtl_slaves, rtl_tops
from axiometer.runs.backends.rtl_tops import beats
from axiometer.runs.backends.rtl_tops import choose as design
from axiometer.runs.cosim import build
from axiometer.runs.cosim.convolution_bench import ConvolutionBench
from axiometer.runs.cosim.dma_bench import DmaBench
from axiometer.runs.cosim.masters_bench import MastersBench
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.rtl_design import RtlDesign
from axiometer.runs.cosim.slave_bench import SlaveBench
from axiometer.runs.cosim.traffic_bench import TrafficBench
from axiometer.simulate import records
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.transfer import Transfer

Bench = DmaBench | TrafficBench | ConvolutionBench | MastersBench | SlaveBench

# The current co-simulation: name, process, bench.
_current: tuple[str, Cosim, Bench] | None = None


def prepare(platform: Platform, points: Iterable[Point]) -> None:
    """Build the designs for `points`, before any worker waits for them."""
    points = list(points)
    for point in points:
        master_keys.refuse(point.values, "the RTL")
    wanted = dict.fromkeys(design(platform, point.values) for point in points)
    build.executables(list(wanted), say=standard_streams.tell)


def run_repeats(
    platform: Platform, point: Point, seed: int, first: int, count: int
) -> list[Record]:
    """Records of repeats `first` to `first + count - 1`; starts equal those of the model
    backend."""
    values = point.values
    master_keys.refuse(values, "the RTL")
    if values["master"] not in AT_MEMORY:
        return _masters(platform, point, seed, first, count)
    scenario = Scenario.of(platform, values)
    bench = _bench(platform, values, scenario, values["pl_mhz"])
    assert not isinstance(bench, SlaveBench)
    made = []
    try:
        for repeat in range(first, first + count):
            found = bench.run(scenario.start(seed, repeat))
            made.append(records.record(scenario, repeat, found, seed))
    except AxiometerError:
        close()  # its state is unknown: the next repeat starts another
        raise
    return made


def _masters(platform: Platform, point: Point, seed: int, first: int, count: int) -> list[Record]:
    design(platform, point.values)  # raises the error for points without a design
    transfer = Transfer.of(platform, point.values)
    bench = _bench(platform, point.values, transfer, transfer.pl_mhz)
    try:
        if isinstance(bench, SlaveBench):
            return rtl_slaves.run_repeats(bench, transfer, seed, first, count)
        assert isinstance(bench, MastersBench | DmaBench)
        return rtl_masters.run_repeats(bench, transfer, seed, first, count)
    except AxiometerError:
        close()
        raise


def _bench(
    platform: Platform,
    values: Values,
    simulated: Scenario | Transfer,
    pl_mhz: Fraction | float,
) -> Bench:
    global _current
    wanted = design(platform, values)
    # A bench serves one scenario, with its accelerators, which the chip does not have.
    if isinstance(simulated, Scenario):
        described, stop = simulated.document(), simulated.stop
        # The chip is the same for all masters at its ports.
        document = simulated.chip_document()
    else:
        ours = rtl_slaves.document if wanted.slave else rtl_masters.document
        described = document = ours(simulated)
        stop = None
    name = json.dumps([repr(wanted), described, beats(values), str(pl_mhz), stop], sort_keys=True)
    if _current is None or _current[0] != name:
        close()
        cosim = Cosim(build.executable(wanted), document, float(pl_mhz))
        try:
            _current = (name, cosim, _made(cosim, wanted, simulated, beats(values)))
        except BaseException:
            cosim.close()
            raise
    return _current[2]


def _made(cosim: Cosim, wanted: RtlDesign, simulated: Scenario | Transfer, burst: int) -> Bench:
    if isinstance(simulated, Transfer):
        if wanted.slave:
            return rtl_slaves.bench(cosim, simulated)
        return rtl_masters.bench(cosim, simulated)
    if wanted.top == rtl_tops.DMA_TOP:
        return DmaBench(cosim, simulated.streams, burst)
    if wanted.top == rtl_tops.CONVOLUTION_TOP:
        return ConvolutionBench(cosim, simulated)
    return TrafficBench(cosim, simulated.streams, burst, simulated.stop)


@atexit.register
def close() -> None:
    """End the current co-simulation, if any."""
    global _current
    if _current is not None:
        _current[1].close()
        _current = None
