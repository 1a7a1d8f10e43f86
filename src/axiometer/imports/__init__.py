"""Public datasets in the form that they were published in: one module a dataset.

A module has `TITLE`, `TARGET` (where its table belongs below the directory of public datasets) and
`read(directory)`, which gives the table as a list of dicts. `DATASETS` names them for the command.
"""

from __future__ import annotations

DATASETS = {"zynq7000-time-measurements": "axiometer.imports.zynq7000"}
