"""The registers that a design's own initialisation writes: `ps7_init`, `psu_init`.

They are read by the readers of `registers`, which refuse what is damaged with file and line. What
the files are called stands in `ps/`; what registers mean, in `registers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath

from axiometer.designs.files import Export
from axiometer.designs.ps_facts import System
from axiometer.registers import Figure, Write, decode_some
from axiometer.registers.readers import writes_in

# In MHz: a reference clock outside is a mistake of the file, not a crystal.
_SLOWEST, _FASTEST = 1, 200


@dataclass(frozen=True)
class Initialisation:
    """`writes` in their order, of the file called `name`; both empty where there is none."""

    chip: str
    writes: tuple[Write, ...] = ()
    name: str = ""

    def figures(self, paths: Sequence[str], reference: Fraction | None) -> dict[str, Figure]:
        """The figures at `paths`, as far as the registers give them; none without an
        initialisation. reference: MHz of the crystal, which clocks need."""
        if not self.writes:
            return {}
        usable = reference is not None and _SLOWEST <= reference <= _FASTEST
        given = {"reference_mhz": reference} if usable else {}
        wanted = [path for path in paths if usable or not path.startswith("clocks.")]
        return decode_some(self.chip, self.writes, given, wanted)


def find(export: Export, system: System) -> Initialisation:
    """The first initialisation for `system` that is in the export. AxiometerError with file and
    line where it is damaged, or writes nothing."""
    for wanted in system.initialisation:
        for name in export.names:
            if PurePosixPath(name).name == wanted:
                writes = writes_in(export.read(name), export.path / name)
                return Initialisation(system.chip, tuple(writes), wanted)
    return Initialisation(system.chip)
