"""The registers that a design's own initialisation writes: `ps7_init`, `psu_init`.

The readers of `registers` read them and report damage with file and line. `exports.toml` names the
files, `registers` explains the registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path, PurePosixPath

from axiometer.designs.files import Export
from axiometer.designs.ps_facts import System, all_systems
from axiometer.platform.registers import Figure, Write, decode_some
from axiometer.platform.registers.readers import FORMS, writes_in
from axiometer.platform.registers.results import Value

# MHz: a reference clock outside this range is a mistake in the file.
_SLOWEST, _FASTEST = 1, 200


@dataclass(frozen=True)
class Initialisation:
    """The register `writes`, in order, of the file `name`; both empty where there is none."""

    chip: str
    writes: tuple[Write, ...] = ()
    name: str = ""

    def figures(self, paths: Sequence[str], reference: Fraction | None) -> dict[str, Figure]:
        """Those figures of `paths` that the registers give; empty without an initialisation.
        reference: MHz of the crystal; clocks need it."""
        if not self.writes:
            return {}
        usable = reference is not None and _SLOWEST <= reference <= _FASTEST
        given: dict[str, Value] = {"reference_mhz": reference} if usable and reference else {}
        wanted = [path for path in paths if usable or not path.startswith("clocks.")]
        return decode_some(self.chip, self.writes, given, wanted)


def find(export: Export, system: System) -> Initialisation:
    """The first initialisation for `system` in the export. AxiometerError with file and line where
    it is damaged or writes nothing."""
    for group in system.initialisation:
        names = _in(export, group)
        if names is not None:
            writes = [write for name in names for write in _writes(export, name)]
            return Initialisation(system.chip, tuple(writes), " and ".join(group))
    return Initialisation(system.chip)


def registers_at(path: Path) -> tuple[list[Write], str]:
    """The register writes in the file, export or directory at `path`, and the names of their files.
    AxiometerError where there are none or they are damaged."""
    path = _whole(path)
    export = Export(path, f"give {FORMS}")
    if not export.archive and not path.is_dir():
        return _writes(export, export.names[0]), export.names[0]
    for system in all_systems():
        found = find(export, system)
        if found.writes:
            return list(found.writes), found.name
    groups = dict.fromkeys(group for system in all_systems() for group in system.initialisation)
    known = [" with ".join(group) for group in groups]
    raise export.error("has no initialisation", f"give its file: {', '.join(known)}")


def _whole(path: Path) -> Path:
    """The directory of a handoff if `path` is one of its files, else `path`."""
    pairs = [group for system in all_systems() for group in system.initialisation if len(group) > 1]
    own = [group for group in pairs if path.name in group] if path.is_file() else []
    beside = any(all((path.parent / name).is_file() for name in group) for group in own)
    return path.parent if beside else path


def _in(export: Export, group: Sequence[str]) -> list[str] | None:
    """The files of the export with the names of `group`; None if one is missing."""
    found: dict[str, str] = {}
    for name in export.names:
        found.setdefault(PurePosixPath(name).name, name)
    return [found[name] for name in group] if all(name in found for name in group) else None


def _writes(export: Export, name: str) -> list[Write]:
    own = export.archive or export.path.is_dir()
    return writes_in(export.read(name), export.path / name if own else export.path)
