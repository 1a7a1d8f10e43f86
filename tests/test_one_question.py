"""A question has one answer, however it is put; laws hold for every kind, size and clock."""

import re
from pathlib import Path

import pytest

import axiometer as axm
from axiometer.base.errors import AxiometerError
from axiometer.experiment import directions
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate.scenario import Scenario
from fuzz import questions

PAIRS = [
    *(("zedboard", "GP0", kind) for kind in ("memcpy", "loop", "ps_dma")),
    *(("zcu102", "HP0", kind) for kind in ("full", "lite", "full_improved", "axi_dma")),
    *(("de1-soc", port, kind) for port, kind in (("H2F", "memcpy"), ("F2S", "axi_dma"))),
    ("zedboard", "EMIO", "loop"),
    ("zybo", "ACP", "full"),
]


@pytest.mark.parametrize("direction", ["read", "write"])
@pytest.mark.parametrize(("board", "port", "kind"), PAIRS)
def test_keys_and_a_table_of_one_master_are_one_question(board, port, kind, direction):
    keys = axm.expect(
        board, ports=port, master=kind, mode=direction, transfer_bytes=4096, repeats=2
    )
    table = {"name": "own", "kind": kind, "port": port, "direction": direction}
    asked = axm.expect(board, masters=[table], transfer_bytes=4096, repeats=2)
    assert asked.total == keys.total and asked.point.values == keys.point.values


@pytest.mark.parametrize("board", ["zybo", "zcu102", "de1-soc"])
@pytest.mark.parametrize("mode", ["read", "write", "duplex", "mixed"])
@pytest.mark.parametrize("length", [{"transfer_bytes": 1000}, {"duration": "100us"}])
def test_engines_of_keys_and_of_tables_are_the_same_streams(board, mode, length):
    platform = Platform.load(board)
    port = platform.ports[0] if board != "de1-soc" else "F2S"
    by_keys = Scenario.of(
        platform, single(platform, {"ports": port, "mode": mode, **length}).values
    )
    table = {"kind": "engine", "port": port, "direction": directions.normal_direction(mode)}
    by_table = Scenario.of(platform, single(platform, {"masters": [table], **length}).values)
    assert by_keys.document() == by_table.document()


MET = [
    "zcu102 --set master.e.kind=axi_dma --set master.e.port=HP0 --transfer-bytes 4KiB",
    "zybo --set master.m.kind=ps_dma --set master.m.port=GP0 --transfer-bytes 64KiB",
    "zcu102 --set master.p.kind=processor --transfer-bytes 1MiB",
    "zedboard --set master.m.kind=memcpy --set master.m.port=GP1",
    "k26 HP0 read --set master=axi_dma --transfer-bytes 32MiB",
]
"""Questions that were a broken law, nothing at all or a traceback while tables and keys had a plan
each."""


@pytest.mark.parametrize("words", MET)
def test_what_people_met_is_an_answer(cli, words):
    found = cli.json("expect", *words.split())
    assert 0 < found["total_MBps"]["mean"] <= found["peak_MBps"]


ASSUMED = [
    ("zybo HP0 read --width-bits 64 --pl-mhz 100 --burst-beats 16", []),
    ("zybo HP0", ["direction", "width", "clock", "burst"]),
    ("zybo --master cam=write,port=HP0,burst=128", ["width", "clock"]),
    ("zybo --master cam=write,port=HP0 --pl-mhz 100", ["width", "burst"]),
    ("zybo --master cpu=read,kind=processor", []),
]


@pytest.mark.parametrize(("words", "assumed"), ASSUMED)
def test_the_first_line_says_what_was_assumed(cli, words, assumed):
    said = " ".join(cli("expect", *words.split()).split())
    found = f"; assumed: {', '.join(assumed)}. " if assumed else ". "
    first = said[: said.index(" MB/s")]
    assert first.startswith("zybo ") and found in first and ("assumed" in first) == bool(assumed)


@pytest.mark.parametrize("size", [1, 64, 1000, 65536])
@pytest.mark.parametrize("mode", ["read", "write", "both", "duplex"])
def test_a_transfer_of_ultrascale_moves_its_bytes(size, mode):
    found = axm.expect("zcu102", ports="HP0+HP1", mode=mode, transfer_bytes=size, repeats=2)
    streams = [stream["bytes"] for stream in found.row.records[0]["streams"]]
    assert streams == [size] * (2 * len(directions.ways(directions.normal_direction(mode))))


def test_a_lone_access_of_ultrascale_has_its_latency():
    small = axm.expect("zcu102", ports="HP0", mode="read", transfer_bytes=64).small
    assert small.access_bytes == 64 and 100 < small.access_ns["read"] < 300


def test_what_caches_and_programs_move_is_in_no_rate():
    """Lines that were dirty before, and a DMA's program, are beside the payload."""
    masters = [
        {"kind": "processor", "operation": "to_buffer"},
        {"kind": "ps_dma", "port": "GP0", "direction": "write"},
    ]
    found = axm.expect("zedboard", masters=masters, transfer_bytes="1MiB", repeats=1)
    (record,) = found.row.records
    assert {s["bytes"] for s in record["streams"]} == {0, 2**20} and record["bytes"] == 2**21
    assert sum(s["memory_bytes"] for s in record["streams"]) > record["bytes"]


@pytest.mark.parametrize("seed", range(40))
def test_a_random_question_has_an_answer_or_a_remedy(seed):
    boards = ("zybo", "zcu102", "de1-soc", "ultra96", "zedboard")
    *_, what, more = questions.tried((seed, boards[seed % len(boards)]))
    assert what in ("answer", "refusal", "slow"), more


def test_a_law_that_is_broken_is_found(monkeypatch):
    def broken(*_, **__):
        raise AxiometerError("repeat 0 breaks a law that every record keeps", remedy="report it")

    monkeypatch.setattr(axm, "expect", broken)
    assert questions.tried((0, "zybo"))[2] == "law"


# ---- does it fit ---------------------------------------------------------------------------------


def needs(cli, *words, status=0):
    return cli.json("expect", *words, status=status)["needs"]


def test_a_need_is_simulated_at_its_rate(cli):
    """At full speed the reads of zcu102 leave the writes next to nothing."""
    full = axm.expect("zcu102", ports="HP0+HP1", mode="both").stats["by_port"]["HP1"]["write_MBps"]
    asked = needs(cli, "zcu102", "--need", "HP0.read=1000,HP1.write=1000")
    assert full["mean"] < 1000 and all(of["met"] for of in asked)
    assert [of["carried_MBps"] for of in asked] == pytest.approx([1000, 1000], rel=0.01)


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_needs_fit_up_to_the_scale_that_is_said(cli, factor):
    first = needs(cli, "zedboard", "--need", "HP0.write=500,HP1.read=500")
    rate = 500 * first[0]["scale"] * factor
    again = needs(
        cli, "zedboard", "--need", f"HP0.write={rate},HP1.read={rate}", status=int(factor > 1)
    )
    assert all(of["met"] for of in again) == (factor < 1)
    assert again[0]["scale"] == pytest.approx(1 / factor, rel=0.05)


def test_frames_have_a_size_a_rate_and_bytes_of_a_pixel(cli):
    asked = needs(cli, "zcu102", "--need", "HP0.read=4K30x2,HP1.write=2160p30")
    assert [of["needed_MBps"] for of in asked] == [3840 * 2160 * 30 * n / 1e6 for n in (2, 4)]


def test_a_need_in_a_direction_that_does_not_move_is_refused(cli):
    assert "HP0 does not write" in cli.refused(
        "expect", "k26", "HP0", "read", "--need", "HP0.write=9"
    )


# ---- one answer ----------------------------------------------------------------------------------

ADVISED = [
    ("zedboard", {"ports": "HP0", "mode": "read", "set": {"master": "full_improved"}}),
    ("zedboard", {"ports": "GP0"}),
    ("zedboard", {"ports": "GP0", "set": {"master": "ps_dma"}}),
    ("zedboard", {"ports": "EMIO"}),
    ("zybo", {"ports": "HP0", "mode": "read", "pl_mhz": 250}),
    ("zybo", {"ports": "HP0+HP1+HP2+HP3"}),
    ("zcu102", {"ports": "HP0+HP1+HP2+HP3", "mode": "write"}),
    ("de1-soc", {"ports": "F2S", "mode": "write"}),
    ("ultra96", {"ports": "HP0", "mode": "read"}),
    ("k26", {"masters": [{"kind": "engine", "port": "HP0", "direction": "read", "rate_mbs": 9}]}),
]


@pytest.mark.parametrize(("board", "keys"), ADVISED)
def test_nothing_helps_stands_beside_no_advice(board, keys):
    found = axm.expect(board, repeats=2, **keys)
    text = " ".join(found.text.split())
    nothing = "Nothing that was tried gives more" in text
    gains = found.answer.best or found.answer.most
    assert nothing == (gains is None and found.answer.has_trials)
    assert not (nothing and "→" in text)
    assert nothing or "→" in text


@pytest.mark.parametrize(("board", "keys"), ADVISED)
def test_the_guide_lists_the_keys_of_the_document(board, keys):
    guide = (Path(__file__).parents[1] / "docs" / "guide.md").read_text(encoding="utf-8")
    section = guide.partition("### The answer as JSON")[2].partition("\nThe exit status")[0]
    listed = {key for row in section.splitlines() if row.startswith("| `")
              for key in re.findall(r"`(\w+)`", row.split("|")[1])}  # fmt: skip
    assert {*axm.expect(board, repeats=2, **keys).to_dict()} <= listed


# ---- from Python ---------------------------------------------------------------------------------


def test_equal_questions_are_equal():
    keys = {"ports": "HP0", "transfer_bytes": "4KiB", "repeats": 2}
    one, same = (axm.expect("zybo", mode=mode, **keys) for mode in ("read", "ps_to_pl"))
    assert one == same and len({one, same}) == 1
    assert one != axm.expect("zybo", mode="read", **{**keys, "pl_mhz": 50})
    assert one != axm.expect("zybo", mode="read", set={"controller.starve_clocks": 9}, **keys)


@pytest.mark.parametrize("key", ["burst_beats", "pl_mhz", "width_bits", "repeats", "gap_cycles"])
def test_numbers_as_texts_are_taken(key):
    keys = {"ports": "HP0", "mode": "read", "repeats": 2, "transfer_bytes": 4096}
    number = {"burst_beats": 8, "pl_mhz": 50, "width_bits": 32, "repeats": 2, "gap_cycles": 3}[key]
    asked = [axm.expect("zybo", **{**keys, key: value}) for value in (number, str(number))]
    assert asked[0] == asked[1]


def test_rows_have_clock_band_and_measurement():
    whole, port = axm.expect("zybo", ports="HP0", mode="read", repeats=2).rows()
    assert whole["pl_mhz"] == port["pl_mhz"] == 100 and whole["measured_MBps"] > 790
    assert whole["band_low_MBps"] < whole["total_MBps"] and port["measured_MBps"] is None


# ---- sweeps --------------------------------------------------------------------------------------


def test_a_sweep_has_the_answers_of_expect(cli):
    words = ["zybo", "HP0", "read", "burst_beats=4,16", "pl_mhz=50:150:50"]
    found = cli.json("sweep", *words)
    assert found["swept"] == ["burst_beats", "pl_mhz"] and len(found["points"]) == 6
    asked = [
        axm.expect(
            "zybo", ports="HP0", mode="read", burst_beats=p["burst_beats"], pl_mhz=p["pl_mhz"]
        )
        for p in found["points"]
    ]
    assert [p["total_MBps"] for p in found["points"]] == [answer.total for answer in asked]
    lists = axm.sweep("zybo", ports="HP0", mode="read", burst_beats=[4, 16], pl_mhz=[50, 100, 150])
    assert lists.rows() == found["points"]


def test_the_smallest_setting_that_suffices(cli):
    words = ["sweep", "zybo", "HP0", "read", "outstanding_read=1,2,4,8", "--at-least"]
    found = cli.json(*words, "90%")
    rates = {p["outstanding_read"]: p["total_MBps"] for p in found["points"]}
    least = min(n for n, rate in rates.items() if rate >= 0.9 * max(rates.values()))
    assert found["smallest"] == {"outstanding_read": least}
    assert f"outstanding_read={least}" in cli(*words, "90%")
    assert "No setting gives" in cli(*words, "9GB/s")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["zybo", "HP0"], "nothing is swept"),
        (["zybo", "HP0", "pl_mhz=300:50:25"], "FROM:TO:STEP"),
        (["zybo", "HP0", "pl_mhz=1.2.3:50:25"], "pl_mhz"),
        (["zybo", "HP0", "burst_beats=1,2", "--at-least", "1.2.3%"], "90%"),
        (["zybo", "HP0", "burst_beets=1,2"], "burst_beats"),
        (["zybo", "HP0", "gap_cycles=0:2000:1"], "at most 1000"),
        ([], "no board"),
    ],
)
def test_wrong_sweeps_say_what_is_right(cli, words, says):
    assert says in cli.refused("sweep", *words)


# ---- masters on the command line -----------------------------------------------------------------


def test_masters_in_a_line_are_tables(cli):
    lines = ["--master", "cam=write,port=HP0,rate=400", "--master", "cpu=read,port=HP1,burst=64"]
    keys = {"cam": {"port": "HP0", "direction": "write", "rate_mbs": 400},
            "cpu": {"port": "HP1", "direction": "read", "burst_bytes": 64}}  # fmt: skip
    tables = [
        word for name, of in keys.items() for key, value in of.items()
        for word in ("--set", f"master.{name}.{key}={value}")
    ]  # fmt: skip
    assert cli.json("expect", "zybo", *lines) == cli.json("expect", "zybo", *tables)


@pytest.mark.parametrize("text", ["cam", "cam=", "cam=write,port", "=write,port=HP0"])
def test_a_line_that_is_no_master_shows_one(cli, text):
    assert "cam=write,port=HP0" in cli.refused("expect", "zybo", "--master", text)


def test_what_would_take_minutes_is_refused_with_a_way_out(cli):
    words = ["--set", "master.p.kind=processor", "--set", "master.p.operation=copy"]
    said = cli.refused("expect", "zcu102", *words, "--transfer-bytes", "64MiB")
    assert "4096KiB" in said and "duration" in said


@pytest.mark.parametrize("mode", ["mixed", "duplex", "both"])
def test_masters_of_one_direction_refuse_two(cli, mode):
    assert "one direction" in cli.refused("expect", "zc1232", "HPM0_LPD", mode)
