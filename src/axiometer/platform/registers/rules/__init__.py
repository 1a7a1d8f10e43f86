"""What makes a figure of several fields: expressions, which are data (a chip's `figures.toml`), and
the operations that they may name: address maps, mode registers, the crystal's rate."""
