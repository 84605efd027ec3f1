"""Figures are told as sentences that add up."""

from __future__ import annotations

import pytest

from asides.observe import figures


@pytest.mark.parametrize(
    ("count", "delivered", "told"),
    [
        (0, 0, "Nothing that stands had to be said again."),
        (1, 0, "Said again: once, never with the entry before the agent in that session."),
        (
            2,
            2,
            "Said again: 2 times, each time with the entry before the agent in that session.",
        ),
        (
            5,
            2,
            "Said again: 5 times, 2 with the entry before the agent in that session, 3 without.",
        ),
    ],
)
def test_repeats_are_told_with_and_without_delivery(count, delivered, told):
    assert figures.repeats(count, delivered=delivered) == told


def test_without_entries_nothing_else_is_missed():
    (told,) = figures.missing(live=0, sessions=0, cues=0, checks=0)
    assert "Nothing is live here" in told


def test_without_sessions_nothing_else_is_missed():
    (told,) = figures.missing(live=3, sessions=0, cues=0, checks=0)
    assert "No session was given an entry yet" in told


def test_what_has_not_happened_is_told_and_what_has_is_not():
    assert len(figures.missing(live=1, sessions=1, cues=0, checks=0)) == 2
    assert figures.missing(live=1, sessions=1, cues=2, checks=0) == ("No added line broke an entry yet.",)
    assert figures.missing(live=1, sessions=1, cues=2, checks=1) == ()


def test_one_entry_is_spoken_of_in_the_singular():
    assert figures.idle(1) == "1 live entry has no figures yet."
    assert figures.idle(2) == "2 live entries have no figures yet."
