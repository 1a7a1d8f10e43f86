"""Files and settings of strangers: refused immediately in one message, and harmless where shown."""

import os
import subprocess
import sys
import time

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base import data, harmless, input_bounds
from axiometer.base.errors import AxiometerError
from axiometer.base.toml_source import TomlSource
from axiometer.experiment import Experiment
from axiometer.platform import Platform
from axiometer.present import flat
from axiometer.published.reference import Reference
from axiometer.records.store import Store

AT_ONCE_S = 5  # of processor time; a machine that is busy otherwise does not count


def told(text, within_s=AT_ONCE_S):
    begun = time.process_time()
    with pytest.raises(AxiometerError) as caught:
        TomlSource(text, "x.toml")
    assert time.process_time() - begun < within_s
    assert len(str(caught.value)) < 500
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = " + "9" * 5000, "x.toml:1: a number of more than 1000 digits"),
        ("\nx = 0x" + "f" * 5000, "x.toml:2: a whole number of more than 64 bits"),
        ("x = 9223372036854775808", "more than 64 bits"),
        ("x = " + "[" * 100_000, "nested too deeply"),
        ("x = " + "{a=" * 50_000, "nested too deeply"),
        ("a" + ".a" * 200_000 + " = 1", "a key of more than 32 parts"),
        ('"a b" . ' * 40 + "c = 1", "a key of more than 32 parts"),
        ("x = [" + "1," * 300_000 + "]", "more than 120000 values"),
        ("[[point]]\n" * 150_000, "more than 80000 keys and tables"),
        ("x = [" + "{a=1}," * 90_000 + "]", "more than 80000 keys and tables"),
        ('x = "\\u001b[31mred"', "control character \\x1b"),
        ('x = ["a", "\\u202egpj.exe"]', "control character \\u202e"),
        ('"\\u009b" = 1', "control character \\x9b"),
        ("x = 0000-01-01", "not valid TOML"),
        ('x = """' + "a" * 100_000, "not valid TOML"),
    ],
)
def test_traps_in_toml_are_refused_immediately(text, message):
    assert message in told(text)


def test_what_is_below_the_bounds_is_read():
    deep = "x = " + "[" * 30 + "]" * 30
    assert TomlSource(deep, "x").data
    assert TomlSource("y = 9223372036854775807\n" + ".".join("abcdefgh") + " = 1", "x").data
    assert TomlSource("# " + "a.b." * 7 + '\nx = "tab\\t, line\\n, é, 日本"', "x").data


def test_a_long_sweep_is_read_in_linear_time(tmp_path):
    def took(count):
        listed = ",".join(map(str, range(count)))
        text = kit.EXPERIMENT + f"seed = [{listed}]\n"
        platform = Platform(kit.PLATFORM, "tiny.toml")
        begun = time.process_time()
        Experiment(text, "x.toml", (), platform)
        return time.process_time() - begun

    took(100)
    assert took(16_000) < 40 * max(took(2_000), 1e-3)  # 8 times; a square would be 64 times


def odd_files(directory):
    os.mkfifo(directory / "fifo.toml")
    (directory / "loop.toml").symlink_to("loop.toml")
    (directory / "folder.toml").mkdir()
    (directory / "device.toml").symlink_to("/dev/zero")
    with (directory / "huge.toml").open("wb") as file:
        file.truncate(2**40)
    (directory / "large.toml").write_bytes(b"#" * (input_bounds.MAX_BYTES + 1))
    (directory / "nothing.toml").touch()
    return {
        "fifo": "is a pipe (FIFO)",
        "loop": "is a symbolic link to itself",
        "folder": "is a directory",
        "device": "is a device",
        "huge": "is larger than 4 MiB",
        "large": "is larger than 4 MiB",
        "nothing": "name is missing",
        "n" * 300: "has a name that is too long",
    }


def test_special_files_are_refused(tmp_path, cli):
    for name, message in odd_files(tmp_path).items():
        path = str(tmp_path / f"{name}.toml")
        for words in (
            ["run", path, "--store", str(tmp_path / "x.db")],
            ["expect", "--board", path, "--ports", "HP0"],
        ):
            begun = time.process_time()
            err = cli.refused(*words)
            assert time.process_time() - begun < AT_ONCE_S
            assert message in err, (name, err)
            assert len(err) < 600, name  # no list of all that there is
    assert not (tmp_path / "x.db").exists()


def test_published_figures_have_bounds_too(tmp_path, capsys):
    head = "ports,total_MBps\n"
    for text, message in (
        (head + "HP0,\x1b[31m5\n", "x.csv:2: the control character \\x1b"),
        (head + '"' + "a" * 200_000 + '",1\n', "x.csv:2: 200004 characters"),
        ("# \u202etitle\n" + head + "HP0,1\n", "x.csv:1: the control character \\u202e"),
        (head + '"HP0,5\n' * 3, "x.csv"),
    ):
        with pytest.raises(AxiometerError) as caught:
            Reference(text, "x.csv")
        assert message in str(caught.value)
    big = tmp_path / "big.csv"
    with big.open("wb") as file:
        file.truncate(2**35)
    with pytest.raises(AxiometerError, match="is larger than 16 MiB"):
        Reference.load(big)
    with_mark = tmp_path / "mark.csv"
    with_mark.write_text(head + "HP0,5\n", encoding="utf-8-sig")
    assert Reference.load(with_mark).rows[0].figures == {"mean": 5}


def test_nothing_of_a_stranger_reaches_the_terminal_raw(tmp_path, cli, monkeypatch):
    evil = "\x1b[31mred\x1b]0;owned\x07\u202e"
    monkeypatch.setenv("AXIOMETER_STORE", str(tmp_path / f"{evil}.db"))
    for words in (
        ["show", evil], [evil], ["run", evil], ["run", f"{evil}.toml"], ["list", evil],
        ["run", "zybo-hp-bandwidth", "--set", f"ports={evil}"], ["--" + evil],
        ["expect", "--board", evil, "--ports", evil], ["import", evil, evil],
        ["expect", "--board", "zybo", "--ports", evil],
        ["run", "zybo-hp-bandwidth", "--set", f"dram.type={evil}", "--quiet"],
        ["advise", "--board", "zybo", "--master", f"{evil}=read"],
        ["advise", "--board", "zybo", "--master", "two\nlines=read"],
        ["compare", evil, evil], ["report", "--board", evil], ["export", evil],
        ["curve", "--board", "zybo", "--ports", "HP0", "--ratio", evil],
    ):  # fmt: skip
        printed = cli.both(*words, status=2)
        assert not any(c in printed.err + printed.out for c in ("\x1b", "\x07", "\u202e")), words


def test_errors_have_an_end():
    assert len(str(AxiometerError("x" * 10**6, file="f", remedy="y" * 10**6))) < 5000
    assert "1000002" in harmless.quoted("x" * 10**6)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2", "-2"), (-2.5, -2.5), ("-x", "'-x"), ("\tx", "'\tx"), ("HP0+HP1", "HP0+HP1"),
        (None, None),
    ],
)  # fmt: skip
def test_no_cell_is_a_formula(value, shown):
    assert harmless.cell(value) == shown
    csv = flat.to_csv([{"a": value, str(value): 1}])
    assert not any(cell.startswith(("=", "@", "+")) for cell in csv.replace("\n", ",").split(","))


# Where standard error is closed or full, standard output has the message.
CLOSED = [
    ("list platforms", ">&-", 1, "standard output is closed"),
    ("list platforms", "2>&-", 0, ""),
    ("list platforms", ">&- 2>&-", 1, ""),
    ("list platforms", "<&-", 0, ""),
    ("--help", ">&-", 1, "standard output is closed"),
    ("list platforms", ">/dev/full", 1, "no space left"),
    ("list platforms", "2>/dev/full", 0, ""),
    ("list platforms", "| head -c 1", 0, ""),
    ("list nothing", "2>&1 | true", 0, ""),
    ("list nothing", "2>&-", 2, "list has no 'nothing'"),
    ("export -o half.csv --store nowhere.db", "2>&-", 2, "there is no store"),
    ("", "2>&-", 2, "first steps:"),
]


@pytest.mark.parametrize("redirection", [">&-", "2>&-", ">&- 2>&-", "2>/dev/full"])
def test_closed_streams_leave_no_half_made_file(redirection, experiment, tmp_path):
    """What is written to a file is there whole, or not at all where the command failed."""
    store = tmp_path / "runs.db"
    assert main(kit.run_arguments(experiment, store)) == 0
    out = tmp_path / "out"
    out.mkdir()
    for words in (["export", "-o", "run.csv"], ["show", "--svg", "run.svg"]):
        line = f"'{sys.executable}' -m axiometer {' '.join(words)} --store '{store}' {redirection}"
        done = subprocess.run(["bash", "-c", line], env=kit.environment(), cwd=out, timeout=60)
        written = out / words[-1]
        assert written.exists() == (done.returncode == 0)
        assert (done.returncode == 0) == (">&-" not in redirection.split())
        if written.suffix == ".svg" and written.exists():
            assert written.read_text("utf-8").rstrip().endswith("</svg>")
    assert {path.suffix for path in out.iterdir()} <= {".csv", ".svg"}


@pytest.mark.parametrize(("words", "redirection", "status", "message"), CLOSED)
def test_closed_streams(words, redirection, status, message, tmp_path):
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m axiometer {words} {redirection}"],
        env=kit.environment(), cwd=tmp_path, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    told = done.stdout if redirection.startswith("2>") else done.stderr
    assert "Traceback" not in done.stdout + done.stderr and "Exception" not in done.stderr
    assert done.returncode == status
    assert message in told and not (redirection.startswith("2>") and done.stderr)
    assert not list(tmp_path.iterdir()), "nothing half made is left"


def test_a_run_whose_output_is_closed_harms_no_store(experiment, tmp_path):
    """The store must not get the number of a stream that others write to."""
    store = tmp_path / "runs.db"
    words = [sys.executable, "-m", "axiometer", *kit.run_arguments(experiment, store)]
    words.remove("--quiet")
    line = " ".join(f"'{word}'" for word in words)
    done = subprocess.run(["bash", "-c", f"{line} 2>&- 0<&- >/dev/null"], env=kit.environment())
    assert done.returncode == 0
    assert main(["show", "--store", str(store)]) == 0


def test_unread_progress_stops_no_run(experiment, tmp_path):
    store = tmp_path / "runs.db"
    words = [sys.executable, "-m", "axiometer", *kit.run_arguments(experiment, store)]
    words.remove("--quiet")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(words, env=kit.environment(), stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)
    assert done.returncode == 0
    assert b"Stored as small-0001" in done.stdout


@pytest.mark.parametrize("name", ["n" * 100_000, "n/m\0", "small\udcff"])
def test_a_run_is_called_by_no_such_name(name, tmp_path, cli):
    with Store(tmp_path / "runs.db", create=True):
        pass
    for words in (["show"], ["runs", "rm"], ["explain"], ["export"]):
        printed = cli.refused(*words, name, "--store", tmp_path / "runs.db")
        assert "there is no run in this store yet" in printed and len(printed) < 5000


@pytest.mark.parametrize("name", ["n" * 400, "n\0m"])
def test_a_name_that_no_file_can_have_is_called_by_nothing(name):
    """Where a file calls a platform, an experiment or published figures so."""
    for find, words in (
        (lambda: data.find_toml("platforms", name), "no board is called"),
        (lambda: data.find_toml("experiments", name), "no experiment is called"),
        (lambda: data.find_reference(name), "no file of published figures is called"),
    ):
        with pytest.raises(AxiometerError, match=words) as told:
            find()
        assert len(told.value.message) < 200
