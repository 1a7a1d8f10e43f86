"""The experiment keys of the processor's side: what each may be, and which go together.

Data for `keys.KEYS`, and the rules that `points.normalise` applies to a whole point.
"""

from __future__ import annotations

from axiometer.experiment import keys_fabric
from axiometer.experiment.keys_usp import ENGINES, runs_freely
from axiometer.experiment.values import Values
from axiometer.platform import Platform

# Key: what it means, what it may be, the default.
CHOICES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "master": (
        "who moves the data: dma (streams of a PL DMA), convolution (accelerators in the fabric), "
        "a master of the processor's side, or a vendor's engine",
        (
            *("dma", "convolution", "memcpy", "loop", "register", "gpio_driver", "ps_dma"),
            *("lite", "lite_improved", "full", "full_improved", "axi_dma", "ring"),
            *("axi_cdma", "axi_vdma", "msgdma", "hls_m_axi"),
        ),
        "dma",
    ),
    "os": ("operating system", ("bare-metal", "linux"), "bare-metal"),
    "cache": (
        "the processor's caches: all; none; the first level and not the second; or that of "
        "instructions alone",
        ("on", "off", "l1", "instruction"),
        "on",
    ),
    "memory_type": (
        "how the processor maps the fabric: device, cached for reads (writes go through), strongly "
        "ordered, or normal memory that no cache holds (write combining)",
        ("device", "cached", "strongly_ordered", "noncacheable"),
        "device",
    ),
    "program": ("whether writing the DMA's program counts", ("excluded", "included"), "excluded"),
    "cache_control": (
        "what keeps a ring's buffers coherent",
        ("explicit", "none", "uncached", "coherent"),
        "explicit",
    ),
    "io": ("how a program hands over packets", ("zero_copy", "copy"), "zero_copy"),
}
# Key: what it means, the default.
NUMBERS: dict[str, tuple[str, int | None]] = {
    "ring_depth": ("packets in flight at most", 1),
    "dma_burst_bytes": ("bytes of a burst of the processor's DMA", None),
}
TEXTS = (*CHOICES, "slave")

# The kinds of ports at which each master can work; "hp" is a port on a path of the memory model,
# "coherent" one that is too, but passes what keeps the caches coherent.
KINDS: dict[str, tuple[str, ...]] = {
    "dma": ("hp", "coherent"),
    "convolution": ("hp",),
    "memcpy": ("gp-master",),
    "loop": ("gp-master", "emio"),
    "register": ("gp-master", "emio"),
    "gpio_driver": ("emio",),
    "ps_dma": ("gp-master",),
    "lite": ("gp-slave", "acp", "hp", "coherent"),
    "lite_improved": ("gp-slave", "acp", "hp", "coherent"),
    "full": ("gp-slave", "acp", "hp", "coherent"),
    "full_improved": ("gp-slave", "acp", "hp", "coherent"),
    "axi_dma": ("gp-slave", "acp", "hp"),
    "ring": ("gp-slave", "acp", "hp", "coherent"),
}
AT_MEMORY = ENGINES  # in the fabric at ports of the memory model
ONE_WAY = tuple(master for master in KINDS if master not in (*AT_MEMORY, "ring"))
"""Masters that move data in one direction at a time."""
USUAL_WAY = "ps_to_pl"
"""The mode of a point with such a master that names none: the fabric's masters read the memory, the
processor and its DMA write to the fabric."""
# The master of a point that names none, by the kind of its ports; of all others "dma".
USUAL = {"gp-master": "memcpy", "gp-slave": "axi_dma", "acp": "axi_dma", "emio": "register"}
# Kinds of ports that keep the processor's caches coherent.
_COHERENT = ("acp", "coherent")
# Masters in the fabric, and the width of their data in bits, whatever their port could have.
IN_FABRIC = ("lite", "lite_improved", "full", "full_improved", "axi_dma")
MASTER_BITS = 32
MOST_BYTES = 2**26


def slaves(platform: Platform) -> list[str]:
    """Names of the slaves that a platform describes in its fabric; the first is the default."""
    return platform.slaves


def kind(platform: Platform, port: str) -> str:
    """The kind of a port; "hp" for one on a path of the memory model."""
    return platform.word(f"port.{port}.kind", "hp")


def is_coherent(platform: Platform, port: str) -> bool:
    """Whether a port keeps the processor's caches coherent."""
    return kind(platform, port) in _COHERENT


def dmac(platform: Platform, port: str) -> str:
    """The table of the processor's DMA engine that reaches the fabric by a port."""
    return f"processor.{platform.value(f'port.{port}.dmac', 'dmac')}"


def usual_master(platform: Platform, ports: list[str]) -> str:
    """The master of a point that names none."""
    kinds = {kind(platform, port) for port in ports}
    return USUAL.get(kinds.pop(), "dma") if len(kinds) == 1 else "dma"


def masters_at(platform: Platform, port: str) -> list[str]:
    """The masters that can work at a port and that the platform describes."""
    of = kind(platform, port)
    return [name for name, at in KINDS.items() if of in at and not _lacks(platform, name, [port])]


def width_bits(values: Values) -> int:
    """The data width of a point for which none is given: its ports', or that of its master."""
    return MASTER_BITS if values["master"] in IN_FABRIC else values["width_bits"]


def conflict(values: Values, platform: Platform) -> tuple[str, str, str] | None:
    """The key, the message and the remedy where values of a point do not go together."""
    master = values["master"]
    if master not in AT_MEMORY and not platform.has("processor.clocks.cpu"):
        return (
            "master",
            f"platform {platform.name} does not describe the processor's side",
            'choose another board, or master = "dma"',
        )
    good = [port for port in platform.ports if kind(platform, port) in KINDS[master]]
    for port in values["ports"]:
        if port not in good:
            listed = f"ports for {master}: {', '.join(good)}" if good else "choose another master"
            return "ports", f"master {master!r} cannot work at port {port}", listed
    lacks = _lacks(platform, master, values["ports"])
    if lacks:
        return "master", f"platform {platform.name} does not describe {lacks}", "choose another"
    if master == "convolution":
        return keys_fabric.convolution_conflict(values, runs_freely(platform), platform)
    if master == "dma":
        return None
    if len(values["ports"]) > 1:
        return "ports", f"{len(values['ports'])} ports for master {master!r}", "name one port"
    if values["transfer_bytes"] is None or values["transfer_bytes"] > MOST_BYTES:
        return (
            "transfer_bytes",
            f"master {master!r} moves a transfer of a known size, at most 64 MiB",
            "give transfer_bytes",
        )
    if master in IN_FABRIC and values["width_bits"] != MASTER_BITS:
        return (
            "width_bits",
            f"master {master!r} is {MASTER_BITS} bit wide",
            "leave width_bits out",
        )
    if master == "ring":
        return _ring_conflict(values, platform)
    if master == "ps_dma" and values["dma_burst_bytes"]:
        beat = platform.value(f"{dmac(platform, values['ports'][0])}.beat_bytes_linux")
        most = beat * platform.value("processor.gp.burst_beats")
        if values["dma_burst_bytes"] > most:
            return "dma_burst_bytes", "a longer burst than the engine has", f"give at most {most}"
    if values["mode"] == "duplex":
        return (
            "mode",
            f"master {master!r} moves data in one direction at a time",
            "give mode = ps_to_pl or pl_to_ps",
        )
    return None


def _lacks(platform: Platform, master: str, ports: list[str]) -> str:
    """What a master needs and the chip's files do not have, in words; "" if nothing."""
    if master == "ps_dma" and not platform.has(f"{dmac(platform, ports[0])}.burst_bytes"):
        return "the processor's DMA engine"
    if master in IN_FABRIC:
        of = kind(platform, ports[0])
        if not platform.has(f"processor.port.{of}.clock"):
            return f"{master} at ports of kind {of}"
    if master == "ring" and not platform.has("processor.ring.fifo_bytes"):
        return "rings of packets"
    return ""


def _ring_conflict(values: Values, platform: Platform) -> tuple[str, str, str] | None:
    if values["os"] != "linux":
        return "os", "a ring of packets is a driver's", 'give os = "linux"'
    coherent = values["cache_control"] == "coherent"
    if coherent != is_coherent(platform, values["ports"][0]):
        right = "such a port" if coherent else 'cache_control = "coherent"'
        return "cache_control", "only coherent ports keep caches coherent", f"use {right}"
    if values["io"] == "copy" and values["cache_control"] == "uncached":
        return "io", "copies of uncached buffers are not modelled", 'use cache_control = "explicit"'
    if values["mode"] != "duplex":
        return "mode", "a ring's packets go out and come back", 'leave mode out, or "duplex"'
    return None
