"""The laws that every record must keep, from any backend: physics and arithmetic, no judgement.

`broken` lists the laws that a record breaks; `check` guards the store and the answers. Each law is
a function of a `Case` that yields a sentence for each breach, with the law, the value and the
bound. Laws between points (a wider port is not slower) are in `axiometer selftest`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.record import Record
from axiometer.experiment import expect_command
from axiometer.experiment.points import Point
from axiometer.platform import Platform
from axiometer.records.laws import bursts, bytes_, figures, peaks, times
from axiometer.records.laws.case import Case
from axiometer.simulate.stream import Stream

Law = Callable[[Case], Iterator[str]]

# Laws of figures come first: a bad figure breaks the others, too.
FIRST = (figures.finite, figures.not_negative, times.some_time)
LAWS = (
    *(times.dram_classes, times.stream_classes, times.processor_classes, times.spans),
    *(bytes_.rates, bytes_.ports, bytes_.streams, bytes_.jobs, bytes_.beats, bytes_.commands),
    *(peaks.port, peaks.path, peaks.bus),
    *(bursts.ordered, bursts.counted, bursts.little),
)
# For a memory that is no chip's and has no known rate.
OF_NO_CHIP = tuple(law for law in LAWS if law not in (peaks.path, peaks.bus))
MOST_SHOWN = 5


def broken(
    platform: Platform,
    point: Point,
    record: Record,
    streams: Sequence[Stream] | None = None,
    kept: Sequence[Law] = LAWS,
) -> list[str]:
    """The laws that `record` of `point` on `platform` breaks, a sentence each; [] for a good
    record.

    streams: of the scenario, if they differ from the point's keys (masters of `advise`, loads of
    `curve`). kept: the laws for this record.
    """
    case = Case(platform, point.values, record, streams)
    return list(_of(case, FIRST)) or list(_of(case, kept))


def _of(case: Case, laws: Sequence[Law]) -> Iterator[str]:
    for law in laws:
        try:
            yield from law(case)
        except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
            why = f"{type(error).__name__}: {error}"
            yield f"form of a record: {law.__name__} cannot read it ({why})"


def check(
    platform: Platform,
    point: Point,
    records: Sequence[Record],
    streams: Sequence[Stream] | None = None,
    kept: Sequence[Law] = LAWS,
) -> None:
    """AxiometerError if one of `records` breaks a law, with laws, point and remedy."""
    for record in records:
        found = broken(platform, point, record, streams, kept)
        if found:
            raise error(platform, point, record, found)


def error(platform: Platform, point: Point, record: Record, found: Sequence[str]) -> AxiometerError:
    """The error for a record that breaks the laws `found`."""
    shown = [f"\n  {sentence}" for sentence in found[:MOST_SHOWN]]
    if len(found) > MOST_SHOWN:
        shown.append(f"\n  and {len(found) - MOST_SHOWN} more")
    return AxiometerError(
        f"repeat {record.get('repeat')} of {words(platform, point)} breaks a law that every record "
        f"keeps, so its figures are wrong and not saved:{''.join(shown)}",
        remedy=f"please report it with `axiometer --version` and: {command(platform, point)}",
        status=RUN_FAILED,
    )


def words(platform: Platform, point: Point) -> str:
    """A point in one line."""
    keys = ", ".join(f"{name}={value}" for name, value in point.key.items())
    return f"{platform.name}: {keys or '+'.join(point.values['ports'])}"


def command(platform: Platform, point: Point) -> str:
    """A command that repeats the point; the point in words if no command means the same."""
    return expect_command.command(platform, point.values) or words(platform, point)
