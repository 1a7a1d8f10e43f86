"""The choice of a top for a point: simple masters if the point names one; else DMA engines if they
can run it, else traffic generators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from axiometer.experiment import directions, listed
from axiometer.experiment.keys_processor import kind
from axiometer.experiment.keys_shared import runs_freely
from axiometer.experiment.values import Values, known
from axiometer.platform import Platform
from axiometer.runs.backends import rtl_masters, rtl_slaves
from axiometer.runs.cosim import convolution_bench, traffic_bench
from axiometer.runs.cosim.rtl_design import RtlDesign
from axiometer.runs.cosim.traffic_bench import cannot
from axiometer.simulate import in_flight
from axiometer.simulate.scenario import Scenario

# MODE of axm_dma_top for each mode that it supports.
DMA_MODES = {"duplex": 0, "ps_to_pl": 1, "pl_to_ps": 2}
# Modes with a FIFO between a pair of engines, which only DMA engines have.
PAIRED = ("duplex",)
MOST_PORTS = 4
# Of the DMA engines; the generators support every value of an experiment.
MOST_OUTSTANDING = 16
GENERATOR_OUTSTANDING = 64
DMA_TOP, TRAFFIC_TOP = "axm_dma_top", "axm_traffic_top"
CONVOLUTION_TOP = "axm_convolution_top"


def choose(platform: Platform, values: Values) -> RtlDesign:
    """The design for a point. It has all ports of the platform, so that points with different ports
    share it. AxiometerError if the RTL cannot run the point."""
    for port in values["ports"]:
        if kind(platform, port) == "coherent":
            raise cannot(f"port {port}: the RTL's tops have only HP ports", "use the model backend")
    if values["background"]:
        raise cannot("background traffic", "only the model has it: use the model backend")
    if values["master"] == "convolution":
        return _convolution(platform, values)
    if values.get("through"):
        raise cannot(
            f"through = {values['through']!r}", "remove it: in the RTL, masters are at their ports"
        )
    if values["master"] != "dma":
        if rtl_slaves.runs(platform, values):
            return rtl_slaves.design(platform, values)
        return rtl_masters.design(platform, values)
    if runs_freely(platform) and values["transfer_bytes"] is not None:
        raise cannot("a run by size beside this memory", 'give a time: duration = "100us"')
    reasons = list(_beyond_dma(platform, values))
    if not reasons:
        return _dma(platform, values)
    if values["mode"] in PAIRED:
        raise cannot(*reasons[0])
    return _traffic(platform, values)


def _beyond_dma(platform: Platform, values: Values) -> Iterator[tuple[str, str]]:
    """Properties of a point that DMA engines do not support, each with a remedy."""
    if values["mode"] not in DMA_MODES:
        yield f"mode = {values['mode']!r}", f"the RTL's DMA engines support {', '.join(DMA_MODES)}"
    asked: dict[str, tuple[object, object]] = {
        "pattern": (values["pattern"], "sequential"),
        "gap_cycles": (values["gap_cycles"], 0),
    }
    for key, (own, usual) in asked.items():
        if own != usual:
            yield (
                f"{key} = {own!r} in mode {values['mode']}",
                f"set it to {usual}, or use mode ps_to_pl or pl_to_ps, which traffic generators "
                f"can run",
            )
    if values["transfer_bytes"] is None:
        yield (
            f"a run by duration in mode {values['mode']}",
            "give transfer_bytes, or mode ps_to_pl or pl_to_ps",
        )
    masters, ways = listed.masters(values), directions.ONE_WAY
    most = max(in_flight.kept(platform, m, way) for m in masters for way in ways)
    if most > MOST_OUTSTANDING:
        yield f"{most} outstanding bursts", f"give at most {MOST_OUTSTANDING}"


def _dma(platform: Platform, values: Values) -> RtlDesign:
    beat = values["width_bits"] // 8
    # The realigner is built only if a transfer needs it.
    return _design(
        platform,
        values,
        DMA_TOP,
        MODE=DMA_MODES[values["mode"]],
        UNALIGNED=int(known(values["transfer_bytes"]) % beat != 0),
    )


def _traffic(platform: Platform, values: Values) -> RtlDesign:
    parameters = {"OUTSTANDING": GENERATOR_OUTSTANDING}
    if platform.has("master.bursts_cross_4KiB"):
        parameters["CROSS_4K"] = int(platform.flag("master.bursts_cross_4KiB"))
    if values["masters_per_port"] > 1:
        parameters["MASTERS"] = values["masters_per_port"]
    design = _design(platform, values, TRAFFIC_TOP, **parameters)
    scenario = Scenario.of(platform, values)
    crosses = bool(parameters.get("CROSS_4K"))
    traffic_bench.check(scenario.streams, beats(values), scenario.stop, design.axi3, crosses)
    return design


def _convolution(platform: Platform, values: Values) -> RtlDesign:
    convolution_bench.check(Scenario.of(platform, values))
    if values["width_bits"] != 128:
        raise cannot(
            f"accelerators of {values['width_bits']} bits",
            "give width_bits = 128, their only width",
        )
    parameters = {"LANES": values["accelerators"], "OUTSTANDING": GENERATOR_OUTSTANDING}
    # Accelerators are large: the design has only the point's ports.
    return replace(
        _design(platform, values, CONVOLUTION_TOP, **parameters), ports=len(values["ports"])
    )


def _design(platform: Platform, values: Values, top: str, **parameters: int) -> RtlDesign:
    parameters["CLOCK_HZ"] = round(values["pl_mhz"] * 1e6)
    ports = len(values["ports"])
    # Several masters a port make the design slow to build: then only the point's ports.
    if parameters.get("MASTERS", 1) == 1:
        ports = max(min(len(platform.ports), MOST_PORTS), ports)
    return RtlDesign(
        top=top,
        ports=ports,
        width_bits=values["width_bits"],
        axi3=all(platform.whole(f"port.{port}.axi", 3) == 3 for port in values["ports"]),
        parameters=tuple(parameters.items()),
    )


def beats(values: Values) -> int:
    """Beats of a burst."""
    return -(-values["burst_bytes"] // (values["width_bits"] // 8))
