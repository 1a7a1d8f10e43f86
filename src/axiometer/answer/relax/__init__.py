"""The limit of a point, found by simulating it with one cause after another relaxed.

`table.py` lists the causes and their relaxations, `gains.py` simulates them and names the best. To
add a candidate, write its change of a scenario and add an entry to the table.
"""
