"""What a person sees of a run: tables, curves, time stacks, sentences, files and the report.

Everything here reads a `view.View`, which is the one place that knows how the
other rooms hand over a run. Nothing here runs, stores or changes anything.
"""
