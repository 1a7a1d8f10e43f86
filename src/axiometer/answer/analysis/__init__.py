"""Figures computed from records: statistics, errors against published figures, where time went.

`collect.py` makes the results of a stored run (`results.py`), `comparison.py` compares them with
published figures, `time_classes.py` and `time_shares.py` give its time accounting. Not for: words,
tables or pictures (`present/`), nor for running anything but the sweep of `load_sweep.py`.
"""
