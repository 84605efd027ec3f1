"""Whether a score of 0.8 is right in eight cases of ten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from asides.evaluation.labels import Labelled, Verdict
from asides.evaluation.predictions import Prediction
from asides.evaluation.scoring import right
from asides.evaluation.shares import Share, share

BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Entries of about the same score: how sure the writer was, and how many were right."""

    low: float
    high: float
    score: float  # mean
    right: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How far scores are from shares, over everything that the checks let pass, whatever its score.

    `brier`: mean squared distance of the score from what came true (0 best; 0.25 for always saying 0.5).
    `error`: mean distance of score and share, bins weighted by what lies in them.
    """

    of: int
    brier: float | None
    error: float | None
    bins: tuple[Bin, ...]


def calibration(turns: Iterable[Labelled], every: Iterable[Prediction]) -> Calibration:
    """Returns how well the scores of `every` turn out; `maybe` turns count neither way."""
    kept = {one.id: one.entries for one in every}
    scored = [
        (entry.score, right(entry, turn))
        for turn in turns
        if turn.verdict is not Verdict.MAYBE
        for entry in kept.get(turn.id, ())
    ]
    if not scored:
        return Calibration(of=0, brier=None, error=None, bins=())
    bins = tuple(found for n in range(BINS) if (found := _bin(n, scored)) is not None)
    return Calibration(
        of=len(scored),
        brier=sum((score - came) ** 2 for score, came in scored) / len(scored),
        error=sum(abs(one.score - (one.right.share or 0)) * one.right.of for one in bins) / len(scored),
        bins=bins,
    )


def _bin(number: int, scored: list[tuple[float, bool]]) -> Bin | None:
    inside = [one for one in scored if min(int(one[0] * BINS), BINS - 1) == number]
    if not inside:
        return None
    return Bin(
        low=number / BINS,
        high=(number + 1) / BINS,
        score=sum(score for score, _ in inside) / len(inside),
        right=share(sum(came for _, came in inside), len(inside)),
    )
