"""What an entry is watched by, compiled from its words and its anchor without a model."""
