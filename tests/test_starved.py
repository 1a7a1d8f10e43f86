"""Masters with almost no rate are shown as starved, with the rule that starves them;
high-priority reads and port priorities have the effects of UG585, sections 10.4.3 to 10.4.6."""

from itertools import product

import pytest

import axiometer as axm
import kit
from axiometer import expect
from axiometer.answer.analysis.starved import SHARE, Starved
from axiometer.answer.relax import starved as starving
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.published import tables
from axiometer.published.reference import starved as published
from axiometer.published.reference.table import as_keys
from axiometer.simulate.scenario import Scenario

FAST = {"mode": "mixed", "pl_mhz": 300, "burst_bytes": 256, "duration": "400us", "repeats": 1}


def document(platform, ports, figures=None, **keys):
    return expect(platform, ports=ports, set=figures or {}, **(FAST | keys)).to_dict()


def who(found):
    return {(s["name"], s["direction"]) for s in found["starved"]}


def test_a_starved_master_is_shown_with_its_rule_and_a_published_row():
    """Reads of three ports of the ZCU102 are late without end; on the Ultra96 HP0 is of the video
    class and has the highest AXI QoS value."""
    answer = expect("zcu102", ports="HP0+HP1+HP3", **FAST)
    found = answer.to_dict()
    assert who(found) == {(port, "write") for port in ("HP0", "HP1", "HP3")}
    assert {s["rule"] for s in found["starved"]} == {"class"}
    assert all(s["published"]["platform"] == "zcu102" for s in found["starved"])
    text = " ".join(answer.text.split())
    assert "STARVED: HP0 (writes), HP1 (writes), HP3 (writes). -v: why." in text
    assert "0 MB/s written STARVED: HP0 writes 0 of 4800 MB/s; HP1 writes 0 of 4800" in text
    assert "go first and never pause. Published example: zcu102" in text
    beside = expect("ultra96", ports="HP0+HP1", background="FPD_DMA=100", **FAST)
    assert who(beside.to_dict()) == {("FPD_DMA", "")}
    assert "STARVED: FPD_DMA moves 0 of 100" in " ".join(beside.text.split())


@pytest.mark.parametrize(
    ("keys", "of", "rule"),
    [
        ({"qos": "best_effort"}, ("HP3", "write"), "direction"),
        (
            {"mode": "read", "ports": "HP0", "background": "DisplayPort=4000"},
            ("HP0", "read"),
            "neighbour",
        ),
        ({"mode": "read", "ports": "HP0"}, ("HP0", "read"), starving.UNKNOWN),
    ],
)
def test_the_rule_is_that_without_which_the_master_moves_more(keys, of, rule):
    """Here no master starves; with the requested rate and the rule alone, it would."""
    platform = Platform.load("zcu102")
    point = single(platform, {"ports": "HP0+HP1+HP3"} | FAST | keys)
    asks = 0.97 * alone(platform, point, of) / starving.ENOUGH
    scenario = Scenario.of(platform, point.values)
    assert starving.why(scenario, Starved(*of, 0.0, asks)) == rule


def alone(platform, point, of):
    """MB/s of a port and direction with nobody else about; 5 % more where that is so already."""
    name, way = of
    keys = dict(point.key) | {"mode": way, "background": None}
    given = {k: v for k, v in keys.items() if v is not None}
    record = kit.record(platform, **given)
    same = (
        single(platform, given).values["mode"] == point.values["mode"]
        and not point.values["background"]
    )
    return record["by_port"][name][f"{way}_MBps"] * (1.1 if same else 1)


def test_where_no_row_is_published_it_is_said():
    answer = expect("ultra96", ports="HP0+HP3+HPC0", **(FAST | {"mode": "read"}))
    assert who(answer.to_dict()) == {("HPC0", "read")}
    assert "No published row of this chip shows it" in " ".join(answer.text.split())


@pytest.mark.parametrize(
    ("platform", "ports", "keys"),
    [
        ("zcu102", "HP0", {"mode": "read", "gap_cycles": 9000, "duration": "2ms"}),
        ("zcu102", "HP0+HP1", {"mode": "read"}),
        ("zcu102", "HP0+HP1", {"background": "FPD_DMA=1", "mode": "write"}),
        ("zybo", "HP0+HP1", {"mode": "duplex", "transfer_bytes": "64KiB", "duration": None}),
    ],
)
def test_masters_with_small_requests_or_a_slower_partner_are_not_starved(platform, ports, keys):
    given = {k: v for k, v in (FAST | keys).items() if v is not None}
    if platform == "zybo":
        given = {k: v for k, v in given.items() if k not in ("pl_mhz", "burst_bytes")}
    assert expect(platform, ports=ports, **given).to_dict()["starved"] == []


def test_masters_that_compute_or_have_one_short_outstanding_burst_are_not_starved():
    """They move less than a hundredth of what their ports carry, and wait for nobody."""
    accelerator = {"kind": "accelerator", "port": "HP0", "bytes_in": 1024, "bytes_out": 128}
    busy = expect("zedboard", masters=[accelerator | {"compute_cycles": 50000}], repeats=1)
    assert busy.total < 10 and busy.to_dict()["starved"] == []
    one = FAST | {"mode": "read", "burst_bytes": 16, "outstanding_read": 1, "pl_mhz": 333}
    small = expect("ultra96", ports="HPC0", **one)
    assert small.total < 0.011 * 16 * 333 and small.to_dict()["starved"] == []


def test_explain_of_a_run_says_it_too(tmp_path, cli):
    store = ["--store", str(tmp_path / "runs.sqlite")]
    only = ["--set", "ports=HP0+HP1+HP3", "--set", "burst_bytes=256", "--set", "duration=400us"]
    cli("run zcu102-mixed", *only, "--jobs", "1", *store)
    (point,) = cli.json("explain latest", *store)["points"]
    assert who(point) == {(port, "write") for port in ("HP0", "HP1", "HP3")}
    assert "STARVED: HP0 writes 0 of 4800" in cli("explain latest", *store)


WAYS = {"read": "ps_to_pl", "write": "pl_to_ps"}


def test_the_published_rows_are_the_starved_ports_of_the_tables_that_ship():
    """Ports that moved less than `SHARE` of 16 bytes a clock although their engines requested
    without pause: of each set of ports, the burst size with the least, and how many starved it."""
    found = {}
    for table in tables.tables():
        for line in tables.every(table) if table.path.name.endswith("hz.csv") else ():
            keys = as_keys(line.conditions)
            ways = [w for w in WAYS if keys["mode"] in ("mixed", WAYS[w])]
            for port, way in product(line.by_port, ways):
                rate = line.by_port[port][f"{way}_MBps"]
                if rate < SHARE * 16 * keys["pl_mhz"]:
                    of = (table.cite, keys["ports"], port, way)
                    found.setdefault(of, []).append((rate, keys["burst_bytes"]))
    shipped = {(row.source, row.ports, row.port, row.direction): row for row in published.rows()}
    assert shipped.keys() == found.keys()
    for of, row in shipped.items():
        least, burst = min(found[of])
        assert (row.MBps, row.burst_bytes) == (pytest.approx(least), burst)
        assert row.sizes == len(found[of])


HIGH = {
    "path.hp01.high_priority_reads": True,
    "controller.high_entries": 8,
    "controller.read_entries": 24,
}
LIGHT = {"name": "light", "kind": "engine", "port": "HP0", "direction": "read", "rate_mbs": 100}
HEAVY = [{"name": port, "kind": "engine", "port": port} for port in ("HP2", "HP3")]


def asked(masters, **figures):
    return axm.expect(
        "zc702", masters=masters, set=figures, pl_mhz=200, duration="200us", repeats=2
    )


def p99(found, name):
    return found.to_dict()["latency_ns"][name]["p99"]


def rates(found):
    """MB/s of each master, in the order in which they stand."""
    return [m["total_MBps"]["mean"] for m in found.to_dict()["by_master"].values()]


def test_high_priority_shortens_the_tail_of_a_light_reader():
    usual = asked([LIGHT, *HEAVY])
    # Their store is critical after 32 clocks, or else it waits longer for writes than others do.
    high = asked([LIGHT, *HEAVY], **HIGH, **{"controller.high_starve_clocks": 32})
    assert p99(high, "light") < 0.75 * p99(usual, "light")
    assert high.total == pytest.approx(usual.total, rel=0.02)
    late = asked([LIGHT, *HEAVY], **HIGH, **{"controller.high_starve_clocks": 480})
    assert p99(late, "light") > 1.5 * p99(high, "light")


def test_places_of_their_own_are_a_limit_as_well():
    readers = [{**LIGHT, "name": p, "port": p, "rate_mbs": 2000} for p in ("HP0", "HP1", "HP2")]
    few, more = (rates(asked(readers, **{**HIGH, "controller.high_entries": n})) for n in (2, 8))
    # Two readers share two places, and one has 24.
    assert few[0] < 0.8 * few[2]
    assert more[0] > 1.2 * few[0]


def test_a_port_of_lower_priority_value_is_served_sooner():
    """Where more waits than the store holds: here with paths that bring more than they do."""
    readers = [
        {**LIGHT, "name": p, "port": p, "rate_mbs": 2000, "outstanding": 16}
        for p in ("HP0", "HP1", "HP2", "HP3")
    ]
    many = {f"path.{path}.inflight_bytes_read": 1536 for path in ("hp01", "hp23")}
    equal = rates(asked(readers, **many))
    assert equal[0] == pytest.approx(equal[2], rel=0.02)
    first, _, second, _ = rates(asked(readers, **many, **{"path.hp01.priority_read": 0}))
    assert first > 1.3 * second
    # Nobody starves: the other port's counter comes down to 0.
    assert second > 0.02 * first


def test_high_priority_without_places_says_what_to_set():
    with pytest.raises(axm.AxiometerError, match="controller.high_entries must hold a part"):
        asked([LIGHT], **{"path.hp01.high_priority_reads": True})
