"""The controls of the page for a point: what may be chosen, and what is.

All values are those that the board and the keys of an experiment allow, found by trying them, or
read from the board; the page itself knows none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from axiometer.answer.analysis.load_sweep import GAPS
from axiometer.api.expectation import point_of
from axiometer.base.errors import AxiometerError
from axiometer.experiment import directions, kinds, listed, master_keys, port_kinds, sizes
from axiometer.experiment.keys import BOTH, USUAL_TRANSFER_BYTES, both_ways
from axiometer.experiment.keys_processor import AT_MEMORY
from axiometer.experiment.values import Values, known
from axiometer.platform import Platform, limits
from axiometer.present import labels, text
from axiometer.serve.question import Question, Scalar, changed
from axiometer.serve.work import Document

MODES = {BOTH: "both", "read": "read", "write": "write"}
MOST_TRANSFER = 2 * USUAL_TRANSFER_BYTES
LEAST_TRANSFER = 64
_KINDS = {
    "hp": "memory",
    "coherent": "coherent",
    "acp": "coherent",
    "gp-master": "from the processor",
    "gp-slave": "to the processor's bus",
    "emio": "pins",
}
_NUMBERS = {
    "rate_mbs": "Rate, MB/s",
    "burst_bytes": "Burst, bytes",
    "outstanding": "Bursts in flight",
}
"""The keys of a master with a field for a number, beside its port and direction."""


def document(of: Question) -> Document:
    """The controls for the point of a question."""
    platform, values = of.platform, of.point.values
    sliders = list(_sliders(of))
    return {
        "board": {"name": of.asked.board, "title": platform.title},
        "ports": [_port(platform, port, values) for port in platform.ports],
        "choices": [] if master_keys.of(values) else list(_choices(of)),
        "sliders": sliders,
        "curves": list(_curves(of, sliders)),
        "masters": masters(of.asked.board),
    }


def _port(platform: Platform, port: str, values: Values) -> Document:
    kind = port_kinds.kind(platform, port)
    widths = platform.wholes(f"port.{port}.widths")
    return {
        "name": port,
        "kind": _KINDS.get(kind, kind),
        "widths": f"{'/'.join(map(str, widths))} bit",
        "on": port in values["ports"],
    }


def _choices(of: Question) -> Iterable[Document]:
    values = of.point.values
    given = [*kinds.OF_POINTS]
    both = values["mode"] in (both_ways(of.platform, values), BOTH)
    at = BOTH if both else directions.OF_MODE.get(values["mode"], values["mode"])
    widths = set.intersection(
        *(set(of.platform.wholes(f"port.{port}.widths")) for port in values["ports"])
    )
    every: list[tuple[str, str, Sequence[Scalar], Scalar]] = [
        ("mode", "Direction", [*MODES], at),
        ("master", "Moved by", given, values["master"]),
        ("width_bits", "Port width", sorted(widths), values["width_bits"]),
    ]
    for key, words, options, now in every:
        found = [option for option in options if option == now or _takes(of, key, option)]
        if len(found) > 1:
            yield {
                "key": key,
                "label": words,
                "at": now,
                "options": [{"value": o, "label": _option(key, o)} for o in found],
            }


def _option(key: str, value: object) -> str:
    return MODES[str(value)] if key == "mode" else labels.value_label(key, value).replace("_", " ")


def _takes(of: Question, key: str, value: Scalar) -> bool:
    return changed(of, key, value) is not None


def _sliders(of: Question) -> Iterable[Document]:
    values = of.point.values
    every: list[tuple[str, str, Sequence[int | float], object, Callable[[float], str]]] = [
        ("pl_mhz", "PL clock", _clocks(of.platform), values["pl_mhz"], lambda v: f"{v:g} MHz")
    ]
    # Other masters have bursts of their own, which the key does not change.
    if not master_keys.of(values) and values["master"] in AT_MEMORY:
        beat = values["width_bits"] // 8
        every.append(
            (
                *("burst_beats", "Burst", _bursts(of), values["burst_beats"]),
                lambda v: f"{v:g} beat{'s' * (v != 1)}, {text.size(int(v) * beat)}",
            )
        )
    if values["transfer_bytes"] is not None:
        every.append(
            (
                *("transfer_bytes", "Transfer", _transfers(of), values["transfer_bytes"]),
                lambda v: text.size(int(v)),
            )
        )
    for key, words, those, now, shown in every:
        if isinstance(now, int | float) and len(those) > 1:
            steps = sorted({*those, now})
            yield {
                "key": key,
                "label": words,
                "values": steps,
                "texts": [shown(value) for value in steps],
                "at": steps.index(now),
            }


def _clocks(platform: Platform) -> Sequence[int | float]:
    leaf = platform.leaf("clocks.pl_mhz")
    least, most = known(leaf.min), known(leaf.max)
    return [*range(-int(-least // 1), int(most) + 1)]


def _bursts(of: Question) -> Sequence[int]:
    """Beats of a burst that all ports take; of long bursts, one size in eight."""
    ports = of.point.values["ports"]
    most = sizes.burst_limit(of.platform, ports)
    beats = [n for n in range(1, most + 1) if n <= 16 or n % 8 == 0]
    # A port may take only some sizes; then each is tried.
    if any(of.platform.wholes(f"port.{port}.burst_bytes", None) for port in ports):
        return [n for n in beats if _takes(of, "burst_beats", n)]
    return beats


def _transfers(of: Question) -> Sequence[int]:
    """Powers of two, up to the memory."""
    most = min(MOST_TRANSFER, limits.most_of_key("transfer_bytes"))
    powers = [1 << n for n in range(LEAST_TRANSFER.bit_length() - 1, most.bit_length())]
    streams = 2 * max(1, len(of.point.values["ports"]))
    return [size for size in powers if size * streams <= of.platform.memory_bytes]


def _curves(of: Question, sliders: Sequence[Document]) -> Iterable[Document]:
    """What the rate may be drawn against, each with its values in the order in which they are
    computed: coarse first."""
    for slider in sliders:
        steps, key = slider["values"], slider["key"]
        assert isinstance(steps, list)
        log = key != "pl_mhz"
        yield {"along": key, "label": slider["label"], "axis": labels.axis(str(key)), "log": log,
               "at": _coarse_first(_few(steps, log))}  # fmt: skip
    if not master_keys.of(of.point.values) and of.point.values["master"] == "dma":
        yield {"along": "load", "label": "Latency under load", "axis": "MB/s", "log": False,
               "at": _coarse_first(GAPS)}  # fmt: skip


def _few(steps: Sequence[float], log: bool) -> list[float]:
    """About 20 of the steps: powers of two and the last, or evenly spaced."""
    if log:
        some = [s for s in steps if s == int(s) and not int(s) & (int(s) - 1)]
        return sorted({*some, steps[0], steps[-1]})
    every = max(1, len(steps) // 20)
    return sorted({*steps[::every], steps[-1]})


def _coarse_first(steps: Sequence[float]) -> list[float]:
    """The ends, then the middle of each gap: a curve has its shape after a few points."""
    found = dict.fromkeys((steps[0], steps[-1]))
    spans = [(0, len(steps) - 1)]
    for low, high in spans:
        middle = (low + high) // 2
        if low < middle:
            found[steps[middle]] = None
            spans += [(low, middle), (middle, high)]
    return list(found)


@lru_cache
def masters(board: str) -> Sequence[Document]:
    """The kinds of masters that a board takes, each with its ports, its directions (the default
    first) and its numbers."""
    platform = Platform.load(board)
    found = []
    for name, kind in kinds.TABLES.items():
        ports = kind.ports(platform) if "port" in kind.keys else []
        base = {"kind": name, **({"port": ports[0]} if ports else {})}
        usual = _direction(platform, base)
        if usual is None:
            continue
        ways = [way for way in master_keys.DIRECTIONS if _direction(platform, base, way)]
        found.append(
            {
                "kind": name,
                "ports": ports,
                "directions": list(dict.fromkeys((usual, *ways)))
                if "direction" in kind.keys
                else [],
                "numbers": [
                    {"key": key, "label": words, **_bounds(key)}
                    for key, words in _NUMBERS.items()
                    if key in kind.keys
                ],
            }
        )
    return found


def _bounds(key: str) -> Document:
    limit = limits.of_key("outstanding_read" if key == "outstanding" else key)
    return {"least": limit.least, "most": limit.most}


def _direction(platform: Platform, table: dict[str, str], way: str | None = None) -> str | None:
    """The direction of a master with these keys; None if it is refused."""
    made = table if way is None else {**table, "direction": way}
    try:
        _, point = point_of(platform, [("masters", [made], None)])
    except AxiometerError:
        return None
    masters = listed.masters(point.values)
    return masters[0]["direction"] if masters else directions.OF_MODE[point.values["mode"]]
