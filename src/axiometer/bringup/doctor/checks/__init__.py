"""The checks. Each module has functions `(Visit) -> Finding`; `examine.py` puts them in order."""
