"""The fabric's ports to the memory, and those to use together."""

from __future__ import annotations

from axiometer.platform import Platform


def at_memory(platform: Platform) -> list[str]:
    """The fabric's ports with a direct path to the memory."""
    return [port for port in platform.ports if platform.has(f"port.{port}.path")]


def all_at_once(platform: Platform) -> list[str]:
    """The ports of greatest width that reach the memory past no cache."""
    ports = at_memory(platform)
    widest = max(_width(platform, port) for port in ports)
    return [
        port
        for port in ports
        if platform.value(f"port.{port}.kind", "") != "coherent"
        and _width(platform, port) == widest
    ]


def _width(platform: Platform, port: str) -> int:
    return max(platform.wholes(f"port.{port}.widths"))
