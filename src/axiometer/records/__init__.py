"""What a run leaves: the store, and the laws that every record keeps."""
