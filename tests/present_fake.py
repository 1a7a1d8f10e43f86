"""Made-up runs of the documented shape, for the tests of what is shown.

The figures are plausible, not right: nothing here is a claim about a chip.
"""

from __future__ import annotations

import itertools
import random
import statistics

from axiometer.answer.analysis.ports_and_paths import Facts, Path, ceiling
from axiometer.answer.analysis.results import Parameter, Row, View

FACTS = Facts(
    name="fake",
    title="Fake board, Zynq-7010",
    ddr_mhz=525,
    bus_bits=32,
    banks=8,
    row_bytes=4096,
    pl_mhz=100,
    paths={
        "hp01": Path("hp01", ("HP0", "HP1"), {"read": 512, "write": 512}),
        "hp23": Path("hp23", ("HP2", "HP3"), {"read": 512, "write": 512}),
    },
    port_paths={"HP0": "hp01", "HP1": "hp01", "HP2": "hp23", "HP3": "hp23"},
    port_widths=dict.fromkeys(("HP0", "HP1", "HP2", "HP3"), (32, 64)),
    outstanding={"read": 4, "write": 4},
)

EVIL = "<script>alert(1)</script>\"'&</title>"
LATENCY = {"mean": 40, "min": 20, "max": 90, "p50": 38, "p99": 80}
DRAM_WAIT = {"read_to_write": 0.3, "write_to_read": 0.25, "activate_precharge": 0.15,
             "refresh": 0.05, "idle_path": 0.25}  # fmt: skip


def record(values, repeat=0, efficiency=1.0, dram_loss=None, waits=None, launch=0.0, seed=0):
    """One repeat at a share of the ports' rate; DRAM loss and waits are split as given."""
    rng = random.Random(f"{seed}/{repeat}/{sorted(map(str, values.items()))}")
    ports = values["ports"]
    directions = {"duplex": ("read", "write"), "ps_to_pl": ("read",), "pl_to_ps": ("write",)}
    directions = directions[values["mode"]]
    per_stream = values["width_bits"] / 8 * values["pl_mhz"] * 1e6 * efficiency
    moved = values["transfer_bytes"]
    elapsed = moved / per_stream / max(1e-9, 1 - launch) * (1 + rng.uniform(0, 0.002))
    total = moved * len(ports) * len(directions)
    bursts = -(-moved // 128)
    commands = {d: -(-moved // 32) * len(ports) * (d in directions) for d in ("read", "write")}
    peak = 4200e6
    data = total / peak / elapsed
    lost = max(0.0, 1 - data)
    parts = dram_loss or {"idle_port": 1.0}
    scale = sum(parts.values())
    classes = dict.fromkeys(
        ("read_data", "write_data", "read_to_write", "write_to_read", "activate_precharge",
         "refresh", "idle_no_request", "idle_port", "idle_path"), 0.0
    )  # fmt: skip
    for direction in directions:
        classes[f"{direction}_data"] = data / len(directions) * elapsed
    for name, share in parts.items():
        classes[name] += lost * share / scale * elapsed
    streams = []
    busy = efficiency * (1 - launch)
    for port, direction in itertools.product(ports, directions):
        mine = dict.fromkeys(
            ("data", "launch", "master", "partner", "path", "controller", "latency", "done"), 0.0
        )
        mine["data"], mine["launch"] = busy * elapsed, launch * elapsed
        rest = elapsed - mine["data"] - mine["launch"]
        split = waits or {"latency": 1.0}
        for name, share in split.items():
            mine[name] += rest * share / sum(split.values())
        streams.append(
            {
                "port": port,
                "direction": direction,
                "bytes": moved,
                "start_s": launch * elapsed,
                "end_s": elapsed,
                "classes_s": mine,
                "latency_cycles": LATENCY | {"n": bursts},
            }
        )
    rate = total / elapsed / 1e6
    share = {d: (rate / len(directions) if d in directions else 0.0) for d in ("read", "write")}
    return {
        "repeat": repeat,
        "elapsed_s": elapsed,
        "bytes": total,
        "total_MBps": rate,
        "read_MBps": share["read"],
        "write_MBps": share["write"],
        "by_port": {
            p: {
                "read_MBps": share["read"] / len(ports),
                "write_MBps": share["write"] / len(ports),
                "total_MBps": rate / len(ports),
            }
            for p in ports
        },
        "latency_cycles": LATENCY | {"n": bursts * len(streams)},
        "dram": {
            "classes_s": classes,
            "counts": {
                **{"reads": commands["read"], "writes": commands["write"]},
                **{"activates": 5, "precharges": 5, "refreshes": 1},
            },
        },
        "streams": streams,
    }


def summary(records):
    """The documented statistics of records: total, read, write, latency."""
    out = {}
    for name in ("total_MBps", "read_MBps", "write_MBps"):
        found = [r[name] for r in records]
        out[name] = {
            "mean": statistics.fmean(found),
            "min": min(found),
            "max": max(found),
            "std": statistics.stdev(found) if len(found) > 1 else 0.0,
            "n": len(found),
        }
    out["latency_cycles"] = dict(LATENCY)
    out["by_port"] = {}
    return out


def values_of(**changes):
    """Normalised values of one point."""
    return {
        "ports": ["HP0"],
        "mode": "duplex",
        "width_bits": 64,
        "pl_mhz": 100,
        "burst_beats": 16,
        "burst_bytes": 128,
        "placement": "aligned",
        "transfer_bytes": 1 << 25,
    } | changes


def row(index=0, key=None, published=None, role=None, repeats=3, **kwargs):
    """One finished row; `kwargs` go to `record` or, where they are keys of a point, to values."""
    own = {k: kwargs.pop(k) for k in list(kwargs) if k in values_of()}
    values = values_of(**own)
    records = [record(values, i, **kwargs) for i in range(repeats)]
    return Row(
        index=index,
        key=key if key is not None else {"ports": "+".join(values["ports"])},
        values=values,
        records=records,
        stats=summary(records) if records else None,
        ceiling=ceiling(FACTS, values),
        published=published,
        role=role,
    )


def shared_path(index=0, **kwargs):
    """A row that is limited by the path that HP0 and HP1 share."""
    defaults = {
        "ports": ["HP0", "HP1"],
        "efficiency": 0.7,
        "dram_loss": {"idle_path": 0.8, "read_to_write": 0.1, "write_to_read": 0.1},
        "waits": {"path": 0.9, "latency": 0.1},
    }
    return row(index, **(defaults | kwargs))


def around(mean, spread=0.01, expected=None):
    """Published figures around a mean."""
    return {
        "mean": mean,
        "min": mean * (1 - spread),
        "max": mean * (1 + spread),
        "std": mean * spread / 3,
        "expected": expected,
    }


def view(rows=None, **changes):
    """A whole run; by default a table of five ports, three modes and two widths."""
    defaults = {
        "run_id": "20260101-000000-fake",
        "name": "fake-bandwidth",
        "title": "HP port bandwidth, fake board",
        "backend": "model",
        "facts": FACTS,
        "rows": table_rows() if rows is None else rows,
        "citation": "A. Author, A paper, 2020, Table 3",
        "source": "A paper",
        "provenance": {"version": "1.0.0", "commit": "abc", "seed": 0},
        "complete": True,
        "wall_s": 12.5,
        "link": lambda row: f"https://page/#{row.index}&{EVIL}",
        "parameters": [
            Parameter("clocks.ddr_mhz", 525, "source", "a register file", "MHz"),
            Parameter(
                "path.hp01.inflight_bytes_read", 512, "fitted", "table3.csv: mode=duplex", "bytes"
            ),
            Parameter("port.HP0.part_bytes", 64, "selected", "128 is worse (table3.csv)", "bytes"),
            Parameter("program.ring.launch_us", 1.0, "guess", "a few register writes", "us"),
        ],
    }
    return View(**(defaults | changes))


def table_rows():
    """Thirty rows as in a paper's table, with published figures, some of them fitted."""
    rows = []
    combos = ["HP0", "HP0+HP1", "HP0+HP2", "HP0+HP1+HP2", "HP0+HP1+HP2+HP3"]
    for width, mode, ports in itertools.product(
        (32, 64), ("duplex", "ps_to_pl", "pl_to_ps"), combos
    ):
        names = ports.split("+")
        values = values_of(ports=names, mode=mode, width_bits=width)
        cap = ceiling(FACTS, values)
        hard = cap.ports > 2300 and mode == "duplex"
        efficiency = min(0.97, (2600 - 60 * len(names)) / cap.ports) if hard else 0.999
        key = {"ports": ports, "mode": mode, "width_bits": width}
        made = row(
            len(rows),
            key,
            efficiency=efficiency,
            waits={"path": 0.5, "controller": 0.4, "latency": 0.1} if hard else None,
            dram_loss=DRAM_WAIT if hard else None,
            role="fitted" if ports == "HP0+HP1" and hard else "predicted",
            **{k: values[k] for k in ("ports", "mode", "width_bits")},
        )
        mean = made.mean * (1 + ((len(rows) * 7) % 11 - 5) / (120 if hard else 4000))
        published = around(mean, 0.06 if hard else 0.0005)
        rows.append(Row(**(vars(made) | {"published": published})))
    return rows


def curve_rows(published=True):
    """A curve over the stream size: a fixed launch cost in front of a full port."""
    rows = []
    for e in range(2, 26):
        size = 1 << e
        moving = size / 800e6
        launch = 4.7e-6 / (4.7e-6 + moving)
        made = row(
            len(rows),
            {"transfer_bytes": size},
            repeats=2,
            transfer_bytes=size,
            launch=launch,
        )
        known = around(made.mean * 1.03, 0.02) if published else None
        rows.append(Row(**(vars(made) | {"published": known, "role": "predicted"})))
    return rows


def run_repeats(platform, point, seed, first, count):
    """A backend of made-up records, for `--backend module:present_fake`."""
    values = point.values
    facts = FACTS
    cap = ceiling(facts, values)
    hard = len(values["ports"]) > 1 and values["mode"] == "duplex" and values["width_bits"] == 64
    efficiency = min(0.9, 2400 / cap.ports) if hard else 0.999
    if values["transfer_bytes"] is None:
        values = values | {"transfer_bytes": 1 << 20}
    launch = 4.7e-6 / (4.7e-6 + values["transfer_bytes"] / 800e6)
    return [
        record(
            values,
            i,
            efficiency,
            DRAM_WAIT if hard else None,
            {"path": 0.6, "controller": 0.3, "latency": 0.1} if hard else None,
            launch,
            seed,
        )
        for i in range(first, first + count)
    ]
