"""What is computed from records: statistics, errors against published figures, where time went.

`collect.py` makes the results of a stored run (`results.py`), `comparison.py` compares them with
what is published, `time_classes.py` and `time_shares.py` say where the time went. Not for: words,
tables or pictures (`present/`), nor for running anything but the sweep of `load_sweep.py`.
"""
