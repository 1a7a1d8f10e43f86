"""Which files of the checkout a Python module imports, by its import statements.

So that a result is made anew when one of them changes. Names that a program puts together are not
seen (`importlib.import_module(name)`), nor are packages outside the checkout.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable
from functools import cache
from pathlib import Path


def files(modules: Iterable[str], path: Iterable[Path]) -> list[Path]:
    """The files of `modules`, of the packages that they are in and of all that these import, from
    the folders of `path`, sorted.

    A name that is in several folders counts in each. ValueError if one of `modules` is in none.
    """
    folders, wanted = list(dict.fromkeys(path)), list(modules)
    found: set[Path] = set()
    for name in wanted:
        if not any((folder / f"{name.replace('.', '/')}.py").is_file() for folder in folders):
            raise ValueError(f"no module {name} in {', '.join(map(str, folders))}")
    while wanted:
        for stem in itertools.accumulate(wanted.pop().split("."), "{}/{}".format):
            for file in (f / end for f in folders for end in (f"{stem}.py", f"{stem}/__init__.py")):
                if file not in found and file.is_file():
                    found.add(file)
                    wanted += _imported(file.read_bytes())
    return sorted(found)


@cache
def _imported(text: bytes) -> tuple[str, ...]:
    """Modules that the statements of a file name, wherever they stand; of `from a import b` also
    a.b, which may be one."""
    names: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level or node.module is None:
                raise ValueError("a relative import, which is not followed")
            names += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(names)
