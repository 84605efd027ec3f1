"""Chooses a trained model's thresholds on turns that it was not trained on."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from asides.evaluation.labels import Labelled, Verdict
from asides.evaluation.running import run
from asides.evaluation.scoring import right
from asides.model.clock import Clock
from asides.writers.generative.card import Card
from asides.writers.generative.llama import Llama
from asides.writers.generative.writer import Generative

SECONDS = 300  # for one answer; a slow machine should give the same thresholds
LIVE_PRECISION = 0.9  # of what is kept from the live threshold on
FLOOR_PRECISION = 0.5  # of what is kept from the floor on
LEAST = 20  # kept entries behind a threshold; fewer say too little

# Whatever its odds, so that they can be compared with the truth.
_EVERYTHING = Card(live_threshold=1.0, floor=0.0, measured_on=1)


def measured(
    model: Path, turns: Sequence[Labelled], *, most: int, seed: int, now: Clock, told: Callable[[], None]
) -> tuple[Card, dict[str, int]]:
    """Returns the card of a model after it judged at most so many turns, and what it answered out of form.

    `told` hears of each turn. Where too little was kept to choose thresholds, it is the card of a model that
    was never measured.
    """
    turns = [turn for turn in turns if turn.verdict is not Verdict.MAYBE]
    if len(turns) > most:
        turns = random.Random(seed).sample(turns, most)  # noqa: S311 - the same turns must come out again
    writer = Generative(Llama(model, seconds=SECONDS), card=_EVERYTHING)
    every = {one.id: one.entries for one in run(turns, writer, now=now, told=told).every}
    scored = [(entry.score, right(entry, turn)) for turn in turns for entry in every.get(turn.id, ())]
    return card(scored, len(turns)), {str(fault): count for fault, count in writer.refusals.items()}


def card(scored: Sequence[tuple[float, bool]], turns: int) -> Card:
    """Returns thresholds at which the wanted precision was reached, from scores that came true or not."""
    live = _lowest(scored, LIVE_PRECISION)
    floor = _lowest(scored, FLOOR_PRECISION)
    if live is None or floor is None:
        return Card()
    return Card(live_threshold=live, floor=min(floor, live * 0.99), measured_on=turns)


def write(model: Path, chosen: Card) -> Path:
    """Writes a card beside its model, where the writer looks for it, and returns it."""
    path = model.with_suffix(".card.json")
    path.write_bytes(msgspec.json.format(msgspec.json.encode(chosen), indent=2) + b"\n")
    return path


def _lowest(scored: Sequence[tuple[float, bool]], precision: float) -> float | None:
    """Returns the lowest score from which so many are right, with LEAST of them at least; else None."""
    found = None
    hits = 0
    ordered = sorted(scored, key=lambda one: -one[0])
    for place, (score, came) in enumerate(ordered, 1):
        hits += came
        last = place == len(ordered) or ordered[place][0] < score
        if last and place >= LEAST and hits / place >= precision:
            found = score
    return found
