"""The checks. Each module has functions `(Visit) -> Finding`; `examine.py` has their order."""
