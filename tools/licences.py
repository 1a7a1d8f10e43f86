"""Compares the licence of every locked package with those that requirements/licences.toml allows.

Usage: python tools/licences.py     prints each package, its version, its licence and whose it is;
exit status 1 with those that are refused.
"""

from __future__ import annotations

import sys
import tomllib

from license_expression import get_spdx_licensing

from requirements import ROOT, locked, sets

LICENCES = ROOT / "requirements" / "licences.toml"
_LICENSING = get_spdx_licensing()


def table() -> dict:
    """requirements/licences.toml."""
    return tomllib.loads(LICENCES.read_text(encoding="utf-8"))


def allowed(expression: str, names: set[str]) -> bool:
    """Whether the licences in `names` satisfy a licence expression."""

    def met(node) -> bool:
        if node.isliteral:
            return str(node) in names
        choose = any if isinstance(node, _LICENSING.OR) else all
        return choose(met(child) for child in node.args)

    return met(_LICENSING.parse(expression, validate=True))


def rows(known: dict) -> list[tuple[str, str, str, str]]:
    """Name, version, licence and audience of each package; what our deliverables carry at last."""
    user = locked("user")
    found = []
    for name, package in sorted(locked(*sets()).items()):
        licence = known["packages"].get(name, "unknown: look it up and add it")
        found.append((name, package.version, licence, "user" if name in user else "development"))
    carried = known["carried"]
    return found + [(of["name"], "", of["licence"], of.get("audience", "user")) for of in carried]


def refused(known: dict) -> list[str]:
    """A sentence for each licence that is not on its list."""
    user = set(known["allowed"]["user"])
    more = known["allowed"]
    lists = {name: user | set(more[name]) for name in ("user", "development", "page")}
    return [
        f"{name}: {licence} is not on the list for {audience}"
        for name, _, licence, audience in rows(known)
        if licence.startswith("unknown") or not allowed(licence, lists[audience])
    ]


def notices() -> str:
    """What the page in a browser carries of others, with where its source is."""
    carried = [of for of in table()["carried"] if "page" in (of.get("audience"), of.get("also"))]
    texts = "https://spdx.org/licenses/ has the texts of these licences.\n"
    return texts + "".join(f"\n{of['name']}: {of['licence']}\n{of['where']}\n" for of in carried)


def main() -> None:
    for row in rows(table()):
        print(*row, sep="\t")
    if faults := refused(table()):
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
