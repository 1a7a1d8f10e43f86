"""Checks the driver's sources with the kernel's tools: checkpatch, sparse, coccinelle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from axiometer.base.standard_streams import tell
from machines import TREE, kernels, packages, programs

SOURCES = {"6.12": "linux-source-6.12", "6.1": "linux-source-6.1"}
INSIDE = "/tree"  # the source tree, in the root
# checkpatch's remarks that are for code inside the kernel's tree, by file: the driver is built for
# several kernels, and a header for programs has no BIT().
NOT_FOR_US = {
    "": ("LINUX_VERSION_CODE", "CONSTANT_COMPARISON"),
    "axm_ioctl.h": ("BIT_MACRO",),
}


def remarks() -> list[str]:
    """All remarks of the tools of both kernels on the driver."""
    found: dict[str, None] = {}
    for kernel, name in SOURCES.items():
        source = kernels.source(name)
        for tool, check in (("checkpatch", checkpatch), ("coccinelle", coccinelle)):
            tell(f"{tool} of Linux {kernel}")
            found |= dict.fromkeys(check(source))
        tell(f"sparse against Linux {kernel}")
        log = programs.driver(kernels.find(kernel), check=True).log
        found |= dict.fromkeys(programs.remarks(log))
    return list(found)


def _inside(source: Path, *command: str) -> str:
    places = {kernels.SOURCE: source, INSIDE: TREE}
    return packages.run(packages.get(packages.root("checks")), places, *command)


def checkpatch(source: Path) -> Iterator[str]:
    for file in sorted((TREE / programs.DRIVER).glob("*.[ch]")):
        ignored = ",".join((*NOT_FOR_US[""], *NOT_FOR_US.get(file.name, ())))
        script = (
            f'cd {INSIDE}/{programs.DRIVER} && perl "$0" --no-tree --strict --terse '
            '--no-summary --show-types "--ignore=$1" -f "$2"; true'
        )
        program = f"{kernels.SOURCE}/scripts/checkpatch.pl"
        yield from _inside(source, "sh", "-c", script, program, ignored, file.name).splitlines()


# Each rule by itself, as `make coccicheck MODE=report` does, with the options that it asks for.
RULES = f"""cd {INSIDE}/{programs.DRIVER}
for rule in $(find {kernels.SOURCE}/scripts/coccinelle -name "*.cocci" | sort); do
  grep -q "virtual report" $rule || continue
  options=$(grep "^// Options:\\|^/// Options:" $rule | head -1 | cut -d: -f2-)
  spatch -D report --no-show-diff --very-quiet $options --cocci-file $rule \\
    -I {kernels.SOURCE}/include -I {INSIDE}/regs -I {INSIDE}/host/include *.c 2> /dev/null
done
true
"""


def coccinelle(source: Path) -> list[str]:
    return [line for line in _inside(source, "sh", "-c", RULES).splitlines() if line.strip()]
