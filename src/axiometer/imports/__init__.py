"""Public datasets in the form that they were published in: one module a dataset.

A module has `TITLE`, `TARGET` and either `read(directory)`, which gives one table as a list of
dicts, or `tables(directory)`, which gives several by file name. `TARGET` is where the table, or the
directory of the tables, belongs below the directory of public datasets. `DATASETS` names the
modules for the command.
"""

from __future__ import annotations

DATASETS = {
    "zynq7000-time-measurements": "axiometer.imports.zynq7000",
    "dma-stress": "axiometer.imports.dma_stress",
    "zynq-usp-axi-speedtest": "axiometer.imports.zynq_usp",
}
