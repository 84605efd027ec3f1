"""Judges a network on labelled turns with the module that serves, and fits its calibration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from examples import Labelled
from tokenizers import Tokenizer

from asides.evaluation.matching import covers
from asides.writers.encoding import Window, encode
from asides.writers.spans import Calibration, Candidate, candidates

Answer = Callable[[Window], np.ndarray]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One candidate against the labels; `turn` numbers the turn in the list that was judged."""

    turn: int
    candidate: Candidate
    right: bool
    pool: str
    covers: tuple[int, ...]  # which labelled spans


def judge(turns: list[Labelled], answer: Answer, tokenizer: Tokenizer) -> list[Judged]:
    """Returns every candidate of every turn; turns on which people differ are left out."""
    found = []
    for n, turn in enumerate(turns):
        if turn.verdict == "maybe":
            continue
        encoded = encode(turn.text, turn.previous, tokenizer)
        for c in candidates(turn.text, encoded.windows, [answer(w) for w in encoded.windows]):
            body = turn.text[c.start : c.end]
            which = tuple(i for i, s in enumerate(turn.spans) if covers(body, turn.text[s.start : s.end]))
            found.append(Judged(turn=n, candidate=c, right=bool(which), pool=turn.pool, covers=which))
    return found


def fit(judged: list[Judged], *, steps: int = 200, ridge: float = 1.0) -> Calibration:
    """Fits the calibration by Newton's method, halving a step that goes too far, on candidates of turns that
    were not trained on.

    The directive pool holds more directive words than life, so its turns count half.
    """
    x = np.array([[j.candidate.keep, j.candidate.turn, 1.0] for j in judged])
    y = np.array([float(j.right) for j in judged])
    w = np.array([0.5 if j.pool == "directive" else 1.0 for j in judged])
    start = np.array([1.0, 0.0, 0.0])
    damp = np.diag([ridge, ridge, 1e-3])

    def cost(b: np.ndarray) -> float:
        z = x @ b
        off = b - start
        return float((w * (np.logaddexp(0, z) - y * z)).sum() + 0.5 * off @ damp @ off)

    b = start.copy()
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(x @ b, -30, 30)))
        gradient = x.T @ (w * (p - y)) + damp @ (b - start)
        curvature = (x * (w * p * (1 - p))[:, None]).T @ x + damp
        move = np.linalg.solve(curvature, gradient)
        while cost(b - move) > cost(b) and np.abs(move).max() > 1e-12:
            move /= 2
        b = b - move
        if np.abs(move).max() < 1e-9:
            break
    return Calibration(keep=float(b[0]), turn=float(b[1]), bias=float(b[2]))


def curve(
    turns: list[Labelled], judged: list[Judged], scores: list[float]
) -> list[tuple[float, float, float, float]]:
    """Returns (threshold, captured, precision of the random pool, precision of all), surest first."""
    total = sum(len(t.spans) for t in turns if t.verdict == "keep")
    hit: set[tuple[int, int]] = set()
    right = wrong = right_random = wrong_random = 0
    found = []
    for n in sorted(range(len(judged)), key=lambda n: -scores[n]):
        j = judged[n]
        hit |= {(j.turn, i) for i in j.covers}
        right, wrong = right + j.right, wrong + (not j.right)
        if j.pool == "random":
            right_random, wrong_random = right_random + j.right, wrong_random + (not j.right)
        seen = right_random + wrong_random
        found.append(
            (
                scores[n],
                len(hit) / max(total, 1),
                right_random / seen if seen else 0.0,
                right / (right + wrong),
            )
        )
    return found


def area(points: list[tuple[float, float, float, float]]) -> float:
    """Returns the mean precision over all levels of capture (0 where never reached)."""
    best = total = last = 0.0
    tops = []
    for _, captured, _, precision in reversed(points):
        best = max(best, precision)
        tops.append((captured, best))
    for captured, precision in reversed(tops):
        total += (captured - last) * precision
        last = captured
    return total
