"""The compiled model (model/binding/): configurations as nested dicts in, results as dicts out."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from axiometer.simulate.outcome import Outcome, TransferOutcome

Document = Mapping[str, object]
Commands = list[tuple[int, str, int, int, int]]

class Row(TypedDict):
    """A key of a configuration. pair: for both directions, or for each; only: the controller's
    policy that has it, or ""; words: that it may be."""

    table: str
    key: str
    type: str
    pair: bool
    required: bool
    default: str
    least: int
    most: int
    unit: str
    only: str
    meaning: str
    words: list[str]

class Simulator:
    def __init__(self, spec: Document, sources: Sequence[Document] = ...) -> None: ...
    def run(
        self,
        start: Document,
        skip: bool = True,
        verify: bool = False,
        memory_bytes: int = ...,
        beats: bool = False,
    ) -> Outcome: ...
    def trace(
        self,
        start: Document,
        skip: bool = True,
        verify: bool = False,
        memory_bytes: int = ...,
        beats: bool = False,
    ) -> tuple[Outcome, Commands]: ...
    def plain(self, start: Document, beats: bool = False) -> tuple[Outcome, Commands]: ...

def configuration(spec: Document) -> dict[str, object]: ...
def processor_configuration(spec: Document) -> dict[str, object]: ...
def describe() -> list[Row]: ...
def describe_start() -> list[Row]: ...
def describe_processor() -> list[Row]: ...
def describe_source() -> list[Row]: ...
def machine_parts() -> dict[str, dict[str, bool]]: ...
def run_processor(spec: Document) -> TransferOutcome: ...
