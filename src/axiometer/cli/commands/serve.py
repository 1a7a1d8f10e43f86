"""`axiometer serve`: the page in the browser, served on this machine alone."""

from __future__ import annotations

import os
import sys

from axiometer.base.errors import AxiometerError
from axiometer.cli.options import option

HELP = "explore boards and designs on a page in the browser, on this machine alone"


class Options:
    """The values of the command line."""

    port: str | None = option("the port (default: the first free one from 8437 on)", metavar="N")
    no_browser: bool = option("print the address, no more")


def run(args: Options) -> int:
    from axiometer.base import children, standard_streams
    from axiometer.serve import server

    # Told to end, it ends as Python does, which removes a dropped design.
    with children.tidied(), server.opened(_port(args.port)) as page:
        print(f"{page.url}  (for this machine alone; Ctrl-C ends it)", flush=True)
        if not args.no_browser and _has_screen():
            import webbrowser

            webbrowser.open(page.url)
        try:
            page.serve_forever(poll_interval=0.2)
        except KeyboardInterrupt:
            standard_streams.tell("ended")
    return 0


def _port(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65536):
        raise AxiometerError(f"--port is {text!r}", remedy="give a number from 1024 to 65535")
    return int(text)


def _has_screen() -> bool:
    """Whether a browser would have a window: one in the terminal would hide the address."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
