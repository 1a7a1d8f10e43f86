"""The self-test of a platform: laws of records over many points, and relations between points.

Points are drawn from a seed and run on the model; nothing is compared with published figures, so
that it works on a new board or chip as well. Add a relation by adding a function to
`relations.RELATIONS` (of loads to `loads.RELATIONS`, of what is said of points to
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

# Of the points, every so many is also held against its relations.
RELATED = 4
# Draws for each point wanted before it is said that the platform takes none.
MOST_DRAWS = 50


@dataclass(frozen=True)
class Breach:
    """A law or relation that does not hold: its name, a sentence, and what runs it again."""

    law: str
    sentence: str
    command: str


@dataclass
class Outcome:
    """What was found of a platform. `points` by kind; `checked`: relations by name, with how
    often they were looked at; `worst`: of relations that allow something, the largest share by
    which one was missed; `refused`: draws that the platform does not take, by message."""

    platform: str
    points: dict[str, int] = field(default_factory=dict)
    checked: dict[str, int] = field(default_factory=dict)
    worst: dict[str, float] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    broken: list[Breach] = field(default_factory=list)

    def document(self) -> dict[str, object]:
        """As JSON has it."""
        return asdict(self)


def run(
    platform: Platform,
    points: int,
    seed: int = 0,
    say: Callable[[int, int], None] = lambda *_: None,
) -> Outcome:
    """`points` points of `platform` against the laws. The same seed gives the same points.

    say: is told after each point how many are done, and of how many a law broke. AxiometerError
    if the platform takes none of the points that were drawn.
    """
    found = Outcome(platform.name)
    number = done = 0
    while done < points:
        if number >= MOST_DRAWS * (done + 1):
            why = max(found.refused, key=lambda m: found.refused[m], default="no kind of point")
            raise AxiometerError(
                f"board {platform.name} takes hardly any of the points drawn: {why}",
                remedy="look at its ports, widths and clocks",
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
    """Runs a point and looks at it; False if the model does not take it."""
    command = laws.command(platform, point)
    try:
        record = model.run_repeats(platform, point, point.values["seed"], 0, 1)[0]
    except AxiometerError as error:
        found.refused[error.message] = found.refused.get(error.message, 0) + 1
        return False
    except Exception as error:  # whatever it is, it is a fault that the user must hear of
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
