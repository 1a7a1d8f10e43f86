"""Changes that a user can make, each simulated: one list, which every view shows.

`trial.py` has a change, its outcome and its one gain, `runner.py` simulates, `made.py` lays changes
over a scenario. To try one more change of a point, add a function to `of_point.py`."""
