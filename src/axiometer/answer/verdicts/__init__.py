"""The verdicts of an answer, each one frozen value: the limit of a point and the change to make
(`verdict.py`, `remedy.py`), the points of a run (`explained.py`), one requested point
(`expected.py`), a design (`designed.py`), and whether masters get their rates (`demands.py`).

Texts, pages and JSON agree because they all present these values. Not for: words (`present/`),
figures (`analysis/`), or simulations without a cause (`relax/`).
"""
