"""The output for people: tables, curves, time stacks, sentences, files and the report.

All of it lays out the results that `analysis/` computed (`analysis.results.View`). Nothing here
runs, stores or changes anything.
"""
