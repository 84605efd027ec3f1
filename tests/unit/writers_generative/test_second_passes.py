"""Anchoring and consolidation are asked only where there is cause, and change only what they may."""

from __future__ import annotations

from asides.model.anchor import File
from asides.model.entry import Kind
from asides.writers.generative.answers import Fault, Line, Replaces, Same, Unlike, render
from asides.writers.generative.completion import Completion
from asides.writers.generative.passes import PLACES_AT_MOST, STANDING_AT_MOST, anchored, related
from tests.support.completers import Completer

LINE = Line(kind=Kind.LAW, body="env vars are read in config/env.js only")
MOVED = Line(kind=Kind.LAW, body=LINE.body, anchor=File(path="config/env.js"))


def test_an_entry_is_tied_to_a_file_that_was_offered():
    completer = Completer(render([MOVED]))
    assert anchored([LINE], ["config/env.js", "a.js"], completer) == ((MOVED,), None)
    assert "config/env.js\na.js" in completer.asked[0].user
    assert LINE.body in completer.asked[0].user


def test_nothing_is_asked_without_entries_or_without_places():
    completer = Completer()
    assert anchored([LINE], [], completer) == ((LINE,), None)
    assert anchored([], ["a.js"], completer) == ((), None)
    assert anchored([LINE], ["a|b", "a\nb", " "], completer) == ((LINE,), None)
    assert completer.asked == []


def test_an_answer_out_of_form_leaves_the_entries_general():
    for answer, fault in (
        (render([Line(kind=Kind.LAW, body="other words", anchor=File(path="a.js"))]), Fault.FORM),
        ("NONE", Fault.FORM),
        (Completion(text=render([MOVED]), whole=False), Fault.CUT),
    ):
        assert anchored([LINE], ["config/env.js"], Completer(answer)) == ((LINE,), fault)
    assert anchored([LINE], ["config/env.js"], Completer(room=10)) == ((LINE,), Fault.TOO_LONG)


def test_the_places_offered_are_bounded():
    completer = Completer(render([LINE]))
    anchored([LINE], [f"f{n}.js" for n in range(500)], completer)
    assert completer.asked[0].user.count(".js\n") <= PLACES_AT_MOST + 1


def test_a_body_is_related_to_what_stands_by_its_number():
    standing = ["use jest for tests", "no tabs"]
    assert related("we're on vitest now, not jest", standing, Completer("REPLACES 1")) == (
        Replaces(number=1),
        None,
    )
    assert related("tabs are not wanted", standing, Completer("SAME 2")) == (Same(number=2), None)
    assert related("lint before commit", standing, Completer("NEW")) == (Unlike(), None)


def test_without_anything_that_stands_nothing_is_asked():
    completer = Completer("SAME 1")
    assert related("no tabs", [], completer) == (Unlike(), None)
    assert completer.asked == []


def test_a_relation_out_of_form_makes_the_entry_new():
    assert related("no tabs", ["x"], Completer("SAME 2")) == (Unlike(), Fault.FORM)
    assert related("no tabs", ["x"], Completer(room=10)) == (Unlike(), Fault.TOO_LONG)


def test_what_stands_is_compared_in_part_and_on_one_line_each():
    completer = Completer("NEW")
    related("no\ntabs", [f"rule\nnumber {n}" for n in range(100)], completer)
    assert f"{STANDING_AT_MOST}. rule number" in completer.asked[0].user
    assert f"{STANDING_AT_MOST + 1}. " not in completer.asked[0].user
