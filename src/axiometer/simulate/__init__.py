"""Scenarios for the model, and their simulation.

A platform and a point become a `Scenario` (or, on the processor's side, a `Transfer`), the same for
all machines; its `document` is the input of the model in C++, with the same names. For another
simulation, change the point or, with `dataclasses.replace`, the scenario.

| module | content |
|---|---|
| `figures` | figures of the platform that pass to the model by their names |
| `chip` | DRAM, controller, paths and ports |
| `pairs`, `engines`, `traffic` | streams of buffers and pairs; of freely running engines; classes |
| `scenario`, `start` | all of these together; differences between repeats |
| `run`, `records` | a repeat: start, run, record |
| `transfer`, `transfer_parts` | the processor's side |
"""
