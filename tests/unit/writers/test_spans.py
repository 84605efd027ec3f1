"""Proposals read off made-up answers: borders, joins, calibration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.model.entry import Framing, Kind
from asides.writers.encoding import MARKER, Piece, Window
from asides.writers.spans import (
    BEGIN,
    COLUMNS,
    FRAMING,
    INSIDE,
    KEEP,
    KIND,
    KINDS,
    TURN,
    Calibration,
    candidates,
    proposals,
    sigmoid,
)

MESSAGE = "Fix the test. Never mock the clock here, it hides bugs. Use tabs in all files."
PARTS = ("Fix the test.", "Never mock the clock here,", "it hides bugs.", "Use tabs in all files.")


def window(message=MESSAGE, parts=PARTS):
    pieces, markers, ids = [], [], [101, 102]
    for part in parts:
        start = message.index(part)
        offsets, at = [], start
        for word in part.split():
            at = message.index(word, at)
            offsets.append((at, at + len(word)))
            at += len(word)
        pieces.append(
            Piece(start=start, end=start + len(part), ids=(7,) * len(offsets), offsets=tuple(offsets))
        )
        markers.append(len(ids))
        ids += [MARKER, *pieces[-1].ids]
    return Window(ids=np.array([*ids, 102]), pieces=tuple(pieces), markers=tuple(markers))


def answers(over, keeps, *, begins=(5, 5, 5, 5), inside=5.0, kind=Kind.LAW, turn=1.0):
    found = np.full((len(over.ids), COLUMNS), -5.0, dtype=np.float32)
    found[0, TURN] = turn
    found[:, INSIDE] = inside
    found[:, KIND + KINDS.index(kind)] = 5
    for at, keep, begin in zip(over.markers, keeps, begins, strict=True):
        found[at, KEEP], found[at, BEGIN] = keep, begin
    return found


def bodies(found):
    return [MESSAGE[c.start : c.end] for c in found]


def test_nothing_sure_is_nothing_proposed():
    over = window()
    assert candidates(MESSAGE, [over], [answers(over, (-5, -5, -5, -5))]) == ()


def test_a_clause_that_goes_on_with_an_entry_joins_it():
    over = window()
    found = candidates(MESSAGE, [over], [answers(over, (-5, 3, 3, -5), begins=(5, 5, -5, 5))])
    assert bodies(found) == ["Never mock the clock here, it hides bugs."]


def test_a_clause_that_begins_an_entry_is_one_of_its_own():
    over = window()
    found = candidates(MESSAGE, [over], [answers(over, (-5, 3, 3, 3), begins=(5, 5, -5, 5))])
    assert bodies(found) == ["Never mock the clock here, it hides bugs.", "Use tabs in all files."]


def test_a_doubtful_neighbour_does_not_join_a_sure_clause():
    over = window()
    found = candidates(MESSAGE, [over], [answers(over, (-5, 4, -1.5, -5), begins=(5, 5, -5, 5))])
    assert bodies(found)[0] == "Never mock the clock here"


LEADS = "One more thing: never mock the clock in any of these files, it hides bugs, ok thanks"


@pytest.mark.parametrize(
    ("first", "last", "body"),
    [
        (3, 15, "never mock the clock in any of these files, it hides bugs"),
        (2, 15, "never mock the clock in any of these files, it hides bugs"),  # the lead-in's last word
        (4, 15, "never mock the clock in any of these files, it hides bugs"),  # one word late
        (6, 15, "clock in any of these files, it hides bugs"),  # no border near
        (3, 16, "never mock the clock in any of these files, it hides bugs, ok thanks"),  # one word is left
    ],
)
def test_a_span_is_trimmed_to_the_words_tagged_inside_or_a_border_close_by(first, last, body):
    over = window(LEADS, (LEADS,))
    told = answers(over, (3,), begins=(5,), inside=-5.0)
    told[over.markers[0] + 1 + first : over.markers[0] + 1 + last, INSIDE] = 5
    (found,) = candidates(LEADS, [over], [told])
    assert LEADS[found.start : found.end] == body


def test_a_span_is_not_trimmed_to_next_to_nothing():
    over = window()
    told = answers(over, (-5, 3, -5, -5), inside=-5.0)
    told[over.markers[1] + 2, INSIDE] = 5
    assert bodies(candidates(MESSAGE, [over], [told])) == ["Never mock the clock here"]


def test_kind_and_framing_are_those_of_the_clauses():
    over = window()
    told = answers(over, (-5, -5, -5, 3), kind=Kind.RITUAL)
    told[over.markers[3], FRAMING] = 2
    (found,) = candidates(MESSAGE, [over], [told])
    assert (found.kind, found.framing) == (Kind.RITUAL, Framing.EXPLICIT)


@given(
    keeps=st.tuples(*[st.floats(-9, 9)] * 4),
    begins=st.tuples(*[st.floats(-9, 9)] * 4),
    inside=st.floats(-2, 2),
)
def test_proposals_never_overlap_and_are_spans_of_the_message(keeps, begins, inside):
    over = window()
    found = proposals(
        candidates(MESSAGE, [over], [answers(over, keeps, begins=begins, inside=inside)]), Calibration()
    )
    borders = [n for p in found for n in (p.start, p.end)]
    assert borders == sorted(borders)
    assert all(0 <= p.start < p.end <= len(MESSAGE) and 0 <= p.score <= 1 for p in found)


def test_a_surer_clause_never_scores_lower():
    calibration = Calibration(keep=0.6, turn=0.2, bias=-1)
    scores = [calibration.probability(k, 0.5) for k in (-4, -1, 0, 2, 6)]
    assert scores == sorted(scores)


@pytest.mark.parametrize("x", [-1e9, -800.0, 0.0, 800.0, 1e9])
def test_the_logistic_function_holds_at_the_extremes(x):
    assert 0 <= sigmoid(x) <= 1
