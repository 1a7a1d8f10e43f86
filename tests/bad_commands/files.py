"""Writes the files that lines.txt names: small, each with one mistake."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import design_kit
import kit
import register_files
from axiometer.__main__ import main

MASTER = '[[master]]\nname = "a"\nkind = "engine"\n'
ON_ZYBO = 'name = "masters"\ntitle = "Masters"\nplatform = "zybo"\n'
TABLE = "mode,ports,total_MBps\nduplex,P0,{}\n"

TEXTS = {
    "empty.toml": "",
    "list.toml": "- name: small\n- platform: tiny\n",
    "deep.toml": f"name = {'[' * 5000}{']' * 5000}\n",
    "digits.toml": kit.EXPERIMENT.replace("= 64", f"= {'9' * 5000}", 1),
    "many.toml": kit.EXPERIMENT.replace(
        '"duplex", "ps_to_pl"]', '"duplex"]\nseed = ' + str(list(range(300_000)))
    ),
    "tables.toml": kit.EXPERIMENT + "[[point]]\n" * 150_000,
    "keys.toml": kit.EXPERIMENT + "".join(f"k{n} = 1\n" for n in range(300_000)),
    "plot.toml": kit.EXPERIMENT.replace("[defaults]", 'plot = { x = "nope" }\n[defaults]'),
    "twice.toml": kit.EXPERIMENT.split("[sweep]")[0]
    + '[[point]]\nports = "P0+P1"\n[[point]]\nports = "P1+P0"\nmode = "duplex"\n',
    "points.toml": kit.EXPERIMENT.split("[sweep]")[0] + '[[point]]\nports = "P0"\n',
    "versal.toml": 'name = "mine"\ntitle = "Mine"\nchip = "versal"\n',
    "utf7.hwh": design_kit.hwh().replace("UTF-8", "UTF-7"),
    "gb2312.qsys": '<?xml version="1.0" encoding="gb2312"?><system/>',
    "zynq.hwh": design_kit.hwh(
        design_kit.module("dma", design_kit.DMA, design_kit.reads("M_AXI_MM2S", "d")),
        design_kit.zynq(("S_AXI_HP0", "d")),
    ),
    "versal.hwh": design_kit.hwh(device="xcvc1902", arch="versal"),
    "nochip.toml": 'name = "mine"\ntitle = "Mine"\nchip = "zynq-7001"\n',
    "owns.toml": 'name = "mine"\ntitle = "Mine"\nchip = "zynq-7000"\n'
    '[port.HP0]\nwidths = { value = [8], guess = "x" }\n',
    "half.toml": kit.PLATFORM.split("[port.P0]", maxsplit=1)[0],
    "good.toml": kit.EXPERIMENT.replace("tiny.toml", "zybo").replace("P", "HP"),
    "masters.toml": f'{ON_ZYBO}[defaults]\nduration = "100us"\n{MASTER}port = "HP0"\n',
    "twins.toml": f'{ON_ZYBO}{MASTER}port = "HP0"\n{MASTER}port = "HP1"\n',
    "strangers.toml": f'{ON_ZYBO}{MASTER}colour = "red"\n',
    "empty.csv": "",
    "header.csv": TABLE.splitlines()[0] + "\n",
    "negative.csv": TABLE.format(-5),
    "words.csv": TABLE.format("fast"),
    "twice.csv": TABLE.format(5) + "duplex,P0,7\n",
    "ragged.csv": TABLE.format("5,6,7,8"),
    "empty.hwh": "",
    "text.hwh": "this is no XML\n",
    "entities.hwh": '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>'
    "<a>&c;</a>",
    "text.tcl": "puts hello\n",
    "text.qsys": "<system>\n",
    "design.doc": "Dear reader\n",
    "good.csv": register_files.ZYNQ,
    "registers.txt": "0xF8000100 zero\n",
    "text.db": "this is no store\n",
    "book.xlsx": "this is no workbook\n",
}


ENDLESS = "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT x"
STORES = {
    "endless.db": "ALTER TABLE points RENAME TO was; CREATE VIEW points AS "
    f"{ENDLESS} AS run, x AS number, x AS point_key, x AS point_values, x AS records FROM c",
    "index.db": "CREATE INDEX more ON points (length(records))",
    "newer.db": "PRAGMA user_version = 99",
    "trigger.db": "CREATE TRIGGER t BEFORE INSERT ON points BEGIN DELETE FROM points; END",
}


def make(folder: Path, store: Path) -> None:
    """All of them in `folder`, and one good run in `store`."""
    experiment = kit.write(folder)
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    (folder / "binary.toml").write_bytes(bytes(range(256)))
    (folder / "bytes.toml").write_bytes(kit.EXPERIMENT.replace("small", "smäll").encode("latin-1"))
    (folder / "cut.xsa").write_bytes(b"PK\x03\x04" + bytes(40))
    (folder / "folder").mkdir()
    (folder / "folder" / "note.txt").write_text("kept\n")
    (folder / "loop.toml").symlink_to("loop.toml")
    os.mkfifo(folder / "pipe")
    with sqlite3.connect(folder / "other.db") as other:
        other.execute("CREATE TABLE birds (name TEXT)")
    assert main(kit.run_arguments(experiment, store)) == 0
    (folder / "runs.db").write_bytes(store.read_bytes())
    for name, statement in STORES.items():
        (folder / name).write_bytes(store.read_bytes())
        with sqlite3.connect(folder / name) as other:
            other.execute("PRAGMA journal_mode = DELETE")
            other.executescript(statement)
        other.close()
    (folder / "link.db").symlink_to(store)
    (folder / "link.svg").symlink_to("link.db")
    (folder / "hard.csv").hardlink_to(folder / "runs.db")
    (folder / "short.db").write_bytes(store.read_bytes()[:5000])
