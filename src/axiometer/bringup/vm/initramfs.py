"""Makes an initial file system for the kernel: cpio in the form "newc", compressed by gzip."""

from __future__ import annotations

import gzip
import stat
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A file, directory, symbolic link (content: its target) or character device."""

    path: str
    mode: int
    content: bytes = b""
    device: tuple[int, int] = (0, 0)


def directory(path: str) -> Entry:
    return Entry(path, stat.S_IFDIR | 0o755)


def program(path: str, content: bytes) -> Entry:
    return Entry(path, stat.S_IFREG | 0o755, content)


def link(path: str, target: str) -> Entry:
    return Entry(path, stat.S_IFLNK | 0o777, target.encode())


def console() -> Entry:
    """/dev/console, which the kernel opens for the first program."""
    return Entry("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))


def archive(entries: list[Entry]) -> bytes:
    """The archive of the entries; reproducible, byte by byte."""
    out = bytearray()
    for number, entry in enumerate([*entries, Entry("TRAILER!!!", 0)], start=1):
        name = entry.path.encode() + b"\0"
        fields = (
            number, entry.mode, 0, 0, 1, 0, len(entry.content), 0, 0, *entry.device, len(name), 0,
        )  # fmt: skip
        out += b"070701" + b"".join(b"%08X" % field for field in fields) + name
        out += b"\0" * (-len(out) % 4) + entry.content
        out += b"\0" * (-len(out) % 4)
    return gzip.compress(bytes(out), compresslevel=1, mtime=0)
