"""A bound for the work of one statement: a store whose pages form a circle would never end."""

from __future__ import annotations

from collections.abc import Callable

EVERY = 50_000
"""Steps of SQLite's machine between two checks."""

_ALWAYS = 500_000  # some 10 ms


class Steps:
    """Counts the steps of a statement; `over` if it was stopped. A row needs a hundred bytes and
    some ten steps, so a step a byte of `size()` is ample."""

    def __init__(self, size: Callable[[], int]) -> None:
        self._size = size
        self._taken = 0
        self.over = False

    def begin(self) -> None:
        """Start the count of another statement."""
        self._taken = 0

    def look(self) -> bool:
        """Called by SQLite every `EVERY` steps: whether to stop."""
        self._taken += EVERY
        self.over = self._taken > _ALWAYS and self._taken > _ALWAYS + self._size()
        return self.over

    def stop(self) -> bool:
        """Replaces `look` when no more steps are needed."""
        self.over = True
        return True
