"""The sample of Zynq UltraScale+ (`usp_cases.py`) with the RTL and with the model.

Usage: python tests/validate_rtl_usp.py [--repeats N] [--write FILE]. Prints a line a row; exit
status 1 if a total or a mean latency differs by more than 1 %.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import agreement
import usp_cases
from validate_rtl import HEAD, lines, summary, text

LIMIT = 1.0  # per cent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    rows = []
    for case in usp_cases.SAMPLE:
        for row in agreement.traffic(case, args.repeats):
            rows.append(row)
            print(text(row), flush=True)
    print(summary(rows))
    if args.write:
        args.write.write_text(page(rows, args.repeats))
    return any(abs(r.total_error) > LIMIT or abs(r.latency_error) > LIMIT for r in rows)


def page(rows: list[agreement.Row], repeats: int) -> str:
    """The page docs/agreement-usp.md."""
    told = [
        "# RTL against model, Zynq UltraScale+",
        "",
        f"Written by `python tests/validate_rtl_usp.py --repeats {repeats} --write "
        "docs/agreement-usp.md`.",
        "Simulated; both backends from the same starts.",
        "",
        f"{usp_cases.EACH} configurations of each board, mode (read, write, both at once) and",
        "pattern (in sequence, strided, random), drawn by the rule in `tests/usp_cases.py`: ports,",
        "burst size, PL clock, mapping, gaps, duration, and the traffic class of a port. As in",
        "every run of this chip the first half of a short run is not counted. *To the clock*:",
        "bytes, bursts, latencies, DRAM commands and all classes of time of what is counted are",
        "equal. Monitors, sniffer and chip had also counted the same bursts, beats and latencies",
        "of the whole run, and the data had arrived whole; otherwise it would have failed.",
        "",
        f"{summary(rows)}.",
        "",
        HEAD[0].format("board"),
        HEAD[1],
        *lines(rows, lambda key: ", ".join(f"{k}={v}" for k, v in key.items())),
    ]
    return "\n".join(told) + "\n"


if __name__ == "__main__":
    sys.exit(main())
