"""Training of the generative writer's model: `asides train lora`. Imported by that command only."""
