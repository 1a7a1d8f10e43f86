"""Writes the configurations whose instructions are counted, `model/bench/points.txt`.

They are kept in a file so that a new figure of a board does not change what is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from axiometer.experiment import Experiment
from axiometer.runs.cosim.process import flat
from axiometer.simulate.scenario import Scenario

FILE = Path(__file__).resolve().parents[2] / "model" / "bench" / "points.txt"
ZYBO = "zybo-hp-bandwidth"
FOUR = "ports=HP0+HP1+HP2+HP3"
BOTH = "mode=duplex"
RANDOM = "pattern=random"

# Experiment, settings (one point), repeats, whether what recurs is skipped.
POINTS: list[tuple[str, list[str], int, bool]] = [
    (ZYBO, [FOUR, BOTH, "width_bits=64", "transfer_bytes=128KiB"], 1, False),
    (ZYBO, [FOUR, BOTH, "width_bits=32", "transfer_bytes=128KiB"], 1, False),
    (ZYBO, ["ports=HP0+HP1+HP2", BOTH, "width_bits=32", "transfer_bytes=128KiB"], 1, False),
    (ZYBO, [FOUR, "mode=ps_to_pl", "width_bits=64", "transfer_bytes=128KiB"], 1, False),
    (ZYBO, ["ports=HP0+HP2", "mode=pl_to_ps", "width_bits=64", "transfer_bytes=256KiB"], 1, False),
    (ZYBO, [FOUR, BOTH, "width_bits=64", "transfer_bytes=256KiB"], 2, True),
    (ZYBO, [FOUR, BOTH, "width_bits=64", RANDOM, "transfer_bytes=128KiB"], 1, False),
    ("de1-soc-f2s-bandwidth", ["width_bits=128", BOTH, "transfer_bytes=512KiB"], 1, False),
    ("zcu102-mixed", [FOUR, "burst_bytes=256", "duration=40us"], 1, True),
    ("ultra96-read", ["ports=HP0+HP1", "burst_bytes=64", "duration=40us"], 1, True),
]


def lines() -> Iterator[str]:
    """The lines of the file, with an empty one after each configuration."""
    for name, settings, repeats, skip in POINTS:
        experiment = Experiment.load(name, settings)
        (point,) = experiment.points()
        scenario = Scenario.of(experiment.platform, point.values)
        start = {"start": scenario.start(0, 0).document(), "repeats": repeats, "skip": int(skip)}
        yield from (f"{key} {value}" for key, value in flat(scenario.document() | start))
        yield ""


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n")
