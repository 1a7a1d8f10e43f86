"""Measurements on emulated boards: that `axiometer measure` works up to a board's door."""
