"""The layout of a run's picture: a curve over a swept size, or rows of points; and its panels.

A curve needs a numeric swept key with at least `CURVE_FROM` values (or the experiment's `plot`
hint). Otherwise every point is a row, named by one key, in one panel for each combination of the
other keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axiometer.answer.analysis.results import Row, View
from axiometer.present import labels

CURVE_FROM = 5
MOST_LINES = 7
"""Lines of a chart with a colour each; more sets of ports get a panel for each number of ports."""
_PREFERRED = ("transfer_bytes", "burst_bytes", "burst_beats", "gap_cycles", "pl_mhz")


@dataclass(frozen=True)
class Panel:
    """Rows that are drawn together; `title` holds the keys that they share."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Layout:
    """`along` is the key of the x axis (curve) or of the row labels (None: all keys); a curve has a
    line for each value of the key `series`; `across` panels are side by side; `log` makes a curve's
    x axis logarithmic."""

    curve: bool
    along: str | None
    series: str | None
    panels: Sequence[Panel]
    across: int = 1
    log: bool = False

    def label(self, row: Row) -> str:
        """The label of a row within its panel."""
        if self.along is None:
            return labels.key_label(row.key) or "the point"
        return labels.value_label(self.along, row.key.get(self.along, ""))


def _values(rows: Sequence[Row], key: str) -> list[object]:
    return list(dict.fromkeys(str(row.key[key]) for row in rows if key in row.key))


def number_of(row: Row, key: str) -> float | None:
    """A row's value of a key as a number (sizes normalised to bytes); None if it has none."""
    value = row.values.get(key, row.key.get(key))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)


def curve_key(view: View) -> str | None:
    """The swept key that makes a curve, if one does."""
    numeric = [k for k in view.swept if all(number_of(row, k) is not None for row in view.rows)]
    hint = view.plot.get("x")
    if hint in numeric and len(_values(view.rows, hint)) > 1:
        return hint
    long = [k for k in numeric if len(_values(view.rows, k)) >= CURVE_FROM]
    return next((k for k in _PREFERRED if k in long), long[0] if long else None)


def layout(view: View) -> Layout:
    """The picture that suits a run."""
    varied = [k for k in view.swept if len(_values(view.rows, k)) > 1]
    curve = curve_key(view)
    if curve:
        rest = [k for k in varied if k != curve]
        series = next((k for k in ("ports", *rest) if k in rest), None)
        panels, across = _panels(view, [k for k in rest if k != series])
        if series == "ports" and len(_values(view.rows, series)) > MOST_LINES:
            panels, across = [part for panel in panels for part in _by_ports(panel)], 2
        positive = all((number_of(row, curve) or 0) > 0 for row in view.rows)
        log = bool(view.plot.get("log", labels.is_bytes(curve))) and positive
        return Layout(True, curve, series, panels, across, log)
    along = "ports" if "ports" in varied else next(iter(varied), None)
    panels, across = _panels(view, [k for k in varied if k != along])
    if max((len(p.rows) for p in panels), default=0) < 2 or any(
        len(_values(p.rows, along or "")) < len(p.rows) for p in panels
    ):
        return Layout(False, None, None, [Panel("", view.rows)])
    return Layout(False, along, None, panels, across)


def _by_ports(panel: Panel) -> list[Panel]:
    """A panel for each number of ports."""
    parts: dict[int, list[Row]] = {}
    for row in panel.rows:
        parts.setdefault(len(row.values.get("ports") or ()), []).append(row)

    def title(count: int) -> str:
        words = f"{count} port{'s' * (count != 1)}"
        return f"{panel.title} · {words}" if panel.title else words

    return [Panel(title(count), rows) for count, rows in sorted(parts.items())]


def _panels(view: View, keys: Sequence[str]) -> tuple[list[Panel], int]:
    """The panels and how many are side by side: with two keys, the longer one (up to three)."""
    groups: dict[str, list[Row]] = {}
    for row in view.rows:
        name = labels.key_label({k: row.key[k] for k in keys if k in row.key})
        groups.setdefault(name, []).append(row)
    panels = [Panel(name, rows) for name, rows in groups.items()]
    if len(keys) != 2:
        return panels, len(panels) if len(panels) < 3 else 3 if len(panels) % 3 == 0 else 2
    down, across = sorted(keys, key=lambda k: len(_values(view.rows, k)))
    order = {k: {v: n for n, v in enumerate(_values(view.rows, k))} for k in keys}

    def place(panel: Panel) -> tuple[int, int]:
        key = panel.rows[0].key
        return tuple(order[k][str(key.get(k))] for k in (down, across))  # type: ignore

    count = len(order[across])
    # Only a full grid can be laid out by its keys; a ragged one keeps the order of the run.
    if len(panels) == count * len(order[down]) and all(set(keys) <= set(r.key) for r in view.rows):
        return sorted(panels, key=place), count if count <= 3 else 2
    return panels, 2
