"""The figures at the top of a report. Fitted and predicted rows never share one."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.answer.analysis import comparison
from axiometer.answer.analysis.results import DEGRADED_BELOW_PCT, WIDENED, View
from axiometer.answer.verdicts.explained import Explained
from axiometer.present import bottleneck_text, labels
from axiometer.present.text import minus, number


def of(view: View, explained: Mapping[int, Explained]) -> list[dict[str, str]]:
    """The figures at the top. Fitted and predicted rows never share one."""
    done, every = len(view.done), len(view.rows)
    tiles = [{"figure": str(done), "unit": "" if done == every else f"of {every}",
              "label": "points", "note": "" if view.complete else "incomplete run"}]  # fmt: skip
    groups = comparison.split(view.rows)
    for name in ("predicted", "fitted"):
        g = groups[name]
        if g.compared:
            tiles.append(
                {
                    "figure": number(g.mean_abs_error_pct),
                    "unit": "%",
                    "label": f"error of {name} rows",
                    "note": f"mean |error| over {g.compared} row{'s' if g.compared > 1 else ''}",
                }
            )
    every_row = groups["all"]
    if every_row.compared and not (groups["predicted"].compared or groups["fitted"].compared):
        tiles.append(
            {
                "figure": number(every_row.mean_abs_error_pct),
                "unit": "%",
                "label": "error",
                "note": f"mean |error| over {every_row.compared} rows",
            }
        )
    if every_row.worst is not None:
        tiles.append(
            {
                "figure": minus(number(every_row.worst.error_pct, 1, signed=True)),
                "unit": "%",
                "label": "worst row",
                "note": labels.key_label(every_row.worst.key),
            }
        )
    if every_row.ranged:
        tiles.append(
            {
                "figure": str(every_row.inside),
                "unit": f"of {every_row.ranged}",
                "label": "in published range",
                "note": f"{every_row.inside_widened} if widened by {WIDENED * 100:g}\u00a0%",
            }
        )
    if not every_row.compared:
        best = max(view.done, key=lambda row: row.mean or 0)
        tiles.append(
            {
                "figure": f"{best.mean:.0f}",
                "unit": "MB/s",
                "label": "highest rate",
                "note": labels.key_label(best.key),
            }
        )
    marked = sum(row.degraded for row in view.rows)
    tiles.append(
        {
            "figure": str(marked),
            "unit": f"of {done}",
            "label": f"below {DEGRADED_BELOW_PCT:g}\u00a0% efficiency",
            "note": _causes(explained),
        }
    )
    return tiles


def _causes(explained: Mapping[int, Explained]) -> str:
    """The most frequent bottleneck of the degraded rows."""
    names = [bottleneck_text.called(e.verdict) for e in explained.values() if e.row.degraded]
    if not names:
        return ""
    most = max(dict.fromkeys(names), key=names.count)
    return f"mostly: {most}"
