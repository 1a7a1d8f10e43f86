"""Points with `[[master]]` tables: each master has its own port, clock, bursts, rate and time. Keys
that apply to all masters stay keys of the point.

`normalise` makes `Point.values` of such a point; its `masters` is a tuple of mappings with the keys
of `master_keys.KEYS`, None where a key is not set. The keys that masters have themselves are also
in the values, to show or bound a point as a whole: `ports` are all ports in use, `mode` is
"masters", `width_bits` and `burst_bytes` are the largest of any master.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, cast

from axiometer.base.errors import BadValueError, did_you_mean
from axiometer.experiment import (
    key_names,
    keys_shared,
    listed,
    master_keys,
    master_values,
    run_length,
    turns,
    vendor,
)
from axiometer.experiment.keys import KEYS, Given
from axiometer.experiment.master_tables import TABLES, Table, with_settings
from axiometer.experiment.values import Master, Values, having, known
from axiometer.platform import Platform

T = TypeVar("T")
MODE = "masters"


def normalise(given: Mapping[str, Given], platform: Platform) -> Values:
    """All values of a point with masters; see the module. AxiometerError points at the first bad
    value."""
    _only_common(given)
    tables = with_settings(given)
    made: dict[str, object] = {"mode": MODE, "ports": list(platform.ports)}
    values = cast("Values", made)  # filled key by key: each needs only those before it
    made["width_bits"] = max(max(platform.wholes(f"port.{p}.widths")) for p in platform.ports)
    made["pl_mhz"] = _point_key("pl_mhz", given, platform, values)
    found: list[Master] = []
    for table in tables:
        found.append(_master(table, found, platform, values))
    used = {master["way"] for master in found}
    every = dict.fromkeys([*platform.ports, *platform.memory_ports, *platform.neighbours])
    values["ports"] = [name for name in every if name in used]
    values["width_bits"] = max(master["width_bits"] for master in found)
    values["burst_bytes"] = max(master["burst_bytes"] for master in found)
    values["burst_beats"] = values["burst_bytes"] * 8 // values["width_bits"]
    _join(tables, found)
    _share(tables, found, platform)
    # If all masters request burst by burst, none runs for a time, and a transfer has an end.
    if all(map(master_keys.is_source, found)):
        values["master"] = found[0]["kind"]
    for name in KEYS:
        if name in master_keys.STAY:
            made[name] = _point_key(name, given, platform, values)
        elif name not in values:
            made[name] = KEYS[name].usual(platform, values)
    made["master"] = KEYS["master"].default
    if not {"duration", "transfer_bytes"} & {*given}:
        made |= _usual_length(found, platform, values)
    made |= cast("run_length.Length", made.pop("duration") or run_length.Length(None)).values()
    _once(tables, found, values)
    _no_longer_jobs(found, values["transfer_bytes"])
    values["masters"] = tuple(cast("Master", master_keys.Frozen(master)) for master in found)
    _sizes(tables, values, platform)
    return values


def _only_common(given: Mapping[str, Given]) -> None:
    for name, value in given.items():
        if name in master_keys.TAKEN_OVER:
            raise value.error(f"{name} is not allowed beside masters", _moved(name, value))
        if name not in (*master_keys.STAY, TABLES) and not master_keys.is_setting(name):
            raise value.error(f"{name} is not allowed beside masters", f"remove {name}")


def _moved(name: str, value: Given) -> str:
    """Where a key of the point goes that each master has for itself."""
    own = {"ports": "port", "mode": "direction"}.get(name, name)
    if value.is_option and own in master_keys.KEYS:
        return f"give it to the master: --set master.NAME.{own}={value.value}"
    return f"move it into each master's table (keys of a master: {', '.join(master_keys.KEYS)})"


def _point_key(name: str, given: Mapping[str, Given], platform: Platform, values: Values) -> object:
    key = KEYS[name]
    if name in given:
        if key.excludes and key.excludes in given:
            raise given[name].error(
                f"{name} and {key.excludes} exclude each other", "give only one of them"
            )
        return _parsed(key.parse, given[name], platform, values)
    if name == "transfer_bytes":
        return None
    if name == "duration":
        return None if key.excludes in given else run_length.usual(platform)
    return key.usual(platform, values)


def _usual_length(
    found: Sequence[Master], platform: Platform, values: Values
) -> Mapping[str, object]:
    """The length of a run for which none is given: masters that keys can name run as those do."""
    if any(map(master_keys.is_source, found)):
        latest = max(master["start_us"] or 0.0 for master in found)
        return {"duration": run_length.beside_sources(latest)}
    keys = listed.as_keys(found)
    size = keys and KEYS["transfer_bytes"].usual(platform, having(values, keys))
    return {"transfer_bytes": size, "duration": None} if size else {}


def _parsed(
    parse: Callable[[object, Platform, T], object], given: Given, platform: Platform, values: T
) -> object:
    try:
        return parse(given.value, platform, values)
    except BadValueError as bad:
        raise given.error(bad.message, bad.remedy) from None


# ---- one master ----------------------------------------------------------------------------------


def _master(table: Table, before: Sequence[Master], platform: Platform, values: Values) -> Master:
    kind, name = str(table["kind"].value), table["name"]
    takes = (*master_keys.COMMON, *master_keys.KINDS[kind])
    for key, given in table.items():
        if key not in takes:
            raise given.error(
                f"a master of kind {kind} has no {key}", key_names.remedy(key, takes, "its keys")
            )
    for key in reversed(list(table)):
        if master_keys.EXCLUDES.get(key) in table:
            raise table[key].error(
                f"{key} and {master_keys.EXCLUDES[key]} of a master exclude each other",
                "give only one of them",
            )
    if kind not in master_values.described(platform):
        raise table["kind"].error(
            f"board {platform.name} does not describe masters of kind {kind} at its memory",
            f"it describes {', '.join(master_values.described(platform))}",
        )
    made: dict[str, object] = dict.fromkeys((*master_keys.KEYS, *master_keys.OWN))
    made |= {"name": name.value, "kind": kind, "pl_mhz": values["pl_mhz"]}
    own = cast("Master", made)  # filled key by key: each needs only those before it
    own["engine"] = master_values.engine_of(platform, table)
    for key, parse in master_values.PARSE.items():
        if key in table:
            made[key] = _parsed(parse, table[key], platform, own)
        elif key in master_values.USUAL and key in takes and not _left(own, key):
            made[key] = master_values.USUAL[key](platform, own)
        if key == "port" and key in takes and own["port"] is None:
            listed = ", ".join(master_values.ports(platform, own))
            first = listed.split(",")[0]
            how = (
                f"--set master.{name.value}.port={first}" if name.is_option else f'port = "{first}"'
            )
            raise name.error(f"master {name.value} has no port", f"add {how}; ports: {listed}")
        made |= master_values.follows(key, platform, own)
    _ends_after_it_starts(table, own)
    return own


def _left(own: Master, key: str) -> bool:
    """Whether a key of a vendor's engine does not apply, as the master is the published one."""
    return own["kind"] in vendor.KINDS and not own["engine"] and key not in master_keys.PUBLISHED


def _ends_after_it_starts(table: Table, own: Master) -> None:
    start, stop = own["start_us"] or 0.0, own["stop_us"]
    if stop is not None and stop <= start:
        raise table["stop_us"].error(
            f"stop_us is {stop:g}, but the master starts at {start:g}", "give a later time"
        )


# ---- all of them ---------------------------------------------------------------------------------


def _join(tables: Sequence[Table], found: Sequence[Master]) -> None:
    """Check that the two ends of a stream name one another, or let the other end do so: one reads
    what the other writes, in equal bursts at equal clocks."""
    by_name = {master["name"]: master for master in found}
    for table, master in zip(tables, found, strict=True):
        other = by_name.get(master.get("partner") or "")
        if master.get("partner") is None:
            continue
        where = table.get("partner", table["name"])
        if other is None:
            raise where.error(
                f"no master is called {master.get('partner')!r}",
                did_you_mean(str(master.get("partner")), by_name),
            )
        back = other.get("partner")
        ends = {master["direction"], other["direction"]}
        alike = all(master[key] == other[key] for key in ("kind", "burst_bytes", "link_mhz"))
        if back not in (None, master["name"]) or ends != {"read", "write"} or not alike:
            raise where.error(
                f"{master['name']} and {other['name']} are not the two ends of one stream",
                "give one engine that reads and one that writes, with equal burst_bytes and "
                "pl_mhz; each has one partner",
            )
        other["partner"] = master["name"]


def _share(tables: Sequence[Table], found: Sequence[Master], platform: Platform) -> None:
    """Check that masters at one port have equal clocks and widths. Streams of any kind may share a
    port; without a multiplexer in the model, those of one direction take turns, a burst each
    (`turns.py`)."""
    at: dict[str, list[int]] = {}
    for number, master in enumerate(found):
        at.setdefault(master["way"], []).append(number)
    for port, members in at.items():
        first = found[members[0]]
        for number in members[1:]:
            master, table = found[number], tables[number]
            alike = all(master[key] == first[key] for key in ("kind", "engine"))
            if not alike and not all(map(master_values.is_stream, (first, master))):
                raise table.get("port", table["name"]).error(
                    f"{master['name']} is of kind {master['kind']}, but {first['name']} at {port} "
                    f"is of kind {first['kind']}",
                    "use another port; an axi_dma with width_bits above 32, or with burst_bytes, "
                    "is a vendor's engine and can share a port",
                )
            for key in ("width_bits", "link_mhz"):
                if master[key] != first[key]:
                    key_name = "pl_mhz" if key == "link_mhz" else key
                    raise table.get(key_name, table["name"]).error(
                        f"{key_name} of {master['name']} is {master[key]:g}, but {first['name']} "
                        f"at {port} has {first[key]:g}",
                        "a port has one value: make them equal, or use another port",
                    )
        if keys_shared.runs_freely(platform):
            continue
        for way in ("read", "write"):
            sharing = [n for n in members if way in master_keys.directions(found[n])]
            if len(sharing) < 2:
                continue
            for number in sharing:
                master, table = found[number], tables[number]
                if not master_values.is_stream(master):
                    raise table.get("port", table["name"]).error(
                        f"{len(sharing)} masters {way} at {port}, among them {master['name']}",
                        "a port allows one such master a direction: use another port",
                    )
            turns.take([found[n] for n in sharing], way)


def _once(tables: Sequence[Table], found: Sequence[Master], values: Values) -> None:
    """Check that none of the chip's own masters is both a table and in the background."""
    beside = keys_shared.split_background(values["background"])
    for table, master in zip(tables, found, strict=True):
        if master["kind"] == "neighbour" and master["way"] in beside:
            raise table.get("port", table["name"]).error(
                f"{master['way']} is also in the background", "remove one of them"
            )


def _no_longer_jobs(found: Sequence[Master], transfer_bytes: int | None) -> None:
    """Make a transfer below a descriptor's bytes one descriptor."""
    for master in found:
        if transfer_bytes and master["engine"] and master_keys.works_in_jobs(master):
            whole = -(-transfer_bytes // master["burst_bytes"]) * master["burst_bytes"]
            master["descriptor_bytes"] = min(known(master["descriptor_bytes"]), whole)


def _sizes(tables: Sequence[Table], values: Values, platform: Platform) -> None:
    """Check that a buffer with a base fits into the memory."""
    memory = platform.memory_bytes
    for table, master in zip(tables, values["masters"], strict=True):
        if master["base"] is None:
            continue
        size = master["region"] or values["transfer_bytes"] or master["burst_bytes"]
        count = len(master_keys.directions(master))
        if master["base"] + size * count > memory:
            raise table["base"].error(
                f"{count} buffers of {size} bytes from {master['base']} do not fit",
                f"the memory has {memory} bytes",
            )
