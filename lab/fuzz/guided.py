"""Attacks one target in Python with inputs that coverage guides (Atheris, libFuzzer for Python).

    python lab/fuzz/guided.py TARGET [OPTION ...]       e.g. -max_total_time=7200

Options are libFuzzer's. Corpus and findings are kept below `build/fuzz/TARGET/`.
"""

from __future__ import annotations

import sys

import atheris
import attack
from libfuzzer import BUILD


def main(name: str, *options: str) -> None:
    """Never returns: libFuzzer ends the process."""
    folder = BUILD / name
    (folder / "corpus").mkdir(parents=True, exist_ok=True)
    with atheris.instrument_imports(include=["axiometer", "tomllib"]):
        target = next(t for t in attack.targets() if t.__name__ == f"targets.{name}")
        seeds = target.seeds()
    for number, data in enumerate(seeds):
        (folder / "corpus" / f"seed{number}").write_bytes(data)
    words = folder / "words.dict"
    quoted = ("".join(f"\\x{byte:02x}" for byte in word) for word in [*target.WORDS, *attack.ODD])
    words.write_text("".join(f'"{word}"\n' for word in quoted))
    limits = [f"-max_len={getattr(target, 'MAX_BYTES', attack.USUAL_MAX_BYTES)}", "-timeout=120"]
    atheris.Setup(
        [sys.argv[0], f"-dict={words}", f"-artifact_prefix={folder}/", *limits, *options,
         str(folder / "corpus")],
        attack.checked(target.one),
    )  # fmt: skip
    with attack.little_memory():
        atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
