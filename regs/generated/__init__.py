"""The register maps of this tree as modules, for its tests: `from regs.generated import dma`."""

from pathlib import Path
from types import ModuleType

from axiometer.runs.cosim.registers import of_header


def __getattr__(block: str) -> ModuleType:
    header = Path(__file__).with_name(f"{block}.h")
    if not header.is_file():
        raise AttributeError(f"there is no register map {block}")
    return of_header(header)
