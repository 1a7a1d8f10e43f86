"""Faults that checks must see: python -m mutation [ROOM ...] [--only TEXT]."""

import argparse
import sys

from mutation import run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, add_help=False)
    parser.add_argument("room", nargs="*")
    parser.add_argument("--only", default="", metavar="TEXT", help="those with this in their names")
    arguments, rest = parser.parse_known_args()
    if arguments.room in ([], ["model"]):
        return run.main([word for word in sys.argv[1:] if word != "model"])
    if rest:
        parser.error(f"{rest[0]} is an option of `model` alone")
    from mutation import catch, lists

    mutants = lists.of_rooms() + lists.of_proofs()
    rooms = {mutant.room for mutant in mutants}
    if unknown := set(arguments.room) - rooms:
        parser.error(f"no room {min(unknown)}; there are model, {', '.join(sorted(rooms))}")
    missed = 0
    for mutant in mutants:
        if mutant.room in arguments.room and arguments.only in mutant.name:
            said = catch.caught(mutant)
            missed += not said
            print("caught" if said else "MISSED", mutant, flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
