"""The case study of convolution accelerators on the model: the four steps beside the published
figures, and the steps of `axiometer advise --from`."""

from __future__ import annotations

from itertools import pairwise

from axiometer.advice.of_point import PointStart
from axiometer.advice.search import Search
from axiometer.answer.analysis import accelerators, stats
from axiometer.answer.trials.trial import Trial
from axiometer.experiment import Experiment
from axiometer.present import trial_text
from axiometer.published.reference import Reference
from axiometer.runs.backends import model
from validate.compared import Outcome, table

NAME = "ultra96-convolution"
SETTINGS = tuple(f"controller.{name}" for name in ("run_length", "starve_clocks", "starve_limit"))
LOSSES = ("activate_precharge", "refresh")  # beside turnarounds
FREE = ("pl_mhz", "placement", *SETTINGS)
FIXED = (*FREE, "ports", "outstanding_read", "outstanding_write", "mapping")
WORDS = ("round robin, 128 B", "buffer after buffer, 128 B", "QoS changed", "4 KiB bursts")


def figures(experiment: Experiment, repeats: int) -> list[dict]:
    """Of each step: what `accelerators.figures` gives, and `classes` of bus time, in percent."""
    found = []
    for point in experiment.points():
        records = model.run_repeats(experiment.platform, point, 0, 0, repeats)
        peak = accelerators.dram_peak(experiment.platform)
        elapsed = sum(r["elapsed_s"] for r in records)
        classes = {
            name: 100 * sum(r["dram"]["classes_s"][name] for r in records) / elapsed
            for name in records[0]["dram"]["classes_s"]
        }
        found.append(accelerators.figures(stats.summarise(records), peak) | {"classes": classes})
    return found


def number(value: float | None, digits: int) -> str:
    """ "" of none."""
    return "" if value is None else f"{value:.{digits}f}"


def steps(found: list[dict]) -> list[str]:
    """Each step beside the published figures."""
    published = Reference.load("manev2019-convolution.csv")
    digits = dict(zip(accelerators.NAMES, (2, 1, 2), strict=True))
    body = []
    for words, point, own in zip(WORDS, Experiment.load(NAME).points(), found, strict=True):
        row = published.match(point.values)
        cells = [words]
        for name, places in digits.items():
            cells += [number(own[name], places), number(row.figures.get(name), places)]
        body.append(cells)
    shown = ("MC/s", "DDR efficiency, %", "imbalance")
    return table(("step", *(head for one in shown for head in (one, "published"))), body)


def losses(found: list[dict]) -> list[str]:
    """Where the bus loses its time."""
    body = []
    for words, own in zip(WORDS, found, strict=True):
        turn = own["classes"]["read_to_write"] + own["classes"]["write_to_read"]
        shares = (turn, *(own["classes"][name] for name in LOSSES))
        body.append([words, *(f"{share:.1f} %" for share in shares)])
    return table(("step", "turnarounds", "activates and precharges", "refresh"), body)


def way(fixed: tuple[str, ...]) -> list[str]:
    """What `advise` changes, one after the other."""
    experiment = Experiment.load(NAME)
    start = PointStart(experiment.platform, experiment.points()[0].values, fixed=fixed)
    search = Search(start, "minimum").run()
    none = Trial((), search.before, search.before)
    body = []
    for before, of in pairwise((none, none, *search.steps)):
        words, work = trial_text.further(before, of) or "the first step", of.after.work
        shown = zip(accelerators.NAMES, (2, 1, 2), strict=True)
        body.append([words, *(number(work[name], places) for name, places in shown)])
    return table(("change", "MC/s", "DDR efficiency", "imbalance"), body)


def run(repeats: int) -> Outcome:
    """The page's sections."""
    found = figures(Experiment.load(NAME), repeats)
    parts = {
        "steps": steps(found),
        "losses": losses(found),
        "way": way(FREE),
        "way-fixed": way(FIXED),
    }
    parts = {name: "\n".join(lines) for name, lines in parts.items()}
    said = [f"{own['convolutions_M']:.2f}" for own in found]
    return Outcome(f"{', '.join(said)} MC/s", True, list(parts.values()), parts)
