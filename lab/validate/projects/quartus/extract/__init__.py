"""Takes facts of Platform Designer and Quartus from public projects (`sources.toml`):

    python -m validate.projects.quartus.extract --repositories DIR [--write]

DIR has a git repository of each, as OWNER+NAME/repo. Written are `facts.toml`, which the proof
holds written projects against, and src/axiometer/bringup/projects/quartus/boards/: pins and
parameters of boards, from their reference designs. Not for: texts of others; none is kept.
"""
