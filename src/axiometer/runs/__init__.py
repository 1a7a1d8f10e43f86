"""Running points: backends, the co-simulation, the agent of a board, and runs over many cores."""
