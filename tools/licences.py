"""Writes requirements/licences.md: every dependency with version and licence, and third-party parts
in releases.

Usage: python tools/licences.py [--write]
Without `--write`, reports whether the page is up to date. Fails for a licence that is not on the
lists in requirements/licences.toml. Without licence texts: each package has its own.
"""

import sys

from dependencies import ROOT, everything, licence_of, licences, locked, refused, required

PAGE = ROOT / "requirements" / "licences.md"
HEAD = """\
# Licences of what Axiometer uses
Axiometer is under the Apache License 2.0. Everything that it installs is listed here, the licence
of each as an SPDX expression. A test fails for a licence that is not on the lists in
`licences.toml`.
"""


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def page() -> str:
    """The text of requirements/licences.md."""
    known, user, needed, texts = everything(), locked("user"), required(), licences()

    def rows(names: set[str]) -> list[tuple[str, ...]]:
        return [(n, known[n].version, licence_of(n)) for n in sorted(names)]

    head = ("package", "version", "licence")
    carried = [
        (
            item["name"],
            item["licence"],
            item["where"],
            f"{item['package']} {known[item['package']].version}",
        )
        for item in texts["carried"]
    ]
    notes = [(name, texts["noted"][name]) for name in sorted(texts["noted"])]
    return "\n".join(
        [
            HEAD,
            "## Carried inside what we deliver\n"
            "Nothing of others is copied into the source tree.\n",
            table(("what", "licence", "where", "from"), carried),
            "## Installed with the package\n"
            + (table(head, rows(needed)) if needed else "Nothing: answers need Python alone.\n"),
            "## Installed with its extras `plot`, `parquet`, `cluster`, `rtl`",
            table(head, rows(set(user) - needed)),
            "## Used in development only\nPrograms that are run; nothing of them is passed on.\n",
            table(head, rows(set(known) - set(user))),
            "## Notes\n" + table(("package", "note"), notes),
            "The compilers, make and Chromium are the system's. Published and measured figures in\n"
            "`reference/` are facts, which carry no licence; each table says whose they are.\n",
            "Made by `python tools/licences.py --write` from the lock files and `licences.toml`; "
            "do not edit it.\n",
        ]
    )


def main() -> None:
    if faults := refused():
        sys.exit("\n".join(faults))
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != page():
        sys.exit("requirements/licences.md is not up to date: python tools/licences.py --write")


if __name__ == "__main__":
    main()
