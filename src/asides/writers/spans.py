"""Reads proposals off the encoder's answers: which clauses, from which word to which, how sure.

Pure arithmetic over arrays, the same for the trained network and for the exported one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asides.model.entry import Framing, Kind
from asides.model.judgment import Proposal
from asides.writers.encoding import Piece, Window

# Columns of the encoder's answer at each token.
KEEP, BEGIN, FRAMING, INSIDE, TURN = 0, 1, 2, 3, 4
KINDS = (Kind.LAW, Kind.HAZARD, Kind.RITUAL, Kind.CORRECTION, Kind.LOOP)
KIND = 5  # first of the columns of KINDS
COLUMNS = KIND + len(KINDS)

ACTIVE = 0.08  # uncalibrated: clauses under it are in no proposal at all
JOINS = 0.45  # share of its neighbour's certainty from which a clause belongs to the same entry
LEAST_WORDS = 3  # a span is not trimmed below this
LEAST_SHARE = 0.4  # nor below this share of its clauses
WORD = re.compile(r"\w+")
BORDER = re.compile(r"(?:[,:;]|\s[-–—]+)\s+")
NEAR = 2  # words: a border as close as this to the first or last tagged word is where a span opens


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Turns the two logits of a candidate into a probability; fitted on turns not trained on."""

    keep: float = 1.0
    turn: float = 0.0
    bias: float = 0.0

    def probability(self, keep: float, turn: float) -> float:
        """Returns the probability that a candidate with these logits should be kept."""
        return sigmoid(self.keep * keep + self.turn * turn + self.bias)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A span with its raw logits, before calibration."""

    start: int
    end: int
    kind: Kind
    framing: Framing
    keep: float
    turn: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clause:
    piece: Piece
    answer: NDArray[np.float32]  # at the marker
    inside: NDArray[np.float32]  # at each token
    turn: float  # of the window
    order: int  # grows by one; a gap stands for a window's border


def sigmoid(x: float) -> float:
    """Returns the logistic function, without overflow."""
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def candidates(
    message: str, windows: Sequence[Window], answers: Sequence[NDArray[np.float32]]
) -> tuple[Candidate, ...]:
    """Returns what the answers point at, in order, never overlapping.

    `answers` holds for each window an array of tokens x COLUMNS.
    """
    found: list[Candidate] = []
    run: list[_Clause] = []
    for clause in _clauses(windows, answers):
        if sigmoid(float(clause.answer[KEEP])) < ACTIVE:
            found += _close(message, run)
            run = []
            continue
        if run and (clause.order != run[-1].order + 1 or not _joins(run[-1], clause)):
            found += _close(message, run)
            run = []
        run.append(clause)
    found += _close(message, run)
    return tuple(found)


def proposals(found: Sequence[Candidate], calibration: Calibration) -> tuple[Proposal, ...]:
    """Returns the candidates with calibrated scores."""
    return tuple(
        Proposal(
            start=c.start,
            end=c.end,
            kind=c.kind.value,
            framing=c.framing,
            score=calibration.probability(c.keep, c.turn),
        )
        for c in found
    )


def _clauses(windows: Sequence[Window], answers: Sequence[NDArray[np.float32]]) -> list[_Clause]:
    found: list[_Clause] = []
    order = 0
    for window, answer in zip(windows, answers, strict=True):
        for piece, at in zip(window.pieces, window.markers, strict=True):
            found.append(
                _Clause(
                    piece=piece,
                    answer=answer[at],
                    inside=answer[at + 1 : at + 1 + len(piece.ids), INSIDE],
                    turn=float(answer[0, TURN]),
                    order=order,
                )
            )
            order += 1
    return found


def _joins(before: _Clause, clause: _Clause) -> bool:
    """Says whether a clause goes on with the entry of the clause before it."""
    if clause.piece.continues:
        return True
    a, b = sigmoid(float(before.answer[KEEP])), sigmoid(float(clause.answer[KEEP]))
    return clause.answer[BEGIN] < 0 and min(a, b) >= JOINS * max(a, b)


def _close(message: str, run: list[_Clause]) -> list[Candidate]:
    """Returns the candidate that a run of clauses makes, if any words are in it."""
    if not run:
        return []
    whole = run[0].piece.start, run[-1].piece.end
    start, end = _trimmed(message, run, *whole)
    if not WORD.search(message, start, end):
        return []
    best = max(run, key=lambda c: float(c.answer[KEEP]))
    weights = np.array([sigmoid(float(c.answer[KEEP])) for c in run])
    kinds = sum(w * _softmax(c.answer[KIND : KIND + len(KINDS)]) for w, c in zip(weights, run, strict=True))
    framing = sum(w * float(c.answer[FRAMING]) for w, c in zip(weights, run, strict=True))
    return [
        Candidate(
            start=start,
            end=end,
            kind=KINDS[int(np.argmax(kinds))],
            framing=Framing.EXPLICIT if framing > 0 else Framing.PASSING,
            keep=float(best.answer[KEEP]),
            turn=best.turn,
        )
    ]


def _softmax(x: NDArray[np.float32]) -> NDArray[np.float64]:
    e = np.exp(x.astype(np.float64) - float(x.max()))
    return np.asarray(e / e.sum())


def _trimmed(message: str, run: list[_Clause], start: int, end: int) -> tuple[int, int]:
    """Returns the span cut to the first and last token tagged as inside, on whole words and at borders."""
    tagged = [
        offset
        for c in run
        for offset, inside in zip(c.piece.offsets, c.inside, strict=True)
        if inside > 0 and offset[1] > offset[0]
    ]
    a, b = (tagged[0][0], tagged[-1][1]) if tagged else (start, end)
    a, b = _opening(message, a, start, end), _closing(message, b, end)
    enough = len(WORD.findall(message, a, b)) >= LEAST_WORDS and b - a >= LEAST_SHARE * (end - start)
    a, b = (a, b) if enough else (start, end)
    # A comma at the end belongs to what goes on behind it.
    return a, a + len(message[a:b].rstrip(" \t\r\n,;:-–—"))


def _opening(message: str, at: int, start: int, end: int) -> int:
    """Returns where a span that is tagged from `at` on opens: behind a comma or colon close by, or at the
    start of its clauses, else at the word itself.
    """
    while at > start and not message[at - 1].isspace():
        at -= 1
    if at == start:
        return at
    behind = [m.end() for m in BORDER.finditer(message, start, end)]
    right = [n for n in behind if n >= at and len(message[at:n].split()) <= NEAR]
    left = [n for n in (start, *behind) if n <= at and len(message[n:at].split()) <= NEAR]
    # A lead-in ("one more thing:") is no part of what was said; so rather later than earlier.
    return left[-1] if left and left[-1] == at else right[0] if right else left[-1] if left else at


def _closing(message: str, at: int, end: int) -> int:
    """Returns where a span that is tagged up to `at` closes: with its word, or with its clauses if only one
    word is left of them.
    """
    while at < end and not message[at].isspace():
        at += 1
    return end if len(message[at:end].split()) <= 1 else at
