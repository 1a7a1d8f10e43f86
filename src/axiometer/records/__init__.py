"""Stored runs: the store, and the laws that every record keeps."""
