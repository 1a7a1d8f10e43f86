"""Compiles Verilator's run time once for all test benches: a compiler launcher where ccache is not.

Usage, by Verilator's makefile: OBJCACHE='python objcache.py FOLDER', then COMPILER ARGUMENTS...
Only sources that are named by an absolute path are kept (Verilator's and cocotb's own; a design's
are relative). An object's name is a hash of the compiler, its arguments, the source and all headers
beside it, so that nothing stale is ever taken. Needs nothing but Python; does not clean up.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def key(command: list[str], source: Path) -> str:
    """The name of what `command` makes, whatever the name of its output is."""
    compiler = shutil.which(command[0]) or command[0]
    about = Path(compiler).resolve().stat()
    mark = hashlib.sha256(repr((compiler, about.st_size, about.st_mtime_ns)).encode())
    headers = list(source.parent.rglob("*.h"))
    folders = [Path(word[2:]) for word in command if word.startswith("-I/")]
    headers += [path for folder in folders for path in folder.glob("*.h")]
    for word in command[1:]:
        mark.update(word.encode() + b"\0")
    for path in [source, *sorted(set(headers))]:
        mark.update(str(path).encode() + b"\0" + path.read_bytes())
    return mark.hexdigest()


def main(folder: Path, command: list[str]) -> int:
    """Runs the compiler, or copies what it made before; the status that make shall see."""
    words = list(command)
    sources = [Path(w) for w in words if w.startswith("/") and w.endswith(".cpp")]
    if "-c" not in words or "-o" not in words or len(sources) != 1:
        return subprocess.run(command, check=False).returncode
    at = words.index("-o")
    target = Path(words[at + 1])
    kept = folder / f"{key(words[:at] + words[at + 2 :], sources[0])}.o"
    if not kept.is_file():
        status = subprocess.run(command, check=False).returncode
        if status:
            return status
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder)
        os.close(handle)
        shutil.copyfile(target, name)
        Path(name).replace(kept)
        return 0
    shutil.copyfile(kept, target)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
