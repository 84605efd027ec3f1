"""Spool to event log to turns: everything an agent hands us is taken in exactly once."""
