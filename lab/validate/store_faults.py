"""Every system call that a run makes on its store fails once, with each error: `make validate`.

python -m validate.store_faults [EVERY]     only every EVERY-th place
"""

import sys
import tempfile
from pathlib import Path

from faults import check


def main() -> int:
    lacking = check.needs()
    if lacking:
        print(f"not run: {lacking}")
        return 0
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        faults = check.Faults(Path(folder))
        places = list(check.places(faults.calls))[::every]
        problems = [p for place in places if (p := faults.problem(*place))]
        faults.close()
    print("\n".join(problems))
    print(f"{len(places)} places ({faults.calls} calls, {len(check.ERRORS)} errors): "
          f"{len(problems)} problems")  # fmt: skip
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
