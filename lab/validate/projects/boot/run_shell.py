"""Runs the scripts for Linux by `sh`, in a directory with what stands for the board."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from axiometer.bringup.projects import boot
from axiometer.bringup.projects.plan import Plan
from validate.projects.boot import board_events

_LIMIT_S = 60
# Words of registers are files; each access is a line of the log.
_DEVMEM = """\
#!/bin/sh
at=$AXM_BOARD/words/$(printf %x $(( $1 )))
[ "$2" = 32 ] || { echo "wrong devmem of $2 bits" >> "$AXM_BOARD/log"; exit 1; }
[ -e "$at" ] || { echo "wrong $1 is no width of these ports" >> "$AXM_BOARD/log"; exit 1; }
if [ $# = 2 ]; then cat "$at"; exit; fi
[ "$1" != "${AXM_DEAD:-}" ] || exit 1
printf '0x%08X\\n' $(( $3 )) > "$at"
echo "width $1" >> "$AXM_BOARD/log"
"""
# configfs: a directory of an overlay has its status; what is written to dtbo is applied.
_MKDIR = """\
#!/bin/sh
case $1 in
*/overlays/*)
  "$AXM_MKDIR" "$1" && echo applied > "$1/status"
  [ "${1##*/}" != "${AXM_REFUSED:-}" ] || echo unapplied > "$1/status"
  [ -e "$AXM_FIRMWARE/system.bit.bin" ] ||
    echo "wrong no bitstream is there to be loaded" >> "$AXM_BOARD/log"
  case $1 in */bitstream) what=region;; *) what=overlay;; esac
  echo "$what $1" >> "$AXM_BOARD/log";;
*) "$AXM_MKDIR" "$@";;
esac
"""
_RMDIR = """\
#!/bin/sh
echo "remove $1" >> "$AXM_BOARD/log"
rm -r "$1"
"""


class Board:
    """The directory: registers' words, configfs, firmware, and a log of what was done."""

    def __init__(self, directory: Path, place: Path, before: dict[int, int]) -> None:
        self.place = place
        shutil.copytree(directory / boot.FOLDER, place / "boot")
        for name in ("bitstream.dtbo", "axm.dtbo", "system.bit.bin"):
            (place / "boot" / name).write_text(name)
        for name in ("words", "bin", "config/device-tree/overlays", "firmware"):
            (place / name).mkdir(parents=True)
        for name, text in (("devmem", _DEVMEM), ("mkdir", _MKDIR), ("rmdir", _RMDIR)):
            (place / "bin" / name).write_text(text)
            (place / "bin" / name).chmod(0o755)
        for address, word in before.items():
            (place / "words" / f"{address:x}").write_text(f"0x{word:08X}\n")

    def run(
        self, script: str, verb: str, refused: str = "", dead: str = "", **more: str
    ) -> tuple[int, str, list[tuple[str, str]]]:
        """(exit status, what it said, events) of a script. refused: an overlay that the kernel does
        not take. dead: a register that cannot be written. more: of its environment."""
        log = self.place / "log"
        log.write_text("")
        env = {
            **os.environ,
            "PATH": f"{self.place / 'bin'}:{os.environ['PATH']}",
            "AXM_BOARD": str(self.place),
            "AXM_STATE": str(self.place / "state"),
            "AXM_CONFIGFS": str(self.place / "config"),
            "AXM_FIRMWARE": str(self.place / "firmware"),
            "AXM_MKDIR": str(shutil.which("mkdir")),
            "AXM_REFUSED": refused,
            "AXM_DEAD": dead,
            **more,
        }
        done = subprocess.run(
            ["sh", self.place / "boot" / script, verb],
            env=env, capture_output=True, text=True, timeout=_LIMIT_S,
        )  # fmt: skip
        told = (line.partition(" ") for line in log.read_text().splitlines())
        events = [(what, of) for what, _, of in told]
        return done.returncode, done.stderr.strip(), events

    def words(self) -> dict[int, int]:
        return {
            int(path.name, 16): int(path.read_text(), 0)
            for path in (self.place / "words").iterdir()
        }


def afi(plan: Plan, directory: Path, before: dict[int, int]) -> list[str]:
    """afi.sh set and back."""
    widths = _widths(plan)
    return _forth_and_back(plan, directory, before, "afi.sh", ("set", widths), ("back", widths))


def overlay(plan: Plan, directory: Path, before: dict[int, int]) -> list[str]:
    """overlay.sh load and unload, and what must end a load."""
    forth = ("load", [board_events.REGION, *_widths(plan), board_events.OVERLAY])
    back = ("unload", [board_events.REMOVE, *_between(_widths(plan), board_events.REMOVE)])
    found = _forth_and_back(plan, directory, before, "overlay.sh", forth, back)
    return found + _refused(plan, directory, before)


def _between(widths: list[str], last: str) -> list[str]:
    """Removing twice is one kind of event where nothing is between."""
    return [*widths, last] if widths else []


def _widths(plan: Plan) -> list[str]:
    return [board_events.WIDTH] if boot.widths(plan) else []


def _forth_and_back(
    plan: Plan,
    directory: Path,
    before: dict[int, int],
    script: str,
    forth: tuple[str, list[str]],
    back: tuple[str, list[str]],
) -> list[str]:
    """Each with its verb and the order of what it does; each twice, of which the second is to be
    refused."""
    with tempfile.TemporaryDirectory(prefix="axiometer-boot-") as place:
        board = Board(directory, Path(place), before)
        session = _session(board, script, forth[0])
        session.after = board.words()
        twice = board.run(script, forth[0])[0]
        if twice == 0 or board.words() != session.after:
            session.findings.append(f"{forth[0]} twice is not refused")
        again = _session(board, script, back[0])
        session.back = board.words()
        if again.kinds() != back[1]:
            session.findings.append(f"{back[0]} does {', '.join(again.kinds())}")
        if board.run(script, back[0])[0] == 0:
            session.findings.append(f"{back[0]} of what is not there is not refused")
    session.findings += again.findings
    return board_events.compare(plan, script, session, forth[1], before)


def _session(board: Board, script: str, verb: str) -> board_events.Session:
    status, said, events = board.run(script, verb)
    session = board_events.Session([e for e in events if e[0] != "wrong"])
    session.findings += [what for kind, what in events if kind == "wrong"]
    if status:
        session.findings.append(f"{verb} ends with {status}: {said}")
    return session


def _refused(plan: Plan, directory: Path, before: dict[int, int]) -> list[str]:
    """An overlay that the kernel refuses, or a width that cannot be written, leaves nothing."""
    with tempfile.TemporaryDirectory(prefix="axiometer-boot-") as place:
        board = Board(directory, Path(place), before)
        found = []
        for refused in ("bitstream", "axm"):
            status, _, events = board.run("overlay.sh", "load", refused=refused)
            left = list((Path(place) / "config/device-tree/overlays").iterdir())
            touched = refused == "bitstream" and any(k == board_events.WIDTH for k, _ in events)
            if status == 0 or left or touched or board.words() != before:
                found.append(f"overlay.sh: goes on though the kernel refused {refused}.dtbo")
        if not boot.widths(plan):
            return found
        dead = f"{boot.widths(plan)[-1].address:#010x}"
        status = board.run("overlay.sh", "load", dead=dead)[0]
        left = list((Path(place) / "config/device-tree/overlays").iterdir())
        if status == 0 or left or board.words() != before:
            found.append(f"overlay.sh: goes on though {dead} cannot be written")
    return found
