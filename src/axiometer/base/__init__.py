"""What everybody needs, and what needs nobody: errors, files, units, clocks, limits of input,
progress and output."""
