"""The types of the model's binding (model/binding/): what it is told is in docs/model-keys.md."""

from typing import TypedDict

from axiometer.simulate.outcome import Outcome, TransferOutcome

Document = dict[str, object]

class Key(TypedDict):
    """A key of a specification, as its `visit` lists it."""

    table: str
    key: str
    type: str
    pair: bool
    required: bool
    default: str
    least: float
    most: float
    unit: str
    only: str
    meaning: str
    words: list[str]

class Simulator:
    def __init__(self, spec: Document, sources: list[Document] = ...) -> None: ...
    def run(
        self,
        start: Document,
        skip: bool = ...,
        verify: bool = ...,
        memory_bytes: int = ...,
        beats: bool = ...,
    ) -> Outcome: ...

def run_processor(spec: Document) -> TransferOutcome: ...
def describe() -> list[Key]: ...
def describe_processor() -> list[Key]: ...
def describe_source() -> list[Key]: ...
def machine_parts() -> dict[str, dict[str, bool]]: ...
