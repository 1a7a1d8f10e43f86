"""The self-test of a platform: laws of records over many points, and relations between points.

Points are drawn from a seed and run on the model. Nothing is compared with published figures, so
the self-test works on a new board or chip too. Add a relation by adding a function to
`relations.RELATIONS` (between loads: `loads.RELATIONS`; of causes and advice:
`advice.RELATIONS`), a kind of point by adding one to `draw.KINDS_OF_POINTS`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from axiometer.answer.selftest import advice, draw, loads, relations
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import Point
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.runs.backends import model

RELATIONS = {**relations.RELATIONS, **loads.RELATIONS, **advice.RELATIONS}

# Every so many points, one is also checked against the relations.
RELATED = 4
# Draws for each requested point before the self-test fails.
MOST_DRAWS = 50


@dataclass(frozen=True)
class Breach:
    """A law or relation that does not hold: its name, a sentence, and the command to repeat it."""

    law: str
    sentence: str
    command: str


@dataclass
class Outcome:
    """The result for a platform. `points`: their number by kind; `checked`: by relation, its
    checks; `worst`: by relation, the largest share of the rate by which it was missed; `refused`:
    by message, draws that the platform does not accept."""

    platform: str
    points: dict[str, int] = field(default_factory=dict)
    checked: dict[str, int] = field(default_factory=dict)
    worst: dict[str, float] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    broken: list[Breach] = field(default_factory=list)

    def document(self) -> dict[str, object]:
        """The outcome for JSON."""
        return asdict(self)


def run(
    platform: Platform,
    points: int,
    seed: int = 0,
    say: Callable[[int, int], None] = lambda *_: None,
) -> Outcome:
    """Check `points` points of `platform` against the laws. The same seed gives the same points.

    say: is called after each point with the number done and the number of breaches.
    AxiometerError if the platform accepts hardly any of the drawn points.
    """
    found = Outcome(platform.name)
    number = done = 0
    while done < points:
        if number >= MOST_DRAWS * (done + 1):
            why = max(found.refused, key=lambda m: found.refused[m], default="no kind of point")
            raise AxiometerError(
                f"board {platform.name} accepts hardly any of the drawn points: {why}",
                remedy="check its ports, widths and clocks",
            )
        rng = random.Random(f"{seed}:{platform.name}:{number}")
        number += 1
        try:
            kind, point = draw.point(platform, rng)
        except AxiometerError as error:
            found.refused[error.message] = found.refused.get(error.message, 0) + 1
            continue
        if _one(platform, kind, point, rng, done % RELATED == 0, found):
            done += 1
            say(done, len(found.broken))
    return found


def _one(
    platform: Platform, kind: str, point: Point, rng: random.Random, related: bool, found: Outcome
) -> bool:
    """Run a point and check it; False if the model does not accept it."""
    command = laws.command(platform, point)
    try:
        record = model.run_repeats(platform, point, point.values["seed"], 0, 1)[0]
    except AxiometerError as error:
        found.refused[error.message] = found.refused.get(error.message, 0) + 1
        return False
    except Exception as error:  # any crash is reported as a breach
        found.broken.append(Breach("no crash", f"{type(error).__name__}: {error}", command))
        return True
    found.points[kind] = found.points.get(kind, 0) + 1
    for sentence in laws.broken(platform, point, record):
        found.broken.append(Breach(sentence.partition(":")[0], sentence, command))
    for name, relation in RELATIONS.items() if related else ():
        seen = relation(relations.Subject(platform, kind, point, record, rng))
        if seen is None:
            continue
        found.checked[name] = found.checked.get(name, 0) + 1
        found.worst[name] = max(found.worst.get(name, 0.0), seen.missed)
        if not seen.holds:
            both = f"{command}; {seen.command}" if seen.command else command
            found.broken.append(Breach(name, seen.sentence, both))
    return True
