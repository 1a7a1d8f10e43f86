"""The files of a platform: a board's, its chip's, and the files from which these take figures.

A store saves them together as one text, from which a platform can be read again without any file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from axiometer.base import data, input_bounds
from axiometer.base.errors import AxiometerError
from axiometer.base.toml_source import TomlSource

_PARTS = ("kind", "name", "file", "text")


class Files:
    """Files in the order of reading; the first names the others."""

    def __init__(self, first: TomlSource, kept: Sequence[dict[str, str]] | None = None) -> None:
        """`kept`: the other files from a store; None: they are on disk."""
        self.sources = [first]
        self._entries = [{"kind": "boards", "name": "", "file": first.file, "text": first.text}]
        self._kept = None if kept is None else list(kept)
        self._taken: dict[tuple[str, str, str], TomlSource] = {}

    def take(self, kind: str, name: str, by: TomlSource, *path: str | int) -> TomlSource:
        """The file of `kind` ("chips", "boards" or "programs") that `by` names `name` in the key at
        `path`: one of Axiometer, or a TOML file relative to `by`. AxiometerError if it is
        missing."""
        if (kind, name, by.file) in self._taken:
            return self._taken[kind, name, by.file]
        try:
            found = self._find(kind, name, by)
        except AxiometerError as error:
            if error.file is None:
                raise by.error(error.message, *path, remedy=error.remedy) from None
            raise
        self._taken[kind, name, by.file] = found
        self.sources.append(found)
        self._entries.append({"kind": kind, "name": name, "file": found.file, "text": found.text})
        if sum(len(source.text) for source in self.sources) > input_bounds.MAX_BYTES:
            raise by.error(
                f"this file and those that it names are larger than {input_bounds.MAX_BYTES >> 20} "
                "MiB together",
                *path,
                remedy="use fewer figures",
            )
        return found

    def programs(self, by: TomlSource) -> list[TomlSource]:
        """The files of all programs; [] for a platform that a store saved before programs
        existed."""
        kept = self._kept
        names = (
            data.names("programs")
            if kept is None
            else [entry["name"] for entry in kept if entry["kind"] == "programs"]
        )
        return [self.take("programs", name, by) for name in names]

    def _find(self, kind: str, name: str, by: TomlSource) -> TomlSource:
        if self._kept is None:
            return TomlSource.read(data.find_toml(kind, name, Path(by.file).parent))
        entry = self._kept.pop(0) if self._kept else {}
        if (entry.get("kind"), entry.get("name")) != (kind, name):
            raise AxiometerError(
                f"{name!r} is not saved with it", remedy="run the experiment again"
            )
        return TomlSource(entry["text"], entry["file"])

    @property
    def text(self) -> str:
        """All files as one text: the TOML of a single file, or a JSON list of files."""
        if len(self.sources) == 1:
            return self.sources[0].text
        return json.dumps(self._entries, ensure_ascii=False)

    @property
    def sha256(self) -> str:
        """SHA-256 of the texts, without names and places."""
        return hashlib.sha256("\0".join(s.text for s in self.sources).encode()).hexdigest()


def read_kept(text: str, file: object) -> Files:
    """The files in a text from `Files.text`; AxiometerError for any other text."""
    if not text.startswith("[{"):
        return Files(TomlSource(text, file), [])
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        entries = None
    good = isinstance(entries, list) and all(
        isinstance(entry, dict)
        and set(entry) == set(_PARTS)
        and all(isinstance(value, str) for value in entry.values())
        for entry in entries
    )
    if not good:
        raise AxiometerError("the files of the platform cannot be read", file=file)
    return Files(TomlSource(entries[0]["text"], entries[0]["file"]), entries[1:])
