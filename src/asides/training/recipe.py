"""How a model is trained: the published recipe, and beside it what that leaves open."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Numbers of one training.

    Published for Qwen3-1.7B: rank, alpha, epochs, the share of turns with nothing to keep, loss on the answer
    only, no thinking, Q4_K_M. The rest is ours, at the usual values for low-rank adapters.
    """

    epochs: int = 2
    rank: int = 16
    alpha: int = 32
    empty_share: float = 0.72  # of turns that hold nothing, at most, among those trained on
    rate: float = 2e-4  # highest learning rate; reached after `warmup`, then falling to zero as a half cosine
    warmup: float = 0.03  # share of the steps
    batch: int = 16  # examples of one step
    together: int = 4  # examples that are computed at once
    longest: int = 2_048  # tokens; a longer example is left out
    clip: float = 1.0  # longest gradient
    seed: int = 1
    steps: int | None = None  # stop after so many, for a trial
    held_out: float = 0.1  # share of the turns that is not trained on, but measured
    full_precision: bool = False  # compute in 32 bits even where 16 are at hand
    checkpointing: bool = False  # compute activations twice instead of keeping them: slower, far less memory
