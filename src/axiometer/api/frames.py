"""The bases of answers: rows for pandas and polars, a table in notebooks; of results a picture."""

from __future__ import annotations

import html
import importlib
from abc import ABC, abstractmethod
from types import ModuleType
from typing import TYPE_CHECKING

from axiometer.base.errors import RUN_FAILED, AxiometerError

if TYPE_CHECKING:
    import altair
    import pandas
    import polars

_SHOWN = 30  # rows of a table in a notebook


class Rows(ABC):
    """An answer in rows. Rates in MB/s (1e6 bytes a second)."""

    @abstractmethod
    def rows(self) -> list[dict[str, object]]:
        """One mapping a row, all with the same keys; None for a missing value."""

    @property
    @abstractmethod
    def caption(self) -> str:
        """A title of the rows, in a sentence."""

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a `pandas.DataFrame`. AxiometerError if pandas is not installed."""
        return _package("pandas").DataFrame(self.rows())

    def to_polars(self) -> polars.DataFrame:
        """The rows as a `polars.DataFrame`. AxiometerError if polars is not installed."""
        return _package("polars").DataFrame(self.rows(), infer_schema_length=None)

    def _repr_html_(self) -> str:
        rows = self.rows()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in (rows[0] if rows else ()))
        body = "".join(
            "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row.values()) + "</tr>"
            for row in rows[:_SHOWN]
        )
        more = f"<p>and {len(rows) - _SHOWN} more rows</p>" if len(rows) > _SHOWN else ""
        return (
            f"<p>{html.escape(self.caption)}</p><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>{more}"
        )


class Result(Rows):
    """Rows of figures, with a picture."""

    @abstractmethod
    def plot(self) -> altair.TopLevelMixin:
        """A picture, as an altair chart. AxiometerError if there is nothing to draw."""


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return html.escape(f"{value:.6g}" if isinstance(value, float) else str(value))


def _package(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise AxiometerError(
            f"{name} is not installed",
            remedy=f"pip install {name}; or use rows(), which needs no package",
            status=RUN_FAILED,
        ) from None
