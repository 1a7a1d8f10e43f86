"""Start addresses of a traffic generator's bursts (docs/hardware.md, "Where bursts begin")."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from axiometer.simulate.stream import Stream

_BITS = 2**31 - 1
_GOLDEN_RATIO = 0x9E3779B97F4A7C15


def step(stream: Stream) -> int:
    """Bytes from burst to burst, or the slot of a random burst."""
    if stream.pattern == "random":
        return _slot(stream.burst_bytes)
    return stream.stride if stream.pattern == "stride" else stream.burst_bytes


def mask(stream: Stream) -> int:
    """The bits of a random offset that vary."""
    whole = 1 << min(stream.region, 2**31).bit_length() - 1
    return max(whole - _slot(stream.burst_bytes), 0)


def seed(pattern_seed: int, port: int) -> int:
    """The start of a port's random sequence: the SEED of its generator, 31 bits."""
    bits = (pattern_seed + port * _GOLDEN_RATIO) % 2**64 >> 33
    return 1 if bits in (0, _BITS) else bits


def extent(stream: Stream, bursts: int) -> int:
    """Bytes from the base that hold the first `bursts` bursts; for a random stream, all bursts."""
    burst, stride = stream.burst_bytes, step(stream)
    if stream.pattern == "random":
        return mask(stream) + burst
    last = max(bursts - 1, 0)
    if stream.region:
        last = min(last, (stream.region - 1) // stride if stride else 0)
    return last * stride + burst


def offsets(stream: Stream, pattern_seed: int) -> Iterator[int]:
    """The offsets of all bursts from the base, without end."""
    if stream.pattern == "random":
        yield from _random(stream, seed(pattern_seed, stream.port))
    stride, offset = step(stream), 0
    while True:
        yield offset
        offset += stride
        if stream.region and offset >= stream.region:
            offset = 0


def written(stream: Stream, pattern_seed: int, bursts: int, beat: int) -> int:
    """Bytes of the memory that the first `bursts` bursts touch, in beats of `beat` bytes.

    Bursts must be disjoint or equal. The last one is shorter if it reaches the end of the
    stream's bytes.
    """
    burst = stream.burst_bytes
    tail = min(burst, stream.bytes - (bursts - 1) * burst)
    sequence = offsets(stream, pattern_seed)
    whole = set(islice(sequence, max(bursts - 1, 0)))
    size = len(whole) * burst
    if bursts and next(sequence) not in whole:
        size += -(-tail // beat) * beat
    return size


def _random(stream: Stream, state: int) -> Iterator[int]:
    varies = mask(stream)
    state ^= _BITS if stream.direction == "write" else 0
    while True:
        yield state & varies
        state = (state ^ state << 3) & _BITS & ~7 | state >> 28


def _slot(burst_bytes: int) -> int:
    return 1 << (burst_bytes - 1).bit_length()
