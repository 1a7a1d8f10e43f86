"""A measurement with an agent on this machine and a fake design: faults of line, board and user are
survived or reported, and no measured point is lost."""

import json
import resource
import signal
import subprocess
import sys
import time

import pytest

import axiometer as axm
import bad_lines
import kit
from axiometer.answer.analysis import surroundings
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.experiment import Experiment
from axiometer.records.store import Store
from axiometer.runs.agent import Client, conversation, two_clocks
from axiometer.runs.board import design
from axiometer.runs.board.session import Measurement, Target

SETTINGS = ("transfer_bytes=8KiB", "width_bits=64", "mode=duplex", "ports=HP0,HP0+HP1")
REPEATS = 4
POINTS = 2


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(conversation, "QUIET_S", 0.05)
    monkeypatch.setattr(conversation, "FIRST_S", 0.2)
    monkeypatch.setattr(conversation, "REOPEN_S", 0.3)
    monkeypatch.setattr(conversation, "POLL_S", 0.05)
    monkeypatch.setattr("axiometer.runs.board.session.PAUSE_S", 0.05)
    monkeypatch.setattr("axiometer.runs.board.session.ASK_S", 0.3)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "runs.db", create=True) as opened:
        yield opened


def experiment(*more):
    return Experiment.load("zybo-hp-bandwidth", [*SETTINGS, f"repeats={REPEATS}", *more])


def measurement(store, line, resume=False, more=(), patience_s=1.0, **target):
    said = []
    client = Client(line, timeout_s=20.0)
    at = Target(client, "here", patience_s=patience_s, **target)
    made = Measurement(store, experiment(*more), at, resume, said.append)
    made.said = said
    return made


def whole(run):
    """All points with all repeats, in order."""
    assert [[r["repeat"] for r in point.records] for point in run.points] == (
        [list(range(REPEATS))] * POINTS
    )
    return run


def test_a_run_has_the_figures_of_the_board(store, program):
    line = bad_lines.Agents([[program, "board"]])
    made = measurement(store, line, bitstream="0123abcd")
    run = whole(made.execute())
    assert run.backend == "board"
    assert run.provenance["bitstream"] == "0123abcd"
    assert run.provenance["design"] == made.loaded.name
    record = run.points[1].records[2]
    assert record["bytes"] == 4 * 8192
    assert record["elapsed_s"] == record["board"]["ns"] * 1e-9
    assert record["latency_cycles"] == {
        "mean": 10, "min": 10, "max": 10, "p50": 10, "p99": 10, "n": 256
    }  # fmt: skip
    sides = record["board"]["streams"]
    assert [(s["port"], s["direction"]) for s in sides] == [
        (port, way) for port in ("HP0", "HP1") for way in ("write", "read")
    ]
    for side in sides:
        assert (side["bursts"], side["beats"], side["bytes"]) == (64, 1024, 8192)
    # Points took turns, and an unkept run of each came first.
    assert not store.repeats(run.id)
    line.close()


@pytest.mark.parametrize("hz", [66_666_667, 100_000_000])
def test_a_fabric_at_another_clock_is_refused(store, program, monkeypatch, hz):
    """The fake design counts at 100 MHz, in a run of some microseconds."""
    monkeypatch.setattr(two_clocks, "LATE_NS", 100)
    line = bad_lines.Agents([[program, "board", f"clock={hz}"]])
    made = measurement(store, line, more=[f"pl_mhz={hz / 1e6}"])
    if hz == 100_000_000:
        whole(made.execute())
    else:
        with kit.refuses(match="100 MHz, but the design is built for 66.6667", remedy="PS_CLK_HZ"):
            made.execute()
        assert not store.repeats(made.run)
    line.close()


def test_an_emulated_board_is_called_so(store, program):
    line = bad_lines.Agents([[program]])
    run = whole(measurement(store, line).execute())
    assert run.backend == "emulated"
    assert run.points[0].records[0]["elapsed_s"] == pytest.approx(
        run.points[0].records[0]["board"]["clocks"] / 100e6
    )
    line.close()


def test_noise(store, program):
    """1 byte of 1000 is another one or lost, in both directions."""
    inner = bad_lines.Agents([[program]])
    made = measurement(store, bad_lines.Noisy(inner, bad_lines.noise(0.001, 3)))
    whole(made.execute())
    assert made.target.client.damaged > 5
    assert not made.said
    inner.close()


@pytest.mark.parametrize("at", [5, 40, 75, 110])
def test_a_board_that_restarts(store, program, at):
    line = bad_lines.Agents([[program]], {at: bad_lines.restart})
    made = measurement(store, line) if at > 5 else None
    if made is None:  # it restarts while it is looked at: nothing was begun that could be lost
        with pytest.raises(AxiometerError):
            measurement(store, line)
        made = measurement(store, line)
    whole(made.execute())
    assert (at == 5) == (not made.said)
    line.close()


def test_a_line_that_is_cut_for_good(store, program):
    line = bad_lines.Agents([[program]], {90: bad_lines.cut})
    made = measurement(store, line)
    begin = time.monotonic()
    with pytest.raises(AxiometerError, match="cut") as caught:
        made.execute()
    assert time.monotonic() - begin < 10
    assert caught.value.status == RUN_FAILED
    kept = store.repeats(made.run)
    assert kept
    # It is plugged in again.
    line.cut = False
    again = measurement(store, line, resume=True)
    assert again.resumed
    before = again.target.client.transport.lines
    run = whole(again.execute())
    assert run.id == made.run
    assert line.lines > before
    for index, repeats in kept.items():
        assert [run.points[index].records[n] for n in sorted(repeats)] == [
            repeats[n] for n in sorted(repeats)
        ]
    line.close()


def test_a_board_that_hangs(store, program):
    line = bad_lines.Agents([[program]], {90: bad_lines.fall_silent})
    made = measurement(store, line)
    made.target.client.timeout_s = 0.5
    begin = time.monotonic()
    with pytest.raises(AxiometerError, match="did not answer"):
        made.execute()
    assert time.monotonic() - begin < 10
    line.reopen()
    whole(measurement(store, line, resume=True).execute())
    line.close()


def test_the_wrong_bitstream(store, program):
    line = bad_lines.Agents([[program, "clock=50000000"]])
    with pytest.raises(AxiometerError, match=r"another bitstream: 100 MHz \(has 50\)"):
        measurement(store, line)
    line.reopen()
    # Points that another one runs are left for it.
    more = ("ports=HP0,HP2", "pl_mhz=50")
    made = measurement(store, line, more=more)
    assert list(made.others.values()) == ["it needs another bitstream: a port at HP2"]
    assert not made.execute().complete
    line.close()


def test_another_bitstream_after_a_restart(store, program):
    commands = [[program], [program, "clock=50000000"]]
    line = bad_lines.Agents(commands, {90: bad_lines.restart})
    made = measurement(store, line)
    with pytest.raises(AxiometerError, match="returned with another design"):
        made.execute()
    assert store.repeats(made.run)
    line.close()


def test_another_target_after_a_restart(store, program):
    line = bad_lines.Agents([[program, "board"], [program]], {90: bad_lines.restart})
    with pytest.raises(AxiometerError, match="another target"):
        measurement(store, line).execute()
    line.close()


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("fault=2,0,2,512", "port HP0, read: slverr at 0x"),
        ("hang", "ended with timeout"),
        ("bus=400", "a register access failed"),
    ],
)
def test_a_failing_design_is_reported(store, program, monkeypatch, fault, message):
    monkeypatch.setattr("axiometer.runs.board.bench.LIMIT_MS", 20)
    line = bad_lines.Agents([[program, fault]])
    with kit.refuses(match=message):
        measurement(store, line).execute()
    line.close()


def test_a_full_disk(store, program):
    """What was kept stays; with room again it goes on."""
    line = bad_lines.Agents([[program]])
    made = measurement(store, line)
    keep, kept = store.keep_repeat, []

    def full(run, point, record):
        if len(kept) == 3:  # little is left now
            limit(sum(file.stat().st_size for file in store.path.parent.iterdir()) // 4)
        keep(run, point, record)
        kept.append(record)

    was = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(most):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, was[1]))

    store.keep_repeat = full
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with pytest.raises(AxiometerError) as caught:
            made.execute()
    finally:
        limit(was[0])
        signal.signal(signal.SIGXFSZ, before)
    assert "space" in caught.value.remedy or "path" in caught.value.remedy
    store.keep_repeat = keep
    assert 3 <= len(kept) < POINTS * REPEATS
    assert sum(map(len, store.repeats(made.run).values())) == len(kept)
    again = measurement(store, line, resume=True)
    assert again.resumed
    whole(again.execute())
    line.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_goes_on(tmp_path, program, how):
    command = [
        *(sys.executable, "-m", "axiometer", "measure", f"pipe:{program}", "zybo-hp-bandwidth"),
        *(word for setting in SETTINGS for word in ("--set", setting)),
        *("--repeats", "60", "--store", str(tmp_path / "runs.db"), "--json"),
    ]
    running = subprocess.Popen(
        command, stdout=-1, stderr=-1, text=True,
        # A shell starts programs in the background with this signal ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    while True:
        time.sleep(0.1)
        assert running.poll() is None, running.communicate()
        if (tmp_path / "runs.db").is_file():
            with Store(tmp_path / "runs.db") as store:
                runs = store.runs()
                begun = store.repeats(runs[0].id) if runs else {}
            if sum(map(len, begun.values())) > 9:
                break
    running.send_signal(how)
    _, said = running.communicate(timeout=20)
    if how == signal.SIGINT:
        assert running.returncode == 130
        assert "continue with --resume" in said
    with Store(tmp_path / "runs.db") as store:
        kept = store.repeats(runs[0].id)
        assert sum(map(len, kept.values())) > 9
    done = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    with Store(tmp_path / "runs.db") as store:
        run = store.load("latest")
        assert (run.id, run.complete) == (runs[0].id, True)
        for index, repeats in kept.items():
            records = run.points[index].records
            assert len(records) == 60
            assert {n: records[n] for n in repeats} == repeats
    loaded = axm.Measured.load(run.id, tmp_path / "runs.db")
    assert json.loads(done.stdout) == json.loads(json.dumps(loaded.to_dict()))


def test_a_measurement_from_python(tmp_path, program, capsys):
    said = []
    found = axm.measure(
        f"pipe:{program}", "zybo-hp-bandwidth",
        set=dict(setting.split("=") for setting in SETTINGS[:3]) | {"ports": "HP0", "repeats": 2},
        store=tmp_path / "runs.db", say=said.append,
    )  # fmt: skip
    assert repr(found) == f"<Measured {found.id}: 1 of 1 points (emulated (simulated))>"
    assert any(f"{found.id} starts" in line for line in said)
    (row,) = found.rows()
    assert row["total_MBps_mean"] > 0 and row["model_MBps"] == found.simulated[0]
    assert found.to_dict()["points"][0]["model_MBps"] == row["model_MBps"]
    assert f"Stored as {found.id}" in found.text
    found.write_rows(tmp_path / "rows.csv")
    assert "# board = zybo\n" in (tmp_path / "rows.csv").read_text()
    for bad in ({"patience_s": float("nan")}, {"ports": "HP0+HP1+HP2"}, {"bitstream": "none.bit"}):
        with pytest.raises(AxiometerError):
            axm.measure(f"pipe:{program}", "zybo-hp-bandwidth", store=tmp_path / "no.db", **bad)


def test_ports_of_the_design(store, program):
    line = bad_lines.Agents([[program]])
    made = measurement(store, line, ports=("HP2", "HP0"), more=("ports=HP0,HP2,HP0+HP2",))
    assert [p.key["ports"] for p in made.todo] == ["HP0", "HP2", "HP0+HP2"]
    assert made.loaded.number("HP0") == 1
    with pytest.raises(AxiometerError, match="has 2 ports"):
        measurement(store, line, ports=("HP0",))
    with pytest.raises(AxiometerError, match="has no port at HP3"):
        made.loaded.number("HP3")
    line.close()


def test_what_needs_another_top(store, program):
    line = bad_lines.Agents([[program]])
    found = measurement(store, line).loaded
    for settings, lack in {
        ("mode=ps_to_pl",): "MODE=1",
        ("mode=ps_to_pl", "pattern=random"): "axm_traffic_top, MASTERS=1",
        ("width_bits=32",): "ports of 32 bits (has 64)",
        ("pl_mhz=150",): "142.857 MHz (has 100)",
    }.items():
        made = Experiment.load("zybo-hp-bandwidth", [*SETTINGS, *settings, "ports=HP0"])
        why = design.lacks(found, made.platform, made.points()[0].values)
        assert why == f"it needs another bitstream: {lack}"
    line.close()


def record(rate=100.0, repeat=0, ns=10**8, clocks=10**7, **around):
    usual = {"temperature_mC": 40000, "cpu_khz": 650000, "governor": "performance", "boot": "a"}
    side = {
        "ns": ns, "clocks": clocks, "clock_hz": 10**8, "design": "d", "streams": [],
        "before": dict(usual), "after": usual | around,
    }  # fmt: skip
    return {"repeat": repeat, "total_MBps": rate, "board": side}


@pytest.mark.parametrize(
    ("odd", "note"),
    [
        ({"temperature_mC": 55000}, "the chip had 40 to 55 °C"),
        ({"cpu_khz": 400000}, "the processor's clock was 400 to 650 MHz"),
        ({"governor": "powersave"}, "the governor changed between repeats"),
        ({"boot": "b"}, "the board was restarted"),
        ({"ns": 12 * 10**7}, "the fabric's clock is about 83.33 MHz, and the design says 100"),
        ({"rate": 90.0}, "1 of 5 repeats are far from the median of 100.1 MB/s: 4"),
    ],
)
def test_conditions_that_may_change_a_figure_are_reported(odd, note):
    good = [record(repeat=n, rate=100.0 + n / 10) for n in range(4)]
    assert surroundings.notes(good, timed=True) == []
    notes = surroundings.notes([*good, record(repeat=4, **odd)], timed=True)
    assert [text for text in notes if note in text], notes
    assert len(notes) == 1
