"""Facts from public exports of Vivado, with their sources: `python -m validate.projects.extract`.

A folder of clones (bare, or with a work tree; each called OWNER+NAME) is read: block designs as
Tcl, the IP-XACT of cores as they were generated, `component.xml` of packaged IP, device trees. What
is kept are facts (names, values that were set, conditions under which a pin is there) and where
each was seen: repository, path, commit, version. No text of a file is kept. `scope.toml` says which
cores, settings and nodes; the table is `validate/projects/facts.json`, which the proof reads.
"""
