"""Searches for better settings: every answer is simulated, not a rule of thumb."""
