"""Experiments on a board, or on an emulated one: what is loaded there (`design.py`), one repeat
(`bench.py`), a run that survives the board (`session.py`).
"""
