"""Makes the table of facts: `python -m validate.projects.extract FOLDER [--write]`."""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from validate.projects.extract import components, cores, exports, scripts, trees
from validate.projects.extract.table import FILE, Place, Table

_HERE = Path(__file__).parent
_VIVADO = _HERE.parent / "vivado"


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m validate.projects.extract",
        description="Takes facts of Vivado out of public exports.",
    )
    parser.add_argument("folder", type=Path, help="clones, each called OWNER+NAME")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    args = parser.parse_args(words)
    table = made(args.folder)
    places = {place for each in table.seen.values() for place in each}
    versions = sorted({place.version for place in places if place.version})
    print(f"{len(table.seen)} facts of {len({p.repository for p in places})} repositories, "
          f"{len(places)} files, Vivado {', '.join(versions)}")  # fmt: skip
    if args.write:
        FILE.write_text(table.text(), encoding="utf-8")
    return 0


def made(folder: Path) -> Table:
    """The facts of the clones in a folder."""
    scope = tomllib.loads((_HERE / "scope.toml").read_text(encoding="utf-8"))
    tree = scope.pop("tree")
    commands, properties = (
        tomllib.loads((_VIVADO / f"{name}.toml").read_text(encoding="utf-8"))
        for name in ("commands", "properties")
    )
    table = Table()
    packaged: list[tuple[Place, components.Packaged]] = []
    for export in exports.read(folder):
        if export.kind == "core":
            cores.take(export, scope, table)
        elif export.kind == "script":
            scripts.take(export, scope, commands, properties, table)
        elif export.kind == "component":
            packaged += components.read(export)
        else:
            trees.take(export, tree["nodes"], tree["targets"], table)
    components.take(packaged, table)
    return table


if __name__ == "__main__":
    sys.exit(main())
