"""Entries and their whole history: every change can be seen, explained and undone."""
