"""Runs experiments: on this machine's cores (`workers.py`) or on a cluster (`cluster.py`).

`session.py` divides a run into chunks and saves each point as soon as it has finished;
`provenance.py` records versions and settings of the run.
"""

from axiometer.runs.runner.session import Session, chunks_of, cost, run, spec_of

__all__ = ["Session", "chunks_of", "cost", "run", "spec_of"]
