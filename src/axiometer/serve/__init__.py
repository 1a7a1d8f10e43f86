"""`axiometer serve`: a page in the browser that asks the same functions as Python, on this machine.

`server.py` answers requests, `guards.py` refuses those of others; `static/` has the page.
"""
