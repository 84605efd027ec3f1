"""How well a writer judges labelled turns: the figures, the curve, what it costs."""
