"""Experiments, platforms and queue files: TOML that a stranger gave."""

from __future__ import annotations

import json
import re

TITLE = "experiment, platform and queue files (TOML)"
_WORDS = r"""[defaults] [sweep] [[point]] set." controller. dram.timing. ports mode pl_mhz
burst_beats burst_bytes transfer_bytes duration repeats pattern stride: outstanding_read
masters_per_port background gap_cycles skew_us placement mapping qos accelerators seed master
platform= zybo zcu102 zedboard "HP0+HP1" duplex 1e308 nan inf -0.0 0x7fffffffffffffff
9223372036854775807 1979-05-27T07:32:00Z { value= source=
register= fitted= selected= why= guess= same_as= like= set_by_boards min= max= unit= '''
\u0000 \u001b[31m"""
WORDS = [*_WORDS.encode().split(), b"\n", b'"""']


def seeds() -> list[bytes]:
    from axiometer.base import data

    small = (
        'name="a"\ntitle="t"\nplatform="zybo"\n[defaults]\nrepeats=2\n'
        '[sweep]\nports=["HP0","HP0+HP1"]\nmode=["duplex","ps_to_pl"]\npl_mhz=[50,100]\n'
        '[[point]]\nports="HP2"\nburst_beats=4\n'
    )
    found = [b"E" + small.encode()]
    shipped = sorted(data.directory("experiments").glob("*.toml"), key=lambda p: p.stat().st_size)
    found += [b"E" + p.read_bytes() for p in shipped[:4]]
    files = [data.find_toml("boards", "zybo"), data.find_toml("chips", "zynq-7000")]
    found.append(b"P" + b"\f".join(_without_comments(path.read_text()) for path in files))
    found.append(b'Qsystem="slurm"\njobs=3\n[options]\nqueue="a"\n')
    return found


MAX_BYTES = 40_000


def _without_comments(text: str) -> bytes:
    return b"\n".join(
        re.sub(r'source = ".*?"', 'source = "s"', line).encode()
        for line in text.splitlines()
        if line and not line.startswith("#")
    )


def one(data: bytes) -> None:
    import tempfile
    from pathlib import Path

    from axiometer.base.data import names as data_names
    from axiometer.experiment import Experiment
    from axiometer.experiment.points import single
    from axiometer.platform import Platform
    from axiometer.runs.runner.cluster import _read

    kind, rest = data[:1], data[1:]
    if kind == b"Q":
        with tempfile.NamedTemporaryFile(suffix=".toml") as file:
            Path(file.name).write_bytes(rest)
            _read(Path(file.name))
        return
    text = rest.decode("utf-8", "replace")
    if kind == b"P":
        board, *chips = text.split("\f")
        files = [{"kind": "boards", "name": "", "file": "fuzz.toml", "text": board}]
        files += [
            {"kind": "chips", "name": "zynq-7000", "file": "chip.toml", "text": chip}
            for chip in chips
        ]
        platform = Platform.kept(json.dumps(files), "fuzz.toml")
        single(platform, {"ports": platform.ports[0]})
    else:
        experiment = Experiment(text, "fuzz.toml")
        # A platform of the installation is the same each time.
        known = experiment.platform_name in data_names("platforms")
        if known and experiment.platform_name not in _platforms:
            _platforms[experiment.platform_name] = Platform.load(experiment.platform_name)
        experiment._platform = _platforms.get(experiment.platform_name)
        experiment.points()


_platforms: dict = {}
