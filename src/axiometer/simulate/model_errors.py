"""How what the model throws reaches a person. The model names the value, here is the remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from axiometer.errors import AxiometerError


@contextmanager
def told() -> Iterator[None]:
    """What the model throws becomes an AxiometerError: a value that it cannot simulate, or a run
    that makes no progress."""
    try:
        yield
    except ValueError as error:
        raise AxiometerError(
            f"the model cannot run this point: {error}",
            remedy="change that value in the platform file or with --set",
        ) from None
    except RuntimeError as error:
        raise AxiometerError(
            f"the model stopped at this point: {error}",
            remedy="set the platform's figures back one by one; if it is none of them, report it",
        ) from None
