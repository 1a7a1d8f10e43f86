"""Command lines and files for `targets/commands.py`: mostly right, then broken a little.

Sizes are small, so that what is right is quick; what is wrong may be of any size.
"""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from pathlib import Path

BOARDS = ("zybo", "zedboard", "zcu102", "ultra96", "de1-soc", "zynq7000-650")
ODD = (
    "",
    " ",
    "-",
    "--",
    "0",
    "-1",
    "1e400",
    "nan",
    "9" * 400,
    "\x1b[31m",
    "\u202e",
    "a" * 3000,
    "../../x",
    "/",
    "HP9",
    "=",
    ",",
    "+",
    "a=b",
    "%s",
    "日本",
    "\udcff",
    "'",
    '"',
    "$(x)",
)
PORTS = ("HP0", "HP0+HP1", "HP0+HP1+HP2+HP3", "HP0,1", "GP0", "GP1", "ACP", "F2S", "HPC0", "EMIO")
MODES = ("duplex", "mixed", "read", "write", "ps_to_pl", "pl_to_ps")
SETTINGS = (
    "pl_mhz=50", "pl_mhz=100,150", "width_bits=32", "burst_beats=4", "burst_bytes=64", "seed=3",
    "pattern=random", "pattern=stride:4096", "outstanding_read=2", "gap_cycles=7", "skew_us=1",
    "placement=packed", "mapping=bank-row-column", "qos=best_effort", "qos=HP0=video",
    "masters_per_port=2", "background=DisplayPort=100", "master=memcpy", "master=ring", "os=linux",
    "master=convolution", "accelerators=2", "cache=off", "controller.starve_clocks=32",
    "dram.timing.tRFC=200", "clocks.ddr_mhz=500", "program.launch_us=1",
     "controller.write_entries=2",
    "io=copy", "ring_depth=4", "dma_program=included", "fill=buffer", "slave=full",
)  # fmt: skip
EXPERIMENT = """name = "small"
title = "Small"
platform = "{board}"
[defaults]
{size}
repeats = 1
[sweep]
ports = ["{ports}"]
mode = ["{mode}"]
"""
DESIGN = b"""name = "d"
file = "d.hwh"
tool = "Vivado"
chip = "zynq-7000"
part = "xc7z020"
[[port]]
name = "HP0"
interface = "S_AXI_HP0"
kind = "memory"
width_bits = 64
protocol = "AXI3"
platform_port = "HP0"
[[master]]
name = "dma.M"
instance = "dma"
interface = "M_AXI_MM2S"
core = "xilinx.com:ip:axi_dma"
title = "AXI DMA"
role = "data"
width_bits = 32
protocol = "AXI4"
read = { burst_beats = 16 }
[[master.route]]
port = "HP0"
burst_bytes_max = 128
"""


def prepare(made: Path) -> None:
    """Files that lines choose from."""
    from axiometer.base import data
    from axiometer.experiment import Experiment
    from axiometer.records.store import Store
    from axiometer.runs.runner import run

    made.mkdir()
    text = EXPERIMENT.format(board="zybo", size='transfer_bytes = "4KiB"', ports="HP0",
                             mode='duplex", "read')  # fmt: skip
    with Store(made / "store.db", create=True) as store:
        run(Experiment(text, "small.toml"), store)
        run(Experiment(text, "small.toml", ["pl_mhz=50"]), store)
    for name in ("zybo", "zcu102"):
        shutil.copy(data.directory("platforms") / f"{name}.toml", made)
    for path in sorted(data.directory("reference").glob("*.csv"))[:4]:
        shutil.copy(path, made)
    (made / "queue.toml").write_text('system = "slurm"\njobs = 1\n')


def broken(draw: random.Random, content: bytes) -> bytes:
    """`content` with a few bytes changed, taken away or doubled."""
    data = bytearray(content)
    for _ in range(1 + draw.randrange(3)):
        at = draw.randrange(len(data) + 1)
        end = min(len(data), at + 1 + draw.randrange(60))
        kind = draw.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = draw.randrange(256)
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = data[at:end] * draw.randrange(1, 40)
        elif kind == 3:
            data[at:end] = draw.choice(ODD).encode("utf-8", "surrogateescape")
        else:
            data[at:at] = draw.choice((b"\n", b'"', b"[", b"]", b"{", b"=", b",", b"\0", b"9" * 50))
    return bytes(data)


def size(draw: random.Random, board: str) -> str:
    free = board in ("zcu102", "ultra96")
    return 'duration = "20us"' if free else f'transfer_bytes = "{draw.choice((1, 4, 16))}KiB"'


def experiment(draw: random.Random, here: Path) -> str:
    """The name of an experiment, mostly of a file that is written here."""
    if draw.random() < 0.05:
        return draw.choice(("small.toml", "zybo-hp-bandwith", *ODD))
    path = here / "own.toml"
    board = draw.choice(BOARDS)
    text = EXPERIMENT.format(
        board=board, size=size(draw, board), ports=draw.choice(PORTS), mode=draw.choice(MODES)
    ).encode()
    kind = draw.random()
    if kind < 0.5:
        text = broken(draw, text)
    elif kind < 0.53:
        os.mkfifo(path)
        return "own.toml"
    elif kind < 0.56:
        path.symlink_to(path)
        return "own.toml"
    path.write_bytes(text)
    return draw.choice(("own.toml", str(path)))


def store(draw: random.Random, made: Path, here: Path) -> list[str]:
    """`--store` with a sound store, a damaged one, or something else."""
    path = here / "s.db"
    content = (made / "store.db").read_bytes()
    kind = draw.random()
    if kind < 0.15:
        content = broken(draw, content)
    path.write_bytes(content)
    if 0.15 <= kind < 0.5:
        column = draw.choice(("id", "provenance", "overlay", "experiment_text", "platform_text",
                              "backend", "points_total", "wall_s", "number"))  # fmt: skip
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA foreign_keys = OFF")
            (old,) = db.execute(f"SELECT {column} FROM runs LIMIT 1").fetchone()
            new: object = broken(draw, str(old).encode()).decode("utf-8", "replace")
            if draw.random() < 0.1:
                new = draw.choice((7, -1, b"\xff", 1e300, "[" * 5000))
            db.execute(f"UPDATE OR IGNORE runs SET {column} = ?", (new,))
        db.close()
    elif kind > 0.97:
        return ["--store", draw.choice((*ODD, ".", "/dev/null", "/dev/full", "/proc/self/mem"))]
    return ["--store", str(path)]


def settings(draw: random.Random) -> list[str]:
    found = []
    for _ in range(draw.randrange(3)):
        setting = draw.choice(SETTINGS)
        if draw.random() < 0.3:
            setting = broken(draw, setting.encode()).replace(b"\0", b"").decode("utf-8", "replace")
        elif draw.random() < 0.2:
            setting = setting.partition("=")[0] + "=" + draw.choice(ODD)
        found += ["--set", setting]
    return found


def line(draw: random.Random, made: Path, here: Path) -> list[str]:
    """The words of one command line; files that it names are written to `here`."""
    argv = _right(draw, made, here)
    while draw.random() < 0.15 and argv:
        at = draw.randrange(len(argv))
        if draw.random() < 0.3:
            del argv[at]
        else:
            argv[at : at + draw.randrange(2)] = [draw.choice(ODD)]
    # No command line has a null character; a name of 3000 letters may well be given.
    return [word.replace("\0", "") for word in argv]


def _right(draw: random.Random, made: Path, here: Path) -> list[str]:
    run_ref = draw.choice((["latest"], [], ["small-0001"], ["small"], [draw.choice(ODD)]))
    plain = draw.choice(([], ["--plain"], ["--json"]))
    board = draw.choice(BOARDS)
    if draw.random() < 0.1:
        shutil.copy(made / "zybo.toml", here / "b.toml")
        (here / "b.toml").write_bytes(broken(draw, (here / "b.toml").read_bytes()))
        board = "b.toml"
    csv = draw.choice(sorted(made.glob("*.csv")))
    (here / "p.csv").write_bytes(broken(draw, csv.read_bytes()[:3000]))
    one_point = ["--board", board, "--ports", draw.choice(PORTS)]
    stored = store(draw, made, here)
    small = size(draw, board).replace('"', "").replace(" ", "")
    kind = draw.randrange(14)
    if kind < 4:
        more = draw.choice(([], ["--json"], ["--resume"], ["--repeats", "2"], ["--seed", "5"]))
        return ["run", experiment(draw, here), "--jobs", "1", *more, *settings(draw), *stored]
    if kind < 6:
        return ["expect", *one_point, "--mode", draw.choice(MODES), "--repeats", "1",
                "--set", small, *settings(draw), *plain]  # fmt: skip
    if kind == 6:
        return ["show", *run_ref, *stored, *plain]
    if kind == 7:
        other = draw.choice(([], ["small-0002"], ["--with", "p.csv"], ["--max-error", "3"]))
        return ["compare", *run_ref, *other, *stored, *plain]
    if kind == 8:
        return ["explain", *run_ref, *stored, *plain]
    if kind == 9:
        form = draw.choice((["csv"], ["latex"], ["csv", "--raw"], ["parquet", "-o", "x.parquet"]))
        return ["export", *run_ref, "--format", *form, *stored]
    if kind == 10 and draw.random() < 0.1:  # a whole one takes seconds
        return ["report", *run_ref, *draw.choice(([], ["-o", "r.html"], ["-o", "/dev/full"])),
                *stored]  # fmt: skip
    if kind == 11:
        return ["list", *draw.choice(([], ["runs"], ["platforms"])), *stored,
                *draw.choice(([], ["--json"]))]  # fmt: skip
    if kind == 12 and draw.random() < 0.6:
        (here / "d.toml").write_bytes(broken(draw, DESIGN))
        return [draw.choice(("check", "import")), "design",
                draw.choice(("d.toml", "d.toml", ".", "nowhere", "p.csv")),
                *draw.choice(([], ["--json"])), *plain]  # fmt: skip
    return ["curve", *one_point, "--ratio", draw.choice(("1:0", "2:1", "x", "0:0")), "--gaps",
            draw.choice(("64", "512,64", "-1", ",")), "--set", "duration=20us", *plain]  # fmt: skip
