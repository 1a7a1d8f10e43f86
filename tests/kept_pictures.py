"""Pictures that a test compares with checked ones: their inputs, and the facts saved in
`pictures/`: every text with its place, and the number of marks.

    python tests/kept_pictures.py     # after looking at the new ones: keeps them
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import present_fake as fake

KEPT = Path(__file__).resolve().parent / "pictures"
SVG = "{http://www.w3.org/2000/svg}"
_SHIFT = re.compile(r"translate\(([-\d.e]+)[, ]+([-\d.e]+)\)")


def of_table():
    from axiometer.present import pictures

    return pictures.of_run(fake.view())


def of_curve():
    from axiometer.present import pictures

    return pictures.of_run(fake.view(fake.curve_rows(), title="Size <&> rate"))


def of_many_series():
    """Six series: their legend has to break."""
    from axiometer.present import pictures

    rows = []
    for beats in (2, 4, 6, 8, 12, 16):
        for e in range(8, 20, 2):
            key = {"burst_beats": beats, "transfer_bytes": 1 << e}
            launch = 4e-6 / (4e-6 + (1 << e) / 800e6)
            rows.append(fake.row(len(rows), key, repeats=2, launch=launch, **key))
    return pictures.of_run(fake.view(rows, title="Six lengths of burst"))


def of_time():
    from axiometer.answer.verdicts.explained import explain
    from axiometer.present import pictures
    from axiometer.present.explanation import label

    table = fake.view()
    found = [explain(table, row, label(row)) for row in table.rows[15:17]]
    return pictures.of_stacks(table, [(e.label, e.stacks) for e in found])


def of_rates():
    import axiometer as axm

    keys = {"ports": "HP0+HP2", "transfer_bytes": "64KiB", "repeats": 2}
    return axm.expect("zybo", **keys).plot()


def of_load():
    import axiometer as axm

    return axm.curve("zybo", ports="HP0+HP2", ratio=["1:0", "1:1"], gaps=(0, 8, 64, 512)).plot()


PICTURES: dict[str, Callable] = {
    "table": of_table,
    "curve": of_curve,
    "series": of_many_series,
    "time": of_time,
    "rates": of_rates,
    "load": of_load,
}


def drawn(name: str) -> str:
    """The picture of that name as it is drawn today, as SVG."""
    from axiometer.present import pictures

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.svg"
        pictures.write(PICTURES[name](), path)
        return path.read_text(encoding="utf-8")


def texts(svg: str) -> list[tuple[float, float, str]]:
    """Every text that can be seen, with its place: x and y in pixels of its anchor."""
    return list(_texts(ElementTree.fromstring(svg), 0.0, 0.0))


def _texts(node, x: float, y: float) -> Iterator[tuple[float, float, str]]:
    if node.get("display") == "none" or node.get("opacity") == "0":
        return
    for dx, dy in _SHIFT.findall(node.get("transform") or "")[:1]:
        x, y = x + float(dx), y + float(dy)
    if node.tag == f"{SVG}text" and (text := " / ".join(node.itertext())):
        yield x, y, text
    for child in node:
        yield from _texts(child, x, y)


def marks(svg: str) -> Counter:
    """How many paths, lines and rectangles there are."""
    found = Counter(node.tag.removeprefix(SVG) for node in ElementTree.fromstring(svg).iter())
    return Counter({tag: found[tag] for tag in ("path", "line", "rect")})


def written(svg: str) -> str:
    """What is kept of a picture."""
    counted = "  ".join(f"{tag} {count}" for tag, count in sorted(marks(svg).items()))
    lines = [f"{x:7.0f} {y:6.0f}  {text}" for x, y, text in texts(svg)]
    return "\n".join([counted, *lines]) + "\n"


def differences(kept: str, now: str, pixels: float = 4) -> list[str]:
    """What is another text, another place by more than `pixels`, or another number of marks."""
    old, new = kept.splitlines(), now.splitlines()
    found = [] if len(old) == len(new) else [f"{len(old)} lines were kept, now {len(new)}"]
    if old[0] != new[0]:
        found.append(f"marks: {old[0]} were kept, now {new[0]}")
    for before, after in zip(old[1:], new[1:], strict=False):
        (x, y, text), (x2, y2, text2) = (line.split(None, 2) for line in (before, after))
        far = max(abs(float(x) - float(x2)), abs(float(y) - float(y2)))
        if text != text2 or far > pixels:
            found.append(f"{before.strip()} was kept, now {after.strip()}")
    return found


if __name__ == "__main__":
    for picture in PICTURES:
        (KEPT / f"{picture}.txt").write_text(written(drawn(picture)), encoding="utf-8")
