"""Lists the published versions of the web site, for its menu of versions.

Usage: python tools/web/versions.py FOLDER [BASE]
FOLDER has a folder for each version: `latest`, and those of tags. BASE (default: /) is where a
server has FOLDER. Writes versions.json, and index.html, which leads to the newest tag, or to
`latest` while there is none.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

REDIRECT = """\
<!doctype html>
<html lang="en">
<title>Axiometer</title>
<meta http-equiv="refresh" content="0; url={0}/">
<a href="{0}/">Axiometer</a>
</html>
"""


def versions(folder: Path) -> list[str]:
    """`latest`, then tags from the newest."""
    found = [path.parent.name for path in folder.glob("*/index.html")]
    return sorted(found, key=lambda name: (name == "latest", parts(name)), reverse=True)


def parts(tag: str) -> tuple[list[int], bool]:
    """The numbers of a tag; a release comes after its candidates."""
    return [int(number) for number in re.findall(r"\d+", tag)][:3], tag.replace(".", "")[
        1:
    ].isdigit()


def write(folder: Path, base: str) -> None:
    """Write both files. SystemExit where there is no version."""
    found = versions(folder)
    if not found:
        sys.exit(f"{folder} has no version: each is a folder with index.html")
    tags = [name for name in found if name != "latest"]
    menu = [{"name": name, "version": name, "url": f"{base}{name}/"} for name in found]
    (folder / "versions.json").write_text(json.dumps(menu, indent=1) + "\n", encoding="utf-8")
    first = next(iter(tags or found))
    (folder / "index.html").write_text(REDIRECT.format(first), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "/")
