"""asides: say it once, your coding agent keeps it."""

__version__ = "0.1.0"
