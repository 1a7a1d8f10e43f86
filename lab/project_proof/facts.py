"""Names that public projects of Vivado and Quartus have (`facts/`), each with a project that has
it: repository, commit and, for Vivado, file and version. The proof takes no name that none has.

To renew or add facts: put the name into its line, with the source's key; sources are added at the
end. Only names, values and conditions are taken, no text of a file.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

LISTED: Any = tomllib.loads(Path(__file__).with_name("designs.toml").read_text("utf-8"))
"""designs.toml."""


@cache
def table(tool: str) -> Any:
    """A file of `facts/`: "vivado" or "quartus"."""
    return json.loads((Path(__file__).parent / "facts" / f"{tool}.json").read_text("utf-8"))


def names(tool: str, kind: str) -> Mapping[str, Any]:
    """What is shown of a kind ("pin xilinx.com:ip:axi_dma"), with the source of each."""
    shown: Mapping[str, Any] = table(tool)["shown"].get(kind, {})
    return shown
