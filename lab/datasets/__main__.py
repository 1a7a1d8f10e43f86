"""Makes tables of a public dataset, in the form that experiments compare with.

python lab/datasets dma_stress|zynq7000|zynq_usp DIRECTORY OUT       (tables in OUT/TARGET/)
"""

import importlib
import sys
from pathlib import Path

from axiometer.present import flat

name, directory, output = sys.argv[1:]
dataset = importlib.import_module(name)
for file, rows in dataset.tables(Path(directory)).items():
    path = Path(output) / dataset.TARGET / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(flat.to_csv(rows), encoding="utf-8", newline="\n")
    print(path)
