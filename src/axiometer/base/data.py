"""Finds files of platforms, experiments and references.

An installed package has them in `axiometer/data`, a source checkout in its root.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from axiometer.base import other_chips, packed
from axiometer.base.errors import AxiometerError, did_you_mean, near
from axiometer.base.harmless import quoted
from axiometer.base.input_bounds import is_file, not_a_file

_PACKAGE = Path(__file__).resolve().parent.parent
BOARDS = ("boards", "platforms")
NEAR_BOARD = 0.8
"""Likeness for a suggested board: high, because boards with similar names differ."""

TO_HAVE_A_BOARD = (
    "two ways to have it: from an export of a design for it, `axiometer import board design.xsa "
    "--out my-board.toml`; or from its registers, the same with ps7_init or psu_init (.tcl, .c), "
    "the directory of sdram_config.h, or what devmem, xsdb or U-Boot print of a running board. "
    "Then --board my-board.toml (docs/add-a-board.md)"
)
IF_NOT_HERE = "If it is none of them: `axiometer list boards` ends with how to have a board."
_TITLE = re.compile(r'^title = "([^"]*)"', re.M)
_ALIASES = re.compile(r"^aliases = \[[^\]]*\]$", re.M)


def checkout() -> Path | None:
    """The root of the source checkout that this package runs from; None if it is installed."""
    root = _PACKAGE.parent.parent
    return root if _is_checkout(root) else None


def _is_checkout(root: Path) -> bool:
    return (root / "pyproject.toml").is_file() and (root / "boards").is_dir()


def directory(kind: str) -> Path:
    """The directory of `kind`: "boards" or "platforms" (the same), "chips", "programs",
    "experiments" or "reference"."""
    kind = "boards" if kind == "platforms" else kind
    installed = _PACKAGE / "data" / kind
    if installed.is_dir():
        return installed
    root = checkout()
    if root is None:
        raise AxiometerError(
            f"the {kind} files of this installation are missing",
            file=installed,
            remedy="install Axiometer again",
        )
    return root / kind


def of_user(variable: str, *name: str) -> Path:
    """The path of a user's file: from the environment variable, else `name` below Axiometer's part
    of the user's data directory."""
    given = os.environ.get(variable)
    if given:
        return Path(given)
    home = os.environ.get("XDG_DATA_HOME")
    base = Path(home) if home else Path.home() / ".local" / "share"
    return base.joinpath("axiometer", *name)


def names(kind: str) -> list[str]:
    """The names of all TOML files of `kind`, sorted; for chips, of their folders."""
    found = directory(kind).glob("*/structure.toml" if kind == "chips" else "*.toml")
    return sorted(path.parent.name if kind == "chips" else path.stem for path in found)


def path_of(kind: str, name: str) -> Path:
    """The path of the file `name` of `kind`; for a chip, its structure.toml."""
    return directory(kind) / (f"{name}/structure.toml" if kind == "chips" else f"{name}.toml")


@cache
def aliases(kind: str) -> dict[str, str]:
    """Other names of files of `kind` (`aliases = [...]` on one line) -> their own names."""
    found: dict[str, str] = {}
    for name in names(kind):
        line = _ALIASES.search(_text(kind, name))
        for alias in tomllib.loads(line[0])["aliases"] if line else ():
            found.setdefault(alias, name)
    return found


def find_toml(kind: str, name: str, beside: Path | None = None) -> Path:
    """The path of the file `name`: a path to a TOML file, or a name in the directory of `kind`.

    A relative path is first searched in the directory `beside`, then in the working directory.
    AxiometerError with the nearest names if there is none.
    """
    what = _one_of(kind)
    looks_like_path = name.endswith(".toml") or "/" in name or os.sep in name
    if looks_like_path:
        candidates = [Path(name)] if beside is None else [beside / name, Path(name)]
        found = [(path, not_a_file(path)) for path in candidates]
        for path, odd in found:
            if not odd and is_file(path):
                return path
        for _, odd in found:
            if odd:
                raise AxiometerError(f"{name} {odd}", remedy=_name_a_file(kind))
        raise AxiometerError(
            f"there is no {what} file {name}",
            remedy=did_you_mean(Path(name).stem, names(kind), f"known {what}s"),
        )
    known = {name: name for name in names(kind)}
    if name not in known:
        known |= aliases(kind)
    if name not in known and kind in BOARDS:
        same = [its for alias, its in known.items() if plain_name(alias) == plain_name(name)]
        known |= dict.fromkeys([name], same[0]) if same else {}
    if name not in known:
        hint = did_you_mean(name, known, f"known {what}s")
        if kind in BOARDS:
            likest = near(name, known, NEAR_BOARD)
            hint = _beginning(name, known) or TO_HAVE_A_BOARD
            hint = f"{likest} {IF_NOT_HERE}" if likest else hint
        if kind == "experiments" and name in names("platforms"):
            hint = f"{name} is a board: axiometer expect {name} PORTS"
        elif is_file(Path(f"{name}.toml")):
            hint = f"there is a file of that name here: write {name}.toml"
        elif odd := not_a_file(Path(name)):
            hint = f"the file {name} here {odd}: {_name_a_file(kind)}"
        elif kind in (*BOARDS, "chips") and (chip := other_chips.named(name)):
            raise not_supported(f"{quoted(name)} is", chip)
        raise AxiometerError(f"no {what} is called {quoted(name)}", remedy=hint)
    return path_of(kind, known[name])


def not_supported(what: str, chip: str, file: object = None) -> AxiometerError:
    """The error for an unsupported chip; `what` begins its sentence: "'vck190' is"."""
    titles = [_TITLE.search(_text("chips", name)) for name in names("chips")]
    listed = ", ".join(found[1] for found in titles if found)
    return AxiometerError(
        f"chip not supported: {what} {chip}",
        file=file,
        remedy=f"supported are {listed}: axiometer list boards",
    )


def _beginning(name: str, boards: Iterable[str]) -> str | None:
    """A remedy if names of chips or boards begin with `name` ("zynq", "kria"), else None."""
    bare = plain_name(name)
    if len(bare) < 4:
        return None
    if chips := [chip for chip in names("chips") if plain_name(chip).startswith(bare)]:
        return f"name a board of {' or '.join(chips)}: axiometer list boards"
    begun = [board for board in boards if plain_name(board).startswith(bare)]
    return f"did you mean {' or '.join(map(repr, begun))}? {IF_NOT_HERE}" if begun else None


def _text(kind: str, name: str) -> str:
    return path_of(kind, name).read_text(encoding="utf-8")


def _one_of(kind: str) -> str:
    return "board" if kind in BOARDS else kind.removesuffix("s")


def _name_a_file(kind: str) -> str:
    what = _one_of(kind)
    return f"name the TOML file of {'an' if what[0] in 'aeiou' else 'a'} {what}"


def plain_name(name: str) -> str:
    """A board's name without case and separators: zcu104, zyboz7, de10nano."""
    return re.sub(r"[-_. ]", "", name).lower()


def find_reference(name: str) -> Path:
    """The path of a file of published figures, shipped with Axiometer (perhaps packed) or given as
    a path."""
    root = directory("reference")
    if is_file(root / name) or is_file(packed.of(root / name)):
        return root / name
    if is_file(Path(name)):
        return Path(name)
    known = sorted(path.relative_to(root).as_posix() for path in packed.found(root, "**/*.csv"))
    # Without a near name, list only those at the root: all names would fill the screen.
    remedy = near(name, known) or did_you_mean(
        name, [each for each in known if "/" not in each], "known files, beside those in measured"
    )
    raise AxiometerError(f"no file of published figures is called {quoted(name)}", remedy=remedy)


def find_external(name: str) -> Path | None:
    """A public dataset that is not distributed with Axiometer; None where it is absent.

    Searched in the directory AXIOMETER_REFERENCE, else in `shared/reference` beside the source
    checkout that this package runs from or that is the working directory.
    """
    root = os.environ.get("AXIOMETER_REFERENCE")
    if root:
        path = Path(root) / name
        return path if path.is_file() else None
    for source in (checkout(), Path.cwd()):
        if source is not None and _is_checkout(source):
            path = source.parent / "shared" / "reference" / name
            if path.is_file():
                return path
    return None
