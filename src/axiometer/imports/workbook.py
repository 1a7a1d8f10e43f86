"""Opening a published workbook, for the readers of datasets beside this file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axiometer.errors import AxiometerError


def load(path: Path) -> Any:
    """The workbook at `path` with the values that its formulas had when it was saved.
    AxiometerError if it is none, or if openpyxl is missing."""
    try:
        import openpyxl
    except ImportError:
        raise AxiometerError(
            "workbooks need openpyxl", remedy="pip install 'axiometer[import]', or openpyxl"
        ) from None
    try:
        return openpyxl.load_workbook(path, read_only=False, data_only=True)
    except Exception as error:
        raise AxiometerError(
            f"cannot be read as a workbook: {error}",
            file=path,
            remedy="take the file as it was published",
        ) from None
