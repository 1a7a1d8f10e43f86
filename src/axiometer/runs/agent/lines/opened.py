"""A line that is one open file of this process: a socket, a serial device."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress
from typing import Protocol

from axiometer.base.errors import RUN_FAILED
from axiometer.runs.agent.conversation import LineLostError
from axiometer.runs.agent.descriptors import DescriptorLines


class Opened(Protocol):
    """An open file that is closed once."""

    def fileno(self) -> int: ...
    def close(self) -> None: ...


class OpenedLine(DescriptorLines):
    """Opened in the constructor, and again by `reopen`. remedy: if it cannot be opened, or was
    cut."""

    lossy = True
    remedy: str

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._file: Opened | None = self._opened()

    @abstractmethod
    def _opened(self) -> Opened:
        """The open file. OSError if it cannot be opened."""

    def reopen(self) -> None:
        """Open it again. LineLostError if that fails."""
        self.close()
        self._forget()
        self._file = self._opened()

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _output(self) -> int:
        if self._file is None:
            raise ValueError("it is closed")
        return self._file.fileno()

    _input = _output

    def _gone(self) -> LineLostError:
        return LineLostError(f"{self.name} was cut", remedy=self.remedy, status=RUN_FAILED)

    def _cannot(self, why: str) -> LineLostError:
        return LineLostError(
            f"{self.name} cannot be opened: {why}", remedy=self.remedy, status=RUN_FAILED
        )
