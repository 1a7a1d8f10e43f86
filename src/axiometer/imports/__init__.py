"""Importers of public datasets in their published form: one module for each dataset.

A module has `TITLE`, `TARGET` and either `read(directory)`, which returns one table as a list of
dicts, or `tables(directory)`, which returns several by file name. `TARGET` is the path of the
table, or of the directory of tables, below the directory of public datasets. `DATASETS` has the
modules by their names in the command.
"""

from __future__ import annotations

DATASETS = {
    "zynq7000-time-measurements": "axiometer.imports.zynq7000",
    "dma-stress": "axiometer.imports.dma_stress",
    "zynq-usp-axi-speedtest": "axiometer.imports.zynq_usp",
}
