"""Engines in a design, driven through an agent: the same on a board and in a co-simulation."""
