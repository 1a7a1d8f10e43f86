"""A curve in the terminal: rate against a swept size, in braille (or ASCII) dots.

x is logarithmic (ticks at powers of two) or linear, y is linear from zero. The
second series, published points, is drawn as `o`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from axiometer.answer.analysis.results import Row
from axiometer.base.units import significant
from axiometer.present import labels
from axiometer.present.layout import Layout, Panel, number_of
from axiometer.present.text import Style, size

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
Points = Sequence[tuple[float, float]]


def _scaler(low: float, high: float, cells: int, log: bool) -> Callable[[float], int]:
    if log:
        low, high = math.log2(low), math.log2(high)
    span = (high - low) or 1.0

    def scale(value: float) -> int:
        position = (math.log2(value) if log else value) - low
        return min(cells - 1, max(0, round(position / span * (cells - 1))))

    return scale


def draw(
    curve: Points,
    marks: Points,
    style: Style,
    *,
    height: int = 16,
    log: bool = True,
    x_bytes: bool = True,
    names: tuple[str, str] = ("simulated", "published"),
    unit: str = "MB/s",
) -> list[str]:
    """The lines of the picture; `curve` is joined, `marks` are single points.

    x must be positive when `log` (ValueError else); an empty `curve` gives no lines.
    """
    curve = sorted(curve)
    if not curve:
        return []
    xs = [x for x, _ in [*curve, *marks]]
    if log and min(xs) <= 0:
        raise ValueError("a logarithmic axis needs positive values")
    top = _nice(max(y for _, y in [*curve, *marks]))
    left = len(f"{top:g}") + 2
    columns = max(20, min(100, style.columns) - left - 1)
    px = _scaler(min(xs), max(xs), columns * 2, log)
    py = _scaler(0, top, height * 4, False)
    grid = [[0] * columns for _ in range(height)]
    for (x0, y0), (x1, y1) in zip(curve, curve[1:] or curve, strict=False):
        _line(grid, px(x0), py(y0), px(x1), py(y1))
    rows = [[_glyph(cell, style) for cell in line] for line in grid]
    for x, y in marks:
        column, line = px(x) // 2, height - 1 - py(y) // 4
        rows[line][column] = style.paint("o", "yellow")
    out = []
    for i, row in enumerate(rows):
        value = top * (height - i) / height
        tick = f"{value:>{left - 1}g}" if i % 4 == 0 else " " * (left - 1)
        out.append(f"{tick} │{''.join(row)}".rstrip())
    out.append(f"{0:>{left - 1}} └{'─' * columns}" if style.unicode else " " * left + "+")
    out.append(" " * (left + 1) + _ticks(min(xs), max(xs), columns, log, x_bytes))
    legend = f"{style.paint('⣀⣀' if style.unicode else '**', 'cyan')} {names[0]}"
    if marks:
        legend += f"   {style.paint('o', 'yellow')} {names[1]}"
    out.append(" " * (left + 1) + f"{unit}   {legend}")
    return out


def _nice(value: float) -> float:
    """The next of 1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10 × 10^n that is at least `value`."""
    value = max(value, 1e-9)  # an axis of nothing still has a top
    scale = 10.0 ** math.floor(math.log10(value))
    steps = (s * scale for s in (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8))
    return next((step for step in steps if step >= value), 10 * scale)


def _line(grid: list[list[int]], x0: int, y0: int, x1: int, y1: int) -> None:
    """Set the dots from one point to another; y counts up from the bottom."""
    steps = max(abs(x1 - x0), abs(y1 - y0), 1)
    for i in range(steps + 1):
        x = round(x0 + (x1 - x0) * i / steps)
        y = len(grid) * 4 - 1 - round(y0 + (y1 - y0) * i / steps)
        grid[y // 4][x // 2] |= _DOTS[y % 4][x % 2]


def _glyph(cell: int, style: Style) -> str:
    if not cell:
        return " "
    return style.paint(chr(0x2800 + cell) if style.unicode else "*", "cyan")


def _ticks(low: float, high: float, columns: int, log: bool, x_bytes: bool) -> str:
    """Labels under the axis, as many as have room."""
    line = [" "] * columns
    scale = _scaler(low, high, columns, log)
    candidates = (
        [2.0**e for e in range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)]
        if log
        else [low + (high - low) * i / 4 for i in range(5)]
    )
    free = 0
    for value in candidates:
        label = size(int(value)) if x_bytes else significant(value, 4)
        at = scale(value)
        at = min(at, columns - len(label))  # the last label ends with the axis
        if at >= free:
            line[at : at + len(label)] = label
            free = at + len(label) + 4
    return "".join(line).rstrip()


def of(how: str, shape: Layout, panel: Panel, style: Style) -> list[str]:
    """The curves of one panel of `shape`, one picture below the other for each series; `how`: the
    origin of the figures."""
    key, series = shape.along or "", shape.series
    groups: dict[str, list[Row]] = {}
    for row in panel.rows:
        groups.setdefault(labels.value_label(series, row.key[series]) if series else "", []).append(
            row
        )
    lines: list[str] = []
    for name, rows in groups.items():
        xs = [number_of(row, key) or 0.0 for row in rows]
        curve = [(x, r.mean) for x, r in zip(xs, rows, strict=True) if r.mean is not None]
        marks = [
            (x, mean)
            for x, r in zip(xs, rows, strict=True)
            if (mean := r.printed.get("mean")) is not None
        ]
        if not curve:
            continue
        lines += ([name] if name else []) + draw(
            curve,
            marks,
            style,
            log=shape.log,
            x_bytes=labels.is_bytes(key),
            names=(how, "published"),
        )
        lines.append(f"  against {labels.axis(key)}")
    return lines
