"""Runs a user's first commands with an installed package, without the source tree.

Usage: python tools/try_wheel.py     (with the interpreter of the environment to try)
Run by cibuildwheel for each wheel and by tests. Fails where the package comes from a source tree,
its data files are missing, or the library and the command give different answers.
"""

import json
import subprocess
import sys
from pathlib import Path

import axiometer as axm

SOURCE = Path(__file__).resolve().parent.parent


def said(*words: str) -> str:
    """The output of the command."""
    command = [sys.executable, "-m", "axiometer", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}\n{done.stderr}")
    return done.stdout


def main() -> None:
    place = Path(axm.__file__).resolve()
    if place.is_relative_to(SOURCE / "src"):
        sys.exit(f"{place} is in the source tree: install the wheel, and run from elsewhere")
    if said("--version").split() != ["axiometer", axm.__version__]:
        sys.exit("the command and the library have different versions")
    found = axm.expect("zybo", ports="HP0+HP1").total
    asked = json.loads(said("expect", "--board", "zybo", "--ports", "HP0+HP1", "--json"))
    if found != asked["total_MBps"]["mean"]:
        sys.exit(f"the library gives {found} MB/s, the command {asked['total_MBps']['mean']}")
    boards = len(json.loads(said("list", "boards", "--json"))["boards"])
    print(f"axiometer {axm.__version__}: {found:.0f} MB/s of Zybo's HP0+HP1, {boards} boards")


if __name__ == "__main__":
    main()
