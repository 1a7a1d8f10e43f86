"""A processor of the chip: at buffers in the memory, or with its copy routine or a loop of words
between the memory and the slave of a port into the fabric."""

from __future__ import annotations

from axiometer.experiment.kinds.kind import STREAM, Kind, Known
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform

OPERATIONS = {
    **{"read": "read", "write": "write", "copy": "pair"},
    **{"from_buffer": "read", "to_buffer": "write"},
}
"""The processor's operation, and its direction at the memory: buffers are read, written or copied;
or the kernel copies from, or to, a driver's uncached buffer."""
WORDS = {"fill": "write"}
"""Further words for operations."""
BUFFERS = ("from_buffer", "to_buffer")
"""Operations at a driver's buffer: the kernel copies, in a system call."""
_ROUTINE = ("memory_type", "copy_bytes")


class Processor(Kind):
    """Loads, stores or copies of buffers in the memory."""

    keys: tuple[str, ...] = ("operation", *_ROUTINE, *STREAM)
    source = by_processor = True

    def follows(self, key: str, platform: Platform, own: Master) -> Known:
        if key == "operation" and own["operation"] is not None:
            return {"direction": OPERATIONS[own["operation"]]}
        return super().follows(key, platform, own)


class Copy(Kind):
    """Copies between the memory and the slave of a port into the fabric."""

    keys: tuple[str, ...] = ("port", "direction", "pl_mhz", *_ROUTINE, *STREAM)
    at: tuple[str, ...] = ("gp-master",)
    source = by_processor = True

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        return ("os", "cache", "memory_type", "copy_bytes", "slave", "width_bits")

    def usual_port(self, platform: Platform) -> str | None:
        return self.ports(platform)[0]


class Loop(Copy):
    keys: tuple[str, ...] = tuple(key for key in Copy.keys if key != "copy_bytes")
    at: tuple[str, ...] = ("gp-master", "emio")

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        # Without an effect in the model, `os` tells measured rows apart.
        return ("os", "cache", "memory_type", "slave")


class Register(Kind):
    """Accesses to a register in the fabric."""

    at: tuple[str, ...] = ("gp-master", "emio")

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        return ("cache", "memory_type", "slave")


class GpioDriver(Kind):
    at: tuple[str, ...] = ("emio",)

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        return ("cache", "slave")
