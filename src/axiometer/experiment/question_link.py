"""The link that asks the question of a point on the web page; `serve/static/link.js` reads it.

Not for: the command that repeats a point (`expect_command.py`).
"""

from __future__ import annotations

from urllib.parse import quote

from axiometer.experiment import expect_command, master_keys
from axiometer.experiment.values import Values
from axiometer.platform import Platform

ADDRESS = "https://OWNER.github.io/axiometer/latest/"
"""The address of the page. `OWNER` stands for the owner of the repository; links in README and docs
begin with it, too, and the web site makes them relative (`tools/web/conf.py`)."""
_OWN = ("mode", "master", "width_bits", "pl_mhz", "burst_beats", "transfer_bytes")
_LEFT_OUT = ("repeats", "seed")


def link(platform: Platform, values: Values) -> str:
    """The link for the point with `values` on `platform`. "" where the page cannot ask it: another
    program than the usual, a board in a file, or a point that settings cannot express. The page
    decides how many random starts it simulates."""
    asked = expect_command.keys(platform, values)
    if asked is None or "program" in asked or not expect_command.is_known(platform.name):
        return ""
    parts = [("board", platform.name)]
    masters: dict[str, dict[str, str]] = {}
    for name, text in asked.items():
        if master_keys.is_setting(name):
            master, key = master_keys.split(name)
            masters.setdefault(master, {"name": master, "kind": "engine"})[key] = text
        elif name == "ports":
            parts.append((name, text.replace("+", ",")))
        elif name not in _LEFT_OUT:
            parts.append((name, text) if name in _OWN else ("set", f"{name}={text}"))
    for table in masters.values():
        parts.append(("with", ",".join(f"{key}:{text}" for key, text in table.items())))
    return f"{ADDRESS}#" + "&".join(f"{name}={quote(text, safe=',:=')}" for name, text in parts)
