"""Searches for a better setting: each answer is simulated, none is a rule of thumb."""
