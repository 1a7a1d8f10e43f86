"""Simple kriging in plain arithmetic: a value from values near it, and the explained variance.

Values have mean 0 and the caller's covariances; far from all of them the estimate is 0 and no
variance is explained (Rasmussen, Williams, *Gaussian Processes for Machine Learning*, 2006,
algorithm 2.1). For some hundred values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


class Field:
    """Known values: `between` has their covariances, `noise` the independent variance of each,
    above 0."""

    def __init__(
        self,
        between: Sequence[Sequence[float]],
        values: Sequence[float],
        noise: Sequence[float],
    ) -> None:
        self._lower = _cholesky(between, noise)
        self._values = _solved(self._lower, values)

    def at(self, to: Sequence[float]) -> tuple[float, float]:
        """The value at a place whose covariances with the known values are `to`, and the variance
        that they explain."""
        found = _solved(self._lower, to)
        mean = math.fsum(a * b for a, b in zip(found, self._values, strict=True))
        return mean, math.fsum(each * each for each in found)


def _cholesky(matrix: Sequence[Sequence[float]], noise: Sequence[float]) -> list[list[float]]:
    lower: list[list[float]] = []
    for n, row in enumerate(matrix):
        own: list[float] = []
        for m in range(n):
            inner = sum(a * b for a, b in zip(own, lower[m], strict=False))
            own.append((row[m] - inner) / lower[m][m])
        rest = row[n] + noise[n] - sum(each * each for each in own)
        own.append(math.sqrt(max(rest, noise[n] * 1e-6)))
        lower.append(own)
    return lower


def _solved(lower: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    found: list[float] = []
    for row, value in zip(lower, right, strict=True):
        inner = sum(a * b for a, b in zip(row, found, strict=False))
        found.append((value - inner) / row[len(found)])
    return found
