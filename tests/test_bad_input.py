"""Mistakes in an experiment are reported as FILE:LINE: mistake, then a remedy."""

import pytest

import kit
from axiometer.__main__ import main


def defaults(line: str) -> str:
    return kit.EXPERIMENT.replace("repeats = 8", f"repeats = 8\n{line}")


def replaced(old: str, new: str) -> str:
    assert old in kit.EXPERIMENT
    return kit.EXPERIMENT.replace(old, new, 1)


# In a file: the text of the experiment, the line of the mistake, a part of the message.
IN_FILE = {
    "syntax": ("name = \n", 1, "not valid TOML"),
    "unclosed text": ('name = "x\n', 1, "not valid TOML"),
    "duplicate key": (defaults("repeats = 9"), 9, "not valid TOML"),
    "no name": (replaced('name = "small"\n', ""), 1, "name is missing"),
    "name not text": (replaced('"small"', "3"), 1, 'write name = "..."'),
    "name with a slash": (replaced('"small"', '"a/b"'), 1, "use letters"),
    "no platform": (replaced('platform = "tiny.toml"', ""), 1, "platform is missing"),
    "unknown platform": (replaced("tiny.toml", "zyboo"), 3, "did you mean 'zybo'"),
    "unknown platform file": (replaced("tiny.toml", "tny.toml"), 3, "there is no board file"),
    "unknown top key": ("titel = 1\n" + kit.EXPERIMENT, 1, "did you mean 'title'"),
    "key out of its table": ("mode = 1\n" + kit.EXPERIMENT, 1, "belongs under [defaults]"),
    "unknown default": (defaults("burst_beat = 4"), 9, "did you mean 'burst_beats'"),
    "unknown sweep": (kit.EXPERIMENT + "prots = [1]", 13, "did you mean 'ports'"),
    "defaults not a table": ("defaults = 3\n" + kit.EXPERIMENT.split("[")[0], 1, "[defaults]"),
    "point not a list": (kit.EXPERIMENT + "[point]\n", 13, "write [[point]]"),
    "list as default": (defaults("burst_beats = [1, 2]"), 9, "list it under [sweep]"),
    "value as sweep": (kit.EXPERIMENT + "burst_beats = 4", 13, "list its values"),
    "empty sweep": (kit.EXPERIMENT + "burst_beats = []", 13, "list its values"),
    "swept and default": (kit.EXPERIMENT + "repeats = [1]", 13, "on line 8"),
    "swept twice": (kit.EXPERIMENT + "burst_beats = [1,\n1]", 14, "lists 1 twice"),
    "unknown port": (replaced('"P0+P1+P2"', '"P0+P7"'), 12, "ports of tiny: P0, P1, P2"),
    "port twice": (replaced('"P0+P1"', '"P0+P0"'), 12, "name each port once"),
    "ports not text": (replaced('"P0+P1"', "7"), 12, 'as text: "P0+P1"'),
    "no ports": (replaced('ports = ["P0", "P0+P1", "P0+P1+P2"]', ""), 11, "no ports are given"),
    "unknown mode": (replaced('"ps_to_pl"]', '"dupplex"]'), 11, "did you mean 'duplex'"),
    "width of no port": (replaced("= 64", "= 48"), 6, "widths of P0: 32, 64"),
    "width of one port only": (replaced("= 64", "= 32"), 6, "widths of P2: 64, 128"),
    "width true": (replaced("= 64", "= true"), 6, "cannot be True bits wide"),
    "clock too fast": (defaults("pl_mhz = 251"), 9, "a number from 1 to 250"),
    "clock not a number": (defaults('pl_mhz = "100"'), 9, "a number from 1 to 250"),
    "clock nan": (defaults("pl_mhz = nan"), 9, "a number from 1 to 250"),
    "burst of 0": (defaults("burst_beats = 0"), 9, "from 1 to 16"),
    "burst of 17": (defaults("burst_beats = 17"), 9, "from 1 to 16"),
    "burst of 2.5": (defaults("burst_beats = 2.5"), 9, "a whole number"),
    "burst of odd bytes": (defaults("burst_bytes = 100"), 9, "a multiple of 8 up to 128"),
    "burst of many bytes": (defaults('burst_bytes = "4KiB"'), 9, "a multiple of 8 up to 128"),
    "two bursts": (defaults("burst_bytes = 8\nburst_beats = 1"), 10, "only one of them"),
    "transfer of 0": (replaced('"64KiB"', "0"), 7, "at least 1 byte"),
    "transfer negative": (replaced('"64KiB"', "-1"), 7, "at least 1 byte"),
    "transfer without unit": (replaced('"64KiB"', '"64 cows"'), 7, "number with B, K, M or G"),
    "transfer fraction": (replaced('"64KiB"', "1.5"), 7, "a number of bytes"),
    "transfer too large": (replaced("64KiB", "5MiB"), 7, "tiny has 16MiB"),
    "size and duration": (defaults('duration = "1s"'), 9, "only one of them"),
    "duration without unit": (replaced('transfer_bytes = "64KiB"', "duration = 5"), 7, "a unit"),
    "duration of 0": (replaced('transfer_bytes = "64KiB"', 'duration = "0s"'), 7, "at least 1us"),
    "no repeats": (replaced("= 8", "= 0"), 8, "from 1 to 100000"),
    "too many repeats": (replaced("= 8", "= 100001"), 8, "from 1 to 100000"),
    "unknown pattern": (defaults('pattern = "randm"'), 9, "did you mean 'random'"),
    "stride of nothing": (defaults('pattern = "stride:"'), 9, "a number of bytes"),
    "stride not aligned": (defaults('pattern = "stride:12"'), 9, "a multiple of 8"),
    "outstanding 0": (defaults("outstanding_read = 0"), 9, "from 1 to 63"),
    "outstanding 64": (defaults("outstanding_write = 64"), 9, "from 1 to 63"),
    "gap too long": (defaults("gap_cycles = 65536"), 9, "from 0 to 65535"),
    "skew negative": (defaults("skew_us = -1"), 9, "a number from 0"),
    "unknown placement": (defaults('placement = "packt"'), 9, "did you mean 'packed'"),
    "unknown mapping": (defaults('mapping = "column"'), 9, "bank-row-column"),
    "seed negative": (defaults("seed = -1"), 9, "a whole number"),
    "unknown figure": (defaults('set."controller.starve" = 1'), 9, "starve_clocks"),
    "figure out of range": (defaults('set."controller.starve_clocks" = 0'), 9, "least"),
    "figure of another type": (defaults('set."controller.policy" = 1'), 9, "zynq-ddrc"),
    "set in a point": (kit.EXPERIMENT + '[[point]]\nset."a.b" = 1', 14, "[defaults]"),
    "unknown plot key": (replaced("[defaults]", "plot = { y = 1 }\n[defaults]"), 5, "plot"),
    "plot of no text": (replaced("[defaults]", "plot = { x = 1 }\n[defaults]"), 5, "plot.x"),
    "too many points": (
        kit.EXPERIMENT + f"gap_cycles = {list(range(400))}\nseed = {list(range(400))}",
        11,
        "at most 100000 points",
    ),
    "bad value in a point": (
        kit.EXPERIMENT + '[[point]]\nports = "P0"\nburst_beats = 99',
        15,
        "1 to 16",
    ),
    "drawn over nothing": (
        'plot = { x = "nope" }\n' + kit.EXPERIMENT,
        1,
        "varied keys: mode, ports",
    ),
    "drawn over a default": (
        'plot = { x = "repeats" }\n' + kit.EXPERIMENT,
        1,
        "that no point varies",
    ),
    "drawn over a slip": ('plot = { x = "port" }\n' + kit.EXPERIMENT, 1, "did you mean 'ports'"),
    "point without ports": (kit.EXPERIMENT + "[[point]]\nburst_beats = 9", 14, "no ports"),
}


@pytest.mark.parametrize("text, line, message", IN_FILE.values(), ids=IN_FILE)
def test_in_a_file(text, line, message, tmp_path, capsys):
    path = kit.write(tmp_path, experiment=text)
    status = main(kit.run_arguments(path, tmp_path / "runs.db"))
    printed = capsys.readouterr()
    assert status == 2
    assert printed.out == ""
    assert printed.err.startswith(f"axiometer: {path}:{line}: ")
    assert message in printed.err
    assert len(printed.err.splitlines()) >= 2  # what is wrong, and a remedy
    assert "Traceback" not in printed.err
    assert not (tmp_path / "runs.db").exists()
