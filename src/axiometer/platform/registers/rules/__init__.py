"""Figures of several fields: expressions, which are data (a chip's `figures.toml`), and their
operations: address maps, mode registers, the crystal's rate."""
