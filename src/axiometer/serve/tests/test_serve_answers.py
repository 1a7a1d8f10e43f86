"""What the server answers: the figures of `expect`, limits of the board, and bounded questions."""

import base64
import http.client
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from importlib import resources

import pytest

import axiometer as axm
import serve_kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.platform import Platform
from axiometer.serve import answers, controls, curves, guards, here, question, questions, server

MASTERS = [
    {"name": "dma", "kind": "engine", "port": "HP0"},
    {"name": "video", "kind": "engine", "port": "HP1", "direction": "read", "rate_mbs": 300},
]
ASKED = {
    "keys": {"board": "zybo", "keys": {"ports": "HP0+HP1", "mode": "read", "burst_beats": 4}},
    "more": {
        "board": "zybo",
        "keys": {"ports": "HP0", "pl_mhz": 150, "transfer_bytes": 65536},
        "more": ["outstanding_read=2", "controller.starve_clocks=16"],
    },
    "masters": {
        "board": "zybo",
        "keys": {"ports": "HP2", "pl_mhz": 120, "transfer_bytes": 1 << 20},
        "masters": MASTERS,
    },
    "by the processor": {
        "board": "zedboard",
        "keys": {"ports": "GP0", "master": "memcpy", "mode": "write", "transfer_bytes": 65536},
    },
}


def settled(body):
    return question.settled(question.read(body))


@pytest.mark.parametrize("name", ASKED)
def test_the_answer_is_that_of_expect_by_command_and_in_python(name, capsys):
    of = settled(ASKED[name])
    assert not of.notes
    found = answers.document(of, answers.whole(of.platform, of.point), True)
    assert found["whole"] and found["title"] == of.platform.title
    assert eval(found["python"], {"axm": axm}).total == found["total_MBps"]
    program, *words = shlex.split(found["command"])
    assert program == "axiometer" and main([*words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["total_MBps"]["mean"] == found["total_MBps"]
    assert printed["sentence"] in found["why"]
    assert printed["advice"] == found["advice"]


@pytest.mark.parametrize("name", ASKED)
def test_the_first_look_is_near_and_says_that_it_is_one(name):
    of = settled(ASKED[name])
    quick = answers.document(of, answers.quick(of.platform, of.point), False)
    whole = answers.whole(of.platform, of.point).total["mean"]
    assert quick["total_MBps"] == pytest.approx(whole, rel=0.1)
    assert not quick["whole"] and quick["advice"] == "" and quick["details"] == []
    assert quick["cause"] and quick["colour"].startswith("#")
    assert sum(one["share"] for one in quick["time"]) == pytest.approx(1, abs=0.01)
    json.dumps(quick, allow_nan=False)


def test_the_boards_have_controls_that_they_take():
    first_of_each_chip = {board.chip: board for board in question.boards()}
    for board in first_of_each_chip.values():
        of = settled({"board": board.name})
        found = controls.document(of)
        assert [port["name"] for port in found["ports"] if port["on"]]
        for slider in found["sliders"]:
            ends = (slider["values"][0], slider["values"][-1], slider["values"][slider["at"]])
            for value in ends:
                assert question.changed(of, slider["key"], value), (board.name, slider["key"])
        for choice in found["choices"]:
            assert choice["at"] in [option["value"] for option in choice["options"]]


def test_only_what_changes_the_answer_is_offered():
    def keys(body):
        return [slider["key"] for slider in controls.document(settled(body))["sliders"]]

    assert keys({"board": "zybo", "keys": {"ports": "HP0"}}) == [
        *("pl_mhz", "burst_beats", "transfer_bytes")
    ]
    assert keys({"board": "zybo", "keys": {"ports": "GP0"}}) == ["pl_mhz", "transfer_bytes"]
    assert keys({"board": "zcu102", "keys": {"ports": "HP0"}}) == ["pl_mhz", "burst_beats"]
    assert keys(ASKED["masters"]) == ["pl_mhz", "transfer_bytes"]


def test_curves_hold_all_their_values_the_ends_first():
    found = controls.document(settled({"board": "zybo", "keys": {"ports": "HP0"}}))
    by_name = {curve["along"]: curve["at"] for curve in found["curves"]}
    assert by_name["burst_beats"][:3] == [1, 16, 4]
    assert sorted(by_name["burst_beats"]) == [1, 2, 4, 8, 16]
    for at in by_name.values():
        assert len(at) == len(set(at)) <= 24
        assert sorted(at[:2]) == [min(at), max(at)]


def test_a_curve_follows_its_key_and_keeps_the_others():
    of = settled({"board": "zybo", "keys": {"ports": "HP0", "mode": "read"}})
    found = curves.points(of, "burst_beats", [1, 16], False)["points"]
    assert found[0]["y"] < 0.6 * found[1]["y"]
    one = answers.quick(*question.changed(of, "burst_beats", 16))
    assert found[1]["y"] == one.total["mean"]
    whole = curves.points(of, "burst_beats", [16], True)["points"][0]
    assert whole["y"] == pytest.approx(axm.expect("zybo", ports="HP0", mode="read").total, rel=0.02)
    assert curves.points(of, "burst_beats", [999], False)["points"] == [None]


def test_the_curve_under_load_is_that_of_python():
    of = settled({"board": "zybo", "keys": {"ports": "HP0", "mode": "read", "burst_beats": 8}})
    (found,) = curves.points(of, "load", [64], True)["points"]
    (row,) = axm.curve("zybo", ports="HP0", burst_beats=8, gaps=[64]).rows()
    assert (found["x"], found["y"]) == (row["total_MBps"], row["read_mean_ns"])


@pytest.mark.parametrize("typed", ["ZCU104", "zcu 104", "Zybo-Z7", "KV260", "zybo_z7_20"])
def test_a_board_s_name_is_taken_as_the_command_takes_it(typed):
    assert question.board_of(typed) == Platform.load(typed).name


def test_the_page_takes_the_settings_that_it_shows():
    page = resources.files("axiometer.serve").joinpath("static", "page.html").read_text()
    (shown,) = re.findall(r'id="more"[^>]*placeholder="([^"]*)"', page)
    of = settled({"board": question.FIRST_BOARD, "more": shown.split()})
    assert not of.notes and len(of.asked.more) == 2


def test_a_key_that_another_port_refuses_is_left_out_with_a_note():
    of = settled({"board": "zybo", "keys": {"ports": "HP0", "pl_mhz": 9999, "burst_beats": 8}})
    (note,) = of.notes
    assert note.startswith("pl_mhz = 9999 left out: ")
    assert of.point.values["burst_beats"] == 8
    assert of.point.values["pl_mhz"] == of.platform.number("clocks.pl_mhz")
    assert "pl" not in question.command(of.asked)


@pytest.mark.parametrize(
    "body",
    [
        {"board": "zybo", "keys": {"ports": "HP9"}},
        {"board": "zybo", "masters": [{"kind": "nonsense"}]},
        {"board": "zybo", "masters": [{"kind": ["a"]}]},
        {"board": "zybo", "masters": MASTERS * 7},
        {"board": "zybo", "more": ["program=/etc/passwd"]},
        {"board": "zybo", "more": ["repeats=100000"]},
        {"board": "zybo", "more": ["gap_cycles=1"] * 17},
        {"board": "zybo", "more": ["x" * 201 + "=1"]},
        {"board": "zybo", "keys": {"ports": "H" * 201}},
        {"board": "zybo", "keys": {"pl_mhz": float("nan")}},
        {"board": "zybo", "keys": {"transfer_bytes": 10**400}},
        {"board": "zybo", "keys": []},
    ],
)
def test_a_bad_question_is_an_error_with_a_remedy(body):
    with pytest.raises(AxiometerError) as caught:
        settled(body)
    assert caught.value.remedy


@pytest.mark.parametrize(
    "body", [{"along": "seed", "at": [1]}, {"along": "pl_mhz", "at": []}, {"along": "pl_mhz"},
             {"along": "pl_mhz", "at": [1, 2, 3, 4, 5]}, {"along": "pl_mhz", "at": ["1"]},
             {"along": "load", "at": [float("nan")]}, {"along": "load", "at": [True]}]
)  # fmt: skip
def test_a_bad_curve_is_an_error(body):
    with pytest.raises(AxiometerError):
        curves.read(body)


def test_a_point_that_would_take_long_is_refused():
    of = settled({"board": "zybo", "keys": {"ports": "HP0", "burst_beats": 1},
                  "more": ["transfer_bytes=256MiB", "gap_cycles=999"]})  # fmt: skip
    for answer in (answers.quick, answers.whole):
        with pytest.raises(AxiometerError, match="too many for the page"):
            answer(of.platform, of.point)


def test_a_taken_port_is_an_error_and_the_usual_one_makes_room(capsys, monkeypatch):
    with server.opened(0) as first:
        assert main(["serve", "--no-browser", "--port", str(first.port)]) == 2
        assert f"port {first.port} cannot be used" in capsys.readouterr().err
        monkeypatch.setattr(server, "USUAL_PORT", first.port)
        with server.opened(None) as second:
            assert first.port < second.port < first.port + server.TRIED_PORTS
        monkeypatch.setattr(server, "TRIED_PORTS", 1)
        with pytest.raises(AxiometerError, match="taken"):
            server.opened(None)


def test_the_advised_change_is_one_that_the_page_can_make_and_that_gains():
    for body, wanted in (
        ({"board": "zybo", "keys": {"ports": "HP0"}}, {"ports": "HP0+HP2"}),
        ({"board": "zybo", "keys": {"ports": "HP0", "burst_beats": 2}}, {"burst_beats": 4}),
    ):
        of = settled(body)
        found = answers.document(of, answers.whole(of.platform, of.point), True)
        assert found["change"] == {"keys": wanted, "more": []}
        then = settled({**body, "keys": {**body["keys"], **wanted}})
        assert answers.quick(then.platform, then.point).total["mean"] > 1.3 * found["total_MBps"]
    of = settled({"board": "zcu102", "keys": {"ports": "HP0+HP1", "burst_beats": 8}})
    found = answers.document(of, answers.whole(of.platform, of.point), True)
    assert found["change"] == {"keys": {}, "more": ["qos=best_effort"]}


def test_own_rows_are_those_of_calibrate_and_count_while_they_are_kept(tmp_path, capsys):
    keys = {"ports": "HP0", "mode": "read", "pl_mhz": 100, "transfer_bytes": 1 << 20}

    def asked(path, body, *more):
        return json.loads(here.answer(lambda: False, path, body, *more))

    def kept(**of):
        return asked("/api/kept", json.dumps(of))

    def measured(beats):
        of = {"board": "zybo", "keys": {**keys, "burst_beats": beats}, "whole": True}
        return " ".join(asked("/api/point", json.dumps(of))["answer"]["measured"])

    before = measured(16), measured(15)
    (tmp_path / "my_rates.csv").write_bytes(serve_kit.ROWS)
    assert main(["calibrate", str(tmp_path / "my_rates.csv"), "--board", "zybo"]) == 0
    printed = capsys.readouterr().out.partition("Remove them")[0].split()
    assert main(["calibrate", "--remove", "my_rates"]) == 0
    found = asked(questions.FILE, serve_kit.ROWS, "my%20rates.csv", "zybo")
    assert found["rows"].split() == printed
    assert "Measured: 700 MB/s (my_rates, zybo)" in measured(16) and "Anchored: " in measured(15)
    listed = {"kept": [["my_rates.csv", "", "my_rates.csv", "rows at zybo: 1"]]}
    assert kept() == listed
    content = base64.b64decode(kept(id="my_rates.csv")["bytes"])
    assert kept(id="my_rates.csv", remove=True) == {"kept": []}
    assert (measured(16), measured(15)) == before
    # An exported table has the name of its board.
    asked(questions.FILE, content, "my_rates.csv", "zcu102")
    assert kept() == listed


def _heeds_signals():
    """What a shell's background job or nohup ignores, their children would ignore, too."""
    for each in (signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGHUP])
def test_a_dropped_design_is_gone_when_the_command_is_told_to_end(told, tmp_path):
    words = [sys.executable, "-m", "axiometer", "serve", "--no-browser", "--port", "0"]
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, env=env, preexec_fn=_heeds_signals
    ) as run:
        url = run.stdout.readline().split()[0]
        with urllib.request.urlopen(url, timeout=60) as page:
            token = re.search(rb'name="token" content="([^"]*)"', page.read())[1].decode()
        place = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
        connection.putrequest("POST", questions.FILE)
        own = {"Origin": url.rstrip("/"), "Sec-Fetch-Site": "same-origin", guards.TOKEN: token}
        own |= {"Content-Type": guards.BYTES, "Content-Length": "1000", "X-Axiometer-Name": "a.hwh"}
        for name, value in {**own, "X-Axiometer-Board": "zybo"}.items():
            connection.putheader(name, value)
        connection.endheaders(b"<EDKSYSTEM")  # and the rest never comes
        until = time.monotonic() + 20
        while not list(tmp_path.rglob("*.hwh")) and time.monotonic() < until:
            time.sleep(0.05)
        assert list(tmp_path.rglob("*.hwh"))
        run.send_signal(told)
        try:
            assert run.wait(20) == 128 + told
        finally:
            run.kill()
            connection.close()
    assert list(tmp_path.iterdir()) == []


def test_the_command_prints_its_address_and_ends_by_ctrl_c():
    words = [sys.executable, "-m", "axiometer", "serve", "--no-browser", "--port", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, **pipes, preexec_fn=_heeds_signals) as run:
        url = run.stdout.readline().split()[0]
        with urllib.request.urlopen(url, timeout=60) as page:
            assert page.status == 200
        run.send_signal(signal.SIGINT)
        assert run.wait(20) == 0
        assert run.stderr.read().strip() == "ended"
