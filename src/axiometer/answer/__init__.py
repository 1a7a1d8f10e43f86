"""What is computed of records: statistics, errors, causes, relations that must hold."""
