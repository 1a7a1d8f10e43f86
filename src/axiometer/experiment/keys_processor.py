"""The experiment keys of the processor's side: allowed values and combinations.

Data for `keys.KEYS`, and the rules that `points.normalise` applies to a whole point.
"""

from __future__ import annotations

from axiometer.experiment import kinds
from axiometer.experiment.keys_shared import ENGINES
from axiometer.experiment.kinds.kind import MASTER_BITS as MASTER_BITS
from axiometer.experiment.port_kinds import dmac as dmac
from axiometer.experiment.port_kinds import is_coherent as is_coherent
from axiometer.experiment.port_kinds import kind as kind
from axiometer.experiment.values import Values
from axiometer.platform import Platform

# Key: meaning, allowed values, default.
CHOICES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "master": (
        "the block that moves the data: dma (streams of a PL DMA), convolution (accelerators in "
        "the fabric), a master of the processor's side, or a vendor's engine",
        (
            *("dma", "convolution", "memcpy", "loop", "register", "gpio_driver", "ps_dma"),
            *("lite", "lite_improved", "full", "full_improved", "axi_dma", "ring"),
            *("axi_cdma", "axi_vdma", "msgdma", "hls_m_axi"),
        ),
        "dma",
    ),
    "os": ("operating system", ("bare-metal", "linux"), "bare-metal"),
    "cache": (
        "enabled processor caches: all; none; the first level only (l1); or the instruction cache "
        "only",
        ("on", "off", "l1", "instruction"),
        "on",
    ),
    "memory_type": (
        "how the processor maps the fabric, or its buffers in the memory: device, cached (of the "
        "fabric for reads, writes go through), strongly ordered, or normal memory outside the "
        "caches (also: write_combining)",
        ("device", "cached", "strongly_ordered", "noncacheable"),
        "device",
    ),
    "dma_program": (
        "whether the time to write the program of the processor's DMA counts",
        ("excluded", "included"),
        "excluded",
    ),
    "cache_control": (
        "method that keeps a ring's buffers coherent",
        ("explicit", "none", "uncached", "coherent"),
        "explicit",
    ),
    "io": ("how a program passes packets", ("zero_copy", "copy"), "zero_copy"),
}
OTHER_WORDS = dict.fromkeys(("write_combining", "non_cacheable"), "noncacheable")
"""Further words of users for a choice."""
# Key: meaning, default.
NUMBERS: dict[str, tuple[str, int | None]] = {
    "ring_depth": ("outstanding packets, at most", 1),
    "dma_burst_bytes": ("bytes of a burst of the processor's DMA", None),
    "copy_bytes": ("bytes of each load or store in the program's memcpy", None),
}
TEXTS = (*CHOICES, "slave", "program")

KINDS: dict[str, tuple[str, ...]] = {name: of.at for name, of in kinds.OF_POINTS.items()}
"""The kinds of ports at which each master can work."""
AT_MEMORY = ENGINES  # in the fabric at ports of the memory model
ONE_WAY = tuple(master for master in KINDS if master not in (*AT_MEMORY, "ring"))
"""Masters that move data in one direction at a time."""
USUAL_WAY = "ps_to_pl"
"""The default mode with such a master: the fabric's masters read the memory, the processor and its
DMA write to the fabric."""
# The default master, by the kind of the ports; for all others "dma".
USUAL = {"gp-master": "memcpy", "gp-slave": "axi_dma", "acp": "axi_dma", "emio": "register"}
IN_FABRIC = tuple(name for name, of in kinds.OF_POINTS.items() if of.word_bits)
"""Masters in the fabric that move words, whatever the width of their port."""


def slaves(platform: Platform) -> list[str]:
    """The slaves that a platform describes in its fabric; the first is the default."""
    return platform.slaves


def usual_master(platform: Platform, ports: list[str]) -> str:
    """The default master at `ports`."""
    kinds = {kind(platform, port) for port in ports}
    return USUAL.get(kinds.pop(), "dma") if len(kinds) == 1 else "dma"


def masters_at(platform: Platform, port: str) -> list[str]:
    """The masters that can work at a port and that the platform describes."""
    at = kind(platform, port)
    every = kinds.OF_POINTS.items()
    return [name for name, of in every if at in of.at and not of.lacks(platform, port)]


def width_bits(values: Values) -> int:
    """The default data width of a point in bits: its ports' or its master's."""
    return MASTER_BITS if values["master"] in IN_FABRIC else values["width_bits"]


def conflict(values: Values, platform: Platform) -> tuple[str, str, str] | None:
    """The key, the message and the remedy if values of a point conflict; else None."""
    master = values["master"]
    if master not in AT_MEMORY and not platform.has("processor.clocks.cpu"):
        return (
            "master",
            f"board {platform.name} does not describe the processor's side",
            'choose another board, or master = "dma"',
        )
    good = [port for port in platform.ports if kind(platform, port) in KINDS[master]]
    for port in values["ports"]:
        if port not in good:
            listed = f"ports for {master}: {', '.join(good)}" if good else "choose another master"
            return "ports", f"master {master!r} cannot work at port {port}", listed
    if values.get("through") and (master not in IN_FABRIC and master != "dma"):
        return (
            "through",
            f"through names blocks before a port in the fabric; master {master!r} has no such port",
            f"remove through, or choose a master in the fabric: {', '.join(('dma', *IN_FABRIC))}",
        )
    of = kinds.OF_POINTS[master]
    lacks = of.lacks(platform, values["ports"][0])
    if lacks:
        return "master", f"board {platform.name} does not describe {lacks}", "choose another"
    return of.conflict(values, platform)
