"""Facts from public exports of Vivado, with their sources: `python -m validate.projects.extract`.

A folder of clones (bare, or with a work tree; each called OWNER+NAME) is read: block designs as
Tcl, the IP-XACT of cores as they were generated, `component.xml` of packaged IP, device trees. It
stores facts (names, values that were set, conditions under which a pin exists) and the place of
each: repository, path, commit, version; no text of a file. `scope.toml` lists the cores, settings
and nodes; the table is `lab/validate/projects/facts.json`, which the proof reads.
"""
