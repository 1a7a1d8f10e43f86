"""What is judged of an answer, each as one frozen value: what limits a point and what to change
(`verdict.py`, `remedy.py`), the points of a run (`explained.py`), one point that was asked for
(`expected.py`), a design (`designed.py`), and whether masters get what they ask for (`demands.py`).

Text, pages and JSON say the same because they word these. Not for: words (`present/`), nor for the
figures that are judged (`analysis/`) or the simulations without a cause (`relax/`).
"""
