"""What is simulated, and the one way to simulate it.

A platform and a point become a `Scenario` (or, of the processor's side, a `Transfer`), once and for
all machines; its `document` is what the model in C++ reads, in the same names. Whoever wants
another simulation changes the point or, with `dataclasses.replace`, the scenario.

| module | what it has |
|---|---|
| `figures` | figures of the platform that pass to the model by their names |
| `chip` | DRAM, controller, paths and ports |
| `pairs`, `engines`, `traffic` | streams of buffers and pairs; of free engines; traffic classes |
| `scenario`, `start` | all of these together; what differs between repeats |
| `run`, `records` | a repeat: start, run, record |
| `transfer`, `transfer_parts` | the processor's side |
"""
