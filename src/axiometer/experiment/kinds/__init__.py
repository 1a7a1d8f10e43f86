"""The kinds of masters: a file each, with its keys and the ports at which it can work.

To add a kind, write its file and a line below; `simulate/master_streams.py` and
`simulate/sources.py` simulate it. Not for: points and their keys (`keys.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.experiment import vendor
from axiometer.experiment.kinds.accelerator import Accelerator
from axiometer.experiment.kinds.engine import Convolution, Dma, Engine
from axiometer.experiment.kinds.kind import Kind
from axiometer.experiment.kinds.neighbour import Neighbour
from axiometer.experiment.kinds.processor import Copy, GpioDriver, Loop, Processor, Register
from axiometer.experiment.kinds.ps_dma import PsDma
from axiometer.experiment.kinds.ring import Ring
from axiometer.experiment.kinds.simple import PublishedDma, Simple
from axiometer.experiment.kinds.vendors import Vendor
from axiometer.experiment.values import Master

SIMPLE = ("lite", "lite_improved", "full", "full_improved")
VENDORS = {name: Vendor(name) for name in vendor.KINDS}
PUBLISHED_DMA = PublishedDma("axi_dma")
TABLES: Mapping[str, Kind] = {
    "engine": Engine("engine"),
    "accelerator": Accelerator("accelerator"),
    "neighbour": Neighbour("neighbour"),
    "ring": Ring("ring"),
    "processor": Processor("processor"),
    "memcpy": Copy("memcpy"),
    "loop": Loop("loop"),
    "ps_dma": PsDma("ps_dma"),
    **{name: Simple(name) for name in SIMPLE},
    **VENDORS,
}
"""Kinds of `[[master]]` tables."""
OF_POINTS: Mapping[str, Kind] = {
    "dma": Dma("dma"),
    "convolution": Convolution("convolution"),
    "memcpy": TABLES["memcpy"],
    "loop": TABLES["loop"],
    "register": Register("register"),
    "gpio_driver": GpioDriver("gpio_driver"),
    "ps_dma": TABLES["ps_dma"],
    **{name: TABLES[name] for name in SIMPLE},
    "axi_dma": PUBLISHED_DMA,
    "ring": TABLES["ring"],
}
"""Kinds for a point with one `master`; a vendor's engine becomes a table."""


def of(master: Master) -> Kind:
    """The kind of a master; tells a vendor's engine from the master of published rows."""
    if master["kind"] in VENDORS and not master["engine"]:
        return PUBLISHED_DMA
    return TABLES[master["kind"]]
