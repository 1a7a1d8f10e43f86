"""Points whose `master` is a vendor's engine: made into a `[[master]]` table at each port."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.base.errors import BadValueError
from axiometer.experiment import keys, keys_processor, master_keys, sizes, vendor
from axiometer.experiment.directions import normal_direction
from axiometer.experiment.keys import Given
from axiometer.experiment.master_tables import TABLES
from axiometer.platform import Platform

_SAME = ("width_bits", "burst_bytes", "gap_cycles", "through")
"""Keys of a point that have the same name in a table."""
_OTHER_NAMES = ("ports", "mode", "burst_beats", "outstanding_read", "outstanding_write")
_HLS = "hls_m_axi"


def is_one(given: Mapping[str, Given], platform: Platform) -> bool:
    """Whether a point's master is a vendor's engine, and not the `axi_dma` of 32 bits of published
    rows where the platform describes that at the port."""
    master = given["master"].value if "master" in given else None
    if master not in vendor.KINDS or "ports" not in given:
        return False
    if master != "axi_dma":
        return True
    width = given["width_bits"].value if "width_bits" in given else keys_processor.MASTER_BITS
    ports = _ports(given, platform)
    published = all(vendor.published(platform, port) for port in ports)
    return set(ports) <= set(vendor.ports(platform)) and not (
        published and width == keys_processor.MASTER_BITS
    )


def as_tables(given: Mapping[str, Given], platform: Platform) -> dict[str, Given]:
    """The same point with tables; AxiometerError for keys that tables do not support."""
    kind = str(given["master"].value)
    for name, value in given.items():
        if name in master_keys.TAKEN_OVER and name not in (*_SAME, *_OTHER_NAMES):
            raise value.error(f"master {kind!r} has no {name}", f"remove {name}")
    ports = _ports(given, platform)
    tables = [
        {
            "kind": given["master"],
            "name": Given(kind if len(ports) == 1 else f"{kind}-{port}"),
            "port": given["ports"]._replace(value=port),
            **{key: given[key] for key in _SAME if key in given},
            **_direction(given),
            **_bursts(given, kind, platform, port),
            **_outstanding(given, kind),
        }
        for port in ports
    ]
    gone = (*master_keys.TAKEN_OVER, "master")
    rest = {name: value for name, value in given.items() if name not in gone}
    return {**rest, TABLES: given["master"]._replace(value=tables)}


def _ports(given: Mapping[str, Given], platform: Platform) -> list[str]:
    try:
        return keys.ports_of(given["ports"].value, platform)
    except BadValueError as bad:
        raise given["ports"].error(bad.message, bad.remedy) from None


def _direction(given: Mapping[str, Given]) -> dict[str, Given]:
    if "mode" not in given:
        return {}
    mode = given["mode"]
    way = normal_direction(str(mode.value)) or mode.value
    return {"direction": mode._replace(value=way)}


def _bursts(
    given: Mapping[str, Given], kind: str, platform: Platform, port: str
) -> dict[str, Given]:
    if "burst_beats" not in given:
        return {}
    beats = given["burst_beats"]
    if kind == _HLS:
        return {f"max_{way}_burst_length": beats for way in ("read", "write")}
    width = sizes.widest(platform, [port])
    bits = given["width_bits"].value if "width_bits" in given else None
    if isinstance(bits, int):
        width = min(width, bits)
    if isinstance(beats.value, int) and not isinstance(beats.value, bool):
        beats = beats._replace(value=beats.value * width // 8)
    return {"burst_bytes": beats}


def _outstanding(given: Mapping[str, Given], kind: str) -> dict[str, Given]:
    ways = [way for way in ("read", "write") if f"outstanding_{way}" in given]
    if kind == _HLS:
        return {f"num_{way}_outstanding": given[f"outstanding_{way}"] for way in ways}
    return {"outstanding": given[f"outstanding_{ways[0]}"]} if ways else {}
