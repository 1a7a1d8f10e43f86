"""Experiments on a real or emulated board: the loaded design (`design.py`), one repeat
(`bench.py`), a run that survives restarts of the board (`session.py`).
"""
