"""Bringing a board up: the doctor, projects and boot scripts, virtual machines."""
