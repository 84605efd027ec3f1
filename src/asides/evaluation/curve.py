"""Precision against what is found, threshold by threshold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from asides.evaluation.labels import Labelled
from asides.evaluation.predictions import Prediction
from asides.evaluation.running import at
from asides.evaluation.scoring import score
from asides.evaluation.shares import Share

STEPS = tuple(round(0.05 * n, 2) for n in range(1, 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The figures of everything that scores at least `threshold`."""

    threshold: float
    captured: Share
    precision_random: Share
    precision_all: Share
    clean_turns: Share
    clean_hard: Share


def curve(
    turns: Iterable[Labelled], every: Iterable[Prediction], *, also: Iterable[float] = ()
) -> tuple[Point, ...]:
    """Returns a point for each of STEPS and for the thresholds in `also`, in order."""
    turns, every = tuple(turns), tuple(every)
    return tuple(_point(turns, every, threshold) for threshold in sorted({*STEPS, *also}))


def _point(turns: tuple[Labelled, ...], every: tuple[Prediction, ...], threshold: float) -> Point:
    figures = score(turns, at(every, live_threshold=threshold, floor=threshold))
    return Point(
        threshold=threshold,
        captured=figures["captured"],
        precision_random=figures["precision random"],
        precision_all=figures["precision all"],
        clean_turns=figures["clean turns"],
        clean_hard=figures["clean hard"],
    )
