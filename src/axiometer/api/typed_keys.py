"""The keys of an experiment as keyword arguments with types: for editors, type checkers and `help`.

Made by `tools/typed_keys.py --write` from `experiment/keys.py` and `platform/limits.toml`. A text
may have a unit: "150MHz", "1M". Not for: allowed values, which the board decides.
"""

# ruff: noqa: D403, E501
# fmt: off

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict


class LoadKeys(TypedDict, total=False):
    """Keys of `curve`."""

    ports: str | Sequence[str]
    """port names joined by +."""

    width_bits: int
    """a data width of the ports in bits."""

    pl_mhz: float | str
    """clock of the PL in MHz, or as '150MHz'."""

    burst_beats: int
    """beats of a burst."""

    burst_bytes: int | str
    """bytes of a burst: 128 or '128B'."""

    duration: str
    """length of a run without an end, as '10ms'; settled or settled:<longest time> may end earlier."""

    repeats: int
    """number of repeats."""

    pattern: str
    """sequential, random or stride:<bytes>."""

    outstanding_read: int
    """outstanding reads, at most."""

    outstanding_write: int
    """outstanding writes, at most."""

    masters_per_port: int
    """masters on each port, joined by a multiplexer in the fabric."""

    through: str
    """blocks between masters in the fabric and their ports, joined by +: smartconnect, axi_crossbar, axi_interconnect, clock_crossing, upsizer, downsizer, axi4_to_axi3, register_slice, axi_mmu, pipeline_bridge, clock_crossing_bridge, handshake_crossing, or a number of clocks."""

    background: str
    """traffic of the chip's own masters beside the ports, as 'DisplayPort=1000' (MB/s)."""

    gap_cycles: int
    """PL clocks between bursts."""

    skew_us: float | str
    """fixed time between the starts of the ports in us."""

    placement: Literal["aligned", "packed", "random"]
    """placement of buffers in memory."""

    mapping: Literal["row-bank-column", "bank-row-column"]
    """address mapping."""

    qos: str
    """class of the ports' traffic: best_effort, or HP0=video+HP3.read=7."""

    accelerators: int
    """convolution accelerators behind each port."""

    fill: Literal["burst", "buffer"]
    """turns of an accelerator's streams: after each burst, or after each filled buffer."""

    seed: int
    """seed of all random choices."""

    master: Literal["dma", "convolution", "memcpy", "loop", "register", "gpio_driver", "ps_dma", "lite", "lite_improved", "full", "full_improved", "axi_dma", "ring", "axi_cdma", "axi_vdma", "msgdma", "hls_m_axi"]
    """the block that moves the data: dma (streams of a PL DMA), convolution (accelerators in the fabric), a master of the processor's side, or a vendor's engine."""

    os: Literal["bare-metal", "linux"]
    """operating system."""

    cache: Literal["on", "off", "l1", "instruction"]
    """enabled processor caches: all; none; the first level only (l1); or the instruction cache only."""

    memory_type: Literal["device", "cached", "strongly_ordered", "noncacheable"]
    """how the processor maps the fabric, or its buffers in the memory: device, cached (of the fabric for reads, writes go through), strongly ordered, or normal memory outside the caches (also: write_combining)."""

    dma_program: Literal["excluded", "included"]
    """whether the time to write the program of the processor's DMA counts."""

    cache_control: Literal["explicit", "none", "uncached", "coherent"]
    """method that keeps a ring's buffers coherent."""

    io: Literal["zero_copy", "copy"]
    """how a program passes packets."""

    ring_depth: int
    """outstanding packets, at most."""

    dma_burst_bytes: int | str
    """bytes of a burst of the processor's DMA."""

    copy_bytes: int | str
    """bytes of each load or store in the program's memcpy."""

    program: str
    """how software starts transfers and detects their end: a program in programs/, or the board's."""

    slave: str
    """a slave in the fabric that the platform describes."""

    target: str
    """the memory of the masters: ocm, acp; absent: the DRAM."""


class PointKeys(LoadKeys, total=False):
    """Keys of a point, of `expect`."""

    mode: Literal["read", "write", "h2f", "f2h", "both", "duplex", "ps_to_pl", "pl_to_ps", "mixed"]
    """duplex (pairs), mixed (both, independent), ps_to_pl (read) or pl_to_ps (write); default of masters with one direction: ps_to_pl."""

    transfer_bytes: int | str
    """bytes of each transfer, as 4096, '4K' (1K is 1024) or '32MiB'."""

    masters: Sequence[Mapping[str, object]]
    """masters that differ, as [[master]] tables: kind, name, port, direction, rate_mbs, ...."""


class ChoiceKeys(TypedDict, total=False):
    """Keys of `advise`: the value for all candidates, or a list of values to try."""

    ports: str | Sequence[str] | Sequence[str | Sequence[str]]
    """port names joined by +."""

    width_bits: int | Sequence[int]
    """a data width of the ports in bits."""

    pl_mhz: float | str | Sequence[float | str]
    """clock of the PL in MHz, or as '150MHz'."""

    burst_beats: int | Sequence[int]
    """beats of a burst."""

    burst_bytes: int | str | Sequence[int | str]
    """bytes of a burst: 128 or '128B'."""

    duration: str | Sequence[str]
    """length of a run without an end, as '10ms'; settled or settled:<longest time> may end earlier."""

    repeats: int | Sequence[int]
    """number of repeats."""

    pattern: str | Sequence[str]
    """sequential, random or stride:<bytes>."""

    outstanding_read: int | Sequence[int]
    """outstanding reads, at most."""

    outstanding_write: int | Sequence[int]
    """outstanding writes, at most."""

    masters_per_port: int | Sequence[int]
    """masters on each port, joined by a multiplexer in the fabric."""

    through: str | Sequence[str]
    """blocks between masters in the fabric and their ports, joined by +: smartconnect, axi_crossbar, axi_interconnect, clock_crossing, upsizer, downsizer, axi4_to_axi3, register_slice, axi_mmu, pipeline_bridge, clock_crossing_bridge, handshake_crossing, or a number of clocks."""

    background: str | Sequence[str]
    """traffic of the chip's own masters beside the ports, as 'DisplayPort=1000' (MB/s)."""

    gap_cycles: int | Sequence[int]
    """PL clocks between bursts."""

    skew_us: float | str | Sequence[float | str]
    """fixed time between the starts of the ports in us."""

    placement: Literal["aligned", "packed", "random"] | Sequence[Literal["aligned", "packed", "random"]]
    """placement of buffers in memory."""

    mapping: Literal["row-bank-column", "bank-row-column"] | Sequence[Literal["row-bank-column", "bank-row-column"]]
    """address mapping."""

    qos: str | Sequence[str]
    """class of the ports' traffic: best_effort, or HP0=video+HP3.read=7."""

    accelerators: int | Sequence[int]
    """convolution accelerators behind each port."""

    fill: Literal["burst", "buffer"] | Sequence[Literal["burst", "buffer"]]
    """turns of an accelerator's streams: after each burst, or after each filled buffer."""

    seed: int | Sequence[int]
    """seed of all random choices."""

    master: Literal["dma", "convolution", "memcpy", "loop", "register", "gpio_driver", "ps_dma", "lite", "lite_improved", "full", "full_improved", "axi_dma", "ring", "axi_cdma", "axi_vdma", "msgdma", "hls_m_axi"] | Sequence[Literal["dma", "convolution", "memcpy", "loop", "register", "gpio_driver", "ps_dma", "lite", "lite_improved", "full", "full_improved", "axi_dma", "ring", "axi_cdma", "axi_vdma", "msgdma", "hls_m_axi"]]
    """the block that moves the data: dma (streams of a PL DMA), convolution (accelerators in the fabric), a master of the processor's side, or a vendor's engine."""

    os: Literal["bare-metal", "linux"] | Sequence[Literal["bare-metal", "linux"]]
    """operating system."""

    cache: Literal["on", "off", "l1", "instruction"] | Sequence[Literal["on", "off", "l1", "instruction"]]
    """enabled processor caches: all; none; the first level only (l1); or the instruction cache only."""

    memory_type: Literal["device", "cached", "strongly_ordered", "noncacheable"] | Sequence[Literal["device", "cached", "strongly_ordered", "noncacheable"]]
    """how the processor maps the fabric, or its buffers in the memory: device, cached (of the fabric for reads, writes go through), strongly ordered, or normal memory outside the caches (also: write_combining)."""

    dma_program: Literal["excluded", "included"] | Sequence[Literal["excluded", "included"]]
    """whether the time to write the program of the processor's DMA counts."""

    cache_control: Literal["explicit", "none", "uncached", "coherent"] | Sequence[Literal["explicit", "none", "uncached", "coherent"]]
    """method that keeps a ring's buffers coherent."""

    io: Literal["zero_copy", "copy"] | Sequence[Literal["zero_copy", "copy"]]
    """how a program passes packets."""

    ring_depth: int | Sequence[int]
    """outstanding packets, at most."""

    dma_burst_bytes: int | str | Sequence[int | str]
    """bytes of a burst of the processor's DMA."""

    copy_bytes: int | str | Sequence[int | str]
    """bytes of each load or store in the program's memcpy."""

    program: str | Sequence[str]
    """how software starts transfers and detects their end: a program in programs/, or the board's."""

    slave: str | Sequence[str]
    """a slave in the fabric that the platform describes."""

    target: str | Sequence[str]
    """the memory of the masters: ocm, acp; absent: the DRAM."""
