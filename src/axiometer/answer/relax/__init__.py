"""What limits a point, by what the model gives where one thing less limits it.

`table.py` lists what may limit and how each is relaxed, `gains.py` simulates them and names the
best. To add a candidate, write what it does to a scenario and add an entry to the table.
"""
