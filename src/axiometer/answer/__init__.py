"""Results computed from records: statistics, errors, causes, relations that must hold."""
