"""Foundations that all rooms use and that use no room: errors, files, units, clocks, limits of
input, progress and output."""
