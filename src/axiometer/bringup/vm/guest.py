"""The contents of a virtual machine: its files, its modules, and its script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from axiometer.bringup.vm import initramfs, packages

APPLETS = (
    "basename cat chmod cp cttyhack dd dmesg echo env false find free grep head id insmod kill ln "
    "ls lsmod mkdir more mount mv nice poweroff printf ps pwd readlink rm rmmod sed seq setsid sh "
    "sleep sort stat sync tail tee test time timeout top touch true uname uniq wc xargs"
)
FOLDERS = ("bin", "proc", "sys", "dev", "tmp", "lib")
MOUNTS = (
    "mount -t proc proc /proc\nmount -t sysfs sys /sys\nmount -t devtmpfs dev /dev\n"
    "mount -t debugfs debug /sys/kernel/debug\nmount -t tmpfs tmp /tmp\n"
)
ENDED = "axiometer-vm: the script ended with status"


@dataclass(frozen=True)
class Guest:
    """architecture: Debian's name. modules: loaded in this order, after `before`, which is shell.
    files: by place, all executable. script: shell, none for a prompt with `greeting`. words: for
    the kernel's command line."""

    architecture: str
    modules: tuple[Path, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    before: str = ""
    script: str | None = None
    greeting: str = ""
    words: str = ""

    def init(self) -> str:
        """The first program: loads the modules, then runs /script, or gives a shell."""
        load = self.before + "".join(f"insmod /{module.name}\n" for module in self.modules)
        head = "#!/bin/sh\n" + MOUNTS + load
        if self.script is None:
            return f"{head}echo; echo '{self.greeting}'\nsetsid cttyhack sh\npoweroff -f\n"
        return f'{head}sh /script\necho "{ENDED} $?"\npoweroff -f\n'

    def archive(self) -> bytes:
        """Its file system."""
        entries = [initramfs.directory(d) for d in FOLDERS]
        made = set(FOLDERS)
        entries.append(initramfs.console())
        busybox = packages.guest(self.architecture).path / "usr" / "bin" / "busybox"
        entries.append(initramfs.program("bin/busybox", busybox.read_bytes()))
        entries += [initramfs.link(f"bin/{name}", "busybox") for name in APPLETS.split()]
        for place, path in self.files.items():
            for folder in reversed([p.as_posix() for p in Path(place).parents][:-1]):
                if folder not in made:
                    entries.append(initramfs.directory(folder))
                    made.add(folder)
            entries.append(initramfs.program(place, path.read_bytes()))
        entries += [initramfs.program(path.name, path.read_bytes()) for path in self.modules]
        entries.append(initramfs.program("init", self.init().encode()))
        if self.script is not None:
            entries.append(initramfs.program("script", self.script.encode()))
        return initramfs.archive(entries)
