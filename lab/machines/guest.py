"""The contents of a virtual machine: its files, its modules, and its script."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from machines import packages

# The archive has no /dev/console, which only root can make: the script opens the kernel's.
HEAD = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev /tmp /lib
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
exec < /dev/console > /dev/console 2>&1
/bin/busybox --install -s /bin
export PATH=/bin HOME=/
mount -t sysfs sys /sys
mount -t debugfs debug /sys/kernel/debug
mount -t tmpfs tmp /tmp
"""
GREETING = "The driver is loaded: test /dev/axm* with axm_test; end with poweroff -f."
ENDED = "axiometer-vm: the script ended with status"


@dataclass(frozen=True)
class Guest:
    """modules: loaded in this order, after `before`, which is shell. files: by place, all
    executable. script: shell, None for a prompt. words: for the kernel's command line."""

    modules: tuple[Path, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    before: str = ""
    script: str | None = None
    words: str = ""

    def init(self) -> str:
        """The first program: loads the modules, then runs /script, or gives a shell."""
        load = self.before + "".join(f"insmod /{module.name}\n" for module in self.modules)
        if self.script is None:
            return f"{HEAD}{load}echo; echo '{GREETING}'\nsetsid cttyhack sh\npoweroff -f\n"
        return f'{HEAD}{load}sh /script\necho "{ENDED} $?"\npoweroff -f\n'

    def archive(self, architecture: str) -> bytes:
        """Its file system. architecture: Debian's name."""
        busybox = packages.guest(architecture).path / "usr" / "bin" / "busybox"
        files = {"bin/busybox": busybox, **self.files, **{m.name: m for m in self.modules}}
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            for place, path in files.items():
                (root / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, root / place)
            (root / "init").write_text(self.init(), encoding="utf-8")
            (root / "script").write_text(self.script or "", encoding="utf-8")
            found = sorted(path for path in root.rglob("*"))
            for path in found:
                path.chmod(0o755)
            return subprocess.run(
                ["cpio", "--create", "--format=newc", "--owner=+0:+0", "--quiet"], cwd=root,
                input="".join(f"{path.relative_to(root)}\n" for path in found).encode(),
                capture_output=True, check=True,
            ).stdout  # fmt: skip
