"""What the traffic generator is to do: addresses of its bursts and data, from the documentation."""

from __future__ import annotations

from collections.abc import Iterator

CONTIGUOUS, STRIDED, RANDOM = 0, 1, 2
BURSTS, BYTES, CLOCKS, FOREVER = 0, 1, 2, 3


def word(address: int, seed: int) -> int:
    """The 32-bit word at an address."""
    a = address & 0xFFFFFFFC
    return (a ^ (a << 16) ^ seed) & 0xFFFFFFFF


def data(address: int, count: int, seed: int) -> bytes:
    """`count` bytes from an address on; both multiples of 4."""
    return b"".join(word(address + k, seed).to_bytes(4, "little") for k in range(0, count, 4))


def final(step: int, region: int) -> int:
    """Offset of the last burst that begins in the region (0: 4 GiB)."""
    return ((region or 1 << 32) - 1) // step * step if step else 0


def step_of(config: dict, width: int) -> int:
    """Bytes from burst to burst, or the mask of a random pattern."""
    contiguous = config["pattern"] == CONTIGUOUS
    return config["beats"] * width if contiguous else config["stride"]


def tail(config: dict, width: int) -> tuple[int, int]:
    """Number of bursts, and beats of the last one."""
    if config["stop"] != BYTES:
        return config["limit"], config["beats"]
    beats = -(-config["limit"] // width)
    count = -(-beats // config["beats"])
    return count, beats - (count - 1) * config["beats"]


def offsets(pattern: int, step: int, region: int, seed: int) -> Iterator[int]:
    """The offsets of the bursts. `step` is the mask of a random pattern."""
    if pattern != RANDOM:
        offset = 0
        while True:
            yield offset
            offset = 0 if offset == final(step, region) else offset + step
    # b[n + 31] = b[n] ^ b[n + 3], of which burst k takes bits 28 k to 28 k + 30.
    bits = [seed >> k & 1 for k in range(31)]
    first = 0
    while True:
        while len(bits) < first + 31:
            bits.append(bits[-31] ^ bits[-28])
        yield sum(bit << k for k, bit in enumerate(bits[first : first + 31])) & step
        first += 28


def bursts(config: dict, width: int, writing: bool, seed: int) -> Iterator[tuple[int, int]]:
    """Address and beats of each burst. `config` as Bench.configure takes it."""
    beats = config["beats"]
    step = step_of(config, width)
    left = config["limit"] if config["stop"] in (BURSTS, BYTES) else None
    own = (~seed if writing else seed) & 0x7FFFFFFF
    for offset in offsets(config["pattern"], step, config["region"], own):
        if left is not None and left <= 0:
            return
        address = config["base"] + offset
        count = beats
        if config["stop"] == BYTES:
            count = min(beats, -(-left // width))
            left -= beats * width
        elif left is not None:
            left -= 1
        yield address, min(count, (4096 - address % 4096) // width)
