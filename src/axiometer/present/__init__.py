"""What a person sees of a run: tables, curves, time stacks, sentences, files and the report.

Everything here lays out what `analysis/` computed: the results of a run (`analysis.results.View`).
Nothing here runs, stores or changes anything.
"""
