"""The writer for tests says what it was told, and remembers."""

from __future__ import annotations

from asides.model.entry import Framing, Kind
from asides.writers.scripted import Scripted

RULE = {"never mock the clock": (Kind.LAW, Framing.EXPLICIT, 0.9)}


def test_a_phrase_is_found_word_for_word_where_it_stands():
    message = "fix it, and never mock the clock please"
    (found,) = Scripted(RULE).salience(message, "")
    assert message[found.start : found.end] == "never mock the clock"
    assert (found.kind, found.framing, found.score) == ("law", Framing.EXPLICIT, 0.9)


def test_a_message_without_the_phrase_holds_nothing():
    assert Scripted(RULE).salience("thanks", "") == ()


def test_every_question_is_remembered():
    writer = Scripted({})
    writer.salience("one", "before")
    writer.salience("two", "")
    assert writer.asked == [("one", "before"), ("two", "")]


def test_phrases_that_overlap_are_one_proposal():
    writer = Scripted(RULE | {"mock the clock please": (Kind.LAW, Framing.PASSING, 0.5)})
    assert len(writer.salience("never mock the clock please", "")) == 1
