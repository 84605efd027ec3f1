"""What the next session reads: chosen, rendered, and left ready on disk."""
