"""A LaTeX table in the paper's layout (booktabs): swept keys, peak, average, min, max, σ, η.

Needs `\\usepackage{booktabs}` only. A gap marks each change of the slowest of several keys.
"""

from __future__ import annotations

import re
from itertools import pairwise

from axiometer.answer.analysis.results import View
from axiometer.present import labels
from axiometer.present.text import number

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "“": "``",
    "”": "''",
    "‘": "`",
    "→": r"$\to$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "−": "$-$",
    "…": r"\ldots{}",
    "–": "--",
    "—": "---",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "σ": r"$\sigma$",
    "µ": r"$\mu$",
    "±": r"$\pm$",
    "’": "'",
    "\u202f": r"\,",
    "\u00a0": "~",
}
_PATTERN = re.compile("|".join(re.escape(c) for c in _SPECIAL))


def escape(text: str) -> str:
    """`text` so that LaTeX prints it unchanged, on one line.

    Control characters become spaces and letters that pdfLaTeX's fonts lack become `?`: a TeX
    engine would stop at them.
    """
    flat = "".join(" " if ord(c) < 32 or 127 <= ord(c) < 160 else c for c in text)
    flat = "".join(c if ord(c) < 0x180 or c in _SPECIAL else "?" for c in flat)
    return _PATTERN.sub(lambda m: _SPECIAL[m.group()], flat)


def document(view: View) -> str:
    """The table of a run, with published average and error where there are some."""
    published = any(row.published for row in view.rows)
    keys = view.swept
    heads = [*(labels.heading(k) for k in keys), "peak", "average", "min", "max"]
    cells = [escape(h) for h in heads] + [r"$\sigma$", r"eff.\ (\%)"]
    if published:
        cells += ["published", r"error (\%)"]
    align = "l" * len(keys) + "r" * (len(cells) - len(keys))
    note = escape(f"{view.title}: bandwidth in MB/s, {view.how} by Axiometer (run {view.run_id}).")
    origin = view.source or (view.citation or "").split("\n")[0]
    if published and origin:
        note += " Published: " + escape(origin.rstrip(". ")) + "."
    if not view.complete:
        note += f" Incomplete: {len(view.done)} of {len(view.rows)} points."
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{note}}}",
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        " & ".join(cells) + r" \\",
        r"\midrule",
    ]
    slowest = _slowest(view)
    previous: list[str] = []
    for row in view.rows:
        now = [labels.value_label(k, row.key[k]) if k in row.key else "" for k in keys]
        if previous and slowest is not None and now[slowest] != previous[slowest]:
            lines.append(r"\addlinespace")
        total = row.totals
        values = [
            number(row.ceiling.value),
            *(number(total.get(k)) for k in ("mean", "min", "max")),
            number(total.get("std"), 4),
            number(row.efficiency_pct),
        ]
        if published:
            values += [
                number(row.printed.get("mean")),
                _signed(number(row.error_pct, 2, signed=True)),
            ]
        lines.append(" & ".join([escape(c) for c in now] + [_tex(v) for v in values]) + r" \\")
        previous = now
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}", ""]
    return "\n".join(lines)


def _slowest(view: View) -> int | None:
    """The position of the key that changes least often from row to row, where a gap helps."""
    changes = [
        sum(a.key.get(k) != b.key.get(k) for a, b in pairwise(view.rows)) for k in view.swept
    ]
    changing = [n for n in changes if n]
    if len(changing) < 2 or min(changing) > len(view.rows) // 3:
        return None
    return changes.index(min(changing))


def _tex(value: str) -> str:
    return value if value.startswith("$") else escape(value)


def _signed(value: str) -> str:
    """A signed number in math mode, so that its minus is a minus."""
    return f"${value}$" if value[0] in "+-" else value
