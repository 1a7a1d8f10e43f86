"""Runs `axiometer ARGUMENTS` and kills itself with SIGKILL at the N-th Python or C call.

    python killed_at.py N ARGUMENTS...

Calls are counted from the opening of the store until all points are kept. Counting instead of
waiting makes the moment independent of the machine's speed. With N = 0 nothing is killed and the
number of calls is printed on stderr.
"""

import os
import signal
import sys

# What the command imports later is imported now: imports are not the calls that matter.
import fake_backend  # noqa: F401
from axiometer.__main__ import main
from axiometer.records.store import Store

limit = int(sys.argv[1])
calls = 0


def count(frame, event, argument):
    global calls
    calls += event in ("call", "c_call")
    if calls == limit:
        os.kill(os.getpid(), signal.SIGKILL)


def opened(store, *arguments, **options):
    sys.setprofile(count)
    open_store(store, *arguments, **options)


def loaded(store, run):
    sys.setprofile(None)
    return load_run(store, run)


open_store, Store.__init__ = Store.__init__, opened
load_run, Store.load = Store.load, loaded
status = main(sys.argv[2:])
print(calls, file=sys.stderr)
sys.exit(status)
