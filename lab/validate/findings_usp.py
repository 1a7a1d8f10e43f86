"""The findings of Manev et al. that a model must show, as lines "what: published, model"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from validate import accuracy_usp as usp

Key = tuple[str, str, str, int]


def lines(outcomes: Sequence[usp.Outcome]) -> Iterator[str]:
    """A line for each finding whose configurations are all among `outcomes`."""
    at = {(o.of.platform, o.of.mode, o.of.ports, o.of.burst_bytes): o for o in outcomes}

    def show(what: str, keys: Sequence[Key], figure: Callable[..., str]) -> Iterator[str]:
        if all(key in at for key in keys):
            found = [at[key] for key in keys]
            published = figure(*((o.of.total, o.of.by_port) for o in found))
            model = figure(*((o.total, o.by_port) for o in found))
            yield f"{what}: {published}; model {model}"

    def read(ports: str, burst: int, board: str = "zcu102") -> Key:
        return (board, "read", ports, burst)

    def mixed(ports: str, burst: int, board: str = "zcu102") -> Key:
        return (board, "mixed", ports, burst)

    three, four = "HP0+HP1+HP3", "HP0+HP1+HP2+HP3"
    yield from show(
        "ZCU102 mixed, 192 B, three ports and four (MB/s)",
        [mixed(three, 192), mixed(four, 192)],
        lambda a, b: f"{a[0]:.0f} and {b[0]:.0f}",
    )
    yield from show(
        "ZCU102 read, HP0,1,3 at 128, 256, 320 and 512 B (MB/s)",
        [read(three, burst) for burst in (128, 256, 320, 512)],
        lambda *of: ", ".join(f"{o[0]:.0f}" for o in of),
    )
    yield from show(
        "ZCU102 write, HP0,1,3 at 128, 256 and 512 B: no such dip (MB/s)",
        [("zcu102", "write", three, burst) for burst in (128, 256, 512)],
        lambda *of: ", ".join(f"{o[0]:.0f}" for o in of),
    )
    yield from show(
        "ZCU102 read, HP1+HP2 share one path, 256 B (MB/s)",
        [read("HP1+HP2", 256), read("HP0+HP1", 256)],
        lambda a, b: f"{a[0]:.0f} against {b[0]:.0f} of HP0+HP1",
    )
    yield from show("ZCU102 read, 512 B: shares of HP1,2,3", [read("HP1+HP2+HP3", 512)], _shares)
    yield from show("Ultra96 read, 512 B: shares of HP1,2,3",
                    [read("HP1+HP2+HP3", 512, "ultra96")], _shares)  # fmt: skip
    yield from show(
        "ZCU102 mixed, 512 B: share of writes with one, two, three, four ports (%)",
        [mixed(ports, 512) for ports in ("HP0", "HP0+HP1", "HP1+HP2+HP3", four)],
        lambda *of: ", ".join(f"{_write_share(o):.1f}" for o in of),
    )
    yield from show(
        "Ultra96 mixed, 512 B: HP1 reads/writes",
        [mixed("HP1", 512, "ultra96"), mixed("HP0", 512, "ultra96")],
        lambda a, b: "{:.0f}/{:.0f}, HP0 {:.0f}/{:.0f} MB/s".format(*a[1]["HP1"], *b[1]["HP0"]),
    )
    yield from show(
        "Ultra96 mixed, 512 B, four ports (MB/s)",
        [mixed(four, 512, "ultra96")],
        lambda o: ", ".join(f"{port} {sum(rates):.0f}" for port, rates in o[1].items()),
    )


def _shares(of: tuple) -> str:
    total, by_port = of
    return "/".join(f"{100 * sum(rates) / total:.0f}" for rates in by_port.values())


def _write_share(of: tuple) -> float:
    total, by_port = of
    return 100 * sum(write for _, write in by_port.values()) / total
