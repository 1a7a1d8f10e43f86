"""Shared parts of tests: a small platform, a small experiment, and the command in-process."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FAKE = "module:fake_backend"


def code(folder: Path) -> Iterator[Path]:
    """The Python files below a folder, but for the tests beside them."""
    return (path for path in folder.rglob("*.py") if path.parent.name != "tests")


def flat(text: str) -> str:
    """What was printed, wherever its lines end."""
    return " ".join(text.split())


PLATFORM = """\
name = "tiny"
title = "A board for tests"
family = "test"

[clocks]
ddr_mhz = { value = 525, source = "made up" }
pl_mhz = { value = 100, min = 1, max = 250, source = "made up" }

[dram]
type = { value = "DDR3", source = "made up" }
bus_bits = { value = 32, source = "made up" }
burst_length = { value = 8, source = "made up" }
size_MiB = { value = 16, source = "made up" }
banks = { value = 8, source = "made up" }
row_bytes = { value = 4096, source = "made up" }

[mapping]
default = { value = "row-bank-column", source = "made up" }

[controller]
policy = { value = "zynq-ddrc", source = "made up" }
starve_clocks = { value = 64, min = 1, max = 1024, guess = "a power of two" }

[path.left]
inflight_read = { value = 4, unit = "bursts", fitted = ["tiny.csv: mode=duplex, ports=P0+P1"] }

[path.right]
inflight_read = { value = 4, guess = "as left" }

[port.P0]
path = { value = "left", source = "made up" }
widths = { value = [32, 64], source = "made up" }
aliases = { value = ["AXI_P0"], source = "made up" }

[port.P1]
path = { value = "left", source = "made up" }
widths = { value = [32, 64], source = "made up" }

[port.P2]
path = { value = "right", source = "made up" }
widths = { value = [64, 128], source = "made up" }
"""

# The same as a chip and a board of it.
CHIP = """\
name = "tiny-chip"
title = "A chip for tests"

[[set_by_boards]]
figures = [
  "clocks.ddr_mhz", "clocks.pl_mhz", "mapping.default", "dram.type", "dram.bus_bits",
  "dram.burst_length", "dram.size_MiB", "dram.banks", "dram.row_bytes", "controller.starve_clocks",
]
why = "what boot code programs"

[[set_by_boards]]
figures = ["path.*.clock_mhz"]
why = "the switch's clock"

[[set_by_boards]]
figures = ["processor.clocks"]
why = "PLLs"
optional = true
needed_by = ["processor"]

[rows]
pairs = ["tiny.csv: mode=duplex, ports=P0+P1"]

[clocks]
pl_mhz = { value = 100, min = 1, max = 250, unit = "MHz", source = "made up" }

[controller]
policy = { value = "zynq-ddrc", source = "made up" }

[path.left]
inflight_read = { value = 4, unit = "bursts", fitted = "pairs" }

[path.right]
like = "path.left"

[port.P0]
path = { value = "left", source = "made up" }
widths = { value = [32, 64], source = "made up" }

[port.P1]
like = "port.P0"
path = { value = "right", guess = "the other one" }

[processor.apb]
register_clocks = { value = 3, guess = "made up" }
"""

BOARD = """\
name = "tiny-board"
title = "A board for tests"
chip = "tiny-chip.toml"

[clocks]
ddr_mhz = { value = 525, register = "PLL[6:0] = 21" }

[dram]
type = { value = "DDR3", source = "made up" }
bus_bits = { value = 32, source = "made up" }
burst_length = { value = 8, source = "made up" }
size_MiB = { value = 16, source = "made up" }
banks = { value = 8, source = "made up" }
row_bytes = { value = 4096, source = "made up" }

[mapping]
default = { value = "row-bank-column", source = "made up" }

[controller]
starve_clocks = { value = 64, selected = "pairs", why = "with 32 they are missed" }

[path.left]
clock_mhz = { value = 300, guess = "made up" }

[path.right]
clock_mhz = { same_as = "path.left.clock_mhz", guess = "one clock" }
"""

EXPERIMENT = """\
name = "small"
title = "A small experiment"
platform = "tiny.toml"

[defaults]
width_bits = 64
transfer_bytes = "64KiB"
repeats = 8

[sweep]
mode = ["duplex", "ps_to_pl"]
ports = ["P0", "P0+P1", "P0+P1+P2"]
"""


def write(directory: Path, platform: str = PLATFORM, experiment: str = EXPERIMENT) -> Path:
    """Both files in `directory`; the path of the experiment."""
    (directory / "tiny.toml").write_text(platform)
    path = directory / "small.toml"
    path.write_text(experiment)
    return path


def run_arguments(experiment: Path, store: Path, *more: str) -> list[str]:
    """The arguments of a quiet run on the fake backend."""
    return [
        *("run", str(experiment), "--backend", FAKE, "--store", str(store), "--quiet"),
        *("--jobs", "1", *more),
    ]


def environment(**more: str) -> dict[str, str]:
    """The environment of a subprocess that can import axiometer and the fake backend."""
    import axiometer  # not above: tests of other rooms load this file without the package

    package = Path(axiometer.__file__).resolve().parent.parent  # the one that is tested here
    paths = [str(package), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


def command(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    """`python -m axiometer ARGUMENTS` in a process of its own."""
    env = environment(**options.pop("env", {}))
    return subprocess.run(
        [sys.executable, "-m", "axiometer", *arguments],
        env=env, text=True, timeout=60, stdin=subprocess.DEVNULL,
        **({"capture_output": True} | options),
    )  # fmt: skip


def on_terminal(*words: str, columns: int = 200, **env: str) -> str:
    """What `axiometer WORDS` sends to a terminal of so many columns, on both streams."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    usual = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    command = [sys.executable, "-m", "axiometer", *words]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=usual | {"TERM": "xterm"} | env
    ):
        os.close(theirs)
        found = b""
        with contextlib.suppress(OSError):  # Linux: the other end is closed
            while part := os.read(ours, 65536):
                found += part
    os.close(ours)
    return found.decode()


class Axiometer:
    """The command in this process, for tests: each call drops what was printed before, and checks
    the exit status. The first argument is split at spaces, each of the others is one word."""

    def __init__(self, capsys: pytest.CaptureFixture[str]):
        self._capsys = capsys

    def both(self, words: object, *more: object, status: int = 0):
        """What it prints to stdout and to stderr, as `.out` and `.err`."""
        from axiometer.__main__ import main  # not above, as the package in `environment`

        self._capsys.readouterr()
        assert main([*str(words).split(), *map(str, more)]) == status
        return self._capsys.readouterr()

    def __call__(self, *words: object, status: int = 0) -> str:
        """What it prints to stdout."""
        return self.both(*words, status=status).out

    def json(self, *words: object, status: int = 0):
        """The document that it prints with --json."""
        return json.loads(self.both(*words, "--json", status=status).out)

    def refused(self, *words: object, status: int = 2) -> str:
        """What it says to stderr of what it does not do; stdout stays empty."""
        out, err = self.both(*words, status=status)
        assert out == "" and "Traceback" not in err
        return err


@contextlib.contextmanager
def refuses(*words: str, match: str | None = None, remedy: str = "", line: int | None = None):
    """What is inside is refused: the message has `words` and matches, there is a remedy and it
    has `remedy`, and the line in a file is `line`, if one is given."""
    from axiometer.base.errors import AxiometerError

    with pytest.raises(AxiometerError, match=match) as caught:
        yield
    assert not [word for word in words if word not in str(caught.value)], caught.value
    assert caught.value.remedy and remedy in caught.value.remedy
    assert line is None or caught.value.line == line


def reference(*parts: str) -> Path:
    """A public file or directory that is not distributed; the test is skipped where it is not."""
    root = os.environ.get("AXIOMETER_REFERENCE")
    path = (Path(root) if root else ROOT.parent / "shared" / "reference").joinpath(*parts)
    if not path.exists():
        pytest.skip(
            f"{'/'.join(parts)} is not here: set AXIOMETER_REFERENCE to the public datasets"
        )
    return path


def record(platform, **keys):
    """One repeat of the point `keys` on the model, with seed 0; it keeps the laws of records.
    `platform` is a Platform or the name of one."""
    from axiometer.experiment.points import single
    from axiometer.platform import Platform
    from axiometer.records import laws
    from axiometer.runs.backends import model

    if isinstance(platform, str):
        platform = Platform.load(platform)
    point = single(platform, keys)
    (made,) = model.run_repeats(platform, point, 0, 0, 1)
    laws.check(platform, point, [made])
    return made


def assert_plain_agrees(platform, **keys) -> None:
    """One start of the point `keys`: the model and the plain model agree to the bit."""
    from axiometer.experiment.points import single
    from axiometer.simulate import run
    from axiometer.simulate.scenario import Scenario

    made = Scenario.of(platform, single(platform, keys).values)
    simulator, start = run.simulator(made), made.start(0, 0).document()
    result, commands = simulator.trace(start, skip=False)
    specified, wanted = simulator.plain(start)
    assert commands == wanted
    assert all(result[key] == specified[key] for key in ("cycles", "clocks", "streams"))
