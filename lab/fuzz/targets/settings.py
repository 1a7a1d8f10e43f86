"""`--set KEY=VALUE` and the other texts that options take."""

from __future__ import annotations

TITLE = "settings: --set, ratios, gaps, sizes, times"
MAX_BYTES = 1500
WORDS = [
    b"ports=",
    b"pl_mhz=",
    b"controller.write_bytes=",
    b"HP0+HP1",
    b",",
    b"1e400",
    b"nan",
    b"qos=",
    b"HP0=video",
    b"background=",
    b"DisplayPort=1000",
    b"KiB",
    b"duration=",
    b"us",
    b"stride:",
    b"dram.timing.tRFC=",
    b"set.",
    b"0x",
    b"_",
    b"9" * 30,
    b"\xc2\xb2",
]
_BOARDS = ("zybo", "zcu102", "zedboard", "de1-soc")


def seeds() -> list[bytes]:
    from axiometer.experiment.keys import KEYS

    examples = {
        "ports": "HP0+HP1",
        "mode": "read",
        "transfer_bytes": "32KiB",
        "duration": "10ms",
        "pattern": "stride:64",
        "qos": "HP0=video",
        "background": "DisplayPort=100",
    }
    texts = [f"{name}={examples.get(name, 4)}" for name in KEYS]
    texts += ["pl_mhz=50,100", "controller.starve_clocks=32", "ports=HP0+HP1,HP1+HP0", "2:1"]
    return [bytes([i % len(_BOARDS)]) + text.encode() for i, text in enumerate(texts)]


def one(data: bytes) -> None:
    from axiometer.answer.analysis import load_sweep
    from axiometer.base.errors import AxiometerError
    from axiometer.experiment import Experiment
    from axiometer.platform import Platform

    board = _BOARDS[(data[0] if data else 0) % len(_BOARDS)]
    texts = data[1:].decode("utf-8", "replace").split("\n")
    if board not in _platforms:
        _platforms[board] = Platform.load(board)
    platform = _platforms[board]
    head = f'name="a"\ntitle="t"\nplatform="{board}"\n[defaults]\nports="{platform.ports[0]}"\n'
    for parse in (load_sweep.ratio, load_sweep.gaps):
        try:
            parse(texts[0])
        except AxiometerError:
            continue
    Experiment(head, "fuzz.toml", texts[:4], platform).points()


_platforms: dict = {}
