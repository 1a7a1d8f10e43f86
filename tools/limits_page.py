"""docs/limits.md from limits.toml and from the model: what each figure and each key may be.

    tools/limits_page.py [--write]

Prints the page, or writes it. A test compares them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from axiometer.platform import limits

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "limits.md"
HEAD = """\
# Limits
What each figure of a platform and each key of an experiment may be, for whoever writes a platform
or sets one with `--set`. Figures that the model takes by their name have its own limits
([model-keys.md](model-keys.md)); of all others the table is `src/axiometer/platform/limits.toml`.
This page is made from both by `tools/limits_page.py --write`. The first line that fits a figure's
path holds; `*` stands for any part of a path without a dot. A platform's own `min` and `max` can
only narrow a limit.

What goes together is checked by the model, which names the figure: a part fits into its port's
FIFO, tREFI leaves time between refreshes, a program's `launch_jitter_us` is at most what its launch
takes.

**Clocks.** A rate is taken as typed if it is a whole number of 100 Hz or a fraction of a MHz with a
denominator of up to 200, but for noise below 1.2e-9 of it. Any other becomes the nearest such
fraction if that is within 1 ppm, or a whole number of Hz; `expect` and `run` say so. They also say
whether the PLL that the board's registers set for the fabric makes the clock, and the next ones.
Streams at the memory's ports run at what is asked for, since a design may set that PLL otherwise or
make its clock in the fabric; the processor's side runs at the nearest that its PLL makes.

**Cost.** A point that would simulate more than 2e10 DRAM clocks by its duration, or 1e12 in the
worst case of its transfers, is refused before it starts. A run in which no data move for longer
than its figures can explain ends and names the stream that waits.
"""
KINDS = {
    "whole": "whole number",
    "number": "number",
    "truth": "true or false",
    "word": "one of",
    "text": "text",
    "wholes": "list of whole numbers",
    "texts": "list of texts",
    "rate": "text: number or fraction",
}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, of in (
        ("Figures that reach the model as they stand", limits.of_the_model()),
        ("Other figures of a platform", limits.table("figure")),
        ("Keys of an experiment", limits.table("key")),
    ):
        parts.append(f"\n## {title}\n")
        parts.append("| path | may be | least | most | unit | why |\n|---|---|---|---|---|---|\n")
        parts += [_row(limit) for limit in of]
    return "".join(parts)


def _row(limit: limits.Limit) -> str:
    paths = ", ".join(f"`{key}`" for key in limit.keys)
    may = KINDS[limit.kind] + "".join(f" `{word}`" for word in limit.choices)
    least, most = ("" if x is None else f"{x}" for x in (limit.least, limit.most))
    return f"| {paths} | {may} | {least} | {most} | {limit.unit or ''} | {limit.why} |\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")
