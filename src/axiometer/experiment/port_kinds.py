"""The kind of a port: its place on the chip, and whether it is coherent."""

from __future__ import annotations

from axiometer.platform import Platform

# Kinds of ports that keep the processor's caches coherent.
_COHERENT = ("acp", "coherent")


def kind(platform: Platform, port: str) -> str:
    """The kind of a port; "hp" for one on a path of the memory model."""
    return platform.word(f"port.{port}.kind", "hp")


def is_coherent(platform: Platform, port: str) -> bool:
    """Whether a port keeps the processor's caches coherent."""
    return kind(platform, port) in _COHERENT


def dmac(platform: Platform, port: str) -> str:
    """The table of the processor's DMA engine that reaches the fabric through a port."""
    return f"processor.{platform.word(f'port.{port}.dmac', 'dmac')}"
