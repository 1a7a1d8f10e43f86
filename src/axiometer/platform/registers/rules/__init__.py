"""What takes several fields: a module a chip with its `RULES`, and what they share."""
